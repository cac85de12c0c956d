#!/usr/bin/env bash
# numpy_test.sh PROGRAM: numpy_test.py, by a Python that has numpy; without one it is skipped (77).
set -euo pipefail
program=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for python in python3 /usr/bin/python3; do
  if "$python" -c 'import numpy' 2>/dev/null; then
    "$python" "$here/numpy_test.py" "$program" "$work"
    exit
  fi
done
echo "numpy: skipped, for no python3 has it (Debian: python3-numpy)"
exit 77
