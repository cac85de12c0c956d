#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lessons/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lessons/setup.sh"

usage() {
  cat <<'END'
usage: tests/run.sh [--no-install] [--help] [-- what ctest takes]

  tests/run.sh                   all tests
  tests/run.sh -- -R softmax     those with softmax in their name
  tests/run.sh --no-install      only says what is missing and how to install it
END
}

mode=install
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --no-install) mode=list ;;
    --) shift && break ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

setup tests "$mode"
configure "$root/build/tests" -DATTENTION_TESTS=ON
build "$root/build/tests" all
exec ctest --test-dir "$root/build/tests" --output-on-failure --parallel "$jobs" "$@"
