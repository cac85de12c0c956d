#!/usr/bin/env bash
# install.sh BUILD_DIR SOURCE_DIR: installs a finished build into a temporary place and uses it from
# there, as a stranger's project would (tests/consumer).
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf 'install: %s\n' "$*" >&2; exit 1; }
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

if [ "$(cached ATTENTION_SANITIZE)" = ON ]; then
  echo "install: skipped, a program without sanitizers cannot load a library with them"
  exit 77
fi

# What a command prints, shown only when it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }; }

# configure NAME [options]: the consumer against the installed library, in a folder of that name.
configure() {
  local name=$1
  shift
  quietly cmake -S "$source/tests/consumer" -B "$work/$name" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}

quietly cmake --install "$build" --prefix "$work/prefix"
awk '/^```cpp/ { on = 1; next } /^```/ { on = 0 } on' "$source/README.md" >"$work/readme.cpp"
configure plain -DREADME_EXAMPLE="$work/readme.cpp"
quietly cmake --build "$work/plain"
"$work/plain/consumer" || fail "the consumer ran and was not content"
"$work/plain/own_op" || fail "the gradient of an op of one's own could not be checked"
"$work/plain/readme" | tee "$work/readme.txt"
grep -q 'step 300  loss 0.0' "$work/readme.txt" || fail "the example of the README did not learn"

# Our warnings and our processor's instructions are our own affair.
if grep -oE -- '-W[a-z]+|-march=[a-z-]+|-fsanitize[a-z=,]*' "$work/plain/compile_commands.json"; then
  fail "the consumer was compiled with these flags of ours"
fi
if grep -rF -e "$source" -e "$build" "$work/prefix" --include='*.cmake'; then
  fail "the installed files name the folders they were built in"
fi

# The library holds floats. A program that was compiled for double must not link with it. (What is
# given here comes after the library's own definition, and so wins.)
configure double -DCMAKE_CXX_FLAGS="-UATTENTION_REAL -DATTENTION_REAL=double"
if cmake --build "$work/double" --target consumer >"$work/log" 2>&1; then
  fail "a consumer with ATTENTION_REAL=double was linked with the library for float"
fi
grep -qiE 'undefined (reference|symbol)' "$work/log" ||
  { cat "$work/log"; fail "a consumer with double should fail for undefined references"; }
echo "install: installed, found, right; refused for double"
