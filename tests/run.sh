#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lessons/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lessons/setup.sh"

usage() {
  cat <<'END'
usage: tests/run.sh [--no-install] [--help] [-- what ctest takes]
       tests/run.sh --sanitize

  tests/run.sh                   all tests
  tests/run.sh -- -R softmax     those with softmax in their name
  tests/run.sh --sanitize        those of the library (in float) and of the program, with every
                                 address, every leak and every undefined operation checked
  tests/run.sh --no-install      only says what is missing and how to install it
END
}

# In two processes, that of the program's tests and that of all others: a sanitizer takes its time to
# start, so not one for each test. Left out is what runs hundreds of trainings to compare their bits,
# and hundreds of changed run.json, which the fuzz target of that reader does under the same sanitizers.
sanitized() {
  local file of_program='' all_others='' status=0
  for file in "$root"/tests/program_*_test.cpp; do
    file=$(basename -- "$file" .cpp) all_others="$all_others~[#$file]"
    case $file in *crash* | *repeat* | *run_json*) ;; *) of_program="$of_program,[#$file]" ;; esac
  done
  "$folder/bin/sanitized" --filenames-as-tags "${of_program#,}" >"$folder/sanitized.log" 2>&1 &
  GOMP_SPINCOUNT=1000 "$folder/bin/sanitized" --filenames-as-tags "$all_others" || status=1
  wait $! || status=1
  cat "$folder/sanitized.log"
  return $status
}

mode=install sanitize=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --sanitize) sanitize=yes ;;
    --no-install) mode=list ;;
    --) shift && break ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

setup tests "$mode"
folder=$root/build/tests
configure "$folder" -DATTENTION_TESTS=ON
if [ -n "$sanitize" ]; then
  build "$folder" sanitized
  sanitized
  exit
fi
build "$folder" all
exec ctest --test-dir "$folder" --output-on-failure --parallel "$jobs" "$@"
