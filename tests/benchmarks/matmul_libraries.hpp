// The libraries whose matrix products are compared: each is a file of its own that enlists itself,
// and is built only where the library is installed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/core/kernels.hpp"

namespace attention::benchmarks {

// `batch` products of one size, one after another in each array.
struct Products {
  Size batch;
  kernels::Product size;
};

struct Library {
  std::string name;
  // What computes out = A times B when it is called: all that can be made ready beforehand is.
  std::function<void()> (*prepare)(float* out, const float* a, const float* b, const Products&);
};

std::vector<Library>& libraries();
inline bool enlist(const Library& library) { return libraries().push_back(library), true; }

}  // namespace attention::benchmarks
