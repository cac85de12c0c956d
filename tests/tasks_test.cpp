// The tasks as a whole, and those that are a function of a short sequence: that input and targets
// belong together, that nothing unseen is trained on, and that what is expected is exact.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/core/error.hpp"
#include "attention/tasks/sequences.hpp"
#include "attention/tasks/task.hpp"

using namespace attention;

namespace {

std::unique_ptr<Task> make(const std::string& name) { return find_task(name).make({}); }

std::vector<Sequence> rows(const Tokens& tokens) {
  std::vector<Sequence> result;
  const Size length = tokens.shape[1];
  for (auto row = tokens.ids.begin(); row != tokens.ids.end(); row += length)
    result.emplace_back(row, row + length);
  return result;
}

Sequence copied(Sequence digits) { return digits; }
Sequence reversed(Sequence digits) { return {digits.rbegin(), digits.rend()}; }
Sequence sorted(Sequence digits) {
  for (std::size_t i = 0; i < digits.size(); ++i)  // not std::sort, which is what is tested
    for (std::size_t j = i + 1; j < digits.size(); ++j)
      if (digits[j] < digits[i]) std::swap(digits[i], digits[j]);
  return digits;
}

struct Known {
  std::string name;
  Sequence (*answer)(Sequence);
  int symbols, length;
};
const Known known[] = {
    {"copy", copied, 10, 16}, {"reverse", reversed, 10, 16}, {"sort", sorted, 3, 6}};

double value_of(const std::vector<Expectation>& expected, const std::string& name) {
  for (const Expectation& e : expected)
    if (e.name == name) return e.value;
  FAIL("nothing is said about " << name);
  return 0;
}

const std::string ceiling = "ceiling without positions";

}  // namespace

TEST_CASE("the tasks are listed by name, each with a line and an example") {
  std::vector<std::string> names;
  for (const TaskEntry& entry : tasks()) {
    names.push_back(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK(entry.summary.find('\n') == std::string::npos);
    CHECK(entry.example.find(" -> ") != std::string::npos);
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const char* name : {"add", "copy", "grammar", "induction", "reverse", "sort", "text"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(find_task("sort").example == "2 0 1 0 2 1 -> 0 0 1 1 2 2");
  CHECK(find_task("copy").example ==
        "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 -> 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3");
  CHECK(find_task("reverse").example ==
        "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 -> 3 9 7 9 8 5 3 5 6 2 9 5 1 4 1 3");
}

TEST_CASE("an unknown task is an error that lists the known ones") {
  CHECK_THROWS_WITH(find_task("cpoy"),
                    Catch::Contains("tasks: there is no \"cpoy\"; there are add, copy, ") &&
                        Catch::Contains("reverse, sort, text"));
  CHECK_THROWS_WITH(enlist_task({"sort", "", "", nullptr}), "tasks: there are two called \"sort\"");
}

TEST_CASE("a sequence task refuses a text and a context of another length") {
  CHECK_THROWS_WITH(find_task("copy").make({.text_file = "x.txt"}),
                    "copy: makes its own data; leave out --text");
  CHECK_THROWS_WITH(find_task("sort").make({.context = 7}),
                    Catch::Contains("its sequences are 6 long, so a context of 7 does not fit"));
  CHECK(find_task("sort").make({.context = 6})->context() == 6);
}

TEST_CASE("the targets of a sequence task are what its name says") {
  for (const auto& [name, answer, symbols, length] : known) {
    INFO(name);
    const auto task = make(name);
    CHECK(task->alphabet().size() == symbols);
    CHECK(task->context() == length);
    CHECK_FALSE(task->causal());
    CHECK(task->fingerprint().empty());
    Random random(1);
    for (const Batch& batch : {task->batch(7, random), task->unseen(5)}) {
      CHECK(batch.input.shape[1] == length);
      CHECK(batch.input.shape == batch.targets.shape);
      const auto inputs = rows(batch.input), targets = rows(batch.targets);
      for (std::size_t i = 0; i < inputs.size(); ++i) CHECK(targets[i] == answer(inputs[i]));
      for (int id : batch.input.ids) CHECK((id >= 0 && id < symbols));
    }
    CHECK(task->batch(7, random).input.shape == Shape{7, length});
    CHECK(task->unseen(5).input.shape == Shape{5, length});
    CHECK(task->batch(0, random).input.shape == Shape{0, length});
    CHECK(task->unseen(0).input.shape == Shape{0, length});
  }
}

TEST_CASE("none of 100,000 training sequences is an unseen one") {
  for (const auto& [name, answer, symbols, length] : known) {
    INFO(name);
    const auto task = make(name);
    std::set<Sequence> unseen, trained;
    for (const Sequence& sequence : rows(task->unseen(5000).input)) {
      CHECK(is_set_apart(sequence));
      CHECK(unseen.insert(sequence).second);  // they are distinct
    }
    CHECK(unseen.size() == (name == "sort" ? 61 : 5000));
    Random random(2);
    for (int i = 0; i < 100; ++i)
      for (const Sequence& sequence : rows(task->batch(1000, random).input))
        trained.insert(sequence);
    std::vector<Sequence> both;
    std::set_intersection(unseen.begin(), unseen.end(), trained.begin(), trained.end(),
                          std::back_inserter(both));
    CHECK(both.empty());
    if (name == "sort") CHECK(unseen.size() + trained.size() == 729);
  }
}

TEST_CASE("unseen sequences are distinct, and fewer than asked for when there are no more") {
  const auto task = make_sequences({"", "", U"0123456789", 4, copied, ""});  // 10,000 sequences
  CHECK_FALSE(task->everything());  // too many to go through, so they are drawn
  std::size_t apart = 0;
  for (int n = 0; n < 10000; ++n)
    apart += is_set_apart({n / 1000, n / 100 % 10, n / 10 % 10, n % 10}) ? 1 : 0;
  const auto unseen = rows(task->unseen(3000).input);
  CHECK(unseen.size() == apart);
  CHECK(std::set<Sequence>(unseen.begin(), unseen.end()).size() == apart);
}

TEST_CASE("about one sequence in ten is set apart, whichever digit stands where") {
  Random random(3);
  const int draws = 200000;
  int apart = 0;
  std::map<std::pair<int, int>, int> digits;  // of those set apart: (place, digit) -> how many
  for (int i = 0; i < draws; ++i) {
    Sequence sequence(16);
    for (int& id : sequence) id = static_cast<int>(random.below(10));
    if (!is_set_apart(sequence)) continue;
    ++apart;
    for (int place = 0; place < 16; ++place) ++digits[{place, sequence[place]}];
  }
  CHECK(apart / double(draws) == Approx(0.1).margin(0.003));  // 4.5 standard deviations
  for (const auto& [where, count] : digits)
    CHECK(count / double(apart) == Approx(0.1).margin(0.01));
  CHECK(digits.size() == 160);
}

TEST_CASE("the same seed gives the same batch, on every machine") {
  for (const auto& k : known) {
    const auto task = make(k.name);
    Random one(4), two(4), other(5);
    const Batch batch = task->batch(8, one);
    CHECK(batch.input == task->batch(8, two).input);
    CHECK_FALSE(batch.input == task->batch(8, one).input);  // it goes on
    CHECK_FALSE(batch.input == task->batch(8, other).input);
    CHECK(task->unseen(8).input == make(k.name)->unseen(8).input);
    const auto more = rows(task->unseen(20).input), fewer = rows(task->unseen(8).input);
    CHECK(std::equal(fewer.begin(), fewer.end(), more.begin()));
  }
  Random random(1);
  CHECK(rows(make("sort")->batch(2, random).input) ==
        std::vector<Sequence>{{0, 1, 1, 0, 0, 2}, {1, 2, 2, 0, 2, 2}});
  CHECK(make("copy")->unseen(1).input.ids ==
        Sequence{1, 9, 5, 9, 9, 6, 7, 8, 1, 7, 6, 5, 8, 3, 5, 3});
  CHECK(rows(make("sort")->unseen(2).input) ==
        std::vector<Sequence>{{0, 1, 0, 1, 2, 0}, {0, 2, 0, 0, 2, 0}});
}

TEST_CASE("sort can be asked about each of its 729 inputs, copy and reverse cannot") {
  CHECK_FALSE(make("copy")->everything());
  CHECK_FALSE(make("reverse")->everything());
  const Batch all = make("sort")->everything().value();
  CHECK(all.input.shape == Shape{729, 6});
  const auto inputs = rows(all.input), targets = rows(all.targets);
  CHECK(std::set<Sequence>(inputs.begin(), inputs.end()).size() == 729);
  CHECK(inputs[1] == Sequence{0, 0, 0, 0, 0, 1});
  CHECK(inputs[728] == Sequence{2, 2, 2, 2, 2, 2});
  for (std::size_t i = 0; i < inputs.size(); ++i) CHECK(targets[i] == sorted(inputs[i]));
}

TEST_CASE("a model that guesses loses ln V and is right once in V times") {
  for (const auto& k : known) {
    const auto task = make(k.name);
    const auto loss = task->expected_loss(task->unseen(3));
    CHECK(value_of(loss, "floor") == 0);
    CHECK(value_of(loss, "guessing") == Approx(k.symbols == 10 ? 2.302585 : 1.098612));
    CHECK(value_of(task->expected_accuracy(true), "guessing") == Approx(1.0 / k.symbols));
    CHECK(task->expected_accuracy(true).size() == 1);  // no ceiling but 1
  }
}

TEST_CASE("the share of the most frequent symbol is exact") {
  CHECK(most_frequent_share(7, 1) == Approx(1));
  CHECK(most_frequent_share(1, 7) == Approx(1));
  CHECK(most_frequent_share(2, 2) == Approx(0.75));
  CHECK(most_frequent_share(3, 3) == Approx(17.0 / 27));
  for (const auto& [symbols, draws] : {std::pair(2, 3), {3, 5}, {4, 5}, {5, 4}, {2, 10}}) {
    INFO(symbols << " symbols, " << draws << " draws");
    double sum = 0, count = std::pow(symbols, draws);
    for (int code = 0; code < count; ++code) {  // a number is a sequence: its digits
      std::vector<int> comes(symbols);
      for (int rest = code, i = 0; i < draws; ++i, rest /= symbols) ++comes[rest % symbols];
      sum += *std::max_element(comes.begin(), comes.end());
    }
    CHECK(most_frequent_share(symbols, draws) == Approx(sum / count / draws).epsilon(1e-12));
  }
}

TEST_CASE("without positions reverse ends at 24 %, sort at 54 %, and copy nowhere") {
  const auto expected = [](const char* name) {
    return value_of(make(name)->expected_accuracy(false), ceiling);
  };
  CHECK(expected("copy") == 1);
  CHECK(expected("reverse") == Approx(0.2410824738466).epsilon(1e-12));
  CHECK(expected("sort") == Approx(2358.0 / 4374).epsilon(1e-12));
}

TEST_CASE("the ceiling without positions is the same counted and calculated") {
  const auto counted = [](int symbols, int length, Sequence (*answer)(Sequence)) {
    const std::u32string digits = U"0123456789";
    return ceiling_without_positions({"", "", digits.substr(0, symbols), length, answer, ""});
  };
  // By hand, reverse of 2 symbols, 2 long: 00 and 11 are certain; in 01 and 10 a 0 answers 1.
  CHECK(counted(2, 2, reversed) == 1);
  for (const auto& [symbols, length] : {std::pair(2, 4), {3, 4}, {4, 6}, {2, 8}, {6, 4}})
    CHECK(counted(symbols, length, reversed) ==
          Approx(most_frequent_share(symbols, length - 1)).epsilon(1e-12));
  CHECK(counted(3, 6, copied) == 1);
  // Sort of 2 symbols, 2 long: 00 and 11 are certain; 01 and 10 make 01 of either, so a 0 in them
  // answers 0 as often as 1: 4 of 8 places certain, 2 of the other 4 right.
  CHECK(counted(2, 2, sorted) == Approx(0.75));
  CHECK_THROWS_WITH(counted(10, 16, copied), Catch::Contains("too many inputs"));
}
