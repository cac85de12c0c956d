#!/usr/bin/env bash
# claims.sh COMPARE OUT: lessons/CLAIMS.md says what the lessons have just measured. Numbers that
# come out of training, or of rounding, differ a little from machine to machine.
set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
"$root/lessons/claims.sh" "$2/en" >"$2/CLAIMS.md"
"$1" "$root/lessons/CLAIMS.md" "$2/CLAIMS.md" 0.03 0.03 || {
  echo 'lessons/run.sh claims makes it anew' && exit 1
}
