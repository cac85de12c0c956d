// Reads the tables that PyTorch filled (data/reference/): for each case its attributes, its tensors
// in double, its ids and its masks. What is missing or malformed is an Error that says where.
// At the end, check() holds our numbers against a case. The format is in data/reference/make.py.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "attention/core/error.hpp"
#include "attention/tensor/mask.hpp"
#include "attention/tensor/tensor.hpp"

namespace reference {

using attention::fail;

template <class Number>
struct Numbers {
  attention::Shape shape;
  std::vector<Number> values;
};

struct Case {
  std::string name, file;
  std::map<std::string, std::string> attributes;  // the words after the key, as they stand
  std::map<std::string, Numbers<double>> tensors;
  std::map<std::string, Numbers<int>> ids, masks;

  bool has(const std::string& key) const { return attributes.contains(key); }
  bool has_tensor(const std::string& key) const { return tensors.contains(key); }
  bool has_mask(const std::string& key) const { return masks.contains(key); }

  // All of these throw when the case has no such thing.
  const std::string& text(const std::string& key) const { return get(attributes, key); }
  double number(const std::string& key) const { return list<double>(key).at(0); }
  int integer(const std::string& key) const { return list<int>(key).at(0); }
  template <class Number = int>
  std::vector<Number> list(const std::string& key) const;  // `axes 0 2` -> {0, 2}

  const Numbers<double>& values(const std::string& key) const { return get(tensors, key); }
  attention::Tensor tensor(const std::string& key) const;  // rounded to real
  attention::Tokens tokens(const std::string& key) const;
  attention::Mask mask(const std::string& key) const;

 private:
  template <class Map>
  const typename Map::mapped_type& get(const Map& map, const std::string& key) const {
    const auto found = map.find(key);
    if (found == map.end()) fail("reference: {}, case {}: no {}", file, name, key);
    return found->second;
  }
};

namespace detail {

// All that is left in the stream; false when something in it is no number.
template <class Number>
bool read_all(std::istream& in, std::vector<Number>& numbers) {
  for (Number number; in >> number;) numbers.push_back(number);
  return in.eof();
}

// "2 3 : 0.5 1 …" with as many values as the shape has elements.
template <class Number>
Numbers<Number> read_numbers(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) fail("no colon between the sizes and the values");
  std::istringstream before(text.substr(0, colon)), after(text.substr(colon + 1));
  std::vector<attention::Size> sizes;
  Numbers<Number> numbers;
  if (!read_all(before, sizes)) fail("a size is not an integer");
  if (!read_all(after, numbers.values))
    fail("what comes after value {} is not a number", numbers.values.size());
  numbers.shape = attention::Shape(sizes);
  if (numbers.shape.count() != attention::Size(numbers.values.size()))
    fail("shape {} wants {} values, got {}", numbers.shape, numbers.shape.count(),
         numbers.values.size());
  return numbers;
}

template <class Value>
void add(std::map<std::string, Value>& map, const std::string& key, Value value) {
  if (!map.emplace(key, std::move(value)).second) fail("{} is there twice", key);
}

inline void read_line(const std::string& line, const std::string& file, std::vector<Case>& cases) {
  std::istringstream in(line);
  std::string kind, name, rest;
  if (!(in >> kind) || kind[0] == '#') return;
  if (kind == "case") {
    if (!(in >> name)) fail("a case without a name");
    for (const Case& other : cases)
      if (other.name == name) fail("case {} is there twice", name);
    cases.emplace_back().name = name;
    cases.back().file = file;
    return;
  }
  if (cases.empty()) fail("`{}` stands before the first case", kind);
  Case& to = cases.back();
  const bool numbers = kind == "tensor" || kind == "ids" || kind == "mask";
  if (numbers && !(in >> name)) fail("a {} without a name", kind);
  std::getline(in >> std::ws, rest);
  if (kind == "tensor") {
    add(to.tensors, name, read_numbers<double>(rest));
  } else if (kind == "ids") {
    add(to.ids, name, read_numbers<int>(rest));
  } else if (kind == "mask") {
    add(to.masks, name, read_numbers<int>(rest));
    for (const int value : to.masks[name].values)
      if (value != 0 && value != 1) fail("mask {} holds {}; 1 is keep, 0 is not", name, value);
  } else {
    add(to.attributes, kind, rest);
  }
}

}  // namespace detail

// All cases of a table in ATTENTION_DATA_DIR/reference, in its order.
inline std::vector<Case> load(const std::string& file) {
  const std::string path = ATTENTION_DATA_DIR "/reference/" + file;
  std::ifstream in(path);
  if (!in) fail("reference: cannot open {}; ATTENTION_DATA_DIR has to be the folder data", path);
  std::vector<Case> cases;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      detail::read_line(line, file, cases);
    } catch (const attention::Error& error) {
      fail("reference: {}:{}: {}", path, number, error.what());
    }
  }
  if (cases.empty()) fail("reference: {} holds no case", path);
  return cases;
}

inline const Case& find(const std::vector<Case>& cases, const std::string& name) {
  for (const Case& found : cases)
    if (found.name == name) return found;
  fail("reference: no case {} among {}", name, cases.size());
}

template <class Number>
std::vector<Number> Case::list(const std::string& key) const {
  std::istringstream in(text(key));
  std::vector<Number> numbers;
  if (!detail::read_all(in, numbers) || numbers.empty())
    fail("reference: {}, case {}: `{} {}` is no list of numbers", file, name, key, text(key));
  return numbers;
}

inline attention::Tensor Case::tensor(const std::string& key) const {
  const Numbers<double>& from = values(key);
  return attention::from_values({from.values.begin(), from.values.end()}, from.shape);
}

inline attention::Tokens Case::tokens(const std::string& key) const {
  const Numbers<int>& from = get(ids, key);
  return {from.shape, from.values};
}

inline attention::Mask Case::mask(const std::string& key) const {
  const Numbers<int>& from = get(masks, key);
  return {from.shape, {from.values.begin(), from.values.end()}};
}

// ---- comparing ------------------------------------------------------------------------------

// Leaves, and as "grad.NAME" what backward() left in them.
inline attention::NamedTensors with_gradients(attention::NamedTensors leaves) {
  for (std::size_t i = 0, count = leaves.size(); i < count; ++i)
    leaves.push_back({"grad." + leaves[i].name, leaves[i].tensor.grad()});
  return leaves;
}

// Copies the case's tensors over those of the same names.
inline void fill(const attention::NamedTensors& tensors, const Case& c) {
  for (auto [name, tensor] : tensors) {
    INFO(name);
    const auto& [shape, values] = c.values(name);
    REQUIRE(tensor.shape() == shape);
    std::ranges::copy(values, tensor.edit());
  }
}

// In double a value is to be within 1e-10, a gradient within 1e-8: far more than rounding does, far
// less than any mistake. In float rounding is the larger of the two. It goes with epsilon and with
// the tensor's largest number, not with the one at hand, which may be what is left where larger
// ones cancel. A few sums of up to 30 terms, one after another, came to 17 epsilon where a key's
// bias cancels to nothing, and to 8 elsewhere; 64 leave room for other compilers and other kernels.
// `gain` is for what magnifies rounding.
inline double tolerance(const std::string& name, double largest, double gain) {
  const double epsilon = std::numeric_limits<attention::real>::epsilon();
  const double close = name.starts_with("grad.") ? 1e-8 : 1e-10;
  return std::max(close, 64 * epsilon * std::max(1.0, largest) * gain);
}

// One tensor; a failure shows the number that is furthest off.
inline void check_near(const Case& c, const std::string& name, const attention::Tensor& ours,
                       double gain = 1) {
  INFO(name);
  const auto& [shape, theirs] = c.values(name);
  REQUIRE(ours.defined());
  REQUIRE(ours.shape() == shape);
  std::size_t worst = 0;
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double off = std::abs(ours.data()[i] - theirs[i]);
    largest = std::max(largest, std::abs(theirs[i]));
    if (off <= error) continue;
    worst = i, error = std::isnan(off) ? INFINITY : off;
  }
  INFO(fmt::format("[{}]: ours {}, PyTorch's {}", worst, ours.data()[worst], theirs[worst]));
  CHECK(error <= tolerance(name, largest, gain));
}

// That ours and the case's tensors are the same by name.
inline void check_names(const Case& c, const attention::NamedTensors& ours) {
  std::set<std::string> our_names, their_names;
  for (const auto& [name, tensor] : ours) our_names.insert(name);
  for (const auto& [name, numbers] : c.tensors) their_names.insert(name);
  CHECK(our_names == their_names);
}

// All tensors of a case, inputs included, against ours: nothing may be missing on either side.
inline void check(const Case& c, const attention::NamedTensors& ours) {
  check_names(c, ours);
  for (const auto& [name, tensor] : ours) check_near(c, name, tensor);
}

}  // namespace reference
