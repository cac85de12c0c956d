// The words of the grammar of 小明 and what can be said in one place, for grammar.cpp alone.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace attention::grammar {

// Ids, in the order of `words` below.
// clang-format off
enum Word : int {
  mark, comma, stop, like, dislike, eat, because, very,
  always, truly, since_childhood, heard, finds, generally, indeed,
  first_person, first_food = first_person + 5, first_taste = first_food + 8
};
inline const std::vector<std::string> words{
    "|", "，", "。", "喜欢", "不喜欢", "吃", "因为", "很",
    "一直", "真的", "从小", "听说", "觉得", "总是", "确实",
    "小明", "小红", "小刚", "小丽", "老王",
    "苹果", "西瓜", "柠檬", "山楂", "辣椒", "火锅", "苦瓜", "咸菜",
    "甜", "酸", "辣", "苦", "咸"};
// clang-format on
inline constexpr int nothing = -1;                           // a choice that adds no word
inline constexpr std::array tastes{0, 0, 1, 1, 2, 2, 3, 4};  // of the foods, in order

using Options = std::vector<int>;
inline const Options persons{first_person, first_person + 1, first_person + 2, first_person + 3,
                             first_person + 4};
inline const Options how_long{nothing, always, truly, since_childhood};
inline const Options why{nothing, heard, finds};
inline const Options how_often{nothing, generally, indeed};

inline bool is_food(int id) { return id >= first_food && id < first_taste; }

}  // namespace attention::grammar
