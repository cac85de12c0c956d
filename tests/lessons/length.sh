#!/usr/bin/env bash
# Each lesson can be read in one sitting: 60 to 150 lines of at most 100 columns.
set -euo pipefail
cd "$(dirname -- "$0")/../../lessons"
bad=0
for file in [0-9][0-9]_*.cpp; do
  lines=$(wc -l <"$file")
  if [ "$lines" -lt 60 ] || [ "$lines" -gt 150 ]; then echo "$file: $lines lines" && bad=1; fi
done
exit $bad
