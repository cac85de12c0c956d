#!/usr/bin/env bash
# claims.sh COMPARE OUT: lessons/CLAIMS.md says what the lessons have just measured, but for crumbs.
# What comes out of training (14 to 16) is another number on another processor: there the words and
# limits count, and the lessons themselves see that the limits are kept.
set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
compare=$1 out=$2

without_training() {
  sed -E '/^\| 1[456] \|/s/ \| [^|]* (\| [^|]* \| [^|]* \|)$/ | … \1/
    /^\|[^|]*\| 1[456] \|/s/: [0-9.e+-]+ (\| [^|]* \|)$/: … \1/' "$1"
}

"$root/lessons/claims.sh" "$out/en" >"$out/CLAIMS.md"
without_training "$root/lessons/CLAIMS.md" >"$out/claims.expected"
without_training "$out/CLAIMS.md" >"$out/claims.found"
"$compare" "$out/claims.expected" "$out/claims.found" 0.03 0.03 || {
  echo 'lessons/run.sh claims makes it anew' && exit 1
}
