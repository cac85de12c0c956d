// The text task: its windows, its split, what it expects, and the files that it refuses.
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"
#include "attention/tasks/hash.hpp"
#include "attention/tasks/task.hpp"

using namespace attention;
using Catch::Contains;

namespace {

// A file that is there while this is.
struct TextFile {
  explicit TextFile(std::string_view bytes)
      : path(std::filesystem::temp_directory_path() /
             fmt::format("attention-text-{:x}.txt", std::random_device{}())) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
  ~TextFile() { std::filesystem::remove(path); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  std::filesystem::path path;
};

std::unique_ptr<Task> text_task(std::string_view bytes, int context = 1) {
  const TextFile file(bytes);
  return find_task("text").make({file.path.string(), context});
}

// Different characters in rising order, from 一 on: the id of each is its place in the text.
std::string different(int count) {
  std::u32string text;
  for (int i = 0; i < count; ++i) text += static_cast<char32_t>(0x4E00 + i);
  return encode_utf8(text);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

double bigram(const Task& task, int a, int b) {
  return task.expected_loss({Tokens({1, 1}, {a}), Tokens({1, 1}, {b})}).at(0).value;
}

}  // namespace

TEST_CASE("a text's targets are its input, one character later") {
  const auto task = text_task("to be or not", 1);
  CHECK(task->alphabet().symbols() == std::vector<std::string>{" ", "b", "e", "n", "o", "r", "t"});
  CHECK(task->causal());
  CHECK(task->context() == 1);
  Random random(1);
  const Batch batch = text_task(different(121), 4)->batch(5, random);
  CHECK(batch.input.shape == Shape{5, 4});
  CHECK(batch.targets.shape == Shape{5, 4});
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i < 4; ++i) {
      CHECK(batch.input.ids[4 * row + i] == batch.input.ids[4 * row] + i);
      CHECK(batch.targets.ids[4 * row + i] == batch.input.ids[4 * row + i] + 1);
    }
}

TEST_CASE("training windows come from all of the first nine tenths, and from nowhere else") {
  const auto task = text_task(different(121), 4);  // 108 characters train
  Random random(1);
  std::set<int> starts, targets;
  for (int i = 0; i < 100; ++i) {
    const Batch batch = task->batch(32, random);
    for (int row = 0; row < 32; ++row) starts.insert(batch.input.ids[4 * row]);
    targets.insert(batch.targets.ids.begin(), batch.targets.ids.end());
  }
  CHECK(starts.size() == 104);
  CHECK(*starts.begin() == 0);
  CHECK(*starts.rbegin() == 103);
  CHECK(*targets.rbegin() == 107);
}

TEST_CASE("unseen windows follow each other through the last tenth") {
  const auto task = text_task(different(121), 4);  // 13 characters are held out: 108 to 120
  const Batch all = task->unseen(1000);
  CHECK(all.input.shape == Shape{3, 4});
  for (int i = 0; i < 12; ++i) {
    CHECK(all.input.ids[i] == 108 + i);
    CHECK(all.targets.ids[i] == 109 + i);
  }
  const Batch two = task->unseen(2);
  CHECK(two.input.shape == Shape{2, 4});
  CHECK(two.targets.ids == std::vector<int>(all.targets.ids.begin(), all.targets.ids.begin() + 8));
  CHECK(text_task(different(120), 4)->unseen(9).input.shape == Shape{2, 4});  // 12: one too few
  CHECK(task->unseen(0).input.shape == Shape{0, 4});
}

TEST_CASE("the same seed gives the same windows, on every machine") {
  const auto task = text_task(different(1001), 3);
  Random one(1), two(1), other(2);
  const Batch batch = task->batch(4, one);
  CHECK(batch.input == task->batch(4, two).input);
  CHECK_FALSE(batch.input == task->batch(4, one).input);
  CHECK_FALSE(batch.input == task->batch(4, other).input);
  CHECK(batch.input.ids ==
        std::vector<int>{105, 106, 107, 427, 428, 429, 619, 620, 621, 333, 334, 335});
}

TEST_CASE("the add-one bigram is that of paper and pencil") {
  // ababababab trains: ab comes 5 times, ba 4 times. V is 3, as the held-out part has a c.
  const auto task = text_task("abababababcc");
  CHECK(bigram(*task, 0, 1) == Approx(-std::log(6.0 / 8)));
  CHECK(bigram(*task, 0, 0) == Approx(-std::log(1.0 / 8)));
  CHECK(bigram(*task, 1, 0) == Approx(-std::log(5.0 / 7)));  // the last b is followed by nothing
  CHECK(bigram(*task, 1, 2) == Approx(-std::log(1.0 / 7)));
  CHECK(bigram(*task, 2, 2) == Approx(std::log(3.0)));  // never seen in training

  const auto held_out = task->expected_loss(task->unseen(10));
  CHECK(held_out.at(0).name == "add-one bigram");
  CHECK(held_out.at(0).value == Approx(std::log(3.0)));
  CHECK(held_out.at(1).name == "guessing");
  CHECK(held_out.at(1).value == Approx(1.098612));

  // The mean is over the targets that are scored.
  const auto mean = [&](std::vector<int> input, std::vector<int> targets) {
    return task
        ->expected_loss({Tokens({1, 3}, std::move(input)), Tokens({1, 3}, std::move(targets))})
        .at(0)
        .value;
  };
  CHECK(mean({0, 1, 0}, {1, -1, 0}) == Approx(std::log(8.0 / 6) / 2 + std::log(8.0) / 2));
  CHECK(mean({0, 1, 0}, {-1, -1, -1}) == 0);
  CHECK_THROWS_WITH(mean({0, 1, 3}, {0, 1, 2}), "bigram: id 3 is outside [0, 3)");
  CHECK_THROWS_WITH(mean({0, 1, -1}, {0, 1, 2}), "bigram: id -1 is outside [0, 3)");
  CHECK_THROWS_WITH(mean({0, 1, 2}, {0, 1, -2}), "bigram: id -2 is outside [0, 3)");
}

TEST_CASE("after each character the bigram's probabilities add up to 1") {
  const auto task = text_task("the cat sat on the mat; the dog sat on the cat");
  for (int a = 0; a < task->alphabet().size(); ++a) {
    double sum = 0;
    for (int b = 0; b < task->alphabet().size(); ++b) sum += std::exp(-bigram(*task, a, b));
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("a Chinese text is learned by the character, whatever its line ends and marks") {
  const std::string sentence = "小明喜欢吃苹果，因为苹果很甜。";
  const auto task = text_task(repeated(sentence + "\n", 4), 4);  // 64 characters: 57 and 7
  CHECK(task->alphabet().size() == 14);
  CHECK(task->alphabet().decode(task->unseen(1).input.ids) == "为苹果很");
  CHECK(task->alphabet().decode(task->unseen(1).targets.ids) == "苹果很甜");
  const auto from_windows = text_task("\xEF\xBB\xBF" + repeated(sentence + "\r\n", 4), 4);
  CHECK(from_windows->alphabet().symbols() == task->alphabet().symbols());
  CHECK(from_windows->unseen(9).input == task->unseen(9).input);
  CHECK(from_windows->fingerprint() == task->fingerprint());
  CHECK(text_task(repeated(sentence + "\r", 4), 4)->fingerprint() == task->fingerprint());
}

TEST_CASE("a fingerprint tells one text from another, in every version") {
  CHECK(text_task("abababababab")->fingerprint() == "9cae6fc65eccf7c2");
  CHECK(text_task("abababababaa")->fingerprint() != "9cae6fc65eccf7c2");
  CHECK(text_task("abababababab\n")->fingerprint() != "9cae6fc65eccf7c2");
}

TEST_CASE("the hash behind splits and fingerprints is the same everywhere") {
  using Ids = std::vector<int>;
  CHECK(hash_of(Ids{}) == 0x61C88646E17D05ADu);
  CHECK(hash_of(Ids{0}) == 0xF24C51BE7B1D53C9u);
  CHECK(hash_of(Ids{0, 0}) == 0x820548767B0F2652u);
  CHECK(hash_of(Ids{1, 2, 3}) == 0xBF7B2A0DD54ED735u);
  CHECK(hash_of(Ids{3, 2, 1}) == 0xD8B28B7063395F61u);
  CHECK(hash_of(std::u32string(U"\1\2\3")) == hash_of(Ids{1, 2, 3}));
}

TEST_CASE("without a text the error says how to give one") {
  CHECK_THROWS_WITH(find_task("text").make({}),
                    "text: which text? Name any UTF-8 file with --text FILE");
  CHECK_THROWS_WITH(find_task("text").make({"no/such/file.txt"}), Contains("no/such/file.txt"));
}

TEST_CASE("an empty text is an error that says how much it takes") {
  CHECK_THROWS_WITH(
      text_task("", 0),
      Contains("text: ") && Contains(".txt is empty; it takes 641 characters or more"));
  CHECK_THROWS_WITH(
      text_task("\xEF\xBB\xBF", 0),
      Contains("text: ") && Contains(".txt is empty; it takes 641 characters or more"));
}

TEST_CASE("a text too short for the context is an error with both numbers, in characters") {
  CHECK_THROWS_WITH(text_task(different(500), 64),
                    Contains(".txt has 500 characters, too few for a context of 64") &&
                        Contains("which takes 641; give a longer text, or --context 49"));
  CHECK_THROWS_WITH(text_task("0123456789"),
                    Contains("has 10 characters, too few for a context of 1") &&
                        Contains("which takes 11; give a longer text"));
  CHECK_THROWS_WITH(text_task(different(640), 0), Contains("has 640 characters"));
  CHECK_THROWS_WITH(text_task("a", 2147483647), Contains("which takes 21474836471"));
}

TEST_CASE("the shortest text that is enough, and the longest context that fits, work") {
  const auto task = text_task(different(641), 0);
  CHECK(task->context() == 64);
  CHECK(task->unseen(9).input.shape == Shape{1, 64});
  CHECK(text_task(different(500), 49)->unseen(9).input.shape == Shape{1, 49});
  for (int length = 11; length < 120; ++length) {
    const int context = (length - 1) / 10;
    const auto tight = text_task(different(length), context);
    Random random(1);
    CHECK(tight->batch(3, random).targets.ids.size() == std::size_t(3) * context);
    CHECK(tight->unseen(9).targets.ids.size() == std::size_t(context));
    CHECK_THROWS(text_task(different(length), context + 1));
  }
}

TEST_CASE("a context below one is refused") {
  CHECK_THROWS_WITH(text_task(different(500), -3),
                    "text: a context of -3 characters; it takes 1 or more");
}

TEST_CASE("a file that is not UTF-8 is refused with its name and the byte offset") {
  CHECK_THROWS_WITH(
      text_task("a good beginning, then\xA3"),
      Contains("text: ") && Contains(".txt: not UTF-8: at byte 22, no character begins"));
}
