#!/usr/bin/env bash
# Builds the program `attention` and trains the first model, or builds and runs one lesson.
set -euo pipefail
here=$PWD
# shellcheck source-path=SCRIPTDIR source=setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

usage() {
  cat <<'END'
usage: lessons/run.sh [N] [--no-install] [--help] [-- what the lesson takes]

  lessons/run.sh      builds the program and trains a model that reverses sequences
  lessons/run.sh N    builds and runs lesson N

On Debian and Ubuntu, what is missing is installed with apt-get first.
  --no-install        only says what is missing and how to install it
END
}

number='' mode=install
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --no-install) mode=list ;;
    --) shift && break ;;
    *)
      if [ -n "$number" ]; then break; fi
      case $1 in '' | *[!0-9]*) usage >&2 && exit 2 ;; esac
      number=$1
      ;;
  esac
  shift
done

cd "$root"

# Which lessons there are: 1 2 3 ...
lessons() {
  local file name
  for file in lessons/[0-9][0-9]_*.cpp; do
    name=${file#lessons/} && name=${name%%_*}
    if [ -e "$file" ]; then printf ' %s' "${name#0}"; fi
  done
}

target=attention_program
if [ -n "$number" ]; then
  target=lesson_$(printf '%02d' "$((10#$number))")
  there=$(lessons)
  case "$there " in
    *" $((10#$number)) "*) ;;
    *) stop "Lesson $number is not there yet. There are:${there:- none so far}." ;;
  esac
fi

setup lessons "$mode"
configure "$root/build"
build "$root/build" "$target"
if [ -n "$number" ]; then exec "build/bin/$target" "$@"; fi

# A path that is right from where the person stands.
runs=runs
if [ "$here" != "$root" ]; then runs=$root/runs; fi
exec build/bin/attention train reverse --out "$runs/reverse"
