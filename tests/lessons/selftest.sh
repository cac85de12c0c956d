#!/usr/bin/env bash
# selftest.sh COMPARE: that the checks of the lessons see what they are there to see.
set -euo pipefail
compare=$1 here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "$*" && failed=1; }

# ---- compare_texts
same() { printf '%b' "$1" >"$work/a"; printf '%b' "$2" >"$work/b"; "$compare" "$work/a" "$work/b" >/dev/null; }
same 'sum 1.5   of 3\n' 'sum  1.5001 of 3\n' || wrong 'a crumb and blanks matter'
same 'error 1.2e-07\n' 'error 9e-08\n' || wrong 'noise matters'
same 'nan\n' 'nan\n' || wrong 'nan is not nan'
! same 'sum 1.5\n' 'sum 1.6\n' || wrong 'another number passes'
! same 'the sum 1.5\n' 'a sum 1.5\n' || wrong 'another word passes'
! same 'a\nb\n' 'a\n' || wrong 'a missing line passes'
! same 'a\n' 'a\nb\n' || wrong 'a line too many passes'
! same '1 2\n' '1\n' || wrong 'a missing number passes'
! same '1\n' 'nan\n' || wrong 'nan passes'

# ---- order.sh, in a tree of one lesson
mkdir -p "$work/tree/lessons/exercises" "$work/tree/include"
cp -r "$here/../../include/attention" "$work/tree/include"
lesson() {
  printf '%b\n' "$1" >"$work/tree/lessons/03_x.cpp"
  printf '%b\n' "${2:-}" >"$work/tree/lessons/exercises/03_x.cpp"
  found=$("$here/order.sh" "$work/tree" || true)
}
lesson 'Tensor x = reshape(y, {2});  // then softmax'
if [ -n "$found" ]; then wrong "sees what is not there: $found"; fi
lesson 'say("softmax", "softmax");'
if [ -n "$found" ]; then wrong "reads texts: $found"; fi
lesson 'Tensor x = softmax(y, 0);'
[ "$found" = 'lessons/03_x.cpp: softmax is taught in lesson 07' ] || wrong "order: $found"
lesson 'int x;' 'attend(q, k, v);'
[ "$found" = 'lessons/exercises/03_x.cpp: attend is taught in lesson 08' ] || wrong "exercise: $found"
echo 'Tensor brand_new(const Tensor& x);' >>"$work/tree/include/attention/tensor/ops.hpp"
lesson 'brand_new(x);'
[ "$found" = 'lessons/03_x.cpp: brand_new is not in names.txt' ] || wrong "unknown: $found"
exit $failed
