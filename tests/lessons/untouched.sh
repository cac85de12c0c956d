#!/usr/bin/env bash
# untouched.sh PROGRAM: an exercise as it is handed out says, in both languages, that there is still
# something to do, and where.
set -euo pipefail
for language in zh en; do
  code=0
  text=$("$1" --lang "$language") || code=$?
  case $language in zh) wanted='到你了' ;; en) wanted='your turn' ;; esac
  if [ "$code" != 2 ] || [[ $text != *"$wanted"* ]]; then
    printf '%s: exit code %s\n%s\n' "$language" "$code" "$text" && exit 1
  fi
done
