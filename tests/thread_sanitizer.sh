#!/usr/bin/env bash
# Looks for data races: builds the tests in float with clang's ThreadSanitizer and runs those that
# share work out, on four threads. It takes clang with its own OpenMP (Debian: clang, libomp-dev):
# Archer, which comes with that, tells the sanitizer where threads wait for each other. Without it
# (GNU's OpenMP has none) each loop would be reported, hundreds of them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lessons/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lessons/setup.sh"

# What is in these files, or where Catch2 is asked for something else.
files=(threads kernels attention autograd denormals fused fused_attention layer_norm layout memory
  optimizer reduce softmax steps training transformer)

usage() {
  cat <<'END'
usage: tests/thread_sanitizer.sh [--help] [-- what Catch2 takes]

  tests/thread_sanitizer.sh                  the tests that share work out
  tests/thread_sanitizer.sh -- "*threads*"   those with threads in their name
END
}

case ${1:-} in
  --help | -h) usage && exit ;;
  --) shift ;;
  '') set -- "$(printf '[#%s_test],' "${files[@]}")" --filenames-as-tags ;;
  *) usage >&2 && exit 2 ;;
esac

export CXX=${CXX:-clang++}
has "$CXX" || stop "There is no $CXX here."
archer=$(dirname -- "$(readlink -f -- "$(command -v "$CXX")")")/../lib/libarcher.so
[ -e "$archer" ] || stop "$CXX has no Archer beside it: its OpenMP is missing (Debian: libomp-dev)."

setup tests install
folder=$root/build/thread_sanitizer
configure "$folder" -DATTENTION_TESTS=ON -DATTENTION_SANITIZE=thread -DATTENTION_PROGRAM=OFF \
  -DATTENTION_LESSONS=OFF
build "$folder" float

# What OpenMP's own library does inside is left out. It is not compiled for the sanitizer, which
# would report two places in clang 14's libomp.so: the lock with which a thread that has waited long
# is woken (pthread_mutex_lock, on a mutex that its owner has made unseen). Nothing else is left out.
export OMP_TOOL_LIBRARIES=$archer OMP_NUM_THREADS=4
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=66"
exec "$folder/bin/float" "$@"
