// UTF-8: what is read, what is refused and where, and what a text is turned into; and the alphabet
// that gives its characters ids.
#include <catch2/catch.hpp>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"
#include "attention/tasks/alphabet.hpp"

using namespace attention;
using Catch::Contains;

namespace {

const std::string apples = "小明喜欢吃苹果，因为苹果很甜。";

// What is said about these bytes, which are not UTF-8.
std::string complaint(std::string_view bytes) {
  try {
    decode_utf8(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("a Chinese character is one code point of three bytes") {
  CHECK(apples.size() == 45);
  const std::u32string text = decode_utf8(apples);
  CHECK(text.size() == 15);
  CHECK(text.substr(0, 2) == U"小明");
  CHECK(text.back() == U'。');
  CHECK(encode_utf8(text) == apples);
}

TEST_CASE("every code point comes back as it was, in the fewest bytes") {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point == 0xD800) point = 0xE000;  // the surrogates between are none
    const std::string bytes = encode_utf8({&point, 1});
    const std::size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes.size() != length || decode_utf8(bytes) != std::u32string(1, point)) {
      FAIL("U+" << std::hex << static_cast<unsigned>(point));
    }
  }
  CHECK(encode_utf8(U"Aé€😀") == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(decode_utf8("").empty());
  CHECK(decode_utf8(std::string_view("a\0b", 3)) == std::u32string(U"a\0b", 3));
}

TEST_CASE("a text that ends inside a character is refused with the byte where that begins") {
  CHECK(complaint("小\xE6\x98") ==
        "not UTF-8: at byte 3, the text ends after 2 of a character's 3 bytes; if the text is in "
        "another encoding, iconv converts it");
  for (std::size_t cut = 1; cut < apples.size(); ++cut) {
    INFO(cut);
    if (cut % 3 == 0)
      CHECK(decode_utf8(apples.substr(0, cut)).size() == cut / 3);
    else
      CHECK_THAT(
          complaint(apples.substr(0, cut)),
          Contains(fmt::format("at byte {}, the text ends after {} of", cut / 3 * 3, cut % 3)));
  }
  CHECK_THAT(complaint("ab\xF0\x9F\x98"),
             Contains("at byte 2, the text ends after 3 of a character's 4"));
  CHECK_THAT(complaint("\xC3"), Contains("at byte 0, the text ends after 1 of a character's 2"));
}

TEST_CASE("bytes that are not UTF-8 are refused with the byte offset") {
  SECTION("a byte that begins no character") {
    CHECK_THAT(complaint("ab\x80"), Contains("at byte 2, no character begins with 0x80"));
    CHECK_THAT(complaint("\xFF\xFE"
                         "a"),
               Contains("at byte 0, no character begins with 0xFF"));
    CHECK_THAT(complaint("é\xF8\x88\x80\x80\x80"),
               Contains("at byte 2, no character begins with 0xF8"));
  }
  SECTION("a character that breaks off") {
    CHECK_THAT(complaint("a\xE5\xB0z"),
               Contains("at byte 1, a character of 3 bytes breaks off: its byte 3 is 0x7A"));
    CHECK_THAT(complaint("caf\xE9 au lait"),  // Latin-1
               Contains("at byte 3, a character of 3 bytes breaks off: its byte 2 is 0x20"));
    CHECK_THAT(complaint("\xD0\xA1\xC3\xF7"),  // GBK; its first two bytes are UTF-8 by chance
               Contains("at byte 2, a character of 2 bytes breaks off: its byte 2 is 0xF7"));
  }
  SECTION("an overlong spelling") {
    CHECK_THAT(complaint("/\xC0\xAF"),
               Contains("at byte 1, U+002F is overlong: spelled in 2 bytes"));
    CHECK_THAT(complaint("\xC1\xBF"), Contains("at byte 0, U+007F is overlong"));
    CHECK_THAT(complaint("\xE0\x9F\xBF"),
               Contains("at byte 0, U+07FF is overlong: spelled in 3 bytes"));
    CHECK_THAT(complaint("\xF0\x8F\xBF\xBF"),
               Contains("at byte 0, U+FFFF is overlong: spelled in 4"));
  }
  SECTION("a surrogate, the first and the last") {
    CHECK_THAT(complaint("x\xED\xA0\x80"), Contains("at byte 1, U+D800 is a surrogate"));
    CHECK_THAT(complaint("\xED\xBF\xBF"), Contains("at byte 0, U+DFFF is a surrogate"));
    CHECK(complaint("\xED\x9F\xBF\xEE\x80\x80") == "nothing");  // their neighbours
  }
  SECTION("a number above the last code point") {
    CHECK(complaint("\xF4\x8F\xBF\xBF") == "nothing");
    CHECK_THAT(complaint("\xF4\x90\x80\x80"), Contains("at byte 0, 0x110000 is above"));
    CHECK_THAT(complaint("a\xF7\xBF\xBF\xBF"), Contains("at byte 1, 0x1FFFFF is above"));
  }
}

TEST_CASE("what is no code point is not written as UTF-8") {
  CHECK_THROWS_WITH(encode_utf8(std::u32string{0xD800}), "utf8: 0xD800 is no code point");
  CHECK_THROWS_WITH(encode_utf8(std::u32string{0x110000}), "utf8: 0x110000 is no code point");
}

TEST_CASE("a byte order mark is no character, but only at the beginning") {
  CHECK(clean_text("\xEF\xBB\xBF"
                   "ab") == U"ab");
  CHECK(clean_text("\xEF\xBB\xBF").empty());
  CHECK(clean_text("a\xEF\xBB\xBF").size() == 2);
  CHECK(clean_text("\xEF\xBB\xBF\xEF\xBB\xBF").size() == 1);
  CHECK_THROWS_WITH(clean_text("\xEF\xBB\xBF"
                               "a\xFF"),
                    Contains("at byte 4"));  // of the file
}

TEST_CASE("CR LF and a lone CR end lines as LF does") {
  CHECK(clean_text("a\r\nb\rc\nd") == U"a\nb\nc\nd");
  CHECK(clean_text("\r\r\n\n\r") == U"\n\n\n\n");
  CHECK(clean_text("\n\r") == U"\n\n");
  CHECK(clean_text("\xEF\xBB\xBF\r\n") == U"\n");
}

TEST_CASE("an alphabet numbers the different characters in rising order") {
  const Alphabet alphabet = Alphabet::of(decode_utf8(apples));
  CHECK(alphabet.size() == 13);
  CHECK(std::is_sorted(alphabet.symbols().begin(), alphabet.symbols().end()));
  const std::vector<int> ids = alphabet.encode(apples);
  CHECK(ids.size() == 15);
  CHECK(ids[5] == ids[10]);  // 苹
  CHECK(ids[6] == ids[11]);  // 果
  CHECK(alphabet.decode(ids) == apples);

  CHECK(Alphabet::of(U"banana").symbols() == std::vector<std::string>{"a", "b", "n"});
  CHECK(Alphabet::of(U"banana").encode("banana") == std::vector<int>{1, 0, 2, 0, 2, 0});
  CHECK(Alphabet::of(U"banana").symbol(2) == "n");
  CHECK(Alphabet(U"nab").encode("banana") == std::vector<int>{2, 1, 0, 1, 0, 1});
  CHECK(Alphabet::of(U"").size() == 0);
}

TEST_CASE("what a person types is read as a text file is") {
  const Alphabet alphabet(U"\nab");
  CHECK(alphabet.encode("\xEF\xBB\xBF"
                        "a\r\nb\r") == std::vector<int>{1, 0, 2, 0});
  CHECK_THROWS_WITH(alphabet.encode("ab\xE5"), Contains("not UTF-8: at byte 2"));
}

TEST_CASE("a symbol without an id is named, with its place and some that have one") {
  CHECK_THROWS_WITH(Alphabet(U"012").encode("013"),
                    "alphabet: '3', character 3 of the text, is not among the 3 known symbols: '0' "
                    "'1' '2'");
  CHECK_THROWS_WITH(Alphabet(U"\n a").encode("\x1B[m"),
                    "alphabet: U+001B, character 1 of the text, is not among the 3 known symbols: "
                    "U+000A U+0020 'a'");
  CHECK_THROWS_WITH(Alphabet(U"abcdefghijklmnopqrstuvwxyz").encode("小"),
                    Contains("'小', character 1") &&
                        Contains("26 known symbols: 'a' 'c' 'e' 'g'") && Contains("'x' …"));
  CHECK_THROWS_WITH(Alphabet().encode("a"), Contains("the 0 known symbols"));
}

TEST_CASE("an id outside the alphabet is an error with the id and the size") {
  const Alphabet digits(U"0123456789");
  CHECK(digits.decode({0, 9, 4}) == "094");
  CHECK_THROWS_WITH(digits.decode({0, -1}), "alphabet: id -1 is outside [0, 10)");
  CHECK_THROWS_WITH(digits.decode({10}), "alphabet: id 10 is outside [0, 10)");
  CHECK_THROWS_WITH(digits.symbol(10), "alphabet: id 10 is outside [0, 10)");
  CHECK_THROWS_WITH(Alphabet().symbol(0), "alphabet: id 0 is outside [0, 0)");
}

TEST_CASE("an alphabet refuses a symbol that comes twice") {
  CHECK_THROWS_WITH(Alphabet(U"abca"), "alphabet: 'a' comes twice, as 0 and as 3");
}

TEST_CASE("a message is made one line, and loses its middle where it is too long") {
  CHECK(short_line("plain: 苹果, größer") == "plain: 苹果, größer");
  CHECK(short_line("a\nb\t\x1b[31m\x7f") == R"(a\nb\x09\x1B[31m\x7F)");
  CHECK(short_line(std::string("a\0b", 3)) == R"(a\x00b)");
  CHECK(short_line(std::string(300, 'x')) == std::string(300, 'x'));
  CHECK(short_line(std::string(150, 'x') + std::string(151, 'y')) ==
        std::string(150, 'x') + std::string(50, 'y') + " … " + std::string(100, 'y'));
  std::string fruit;  // 3 bytes each, so that neither cut falls between two of them
  for (int i = 0; i < 101; ++i) fruit += "果";
  CHECK(short_line(fruit) == fruit.substr(0, 201) + " … " + fruit.substr(303 - 99));
}
