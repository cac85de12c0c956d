// Alphabets of words (those of single characters are in utf8_test.cpp).
#include <catch2/catch.hpp>

#include "attention/core/utf8.hpp"
#include "attention/tasks/alphabet.hpp"

using namespace attention;
using Catch::Contains;
using Ids = std::vector<int>;
using Words = std::vector<std::string>;

namespace {

const Alphabet apples(Words{"小明", "不", "喜欢", "不喜欢", "吃", "苹果", "，", "<s>"});

}  // namespace

TEST_CASE("words are symbols, taken by the longest match and joined again") {
  CHECK(apples.size() == 8);
  CHECK(apples.has_words());
  CHECK_FALSE(Alphabet(U"小明").has_words());
  CHECK_FALSE(Alphabet().has_words());
  CHECK(apples.encode("小明不喜欢吃苹果") == Ids{0, 3, 4, 5});
  CHECK(apples.encode("<s>不不喜欢喜欢不吃") == Ids{7, 1, 3, 2, 1, 4});
  CHECK(apples.decode({0, 3, 4, 5, 6}) == "小明不喜欢吃苹果，");
  CHECK(apples.symbol(3) == "不喜欢");
  CHECK(apples.symbols()[7] == "<s>");
  CHECK(Alphabet(Words{"a", "b"}).encode("ba") == Ids{1, 0});
}

TEST_CASE("spaces between typed words are passed over, unless they are a symbol") {
  CHECK(apples.encode(" 小明  不喜欢 吃 苹果 ， ") == Ids{0, 3, 4, 5, 6});
  CHECK(apples.encode("不 喜欢") == Ids{1, 2});  // a space keeps two words apart
  CHECK(apples.encode("  ").empty());
  CHECK(Alphabet(Words{"ab", " ", "c d"}).encode("ab c dab") == Ids{0, 1, 2, 0});
  CHECK_THROWS_WITH(Alphabet(U"ab").encode("a b"), Contains("U+0020, character 2"));
}

TEST_CASE("where no word fits, the error names the character, its place and some words") {
  CHECK_THROWS_WITH(apples.encode("小明 爱 吃"),
                    "alphabet: '爱', character 4 of the text, is not among the 8 known symbols: "
                    "'小明' '不' '喜欢' '不喜欢' '吃' '苹果' '，' '<s>'");
  CHECK_THROWS_WITH(apples.encode("小"), Contains("'小', character 1"));  // half a word
  CHECK_THROWS_WITH(apples.encode("小明\n"), Contains("U+000A, character 3"));
}

TEST_CASE("a word that comes twice or is empty is refused") {
  CHECK_THROWS_WITH(Alphabet(Words{"ab", "c", "ab"}), "alphabet: 'ab' comes twice, as 0 and as 2");
  CHECK_THROWS_WITH(Alphabet(Words{"ab", ""}), "alphabet: symbol 1 is empty");
  CHECK_THROWS_WITH(Alphabet(Words{"\xFF"}), Contains("not UTF-8"));
}
