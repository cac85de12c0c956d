#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lessons/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lessons/setup.sh"

usage() {
  cat <<'END'
usage: tests/run.sh [--sanitize] [--no-install] [--help] [-- what ctest takes]

  tests/run.sh                   all tests
  tests/run.sh -- -R softmax     those with softmax in their name
  tests/run.sh --sanitize        those of the library (in float) and of the program, with every
                                 address, every leak and every undefined operation checked
  tests/run.sh --no-install      only says what is missing and how to install it
END
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
if [ -n "$sanitize" ]; then
  folder=$root/build/sanitize
  configure "$folder" -DATTENTION_TESTS=ON -DATTENTION_SANITIZE=ON -DATTENTION_LESSONS=OFF \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1
  build "$folder" float
  set -- -R '^float:' "$@"
else
  folder=$root/build/tests
  configure "$folder" -DATTENTION_TESTS=ON
  build "$folder" all
fi
exec ctest --test-dir "$folder" --output-on-failure --parallel "$jobs" "$@"
