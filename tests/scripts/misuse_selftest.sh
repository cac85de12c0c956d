#!/usr/bin/env bash
# Does misuse.sh see what it should? Each declaration is planted into an empty house, alone.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/include/attention/core" "$work/tests/scripts"
failed=0

# plant DECLARATION; what misuse.sh says about that goes to $out. f() is always there, with a row.
plant() {
  printf 'namespace attention {\nvoid f();\n%s\n}\n' "$1" >"$work/include/attention/core/planted.hpp"
  status=0
  out=$("$here/misuse.sh" "$work") || status=$?
}
seen() { # DECLARATION NAME: must be named as untried, and nothing else
  plant "$1"
  if [ $status = 0 ] || [ "$out" != "$2: its misuse is not tried; add a row to tests/misuse_*_test.cpp" ]; then
    printf 'planted %s; wanted %s; got:\n%s\n' "$1" "$2" "$out" && failed=1
  fi
}
passed() { # DECLARATION: must not be seen as a public function
  plant "$1"
  if [ $status != 0 ]; then printf 'planted %s, got:\n%s\n' "$1" "$out" && failed=1; fi
}
says() { # WORDS: what is said of void f() alone
  plant ''
  if [ $status = 0 ] || [ "$out" != "$1" ]; then printf 'wanted %s; got:\n%s\n' "$1" "$out" && failed=1; fi
}

row='      {"f", "wrong", [] { f(); }, "no"},'
echo "$row" >"$work/tests/misuse_planted_test.cpp"
: >"$work/tests/scripts/misuse_none.txt"

seen 'int g(int x = 0);' g
seen 'int g(const Options& options = {});' g
seen '[[noreturn]] void g(int) ;' g
seen 'template <class T, class U = std::vector<T>> T g(T x) { if (x) { return x; } return {}; }' g
seen 'inline std::vector<int> g(std::function<int(int)> f) { return {1}; }' g
seen 'namespace inner { void g(); }' inner::g
seen 'inline namespace REAL { void g(); }' g
seen 'Tensor operator+(const Tensor& a, const Tensor& b);' operator+
seen 'struct S { int operator()(int) const; };' 'S::operator()'
seen 'struct S { int operator[](int i) const { return v[i]; } int v[2]; };' 'S::operator[]'
seen 'struct S { explicit S(int x) : y{x} {} int y = 0; };' S::S
seen 'class S { int hidden(); public: void g() const; private: void h(); };' S::g
seen 'class S { void h() { } struct T { void k(); }; public: static S g(int); };' S::g
seen 'struct S { virtual void g(int) const = 0; };' S::g

passed 'constexpr int g = 3, h = f(2);'
passed 'template <Operator Op> inline const bool listed = enlist(Op::name);'
passed 'struct S { S() = default; ~S(); S(const S&) = delete; std::function<int(int)> g; int (*h)(int); };'
passed 'class S { S(int); int g(); };'
passed 'namespace detail { void g(); }'
passed 'enum class Kind { g, h };'
passed 'using F = int(int); static_assert(sizeof(int) == 4, "g(");'
passed '// void g();'
passed 'void f(int overloaded);'

echo 'g  takes nothing' >"$work/tests/scripts/misuse_none.txt"
passed 'void g();'
says 'g: has a line in tests/scripts/misuse_none.txt, but no header declares it'
echo '*::g  takes nothing' >"$work/tests/scripts/misuse_none.txt"
passed 'struct S { void g(); };'
echo 'f  takes nothing' >"$work/tests/scripts/misuse_none.txt"
says 'f: has rows, and a line in tests/scripts/misuse_none.txt'
: >"$work/tests/scripts/misuse_none.txt"
echo "${row/f/h}" >>"$work/tests/misuse_planted_test.cpp"
says 'h: has rows, but no header declares it'

if [ $failed = 0 ]; then echo "misuse_selftest: sees what it should"; fi
exit $failed
