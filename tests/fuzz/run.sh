#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs each for a while. What a run learns is kept in the build
# folder and helps the next one; the seeds here are only read. An input that is a finding is kept,
# too, and tried again with: build/fuzz/bin/TARGET_fuzz FILE
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname -- "$(dirname -- "$here")")
build=${ATTENTION_FUZZ_BUILD:-$root/build/fuzz}
megabytes=2048

usage() {
  cat <<'END'
usage: tests/fuzz/run.sh [--seed N] [SECONDS] [TARGET...]

  tests/fuzz/run.sh                  every target for 10 seconds
  tests/fuzz/run.sh 600 text         one for ten minutes
  tests/fuzz/run.sh --seed 7 60      other random numbers than those of seed 1

Exit code 1 for a finding, 77 where there is no clang with libFuzzer.
END
}

say() { printf '%s\n' "$*"; }
stop() { say "fuzz: $2" >&2 && exit "$1"; }

# A clang that can link libFuzzer.
find_clang() {
  local name work
  work=$(mktemp -d)
  say '#include <cstddef>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }' >"$work/a.cpp"
  for name in clang++ clang++-{20..14}; do
    if command -v "$name" >/dev/null &&
      "$name" -fsanitize=fuzzer,address,undefined "$work/a.cpp" -o "$work/a" 2>"$work/log"; then
      clang=$(command -v "$name") && break
    fi
  done
  rm -rf "$work"
  [ -n "${clang:-}" ] ||
    stop 77 'skipped, for there is no clang++ with libFuzzer (Debian: clang-14 libclang-rt-14-dev)'
}

quietly() { "$@" >"$build/log" 2>&1 || { cat "$build/log" && stop 2 "failed: $*"; }; }

build_targets() {
  local options=(-DCMAKE_CXX_COMPILER="$clang" -DATTENTION_FUZZ=ON -DATTENTION_OPENMP=OFF
    -DATTENTION_NATIVE=OFF -DATTENTION_PROGRAM=OFF -DATTENTION_LESSONS=OFF)
  if command -v ninja >/dev/null; then options+=(-G Ninja); fi
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  # Of another compiler's cache CMake would keep half.
  if ! grep -qsx "CMAKE_CXX_COMPILER:[A-Z]*=$clang" "$build/CMakeCache.txt"; then
    options+=(--fresh)
  fi
  mkdir -p "$build"
  quietly cmake -S "$root" -B "$build" "${options[@]}"
  quietly cmake --build "$build" --target fuzz --parallel 2
}

# Runs one target and says in a line how it went.
try() {
  local target=$1 learned=$build/learned/$1 log=$build/$1.log result='no finding' executions edges
  mkdir -p "$learned" "$build/findings"
  "$build/bin/${target}_fuzz" -seed="$seed" -max_total_time="$seconds" -timeout=60 \
    -rss_limit_mb=$megabytes -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
    "$learned" "$here/corpus/$target" >"$log" 2>&1 || result=
  executions=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  if [ -z "$result" ]; then
    findings=$((findings + 1))
    result="FOUND $(sed -n "s|.*Test unit written to ||p" "$log" | tail -n 1), see $log"
  fi
  say "$target: ${executions:-?} executions in $seconds s, ${edges:-?} edges, $result"
}

targets=() seconds=10 seed=1 findings=0
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --seed) seed=${2:?a number is needed} && shift ;;
    -*) usage >&2 && exit 2 ;;
    *[!0-9]*)
      [ -d "$here/corpus/$1" ] || stop 2 "there is no target $1; there are: $(ls -x "$here/corpus")"
      targets+=("$1")
      ;;
    *) seconds=$1 ;;
  esac
  shift
done
if [ ${#targets[@]} = 0 ]; then
  for folder in "$here"/corpus/*/; do targets+=("$(basename -- "$folder")"); done
fi

find_clang
build_targets
for target in "${targets[@]}"; do try "$target"; done
[ "$findings" = 0 ]
