// From a checkpoint into a model: by name, all or nothing, with one message that lists what does
// not fit. The file itself is tested in checkpoint_test.cpp.
#include <cstdlib>
#include <filesystem>

#include "attention/core/error.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/checkpoint.hpp"
#include "folder.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

Checkpoint checkpoint(const NamedTensors& tensors) { return {tensors, {}}; }

}  // namespace

TEST_CASE("values go to the tensors of the same names, in any order") {
  const Tensor a = zeros({2}), b = zeros({1, 2});
  const Tensor ones_there = from_values({1, 2}), twos_there = from_values({3, 4}, {1, 2});
  load_tensors({{"a", a}, {"b", b}}, checkpoint({{"b", twos_there}, {"a", ones_there}}), "run");
  CHECK(values(a) == std::vector<real>{1, 2});
  CHECK(values(b) == std::vector<real>{3, 4});
  Tensor(a).edit()[0] = 9;
  CHECK(values(ones_there) == std::vector<real>{1, 2});
}

TEST_CASE("all that does not fit is listed in one message, and the model is unchanged") {
  const Tensor a = zeros({2}), b = zeros({2, 3}), c = zeros({}), d = zeros({4}), e = zeros({1});
  CHECK_THROWS_WITH(
      load_tensors({{"a", a}, {"b", b}, {"c", c}, {"d", d}, {"e", e}},
                   checkpoint({{"a", ones({2})},
                               {"b", ones({3, 2})},
                               {"d", ones({4, 1})},
                               {"x", ones({1})},
                               {"y", ones({1})}}),
                   "run/model.safetensors"),
      Equals("checkpoint: run/model.safetensors does not fit; was it saved with other "
             "options?\n"
             "  missing: c, e\n"
             "  unexpected: x, y\n"
             "  of another shape: b is (3, 2) there, (2, 3) here, d is (4, 1) there, (4,) here"));
  for (const Tensor& tensor : {a, b, c, d, e})
    CHECK(values(tensor) == std::vector<real>(tensor.count(), 0));
}

TEST_CASE("a tied weight is saved once, and loaded from any of its names") {
  const Folder folder;
  const Tensor saved = from_values({1, 2});
  save_checkpoint(folder.path / "file", {{"embedding", saved}, {"output", saved}});
  const Checkpoint there = read_checkpoint(folder.path / "file");
  REQUIRE(there.tensors.size() == 1);
  CHECK(there.tensors[0].name == "embedding");
  const Tensor tied = zeros({2});
  SECTION("under the first") {
    load_tensors({{"embedding", tied}, {"output", tied}}, there, "run");
  }
  SECTION("under the second") {
    load_tensors({{"output", tied}, {"embedding", tied}}, there, "run");
  }
  SECTION("under both, when they agree") {
    load_tensors({{"embedding", tied}, {"output", tied}},
                 checkpoint({{"embedding", saved}, {"output", saved.clone()}}), "run");
  }
  CHECK(values(tied) == std::vector<real>{1, 2});
}

TEST_CASE("an untied checkpoint does not fit a tied model, nor the other way round") {
  const Tensor tied = zeros({2}), other = zeros({2});
  CHECK_THROWS_WITH(
      load_tensors({{"embedding", tied}, {"output", tied}},
                   checkpoint({{"embedding", ones({2})}, {"output", full({2}, 2)}}), "run"),
      Equals("checkpoint: run does not fit; was it saved with other options?\n"
             "  tied here, but there not equal to the tensor they share: output"));
  CHECK_THROWS_WITH(load_tensors({{"embedding", tied}, {"output", other}},
                                 checkpoint({{"embedding", ones({2})}}), "run"),
                    Equals("checkpoint: run does not fit; was it saved with other options?\n"
                           "  missing: output"));
  CHECK(values(tied) == std::vector<real>{0, 0});
}

TEST_CASE("loading is a change that a graph notices, and only leaves can be loaded") {
  const Tensor a = zeros({2}).require_grad(), b = zeros({2}).require_grad();
  const Tensor product = a * b, loss = sum(product);
  CHECK_THROWS_AS(load_tensors({{"a", a}, {"product", product}},
                               checkpoint({{"a", ones({2})}, {"product", ones({2})}}), "run"),
                  Error);
  CHECK(values(a) == std::vector<real>{0, 0});
  load_tensors({{"a", a}}, checkpoint({{"a", ones({2})}}), "run");
  CHECK_THROWS_AS(backward(loss), Error);
}
