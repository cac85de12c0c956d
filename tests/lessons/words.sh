#!/usr/bin/env bash
# The lessons keep to lessons/GLOSSARY.md: what its column "not" lists does not occur in them.
set -euo pipefail
cd "$(dirname -- "$0")/../../lessons"
avoided=$(sed -n 's/^| [^|]* | [^|]* | \([^|]*\) | [0-9]* |$/\1/p' GLOSSARY.md |
  sed 's/、/\n/g' | sed 's/ //g' | grep -v '^$')
if [ "$(wc -l <<<"$avoided")" -lt 10 ]; then echo 'GLOSSARY.md cannot be read' && exit 1; fi
bad=0
for word in $avoided; do
  if grep -n -- "$word" [0-9][0-9]_*.cpp exercises/*.cpp exercises/checks/*.hpp README*.md; then
    echo "$word: GLOSSARY.md has another word for it" && bad=1
  fi
done
exit $bad
