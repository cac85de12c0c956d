// Checkpoints: the bytes of the published format written out by hand, and both number types. Broken
// files are in broken_checkpoint_test.cpp, loading into a model in load_test.cpp.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <type_traits>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/train/checkpoint.hpp"
#include "folder.hpp"
#include "tensor_test.hpp"

using namespace attention;
using namespace std::string_literals;
using Catch::Matchers::Equals;
namespace fs = std::filesystem;

namespace {

const bool is_float = std::is_same_v<real, float>;

// The numbers as the format stores them, lowest byte first.
const std::string one = is_float ? "\x00\x00\x80\x3f"s : "\x00\x00\x00\x00\x00\x00\xf0\x3f"s;
const std::string minus_two = is_float ? "\x00\x00\x00\xc0"s : "\x00\x00\x00\x00\x00\x00\x00\xc0"s;
const std::string half = is_float ? "\x00\x00\x00\x3f"s : "\x00\x00\x00\x00\x00\x00\xe0\x3f"s;

Checkpoint read(const std::string& bytes) {
  const Folder folder;
  write_file(model_in(folder), bytes);
  return read_checkpoint(model_in(folder));
}

}  // namespace

TEST_CASE("a checkpoint has exactly the bytes of the published format") {
  const Folder folder;
  save_checkpoint(model_in(folder),
                  {{"w", from_values({1, -2, real(0.5), 1}, {2, 2})}, {"b", Tensor(real(0.5))}},
                  {{"step", "7"}});
  const std::string header = is_float
                                 ? R"({"__metadata__":{"step":"7"},)"
                                   R"("w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                                   R"("b":{"dtype":"F32","shape":[],"data_offsets":[16,20]}}     )"
                                 : R"({"__metadata__":{"step":"7"},)"
                                   R"("w":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]},)"
                                   R"("b":{"dtype":"F64","shape":[],"data_offsets":[32,40]}}     )";
  REQUIRE(header.size() == 0x90);  // 139, and spaces to a multiple of 8
  CHECK(read_file(model_in(folder)) ==
        "\x90\0\0\0\0\0\0\0"s + header + one + minus_two + half + one + half);
}

TEST_CASE("what was saved is read again, bit for bit and in the order of names") {
  const Folder folder;
  Random random(1);
  const real smallest = std::numeric_limits<real>::denorm_min();
  const NamedTensors saved{
      {"z", normal({3, 5}, 0, 1, random)},
      {"größe \"1\"\n", from_values({infinity, -infinity, smallest, -real(0)})},
      {"empty", zeros({0, 4})},
      {"scalar", Tensor(real(0.1))}};
  const Metadata metadata{{"名", "值"}, {"empty", ""}};
  save_checkpoint(model_in(folder), saved, metadata);
  CHECK(fs::file_size(model_in(folder)) % sizeof(real) == 0);
  const Checkpoint got = read_checkpoint(model_in(folder));
  CHECK(got.metadata == metadata);
  REQUIRE(got.tensors.size() == saved.size());
  for (int i = 0; const int from : {2, 1, 3, 0}) {
    CHECK(got.tensors[i].name == saved[from].name);
    const Tensor &a = got.tensors[i++].tensor, &b = saved[from].tensor;
    CHECK(a.shape() == b.shape());
    CHECK((a.count() == 0 || std::memcmp(a.data(), b.data(), a.count() * sizeof(real)) == 0));
  }
}

TEST_CASE("NaN is a value like any other") {
  const Folder folder;
  save_checkpoint(model_in(folder), {{"w", Tensor(std::numeric_limits<real>::quiet_NaN())}});
  CHECK(std::isnan(read_checkpoint(model_in(folder)).tensors.at(0).tensor.item()));
}

TEST_CASE("an empty checkpoint is one, too") {
  const Folder folder;
  save_checkpoint(model_in(folder), {});
  CHECK(read_file(model_in(folder)) == "\x08\0\0\0\0\0\0\0{}      "s);
  CHECK(read_checkpoint(model_in(folder)).tensors.empty());
}

TEST_CASE("F32 and F64 are read in either build, wherever they lie") {
  // The header is not padded, so the numbers are not aligned; a name may come before its place.
  const Checkpoint got = read(file_of(
      R"({"a":)" + entry("F64", "2", "4,20") + R"(, "b":)" + entry("F32", "1, 1", "0,4") + "} ",
      "\0\0\0\xc0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xe0\x3f"s));
  REQUIRE(got.tensors.size() == 2);
  CHECK(values(got.tensors[0].tensor) == std::vector<real>{1, real(0.5)});
  CHECK(values(got.tensors[1].tensor) == std::vector<real>{-2});
  CHECK(got.tensors[1].tensor.shape() == Shape{1, 1});
}

TEST_CASE("F64 is rounded to float, and refused beyond its range") {
  if (!is_float) return;
  const std::string header = R"({"a":)" + entry("F64", "1", "0,8") + "}";
  const double third = 1.0 / 3, large = 1e300, infinite = infinity;
  const auto bytes = [](double x) { return std::string(reinterpret_cast<const char*>(&x), 8); };
  CHECK(read(file_of(header, bytes(third))).tensors[0].tensor.item() == real(third));
  CHECK(read(file_of(header, bytes(infinite))).tensors[0].tensor.item() == infinity);
  CHECK_THROWS_WITH(read(file_of(header, bytes(large))),
                    Catch::Matchers::EndsWith(": tensor a: 1e+300 is too large for a float"));
}

TEST_CASE("names that the format cannot hold are refused before anything is written") {
  const Folder folder;
  const Tensor w = ones({1});
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"w", w}, {"w", ones({1})}}),
                    Equals("checkpoint: two tensors are called w"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"__metadata__", w}}),
                    Equals("checkpoint: no tensor can be called __metadata__"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"\xff", w}}),
                    Equals("checkpoint: a tensor's name or the metadata is not UTF-8"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"a\0b"s, w}}),
                    Equals("checkpoint: the name a\\x00b holds a zero byte"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"w", w}}, {{"a\0b"s, "x"}}),
                    Equals("checkpoint: the name a\\x00b holds a zero byte"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{std::string(100'000'000, 'x'), w}}),
                    Equals("checkpoint: a header of 100000056 bytes; the format allows 100000000"));
  CHECK_THROWS_WITH(save_checkpoint(model_in(folder), {{"w", Tensor()}}),
                    Equals("checkpoint: w is undefined: it was never given a value"));
  CHECK_FALSE(fs::exists(model_in(folder)));
}
