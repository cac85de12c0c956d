// Text: UTF-8, line ends, the alphabet, and the task that learns a file. Whether bytes are UTF-8 is
// asked of another decoder, too: the JSON library's.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "attention/core/utf8.hpp"
#include "attention/tasks/task.hpp"
#include "fuzz.hpp"

using namespace attention;
using fuzz::require;

namespace {

bool others_read(std::string_view bytes) {
  try {
    (void)nlohmann::json(bytes).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void check_utf8(std::string_view bytes) {
  const auto text = fuzz::attempt([&] { return decode_utf8(bytes); });
  require(text.has_value() == others_read(bytes), "what is UTF-8 here is UTF-8 elsewhere");
  if (text) require(encode_utf8(*text) == bytes, "encoding undoes decoding");
}

void check_lines(std::string_view bytes, const std::u32string& clean) {
  require(clean.find(U'\r') == clean.npos, "no carriage return is left");
  const bool marked = bytes.starts_with("\xEF\xBB\xBF");
  require(clean.size() + marked <= decode_utf8(bytes).size(), "cleaning adds nothing");
  if (clean.empty() || clean[0] != U'\uFEFF')
    require(clean_text(encode_utf8(clean)) == clean, "what is clean stays as it is");
}

void check_letters(const std::u32string& clean) {
  const Alphabet alphabet = Alphabet::of(clean);
  const std::set<char32_t> letters(clean.begin(), clean.end());
  require(alphabet.size() == static_cast<int>(letters.size()), "each letter has one id");
  const std::vector<int> ids = alphabet.encode(clean);
  require(ids.size() == clean.size(), "each letter is one token");
  require(alphabet.decode(ids) == encode_utf8(clean), "decoding undoes encoding");
}

// The same text, taken as words between spaces: each is one token again.
void check_words(const std::u32string& clean) {
  std::vector<std::string> words;
  std::set<std::string> different;
  for (std::size_t begin = 0; begin < clean.size();) {
    const std::size_t end = std::min(clean.find(U' ', begin), clean.size());
    if (end > begin) words.push_back(encode_utf8(clean.substr(begin, end - begin)));
    begin = end + 1;
  }
  different.insert(words.begin(), words.end());
  const Alphabet alphabet(std::vector<std::string>(different.begin(), different.end()));
  if (!alphabet.has_words()) return;  // then a space is a letter like any other
  const std::vector<int> ids = alphabet.encode(clean);
  require(ids.size() == words.size(), "each word is one token");
  for (std::size_t i = 0; i < ids.size(); ++i)
    require(alphabet.symbol(ids[i]) == words[i], "and the right one");
}

// What a person types may have symbols that the model does not know.
void check_foreign(std::string_view bytes) {
  static const Alphabet digits(U"0123456789+=");
  if (const auto ids = fuzz::attempt([&] { return digits.encode(bytes); }))
    require(digits.decode(*ids).size() == ids->size(), "each digit is one token");
}

void check_batch(const Batch& batch, int context, int symbols) {
  const std::vector<int>&input = batch.input.ids, &targets = batch.targets.ids;
  require(input.size() == targets.size(), "as many targets as tokens");
  for (std::size_t i = 0; i < input.size(); ++i) {
    require(input[i] >= 0 && input[i] < symbols, "a token is a symbol");
    require(targets[i] >= 0 && targets[i] < symbols, "a target is a symbol");
    if (i % context != 0) require(input[i] == targets[i - 1], "a target is what comes next");
  }
}

// A file that is nowhere on a disk.
std::string file_of(std::string_view bytes) {
  static const int file = ::memfd_create("text", 0);
  require(::ftruncate(file, 0) == 0, "the file is emptied");
  require(::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
          "the file is written");
  return "/proc/self/fd/" + std::to_string(file);
}

void check_task(std::string_view bytes) {
  const int context = bytes.empty() ? 1 : 1 + static_cast<unsigned char>(bytes.back()) % 8;
  const auto make = [&] { return find_task("text").make({file_of(bytes), context}); };
  const auto task = fuzz::attempt(make);
  if (!task) return;
  const int symbols = (*task)->alphabet().size();
  Random random(1);
  check_batch((*task)->batch(3, random), context, symbols);
  const Batch unseen = (*task)->unseen(4);
  require(!unseen.input.ids.empty(), "something is held out");
  check_batch(unseen, context, symbols);
  for (const Expectation& each : (*task)->expected_loss(unseen))
    require(each.value >= 0 && each.value < 100, "an expected loss is a loss");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  check_utf8(bytes);
  if (const auto clean = fuzz::attempt([&] { return clean_text(bytes); })) {
    check_lines(bytes, *clean);
    check_letters(*clean);
    check_words(*clean);
  }
  check_foreign(bytes);
  check_task(bytes);
  return 0;
}
