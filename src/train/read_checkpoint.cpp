// The strict reader: the file may come from anywhere. What goes wrong inside is completed on the
// way out with the tensor's name and the file's. The writer is in checkpoint.cpp.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "../core/strict_json.hpp"
#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/train/checkpoint.hpp"
#include "safetensors.hpp"

namespace attention {
namespace {

using Json = nlohmann::json;

struct Entry {
  std::string name, dtype;
  Shape shape;
  Size begin, end;  // its bytes, counted from the end of the header
};

Size width(const std::string& dtype) { return dtype == "F32" ? 4 : 8; }

Json parse_header(std::string_view text) {
  if (!text.starts_with('{')) fail("the header does not begin with {{; another kind of file?");
  return parse_strictly<Json>(text, "the header");
}

const Json& field(const Json& entry, const char* key) {
  if (!entry.is_object())
    fail("an object with dtype, shape and data_offsets is expected, not {}", entry.type_name());
  const auto found = entry.find(key);
  if (found == entry.end()) fail("{} is missing", key);
  return *found;
}

std::vector<Size> sizes(const Json& entry, const char* key) {
  const Json& list = field(entry, key);
  if (!list.is_array()) fail("{} is expected to be an array, not {}", key, list.type_name());
  std::vector<Size> result;
  for (const Json& item : list) {
    if (!item.is_number_unsigned() ||
        item.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<Size>::max()))
      fail("{} holds {}, which is no size", key, item.is_number() ? item.dump() : item.type_name());
    result.push_back(item.get<Size>());
  }
  return result;
}

// What the format does not know might change what the rest means.
void check_members(const Json& entry) {
  for (const auto& [name, value] : entry.items())
    if (name != "dtype" && name != "shape" && name != "data_offsets")
      fail("{} is no part of the format, which has dtype, shape and data_offsets", name);
}

Entry parse_entry(const std::string& name, const Json& json) {
  const Json& dtype = field(json, "dtype");
  if (dtype != "F32" && dtype != "F64")
    fail("its dtype is {}; F32 and F64 can be read",
         dtype.is_string() ? dtype.get<std::string>() : dtype.type_name());
  const std::vector<Size> offsets = sizes(json, "data_offsets");
  if (offsets.size() != 2) fail("data_offsets are expected to be two, not {}", offsets.size());
  check_members(json);
  const Entry entry{name, dtype, Shape(sizes(json, "shape")), offsets[0], offsets[1]};
  const Size bytes = entry.end - entry.begin;
  if (bytes < 0) fail("data_offsets are out of order: {} comes before {}", entry.begin, entry.end);
  // Divided, because a product could overflow.
  if (bytes % width(entry.dtype) != 0 || bytes / width(entry.dtype) != entry.shape.count())
    fail("{} of shape {} needs {} numbers of {} bytes, but has {} bytes", entry.dtype, entry.shape,
         entry.shape.count(), width(entry.dtype), bytes);
  return entry;
}

std::vector<Entry> parse_entries(const Json& header) {
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) {
    if (name == metadata_key) continue;
    try {
      entries.push_back(parse_entry(name, json));
    } catch (const Error& error) {
      fail("tensor {}: {}", name, error.what());
    }
  }
  return entries;
}

// Together the tensors must cover the data: no gap, nothing twice, nothing left over.
void check_cover(std::vector<Entry> entries, Size size) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  Size covered = 0;
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (entry.begin < covered) fail("tensors {} and {} overlap", before->name, entry.name);
    if (entry.begin > covered)
      fail("bytes {} to {} of the data, before {}, belong to no tensor", covered, entry.begin,
           entry.name);
    covered = entry.end;
    before = &entry;
  }
  if (covered > size)
    fail("cut short: {} ends at byte {} of the data, but there are only {}", before->name, covered,
         size);
  if (covered < size)
    fail("{} bytes too many: the tensors end at byte {} of the data, the file at {}",
         size - covered, covered, size);
}

template <class Stored>
Tensor read_values(const Entry& entry, std::string_view data) {
  Buffer values(entry.shape.count());
  real* to = values.fill();
  const char* from = data.data() + entry.begin;  // not aligned, when others have written the file
  for (Size i = 0; i < values.size(); ++i) {
    Stored value;
    std::memcpy(&value, from + i * sizeof(Stored), sizeof(Stored));
    to[i] = static_cast<real>(value);
    if (sizeof(Stored) > sizeof(real) && std::isinf(to[i]) && !std::isinf(value))
      fail("tensor {}: {} is too large for a float", entry.name, value);
  }
  return Tensor(entry.shape, std::move(values));
}

Metadata read_metadata(const Json& header) {
  Metadata metadata;
  const auto found = header.find(metadata_key);
  if (found == header.end()) return metadata;
  if (!found->is_object())
    fail("{} is expected to be an object, not {}", metadata_key, found->type_name());
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string())
      fail("{}: {} is expected to be a string, not {}", metadata_key, key, value.type_name());
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

Checkpoint parse(std::string_view file) {
  if (file.empty()) fail("the file is empty");
  if (file.size() < length_bytes)
    fail("{} bytes; even the length of the header needs {}", file.size(), length_bytes);
  std::uint64_t length;
  std::memcpy(&length, file.data(), length_bytes);
  file.remove_prefix(length_bytes);
  if (length > largest_header)
    fail("a header of {} bytes, when {} are allowed; another kind of file?", length,
         largest_header);
  if (length > file.size())
    fail("cut short: a header of {} bytes is announced, and {} follow", length, file.size());
  const Json header = parse_header(file.substr(0, length));
  const std::string_view data = file.substr(length);
  const std::vector<Entry> entries = parse_entries(header);
  check_cover(entries, static_cast<Size>(data.size()));
  Checkpoint checkpoint{{}, read_metadata(header)};
  for (const Entry& entry : entries)
    checkpoint.tensors.push_back({entry.name, entry.dtype == "F32"
                                                  ? read_values<float>(entry, data)
                                                  : read_values<double>(entry, data)});
  return checkpoint;
}

}  // namespace

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& where) {
  try {
    return parse(bytes);
  } catch (const Error& error) {  // which may repeat any name the file gives
    fail("checkpoint: {}: {}", where, short_line(error.what()));
  }
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return parse_checkpoint(read_file(path), path.string());
}

}  // namespace attention
