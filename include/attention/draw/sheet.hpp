// All attention maps of a model in one picture: a row for each layer, a column for each head, one
// legend for all.
#pragma once

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention::draw {

struct AttentionSheet {
  Tensors layers = {};                    // each (heads, queries, keys), all of one shape
  std::vector<std::string> queries = {};  // one for each row of a map, or none: numbers from 0
  std::vector<std::string> keys = {};     // the same for its columns
  std::string title = {};
  std::string query_name = "query", key_name = "key";
};

// Throws on no layers, on shapes other than that, and on label counts that do not match.
Canvas render(const AttentionSheet& sheet);

}  // namespace attention::draw
