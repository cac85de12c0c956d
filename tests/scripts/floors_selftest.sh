#!/usr/bin/env bash
# Does floors.sh see what it should? Each include, good or bad, is planted into an empty house, alone.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# plant FILE INCLUDE; what floors.sh says about that goes to $out.
plant() {
  rm -rf "${work:?}"/*
  mkdir -p "$work/include/attention" "$work/src/core"
  echo '#include "attention/core/real.hpp"' >"$work/src/core/shape.cpp"
  mkdir -p "$work/$(dirname -- "$1")"
  printf '#include %s\n' "$2" >>"$work/$1"
  status=0
  out=$("$here/floors.sh" "$work") || status=$?
}
bad() { # FILE INCLUDE WORDS: must be refused with these words, and nothing else
  plant "$1" "$2"
  if [ $status = 0 ] || [ "$out" != "$1: includes $3" ]; then
    printf 'planted %s into %s; wanted: %s; got:\n%s\n' "$2" "$1" "$3" "$out" && failed=1
  fi
}
good() { # FILE INCLUDE
  plant "$1" "$2"
  if [ $status != 0 ]; then printf 'planted %s into %s, got:\n%s\n' "$2" "$1" "$out" && failed=1; fi
}

up='which is a floor above'
bad src/core/x.cpp '"attention/core/kernels.hpp"' "core/kernels.hpp, $up"
bad include/attention/core/x.hpp '"attention/tensor/tensor.hpp"' "tensor/tensor.hpp, $up"
bad src/core/kernels/x.cpp '<attention/tensor/tensor.hpp>' "tensor/tensor.hpp, $up"
bad src/tensor/tensor.cpp '"attention/tensor/op.hpp"' "tensor/op.hpp, $up"
bad include/attention/tensor/op.hpp '"attention/tensor/ops.hpp"' "tensor/ops.hpp, $up"
bad src/tensor/ops/x.cpp '"attention/tensor/autograd.hpp"' "tensor/autograd.hpp, $up"
bad src/tensor/ops/x.cpp '"../autograd.hpp"' "tensor/autograd.hpp, $up"
bad src/tensor/autograd.cpp '"attention/nn/x.hpp"' "nn/x.hpp, $up"
bad src/nn/x.cpp '"attention/train/x.hpp"' "train/x.hpp, $up"
bad src/draw/x.cpp '"attention/attention.hpp"' "attention.hpp, $up"
bad src/train/x.cpp '"attention/nn/x.hpp"' 'nn/x.hpp, but train does without nn'
bad src/draw/x.cpp '"attention/tasks/x.hpp"' 'tasks/x.hpp, but draw does without tasks'
bad src/tasks/x.cpp '"attention/draw/x.hpp"' 'draw/x.hpp, but tasks does without draw'
bad src/tasks/x.cpp '  "attention/nn/x.hpp"' 'nn/x.hpp, but tasks does without nn'

good src/core/kernels/x.cpp '"attention/core/threads.hpp"'
good src/tensor/ops/x.cpp '"rows.hpp"'
good src/tensor/ops/x.cpp '"attention/tensor/op.hpp"'
good src/nn/x.cpp '"attention/tensor/autograd.hpp"'
good src/train/x.cpp '"attention/tensor/tensor.hpp"'
good src/draw/x.cpp '<fmt/format.h>'
good src/cli/x.cpp '"attention/attention.hpp"'

if [ $failed = 0 ]; then echo "floors_selftest: sees what it should"; fi
exit $failed
