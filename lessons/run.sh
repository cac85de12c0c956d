#!/usr/bin/env bash
# Builds the program `attention` and trains a first model; or builds and runs lessons and exercises.
set -euo pipefail
here=$PWD
# shellcheck source-path=SCRIPTDIR source=setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

usage() {
  cat <<'END'
usage: lessons/run.sh [N | all | claims | pictures] [options]

  lessons/run.sh               builds the program and trains a model that reverses sequences
  lessons/run.sh N             builds and runs lesson N
  lessons/run.sh N --exercise  builds and checks what you wrote in lessons/exercises/
  lessons/run.sh all           all lessons in order, then a table of their claims
  lessons/run.sh claims        makes lessons/CLAIMS.md anew
  lessons/run.sh pictures      makes lessons/pictures/ anew

  --lang zh|en        the language of a lesson; else the locale decides
  --out DIR           where its pictures go (runs/lessons)
  --no-install        only says what is missing and how to install it
On Debian and Ubuntu, what is missing is installed with apt-get first.
END
}

wrong() { usage >&2 && exit 2; }

what='' mode=install exercise='' language='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit ;;
    --no-install) mode=list ;;
    --exercise) exercise=yes ;;
    --lang | --out)
      if [ $# -lt 2 ]; then wrong; fi
      case $1 in --lang) language=$2 ;; --out) out=$2 ;; esac
      shift
      ;;
    --lang=*) language=${1#*=} ;;
    --out=*) out=${1#*=} ;;
    *)
      if [ -n "$what" ]; then wrong; fi
      case $1 in all | claims | pictures) ;; '' | *[!0-9]*) wrong ;; esac
      what=$1
      ;;
  esac
  shift
done
case $language in '' | zh | en) ;; *) stop "--lang $language: the lessons speak zh and en." ;; esac
if [ -n "$exercise" ]; then case $what in '' | *[!0-9]*) wrong ;; esac; fi

# Paths that are right from where the person stands.
runs=runs
if [ "$here" != "$root" ]; then runs=$root/runs; fi
case $out in
  '') out=$runs/lessons ;;
  /*) ;;
  *) if [ "$here" != "$root" ]; then out=$here/$out; fi ;;
esac
cd "$root"

# Threads that wait for one another give way soon, as they do in the program.
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-10000}"

# numbers FOLDER: which lessons there are, or exercises (in exercises/): 01 02 03 ...
numbers() {
  local file name
  for file in "lessons/$1"[0-9][0-9]_*.cpp; do
    name=${file##*/}
    if [ -e "$file" ]; then printf ' %s' "${name%%_*}"; fi
  done
}

# find_number Lesson|Exercise FOLDER: sets `number` from what was asked for, or stops.
find_number() {
  local there
  number=$(printf '%02d' "$((10#$what))")
  there=$(numbers "$2")
  case "$there " in
    *" $number "*) ;;
    *) stop "$1 $((10#$what)) is not there. There are:${there:- none so far}." ;;
  esac
}

prepare() { # targets
  setup lessons "$mode"
  configure "$root/build"
  build "$root/build" "$@"
}

prepare_all() {
  local targets=''
  for number in $(numbers ''); do targets="$targets lesson_$number"; done
  # shellcheck disable=SC2086  # a list of words
  prepare $targets
}

# run_all LANG OUT: every lesson; what they claim goes to build/claims.
run_all() {
  local number failed=0 start
  rm -rf build/claims && mkdir -p build/claims
  for number in $(numbers ''); do
    start=$SECONDS
    "build/bin/lesson_$number" ${1:+--lang "$1"} --out "$2" --claims build/claims || failed=1
    echo "$((10#$number)) $((SECONDS - start))" >>build/claims/seconds
    echo
  done
  return $failed
}

# The same without a word, unless something is wrong.
run_all_quietly() {
  run_all "$1" "$2" >build/lessons.log 2>&1 || stop "Not every claim holds; see $root/build/lessons.log."
}

case $what in
  '')
    prepare attention_program
    exec build/bin/attention train reverse --out "$runs/reverse"
    ;;
  all)
    prepare_all
    status=0
    run_all "$language" "$out" || status=1
    cat build/claims/[0-9][0-9].summary
    awk '{ total += $2; line = line "  " $1 ": " $2 } END { print "\nseconds" line "  all: " total }' \
      build/claims/seconds
    exit $status
    ;;
  claims)
    prepare_all
    run_all_quietly en build/pictures/en
    lessons/claims.sh build/claims >build/CLAIMS.md && mv build/CLAIMS.md lessons/CLAIMS.md
    say lessons/CLAIMS.md
    ;;
  pictures)
    prepare_all
    for language in zh en; do
      run_all_quietly $language build/pictures/$language
      mkdir -p lessons/pictures/$language
      # Those that the pages show.
      for picture in $(sed -n "s,.*(pictures/$language/\([^)]*\)).*,\1,p" lessons/README*.md | sort -u); do
        cp "build/pictures/$language/$picture" "lessons/pictures/$language/$picture"
        say "lessons/pictures/$language/$picture"
      done
    done
    ;;
  *)
    if [ -n "$exercise" ]; then
      find_number Exercise exercises/
      prepare "exercise_$number"
      exec "build/bin/exercise_$number" ${language:+--lang "$language"}
    fi
    find_number Lesson ''
    prepare "lesson_$number"
    exec "build/bin/lesson_$number" ${language:+--lang "$language"} --out "$out"
    ;;
esac
