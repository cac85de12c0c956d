#include "exercises/checks/13_block.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// A mask of the given shape, 1 where f(b, t) says so.
template <class F>
Padding13 filled(const std::function<Shape(Size, Size)>& shape, F f) {
  return [=](const std::vector<Size>& lengths, Size T) {
    const auto B = static_cast<Size>(lengths.size());
    Mask::Bytes bytes(B * T);
    for (Size b = 0; b < B; ++b)
      for (Size t = 0; t < T; ++t) bytes[b * T + t] = f(lengths, b, t);
    return Mask(shape(B, T), bytes);
  };
}

Shape keys(Size B, Size T) { return {B, 1, 1, T}; }
bool seen(const std::vector<Size>& lengths, Size b, Size t) { return t < lengths[b]; }

}  // namespace

TEST_CASE("exercise 13: the padding mask passes") { passes(check_13(filled(keys, seen))); }

TEST_CASE("exercise 13: untouched, it is still to do") {
  is_to_do(check_13([](const std::vector<Size>&, Size) -> Mask { return todo; }));
}

TEST_CASE("exercise 13: wrong ones and zeros are told by name") {
  using Lengths = std::vector<Size>;
  const auto told = [](auto f, const char* zh, const char* en) {
    is_told(check_13(filled(keys, f)), zh, en);
  };
  told([](const Lengths& l, Size b, Size t) { return t >= l[b]; }, "反了", "Inverted");
  told([](const Lengths& l, Size b, Size t) { return t <= l[b]; }, "多了一个", "One too many");
  told([](const Lengths& l, Size b, Size t) { return t < l[b] - 1; }, "少了一个", "One too few");
  told([](const Lengths& l, Size b, Size t) { return t >= 7 - l[b]; }, "放在了句子前面",
       "in front");
  told([](const Lengths& l, Size, Size t) { return t < l[0]; }, "第一个句子的长度",
       "the length of the first");
  told([](const Lengths&, Size, Size) { return true; }, "全是 1", "All ones");
  told([](const Lengths& l, Size b, Size t) { return t < l[b] && t != 2; }, "在 (0, 0, 0, 2) 处",
       "At (0, 0, 0, 2)");
}

TEST_CASE("exercise 13: bytes in columns are told by name") {
  is_told(check_13([](const std::vector<Size>& lengths, Size T) {
            const auto B = static_cast<Size>(lengths.size());
            Mask::Bytes bytes(B * T);
            for (Size b = 0; b < B; ++b)
              for (Size t = 0; t < T; ++t) bytes[t * B + b] = t < lengths[b];
            return Mask({B, 1, 1, T}, bytes);
          }),
          "竖着来的", "down the columns");
}

TEST_CASE("exercise 13: wrong axes are told by what they would be taken for") {
  const auto told = [](std::function<Shape(Size, Size)> shape, const char* zh, const char* en) {
    is_told(check_13(filled(shape, seen)), zh, en);
  };
  told([](Size B, Size T) { return Shape{B, 1, T, 1}; }, "在看的词（查询）", "not those looked at");
  told([](Size B, Size T) { return Shape{B, T}; }, "形状是 (3, 7)", "the shape (3, 7)");
  told([](Size B, Size T) { return Shape{B, 1, T}; }, "少了一个轴", "one axis is missing");
  told([](Size B, Size T) { return Shape{1, B, 1, T}; }, "(1, 3, 1, 7)", "comes first");
  is_told(check_13([](const std::vector<Size>&, Size T) {
            return Mask({3, 1, T}, {1, 0});
          }),
          "停在这里", "stopped");
}
