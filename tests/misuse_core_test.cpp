// What the ground floor refuses: shapes, axes, memory, threads, random numbers, text and files.
#include <climits>

#include "attention/core/elementwise.hpp"
#include "attention/core/file.hpp"
#include "attention/core/marks.hpp"
#include "attention/core/utf8.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

constexpr Size huge = Size(1) << 32;

}  // namespace

TEST_CASE("misuse: shapes") {
  refuse({
      {"Shape::Shape", "a negative size",
       [] {
         Shape{2, -1};
       },
       "shape: a size is negative: (2, -1); each has to be given, none is worked out"},
      {"Shape::Shape", "negative beside nothing",
       [] {
         Shape{0, -1};
       },
       "shape: a size is negative: (0, -1); each has to be given, none is worked out"},
      {"Shape::Shape", "nine axes", [] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; },
       "shape: 9 axes; at most 8 are possible"},
      {"Shape::Shape", "2^64 elements",
       [] {
         Shape{huge, huge};
       },
       "shape: (4294967296, 4294967296) has more elements than 64 bits count"},
      {"Shape::Shape", "2^64 elements, but for a zero",
       [] {
         Shape{huge, 0, huge};
       },
       "shape: (4294967296, 0, 4294967296) has more elements than 64 bits count"},
      {"Shape::operator[]", "an axis it does not have",
       [] {
         Shape{2, 3}[2];
       },
       "shape: axis 2 of (2, 3): 0 to 1 are possible"},
      {"Shape::operator[]", "an axis from the back",
       [] {
         Shape{2, 3}[-1];
       },
       "shape: axis -1 of (2, 3): 0 to 1 are possible"},
      {"Shape::operator[]", "an axis of a scalar", [] { Shape{}[0]; },
       "shape: axis 0 of a scalar, which has no axes"},
      {"Shape::with", "an axis it does not have",
       [] {
         Shape{2, 3}.with(2, 5);
       },
       "shape: axis 2 of (2, 3): 0 to 1 are possible"},
      {"Shape::with", "a negative size",
       [] {
         Shape{2, 3}.with(1, -5);
       },
       "shape: a size is negative: (2, -5); each has to be given, none is worked out"},
      {"Shape::without", "an axis it does not have",
       [] {
         Shape{2, 3}.without(INT_MIN);
       },
       "shape: axis -2147483648 of (2, 3): 0 to 1 are possible"},
      {"Shape::with_last", "a negative size",
       [] {
         Shape{2, 3}.with_last(-4);
       },
       "shape: a size is negative: (2, 3, -4); each has to be given, none is worked out"},
      {"Shape::with_last", "a ninth axis", [] { Shape{1, 1, 1, 1, 1, 1, 1, 1}.with_last(2); },
       "shape: 9 axes; at most 8 are possible"},
      {"Shape::inner", "an axis it does not have",
       [] {
         Shape{2, 3}.inner(-5);
       },
       "shape: axis -5 of (2, 3): 0 to 1 are possible"},
      {"Shape::outer", "an axis it does not have",
       [] {
         Shape{2, 3}.outer(7);
       },
       "shape: axis 7 of (2, 3): 0 to 1 are possible"},
  });
}

TEST_CASE("misuse: axes, broadcasting and offsets") {
  refuse({
      {"axis_of", "beyond the last",
       [] {
         axis_of(Shape{2, 3}, 2, "sum");
       },
       "sum: axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"axis_of", "before the first",
       [] {
         axis_of(Shape{2, 3}, INT_MIN, "sum");
       },
       "sum: axis -2147483648 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"axis_of", "of a scalar", [] { axis_of(Shape{}, -1, "softmax"); },
       "softmax: axis -1 of a scalar, which has no axes"},
      {"axes_of", "one twice",
       [] {
         axes_of(Shape{2, 3, 4}, {2, 0, -1}, "mean");
       },
       "mean: axis 2 of (2, 3, 4) is named twice"},
      {"axes_of", "beyond the last",
       [] {
         axes_of(Shape{2, 3}, {0, INT_MAX}, "mean");
       },
       "mean: axis 2147483647 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"broadcast", "sizes that differ",
       [] {
         broadcast(Shape{2, 3, 4}, Shape{5, 4}, "add");
       },
       "add: (2, 3, 4) and (5, 4) do not broadcast: at axis 2 from the end, 3 is not 5, and "
       "neither is 1"},
      {"broadcast", "nothing and two", [] { broadcast(Shape{0}, Shape{2}, "add"); },
       "add: (0,) and (2,) do not broadcast: at axis 1 from the end, 0 is not 2, and neither is 1"},
      {"broadcast", "to 2^64",
       [] {
         broadcast(Shape{huge, 1}, Shape{1, huge}, "add");
       },
       "shape: (4294967296, 4294967296) has more elements than 64 bits count"},
      {"broadcast_steps", "to fewer axes",
       [] {
         broadcast_steps(Shape{2, 3}, Shape{3});
       },
       "shape: (2, 3) does not stretch to (3,)"},
      {"broadcast_steps", "to another size", [] { broadcast_steps(Shape{2}, Shape{3}); },
       "shape: (2,) does not stretch to (3,)"},
      {"Offsets::Offsets", "without more axes than there are",
       [] {
         Offsets(Shape{3}, Shape{2, 3}, 3);
       },
       "offsets: without the last 3 axes of (2, 3); 0 to 2 are possible"},
      {"Offsets::Offsets", "a size without a step",
       [] {
         const Size sizes[] = {2, 3}, steps[] = {3};
         Offsets(std::span(sizes), std::span(steps));
       },
       "offsets: 2 sizes and 1 steps; each size needs one, and 8 are the most"},
  });
}

TEST_CASE("misuse: memory, threads and random numbers") {
  refuse({
      {"Buffer::Buffer", "a negative count", [] { Buffer(-1); },
       "memory: -1 numbers; a count cannot be negative"},
      {"Buffer::Buffer", "more than any machine holds", [] { Buffer((Size(1) << 56) + 1); },
       "memory: 72057594037927937 numbers are more than any machine holds; make it smaller"},
      {"set_threads", "none", [] { set_threads(0); }, "threads: 0 asked for; at least 1 is needed"},
      {"set_threads", "a negative number", [] { set_threads(INT_MIN); },
       "threads: -2147483648 asked for; at least 1 is needed"},
      {"set_threads", "too many", [] { set_threads(1025); },
       "threads: 1025 asked for; 1024 are the most"},
      {"parallel_for", "ranges of nothing", [] { parallel_for(8, 0, 8, [](Size, Size) {}); },
       "parallel_for: ranges that begin at multiples of 0; at least 1 is needed"},
      {"Random::below", "of nothing", [] { Random(1).below(0); },
       "random: below(0) has no numbers to choose from"},
      {"Random::below", "below nothing", [] { Random(1).below(-3); },
       "random: below(-3) has no numbers to choose from"},
  });
}

TEST_CASE("misuse: marks, text and files") {
  refuse({
      {"Marks::after", "a negative number of symbols", [] { Marks::after(-1); },
       "marks: after -1 symbols; 0 to 2147483644 are possible"},
      {"Marks::after", "so many that the marks have no ids", [] { Marks::after(INT_MAX - 1); },
       "marks: after 2147483646 symbols; 0 to 2147483644 are possible"},
      {"decode_utf8", "a text cut short", [] { decode_utf8("ab\xE8\x8B"); },
       "not UTF-8: at byte 2, the text ends after 2 of a character's 3 bytes; if the text is in "
       "another encoding, iconv converts it"},
      {"encode_utf8", "a surrogate", [] { encode_utf8(std::u32string(1, 0xD800)); },
       "utf8: 0xD800 is no code point"},
      {"clean_text", "Latin-1", [] { clean_text("\xE9t\xE9"); },
       "not UTF-8: at byte 0, a character of 3 bytes breaks off: its byte 2 is 0x74; if the text "
       "is in another encoding, iconv converts it"},
      {"read_file", "one that is not there", [] { read_file("/no/such/file"); },
       "read_file: /no/such/file: No such file or directory"},
      {"read_file", "a folder", [] { read_file("/"); }, "read_file: /: Is a directory"},
      {"write_file", "into no folder", [] { write_file("/no/such/file", "x"); },
       "write_file: /no/such/file: there is no folder /no/such; create it first"},
      {"write_file", "over a folder", [] { write_file("/", "x"); },
       "write_file: /: Is a directory"},
  });
}
