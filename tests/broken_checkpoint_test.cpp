// Every way in which a checkpoint's file can be wrong, each with its own message.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/train/checkpoint.hpp"
#include "folder.hpp"

using namespace attention;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

// What is said about a file, without the path that it begins with.
std::string complaint(const std::string& bytes) {
  const Folder folder;
  write_file(model_in(folder), bytes);
  const std::string start = "checkpoint: " + model_in(folder).string() + ": ";
  try {
    read_checkpoint(model_in(folder));
  } catch (const Error& error) {
    const std::string text = error.what();
    REQUIRE(text.substr(0, start.size()) == start);
    return text.substr(start.size());
  }
  return "";
}

std::string complaint(const std::string& header, std::size_t data_bytes) {
  return complaint(file_of(header, std::string(data_bytes, 'x')));
}

}  // namespace

TEST_CASE("a file that is no checkpoint is told from one that was cut short") {
  CHECK(complaint("") == "the file is empty");
  CHECK(complaint("abc") == "3 bytes; even the length of the header needs 8");
  CHECK(complaint("\x89PNG\r\n\x1a\n and so on") ==
        "a header of 727905341920923785 bytes, when 100000000 are allowed; another kind of file?");
  CHECK(complaint("\x01\xe1\xf5\x05\0\0\0\0{}"s) ==
        "a header of 100000001 bytes, when 100000000 are allowed; another kind of file?");
  CHECK(
      complaint(std::string(8, '\xff') + "{}") ==
      "a header of 18446744073709551615 bytes, when 100000000 are allowed; another kind of file?");
  CHECK(complaint(file_of(std::string(200, ' '), "").substr(0, 108)) ==
        "cut short: a header of 200 bytes is announced, and 100 follow");
  CHECK(complaint("[]", 0) == "the header does not begin with {; another kind of file?");
  CHECK(complaint("", 0) == "the header does not begin with {; another kind of file?");
  CHECK(complaint(R"({"a": 1)", 0) == "the header is not JSON: it goes wrong at byte 7 of 7");
  CHECK(complaint(R"({"a" 1})", 0) == "the header is not JSON: it goes wrong at byte 6 of 7");
  CHECK(complaint("{\"\xff\": 1}", 0) == "the header is not JSON: it goes wrong at byte 3 of 8");
  CHECK(complaint("{}\0rest"s, 0) == "the header is not JSON: byte 2 of it is 0");
  CHECK(complaint(R"({"a":)" + std::string(1000000, '['), 0) ==
        "the header is nested deeper than the format knows");
}

TEST_CASE("a tensor's entry that says too little or too much is refused") {
  const auto about_a = [](const std::string& json) {
    return complaint(R"({"a":)" + json + "}", 8);
  };
  CHECK(about_a("1") ==
        "tensor a: an object with dtype, shape and data_offsets is expected, not number");
  CHECK(about_a(R"({"shape":[2],"data_offsets":[0,8]})") == "tensor a: dtype is missing");
  CHECK(about_a(R"({"dtype":"F32","data_offsets":[0,8]})") == "tensor a: shape is missing");
  CHECK(about_a(R"({"dtype":"F32","shape":[2]})") == "tensor a: data_offsets is missing");
  CHECK(about_a(entry("BF16", "4", "0,8")) ==
        "tensor a: its dtype is BF16; F32 and F64 can be read");
  CHECK(about_a(R"({"dtype":32,"shape":[2],"data_offsets":[0,8]})") ==
        "tensor a: its dtype is number; F32 and F64 can be read");
  CHECK(about_a(R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})") ==
        "tensor a: shape is expected to be an array, not number");
  CHECK(about_a(entry("F32", "-2", "0,8")) == "tensor a: shape holds -2, which is no size");
  CHECK(about_a(entry("F32", "2.0", "0,8")) == "tensor a: shape holds 2.0, which is no size");
  CHECK(about_a(entry("F32", "1e999", "0,8")) ==
        "the header holds a number too large for any computer");
  CHECK(about_a(entry("F32", "null", "0,8")) == "tensor a: shape holds null, which is no size");
  CHECK(about_a(entry("F32", "9223372036854775808", "0,8")) ==
        "tensor a: shape holds 9223372036854775808, which is no size");
  CHECK(about_a(entry("F32", "1,1,1,1,1,1,1,1,2", "0,8")) ==
        "tensor a: shape: 9 axes; at most 8 are possible");
  CHECK(about_a(entry("F32", "2", "0,4,8")) ==
        "tensor a: data_offsets are expected to be two, not 3");
  CHECK(about_a(entry("F32", "2", "8,0")) ==
        "tensor a: data_offsets are out of order: 8 comes before 0");
  CHECK(about_a(entry("F32", "2", "-8,0")) == "tensor a: data_offsets holds -8, which is no size");
  CHECK(about_a(entry("F32", "2", "0,8.0")) ==
        "tensor a: data_offsets holds 8.0, which is no size");
  CHECK(about_a(entry("F32", "2", "0,18446744073709551624")) ==  // 2^64 + 8
        "tensor a: data_offsets holds 1.8446744073709552e+19, which is no size");
  CHECK(about_a(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"strides":[1]})") ==
        "tensor a: strides is no part of the format, which has dtype, shape and data_offsets");
}

TEST_CASE("names from a file are shown in one line of bearable length") {
  const auto about = [](const std::string& name) { return complaint("{\"" + name + "\":1}", 0); };
  const std::string rest = ": an object with dtype, shape and data_offsets is expected, not number";
  CHECK(about(R"(a\nb\u001b[31m)") == R"(tensor a\nb\x1B[31m)" + rest);
  CHECK(about(R"(a\u0000b)") == "the header has a name that holds a zero byte");
  const std::string shown = about(std::string(1000000, 'x'));
  CHECK(shown.size() < 400);
  CHECK(shown.starts_with("tensor xxxx"));
  CHECK(shown.find(" … ") != shown.npos);
  CHECK(shown.ends_with("x" + rest));
}

TEST_CASE("a name that stands twice is refused, at each level") {
  const std::string a = R"("a":)" + entry("F32", "1", "0,4");
  CHECK(complaint("{" + a + "," + a + "}", 4) == "the header has a twice");
  CHECK(complaint(R"({"a":{"dtype":"F32","shape":[2],"shape":[1],"data_offsets":[0,4]}})", 4) ==
        "the header has shape twice");
  CHECK(complaint(R"({"__metadata__":{"x":"1","x":"2"}})", 0) == "the header has x twice");
}

TEST_CASE("a shape that does not fit its bytes is refused, however large") {
  const auto about_a = [](const std::string& dtype, const std::string& shape,
                          const std::string& offsets) {
    return complaint(R"({"a":)" + entry(dtype, shape, offsets) + "}", 8);
  };
  CHECK(about_a("F32", "3", "0,8") ==
        "tensor a: F32 of shape (3,) needs 3 numbers of 4 bytes, but has 8 bytes");
  CHECK(about_a("F64", "2", "0,8") ==
        "tensor a: F64 of shape (2,) needs 2 numbers of 8 bytes, but has 8 bytes");
  CHECK(about_a("F32", "1", "0,7") ==
        "tensor a: F32 of shape (1,) needs 1 numbers of 4 bytes, but has 7 bytes");
  // 2^62 + 2 numbers of 4 bytes are 8 bytes, when counted in 64 bits.
  CHECK(
      about_a("F32", "4611686018427387906", "0,8") ==
      "tensor a: F32 of shape (4611686018427387906,) needs 4611686018427387906 numbers of 4 bytes, "
      "but has 8 bytes");
  CHECK(about_a("F32", "4294967296,4294967296", "0,8") ==
        "tensor a: shape: (4294967296, 4294967296) has more elements than 64 bits count");
}

TEST_CASE("tensors that do not cover the data exactly are refused") {
  const auto about = [](const std::string& a, const std::string& b, std::size_t bytes) {
    return complaint(R"({"a":)" + entry("F32", "1", a) + R"(,"b":)" + entry("F32", "2", b) + "}",
                     bytes);
  };
  CHECK(about("0,4", "4,12", 12) == "");
  CHECK(about("8,12", "0,8", 12) == "");
  CHECK(about("4,8", "0,8", 8) == "tensors b and a overlap");
  CHECK(about("0,4", "0,8", 8) == "tensors a and b overlap");
  CHECK(about("4,8", "8,16", 16) == "bytes 0 to 4 of the data, before a, belong to no tensor");
  CHECK(about("0,4", "8,16", 16) == "bytes 4 to 8 of the data, before b, belong to no tensor");
  CHECK(about("0,4", "4,12", 11) ==
        "cut short: b ends at byte 12 of the data, but there are only 11");
  CHECK(about("0,4", "4,12", 13) ==
        "1 bytes too many: the tensors end at byte 12 of the data, the file at 13");
  CHECK(complaint("{}", 1) ==
        "1 bytes too many: the tensors end at byte 0 of the data, the file at 1");
}

TEST_CASE("metadata that is not text is refused") {
  CHECK(complaint(R"({"__metadata__":[]})", 0) ==
        "__metadata__ is expected to be an object, not array");
  CHECK(complaint(R"({"__metadata__":{"step":7}})", 0) ==
        "__metadata__: step is expected to be a string, not number");
}

TEST_CASE("every proper beginning of a checkpoint is refused") {
  const std::string whole = file_of(R"({"a":)" + entry("F32", "2", "0,8") + "}", "12345678");
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(complaint(whole.substr(0, size)).empty());
  CHECK(complaint(whole) == "");
  CHECK(complaint(whole + "9") != "");
}
