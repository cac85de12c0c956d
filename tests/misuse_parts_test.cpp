// What ops refuse that take parts of tensors or put them together.
#include "misuse.hpp"

using namespace attention;

namespace {

const Tensor matrix = ones({2, 3}), cube = ones({2, 3, 4}), table = ones({5, 3});
const Tensor line_of_8 = ones({1, 1, 1, 1, 1, 1, 1, 1});
const Tensor none;

}  // namespace

TEST_CASE("misuse: parts") {
  refuse({
      {"slice", "an end too far", [] { slice(matrix, 1, 1, 4); },
       "slice: [1, 4) of axis 1 of (2, 3): 0 <= begin <= end <= 3 is needed"},
      {"slice", "a begin before the first", [] { slice(matrix, -1, -1, 2); },
       "slice: [-1, 2) of axis 1 of (2, 3): 0 <= begin <= end <= 3 is needed"},
      {"slice", "begin after end", [] { slice(matrix, 0, 2, 1); },
       "slice: [2, 1) of axis 0 of (2, 3): 0 <= begin <= end <= 2 is needed"},
      {"slice", "an axis that is not there", [] { slice(matrix, 2, 0, 1); }, no_axis("slice", 2)},
      {"slice", "a scalar", [] { slice(1, 0, 0, 1); },
       "slice: axis 0 of a scalar, which has no axes"},
      {"slice", "undefined", [] { slice(none, 0, 0, 1); }, undefined("slice")},
      {"concat", "nothing", [] { concat({}, 0); },
       "concat: nothing to put together; at least one tensor is needed"},
      {"concat", "other sizes",
       [] {
         concat({matrix, ones({3, 3})}, 1);
       },
       "concat: (2, 3) and (3, 3) differ in more than axis 1"},
      {"concat", "other ranks",
       [] {
         concat({matrix, cube}, 0);
       },
       "concat: (2, 3) and (2, 3, 4) differ in more than axis 0"},
      {"concat", "an axis that is not there", [] { concat({matrix}, 2); }, no_axis("concat", 2)},
      {"concat", "scalars",
       [] {
         concat({1, 2}, 0);
       },
       "concat: axis 0 of a scalar, which has no axes"},
      {"concat", "undefined",
       [] {
         concat({matrix, none}, 0);
       },
       undefined("concat", 1)},
      {"stack", "nothing", [] { stack({}, 0); },
       "stack: nothing to put together; at least one tensor is needed"},
      {"stack", "other shapes",
       [] {
         stack({matrix, ones({3, 2})}, 0);
       },
       "stack: shapes differ: (2, 3) and (3, 2); concat takes different sizes of one axis"},
      {"stack", "an axis too far", [] { stack({matrix}, 3); },
       "stack: new axis 3 for tensors of shape (2, 3): -3 to 2 are possible"},
      {"stack", "a ninth axis", [] { stack({line_of_8}, 0); },
       "stack: one more axis for (1, 1, 1, 1, 1, 1, 1, 1), but 8 are the most; concat along one it "
       "has"},
      {"stack", "undefined",
       [] {
         stack({matrix, none}, 0);
       },
       undefined("stack", 1)},
      {"gather_rows", "a negative id",
       [] {
         gather_rows(table, {{3}, {0, -1, 2}});
       },
       "gather_rows: id -1 at position 1: the table has ids 0 to 4 (V = 5)"},
      {"gather_rows", "the id V",
       [] {
         gather_rows(table, {{1, 3}, {0, 4, 5}});
       },
       "gather_rows: id 5 at position 2: the table has ids 0 to 4 (V = 5)"},
      {"gather_rows", "a table without rows",
       [] {
         gather_rows(ones({0, 3}), {{1}, {0}});
       },
       "gather_rows: 1 ids for a table of shape (0, 3), which has no rows"},
      {"gather_rows", "three axes",
       [] {
         gather_rows(cube, {{1}, {0}});
       },
       "gather_rows: a table of shape (2, 3, 4); (rows, columns) is needed"},
      {"gather_rows", "ids of eight axes",
       [] {
         gather_rows(table, {line_of_8.shape(), {0}});
       },
       "gather_rows: ids of shape (1, 1, 1, 1, 1, 1, 1, 1): a row for each would be one axis more "
       "than 8"},
      {"gather_rows", "a shape without its ids",
       [] {
         Tokens ids;
         ids.shape = {3};
         gather_rows(table, ids);
       },
       "gather_rows: tokens of shape (3,) with 0 ids; change both together"},
      {"gather_rows", "undefined",
       [] {
         gather_rows(none, {{1}, {0}});
       },
       undefined("gather_rows")},
  });
}
