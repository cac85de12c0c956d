// What alphabets, tasks and translations refuse. Next: misuse_grammar_test.
#include <climits>

#include "attention/tasks/translation.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

Random dice(1);

// Sequences of `length` of a and b, answered by themselves.
SequenceRule same(int length = 4) {
  return {.name = "same",
          .summary = "",
          .symbols = U"ab",
          .length = length,
          .answer = [](Sequence s) { return s; },
          .example = "abab"};
}
SequenceRule answered(Sequence answer) {
  SequenceRule rule = same();
  rule.answer = [answer](Sequence) { return answer; };
  return rule;
}
SequenceRule without_symbols() {
  SequenceRule rule = same();
  rule.symbols.clear();
  return rule;
}
SequenceRule without_answer() {
  SequenceRule rule = same();
  rule.answer = nullptr;
  return rule;
}
std::unique_ptr<Task> task(std::string_view name) { return find_task(name).make({}); }

}  // namespace

TEST_CASE("misuse: alphabets") {
  refuse({
      {"Alphabet::Alphabet", "a symbol twice", [] { Alphabet(U"aba"); },
       "alphabet: 'a' comes twice, as 0 and as 2"},
      {"Alphabet::Alphabet", "an empty word",
       [] {
         Alphabet(std::vector<std::string>{"ab", ""});
       },
       "alphabet: symbol 1 is empty"},
      {"Alphabet::Alphabet", "a word that is not UTF-8",
       [] { Alphabet(std::vector<std::string>{"\xff"}); },
       "not UTF-8: at byte 0, no character begins with 0xFF; if the text is in another encoding, "
       "iconv converts it"},
      {"Alphabet::of", "half a character", [] { Alphabet::of(std::u32string(1, 0xD800)); },
       "utf8: 0xD800 is no code point"},
      {"Alphabet::encode", "an unknown symbol", [] { Alphabet(U"ab").encode("abc"); },
       "alphabet: 'c', character 3 of the text, is not among the 2 known symbols: 'a' 'b'"},
      {"Alphabet::encode", "not UTF-8", [] { Alphabet(U"ab").encode("a\xff"); },
       "not UTF-8: at byte 1, no character begins with 0xFF; if the text is in another encoding, "
       "iconv converts it"},
      {"Alphabet::encode", "no symbols", [] { Alphabet().encode("a"); },
       "alphabet: 'a', character 1 of the text, is not among the 0 known symbols:"},
      {"Alphabet::decode", "an id too far",
       [] {
         Alphabet(U"ab").decode({0, 2});
       },
       "alphabet: id 2 is outside [0, 2)"},
      {"Alphabet::symbol", "a negative id", [] { Alphabet(U"ab").symbol(INT_MIN); },
       "alphabet: id -2147483648 is outside [0, 2)"},
  });
}

TEST_CASE("misuse: the list of tasks") {
  refuse({
      {"find_task", "a name that is none", [] { find_task("chess"); },
       "tasks: there is no \"chess\"; there are add, copy, grammar, induction, reverse, sort, "
       "text"},
      {"enlist_task", "a name that is taken",
       [] {
         enlist_task(
             {.name = "copy", .summary = "", .example = "", .make = find_task("copy").make});
       },
       "tasks: there are two called \"copy\""},
      {"enlist_task", "no name",
       [] {
         enlist_task({.name = "", .summary = "", .example = "", .make = find_task("copy").make});
       },
       "tasks: \"\" cannot be enlisted; it needs a name, and a way to make it"},
      {"enlist_task", "no way to make it",
       [] { enlist_task({.name = "chess", .summary = "", .example = "", .make = nullptr}); },
       "tasks: \"chess\" cannot be enlisted; it needs a name, and a way to make it"},
      {"refuse_options", "a text", [] { refuse_options("copy", {.text_file = "poem.txt"}, 10); },
       "copy: makes its own data; leave out --text"},
      {"refuse_options", "another context", [] { refuse_options("copy", {.context = 7}, 10); },
       "copy: its sequences are 10 long, so a context of 7 does not fit; leave out --context"},
      {"refuse_count", "a negative number", [] { refuse_count("copy", -1); },
       "copy: -1 sequences; their number cannot be negative"},
      {"check_rows", "one axis",
       [] {
         check_rows("copy", {{2}, {0, 1}});
       },
       "copy: tokens of shape (2,); (sequences, positions) is needed"},
      {"check_rows", "a shape without its ids",
       [] {
         Tokens ids;
         ids.shape = {1, 2};
         check_rows("copy", ids);
       },
       "copy: tokens of shape (1, 2) with 0 ids; change both together"},
      {"Task::batch", "a negative number, copy", [] { task("copy")->batch(-1, dice); },
       "copy: -1 sequences; their number cannot be negative"},
      {"Task::batch", "a negative number, add", [] { task("add")->batch(-1, dice); },
       "add: -1 sequences; their number cannot be negative"},
      {"Task::unseen", "a negative number, copy", [] { task("copy")->unseen(INT_MIN); },
       "copy: -2147483648 sequences; their number cannot be negative"},
      {"Task::unseen", "a negative number, add", [] { task("add")->unseen(-1); },
       "add: -1 sequences; their number cannot be negative"},
  });
}

TEST_CASE("misuse: rules of sequences") {
  refuse({
      {"make_sequences", "no symbols", [] { make_sequences(without_symbols()); },
       "same: a rule of 0 symbols in sequences of 4; at least one of each is needed, and an "
       "answer"},
      {"make_sequences", "no length", [] { make_sequences(same(0)); },
       "same: a rule of 2 symbols in sequences of 0; at least one of each is needed, and an "
       "answer"},
      {"make_sequences", "no answer", [] { make_sequences(without_answer()); },
       "same: a rule of 2 symbols in sequences of 4 without answer; at least one of each is "
       "needed, and an answer"},
      {"make_sequences", "an answer that is too short",
       [] { make_sequences(answered({0}))->batch(1, dice); },
       "same: an answer of 1 ids to 4; it has to be as long"},
      {"make_sequences", "an answer of other symbols",
       [] {
         make_sequences(answered({0, 1, 2, 0}))->batch(1, dice);
       },
       "same: id 2 in an answer; the symbols have 0 to 1"},
      {"make_sequences", "a text", [] { make_sequences(same(), {.text_file = "poem.txt"}); },
       "same: makes its own data; leave out --text"},
      {"enlist_sequences", "no answer", [] { enlist_sequences(without_answer()); },
       "same: a rule of 2 symbols in sequences of 4 without answer; at least one of each is "
       "needed, and an answer"},
      {"enlist_sequences", "an answer that is too long",
       [] { enlist_sequences(answered(Sequence(5, 0))); },
       "same: an answer of 5 ids to 4; it has to be as long"},
      {"ceiling_without_positions", "a negative length",
       [] { ceiling_without_positions(same(-4)); },
       "same: a rule of 2 symbols in sequences of -4; at least one of each is needed, and an "
       "answer"},
      {"ceiling_without_positions", "too many inputs", [] { ceiling_without_positions(same(40)); },
       "same: 2 symbols in sequences of 40 make too many inputs to count the ceiling; set it in "
       "the rule"},
      {"ceiling_without_positions", "an answer that is too short",
       [] { ceiling_without_positions(answered({0})); },
       "same: an answer of 1 ids to 4; it has to be as long"},
      {"most_frequent_share", "no draws", [] { most_frequent_share(2, 0); },
       "most_frequent_share: 0 draws from 2 symbols; 1 to 170 draws are possible, from 1 or more"},
      {"most_frequent_share", "no symbols", [] { most_frequent_share(0, 2); },
       "most_frequent_share: 2 draws from 0 symbols; 1 to 170 draws are possible, from 1 or more"},
      {"most_frequent_share", "more draws than double takes", [] { most_frequent_share(2, 171); },
       "most_frequent_share: 171 draws from 2 symbols; 1 to 170 draws are possible, from 1 or "
       "more"},
  });
}

TEST_CASE("misuse: translations") {
  refuse({
      {"Translation::Translation", "nothing", [] { Translation(same(), 0, 4); },
       "same: sequences of 0 to 4 symbols; 1 <= shortest <= longest <= 10000 is needed"},
      {"Translation::Translation", "the longest first", [] { Translation(same(), 5, 4); },
       "same: sequences of 5 to 4 symbols; 1 <= shortest <= longest <= 10000 is needed"},
      {"Translation::Translation", "without end", [] { Translation(same(), 4, INT_MAX); },
       "same: sequences of 4 to 2147483647 symbols; 1 <= shortest <= longest <= 10000 is needed"},
      {"Translation::batch", "a negative number", [] { Translation(same()).batch(-1, dice); },
       "translation: -1 sequences; their number cannot be negative"},
      {"Translation::unseen", "a length too far", [] { Translation(same()).unseen(1, 13); },
       "translation: sequences of 13 symbols; there are 4 to 12"},
      {"Translation::unseen", "a negative number", [] { Translation(same()).unseen(-1, 4); },
       "same: -1 sequences; their number cannot be negative"},
      {"Translation::source", "an id that is a mark's",
       [] {
         Translation(same()).source({0, 2});
       },
       "translation: id 2 in a source; the symbols have 0 to 1"},
      {"Translation::source", "a negative id", [] { Translation(same()).source({-1}); },
       "translation: id -1 in a source; the symbols have 0 to 1"},
  });
}
