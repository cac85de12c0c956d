#!/usr/bin/env bash
# order.sh [ROOT]: lesson n and its exercise use only what lessons up to n have introduced. names.txt
# says which lesson introduces which name; a name of the library that it lacks is told, too.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
cd "${1:-$here/../..}"

# Types and functions that the library's headers declare, but for pictures and the ground floor.
declared=$(cat include/attention/{tensor,nn,train,tasks}/*.hpp | sed 's,//.*,,' |
  grep -oE '^(struct|class|enum|enum class) +[A-Za-z_]+|^[A-Za-z][A-Za-z_:<>&* ]* [&*]?[a-z_]+\(' |
  sed -E 's/\($//; s/.*[ &*:]//' | grep -vE '^(operator|class|fail)$' | sort -u)

# The identifiers of a file that are not in comments, strings or includes, not the standard library's
# (std::map) and not after a dot that names a field: 12 name.
used() {
  sed -E 's,//.*,,; /^#include/d; s/"([^"\\]|\\.)*"/""/g; s/std::[a-z_]+//g' "$1" |
    grep -oE '[.]?[A-Za-z_][A-Za-z_0-9]*' | grep -v '^[.]' | sort -u
}

bad=0
for file in lessons/[0-9][0-9]_*.cpp lessons/exercises/[0-9][0-9]_*.cpp; do
  number=$(basename "$file" | cut -c1-2)
  problems=$(used "$file" | awk -v number="$number" -v declared="$declared" '
    BEGIN { count = split(declared, list, "\n"); for (i = 1; i <= count; i++) library[list[i]] }
    FNR == NR && /^#/ { next }
    FNR == NR { for (i = 2; i <= NF; i++) lesson[$i] = $1; next }
    $1 in lesson { if (lesson[$1] + 0 > number + 0) print $1 " is taught in lesson " lesson[$1]; next }
    $1 in library { print $1 " is not in names.txt" }' "$here/names.txt" -)
  if [ -n "$problems" ]; then
    while read -r problem; do echo "$file: $problem"; done <<<"$problems"
    bad=1
  fi
done
exit $bad
