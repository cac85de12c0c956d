// Tensors as text: aligned columns, long axes elided, the shape below.
#include <sstream>

#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("a small matrix is printed in rows") {
  CHECK(to_string(from_values({1, 2, 3, 4, 5, 6}, {2, 3})) ==
        "[[1 2 3],\n"
        " [4 5 6]]\n"
        "shape (2, 3)");
}

TEST_CASE("fractions get four digits, and negative numbers line up") {
  CHECK(to_string(from_values({0.5, -1, 12.25, real(0.33333)}, {2, 2})) ==
        "[[ 0.5000 -1.0000],\n"
        " [12.2500  0.3333]]\n"
        "shape (2, 2)");
  CHECK(to_string(from_values({-10, 2, 3, 1000}, {2, 2})) ==
        "[[ -10    2],\n"
        " [   3 1000]]\n"
        "shape (2, 2)");
}

TEST_CASE("three axes are printed as matrices with an empty line between them") {
  CHECK(to_string(from_values({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2})) ==
        "[[[0 1],\n"
        "  [2 3]],\n"
        "\n"
        " [[4 5],\n"
        "  [6 7]]]\n"
        "shape (2, 2, 2)");
}

TEST_CASE("long axes are elided in the middle") {
  CHECK(to_string(arange(10)) == "[0 1 2 3 4 5 6 7 8 9]\nshape (10,)");
  CHECK(to_string(arange(11)) == "[  0   1   2   3 ...   7   8   9  10]\nshape (11,)");
  CHECK(to_string(arange(1000)) == "[  0   1   2   3 ... 996 997 998 999]\nshape (1000,)");
  CHECK(to_string(zeros({12, 1})) ==
        "[[0],\n [0],\n [0],\n [0],\n ...,\n [0],\n [0],\n [0],\n [0]]\n"
        "shape (12, 1)");
}

TEST_CASE("what is elided makes no column wider") {
  Tensor x = zeros({20});
  x.edit()[10] = 12345;
  CHECK(to_string(x) == "[  0   0   0   0 ...   0   0   0   0]\nshape (20,)");
}

TEST_CASE("scalars and single numbers are printed without rows") {
  CHECK(to_string(Tensor(2)) == "2\nshape ()");
  CHECK(to_string(Tensor(-0.25)) == "-0.2500\nshape ()");
}

TEST_CASE("numbers that are none are printed as such") {
  CHECK(to_string(from_values({1, not_a_number, infinity, -infinity})) ==
        "[   1  nan  inf -inf]\nshape (4,)");
}

TEST_CASE("very large and very small numbers get an exponent") {
  CHECK(to_string(from_values({1500000, -2})) == "[ 1.500e+06 -2.000e+00]\nshape (2,)");
  CHECK(to_string(from_values({real(0.0005), 0})) == "[5.000e-04 0.000e+00]\nshape (2,)");
  CHECK(to_string(from_values({999999, 1})) == "[999999      1]\nshape (2,)");
}

TEST_CASE("empty tensors are printed empty") {
  CHECK(to_string(zeros({0})) == "[]\nshape (0,)");
  CHECK(to_string(zeros({2, 0})) == "[[],\n []]\nshape (2, 0)");
}

TEST_CASE("a stream gets the same text") {
  std::ostringstream stream;
  stream << from_values({1, 2});
  CHECK(stream.str() == to_string(from_values({1, 2})));
}
