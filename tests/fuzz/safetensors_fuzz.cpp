// The reader of checkpoints. What it takes is saved and read again, and must be the same; a byte
// more or a byte less, and it must be refused.
#include "attention/train/checkpoint.hpp"
#include "fuzz.hpp"

using namespace attention;
using fuzz::require;

namespace {

constexpr std::size_t length_bytes = 8;

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         (a.count() == 0 || std::memcmp(a.data(), b.data(), a.count() * sizeof(real)) == 0);
}

void check_same(const Checkpoint& a, const Checkpoint& b) {
  require(a.metadata == b.metadata, "the metadata is the same after saving");
  require(a.tensors.size() == b.tensors.size(), "there are as many tensors after saving");
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    require(a.tensors[i].name == b.tensors[i].name, "a name is the same after saving");
    require(same_bits(a.tensors[i].tensor, b.tensors[i].tensor), "the numbers are the same");
  }
}

bool is_taken(std::string_view bytes) {
  return fuzz::attempt([&] { return parse_checkpoint(bytes, "changed"); }).has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const auto checkpoint = fuzz::attempt([&] { return parse_checkpoint(bytes, "input"); });
  if (!checkpoint) return 0;
  require(!is_taken(bytes.substr(0, size - 1)), "a byte less is refused");
  const std::string saved = checkpoint_bytes(checkpoint->tensors, checkpoint->metadata);
  const Checkpoint again = parse_checkpoint(saved, "saved");
  check_same(*checkpoint, again);
  require(checkpoint_bytes(again.tensors, again.metadata) == saved, "saving is settled");
  require(!is_taken(saved + '\0'), "a byte more is refused");
  return 0;
}

// A change to the header changes its length, too, and without the right one no change gets far: so
// half of all changes are to the header's text or to the data, and the length is put right.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::uint64_t length = 0;
  if (size >= length_bytes) std::memcpy(&length, data, length_bytes);
  const bool whole = seed % 2 == 0 || size < length_bytes || length > size - length_bytes;
  if (whole || most < size) return LLVMFuzzerMutate(data, size, most);
  std::string header(data + length_bytes, data + length_bytes + length);
  std::string numbers(data + length_bytes + length, data + size);
  std::string& changed = seed % 8 == 1 ? numbers : header;
  const std::size_t before = changed.size(), room = before + (most - size);
  changed.resize(room);
  changed.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(changed.data()), before, room));
  length = header.size();
  std::memcpy(data, &length, length_bytes);
  std::memcpy(data + length_bytes, header.data(), header.size());
  std::memcpy(data + length_bytes + header.size(), numbers.data(), numbers.size());
  return length_bytes + header.size() + numbers.size();
}
