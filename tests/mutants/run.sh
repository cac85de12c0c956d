#!/usr/bin/env bash
# Would the tests notice? Plants the faults of mutants.txt in a copy of the tree, one at a time, and
# runs the tests there: a fault is caught when one of them fails, crashes or never ends. What
# survives wants a test. It takes a minute or so for each, and is not among the tests for that.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../lessons/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lessons/setup.sh"

usage() {
  cat <<'END'
usage: tests/mutants/run.sh [--check] [--help] [NUMBER|FROM-TO|WORDS]...

  tests/mutants/run.sh               every fault
  tests/mutants/run.sh 7 20-29       these
  tests/mutants/run.sh 'layer norm'  those with these words in their name
  tests/mutants/run.sh --check       only sees whether each still fits its file
END
}

list=$root/tests/mutants/mutants.txt
work=$root/build/mutants tree=$root/build/mutants/tree objects=$root/build/mutants/build

# ---- the list -----------------------------------------------------------------------------------

names=() files=() olds=() news=() count=0

read_list() {
  local line text number=0 expected=name
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in '' | '#'*) continue ;; esac
    text=${line#*:} && text=${text#"${text%%[! ]*}"}
    case "$expected ${line%%:*}" in
      'name name') count=$((count + 1)) && names[count]=$text expected=file ;;
      'file file') files[count]=$text expected=old ;;
      'old old') olds[count]=$text expected=new ;;
      'new new') news[count]=$text expected=name ;;
      *) stop "mutants.txt, line $number: '$expected: ...' is expected, not: $line" ;;
    esac
  done <"$list"
  if [ $expected != name ]; then stop "mutants.txt: the last one has no '$expected: ...'."; fi
}

# occurrences FILE TEXT: how often it is there.
occurrences() {
  TEXT=$2 awk '{
    while (at = index($0, ENVIRON["TEXT"])) {
      found++
      $0 = substr($0, at + length(ENVIRON["TEXT"]))
    }
  } END { print found + 0 }' "$1"
}

check() {
  local i file found wrong=0
  for ((i = 1; i <= count; ++i)); do
    file=${files[i]}
    if [ ! -f "$root/$file" ]; then
      found="there is no $file"
    elif [ -z "${olds[i]}" ] || [ "${olds[i]}" = "${news[i]}" ]; then
      found="it changes nothing"
    elif found=$(occurrences "$root/$file" "${olds[i]}") && [ "$found" = 1 ]; then
      continue
    else
      found="its old text is $found times in $file: ${olds[i]}"
    fi
    say "mutant $i, ${names[i]}: $found" && wrong=$((wrong + 1))
  done
  if [ $wrong != 0 ]; then stop "$wrong of $count mutants do not fit; mend tests/mutants/mutants.txt."; fi
}

# wanted NUMBER [WORDS]...: whether this one was asked for; without words, each was.
wanted() {
  local number=$1 word
  if [ $# = 1 ]; then return; fi
  for word in "${@:2}"; do
    if [[ $word =~ ^([0-9]+)(-([0-9]+))?$ ]]; then
      if [ "$number" -ge "${BASH_REMATCH[1]}" ] &&
        [ "$number" -le "${BASH_REMATCH[3]:-${BASH_REMATCH[1]}}" ]; then return; fi
    elif [[ ${names[number]} == *"$word"* ]]; then
      return
    fi
  done
  return 1
}

# ---- the copy, and its tests --------------------------------------------------------------------

# Touches what differs only, so that a second run builds little. What it works on is never ours.
copy_tree() {
  local file
  mkdir -p "$tree"
  (cd "$tree" && find . -type f) | while IFS= read -r file; do
    if [ ! -e "$root/$file" ]; then rm -- "$tree/$file"; fi
  done
  (cd "$root" && find CMakeLists.txt include src data tests -type f) | while IFS= read -r file; do
    if cmp -s "$root/$file" "$tree/$file"; then continue; fi
    mkdir -p "$(dirname -- "$tree/$file")"
    cp -- "$root/$file" "$tree/$file"
  done
}

# The tests are in three parts, those first that find most in least time: the library's in float,
# then in double, then the program's. Catch2 can make tags of the files' names, to tell them apart.
program='' library=''
name_parts() {
  local file tag
  for file in "$tree"/tests/program_*_test.cpp; do
    tag=${file##*/} && tag="[#${tag%.cpp}]"
    program=$program${program:+,}$tag library=$library~$tag
  done
}

compile() {
  local target
  case $1 in 1) target=float ;; 2) target=double ;; 3) target='float attention_program' ;; esac
  # shellcheck disable=SC2086  # a list of words
  cmake --build "$objects" --parallel "$jobs" --target $target >"$work/build.log" 2>&1
}

# run_part NUMBER SECONDS: up to the first failure. In a group of its own, so that Ctrl-C reaches us
# at once, and we all of it.
child=''
run_part() {
  local binary=float filter=$library status=0
  case $1 in 2) binary=double ;; 3) filter=$program ;; esac
  set -m
  "$timeout" --kill-after=10 "$2" "$objects/bin/$binary" "$filter" --abort --filenames-as-tags \
    --reporter xml >"$work/tests.xml" 2>&1 </dev/null &
  child=$!
  set +m
  wait "$child" 2>/dev/null || status=$?
  child=''
  return $status
}
trap 'if [ -n "$child" ]; then kill "$child"; fi; exit 130' INT TERM

# Catch2 names each test as it begins.
last_test() {
  local name
  name=$(sed -n 's/^ *<TestCase name="\([^"]*\)".*/\1/p' "$work/tests.xml" | tail -n 1 |
    sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g')
  say "${name:-the first test, before it began}"
}

# Also measures how long each part may take.
limits=()
baseline() {
  local part start
  for part in 1 2 3; do
    start=$SECONDS
    run_part $part 3600 || stop "It fails without any fault: $(last_test) (see $work/tests.xml)"
    limits[part]=$((60 + 10 * (SECONDS - start)))
  done
  say "Without a fault every test passes. ($SECONDS s with the build)"
}

# ---- the faults ---------------------------------------------------------------------------------

# plant FILE OLD NEW: the file, with the one text in place of the other.
plant() {
  OLD=$2 NEW=$3 awk '{
    at = index($0, ENVIRON["OLD"])
    if (at) $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
    print
  }' "$1"
}

# try NUMBER: sets `verdict`, and `by` to the test that noticed. What is wrong with the program only
# its own tests can tell.
try() {
  local i=$1 file=$tree/${files[$1]} parts='1 2 3' part status
  case ${files[i]} in src/cli/*) parts=3 ;; esac
  cp -- "$file" "$work/whole"
  plant "$work/whole" "${olds[i]}" "${news[i]}" >"$file"
  verdict=SURVIVED by=''
  for part in $parts; do
    if ! compile "$part"; then
      verdict='BUILD FAILED' by=$(grep -m 1 -i error "$work/build.log" || true)
      break
    fi
    status=0 && run_part "$part" "${limits[part]}" || status=$?
    case $status in
      0) continue ;;
      125 | 126 | 127) stop "The tests cannot be run: see $work/tests.xml" ;;
      124 | 137) by="$(last_test) (never ends)" ;;
      *) by=$(last_test) ;;
    esac
    verdict=caught
    break
  done
  cp -- "$work/whole" "$file" # with a new time, so that it is built again
}

row() { printf '| %s | %s | %s | %s |\n' "$1" "${2//|/\\|}" "$3" "${4//|/\\|}"; }

# try_all [WORDS]...: a line for each as it goes, the table at the end.
try_all() {
  local i tried=0 caught=0
  { row '#' fault file 'caught by' && row --: --- --- ---; } >"$work/table.md"
  for ((i = 1; i <= count; ++i)); do
    if ! wanted "$i" "$@"; then continue; fi
    try "$i"
    tried=$((tried + 1))
    printf '%3d  %-12s  %s%s\n' "$i" "$verdict" "${names[i]}" "${by:+  [$by]}"
    if [ "$verdict" = caught ]; then caught=$((caught + 1)); else by="**$verdict**${by:+: $by}"; fi
    row "$i" "${names[i]}" "${files[i]}" "$by" >>"$work/table.md"
  done
  printf '\n%s of %s caught\n' "$caught" "$tried" >>"$work/table.md"
  say && cat "$work/table.md"
  [ "$caught" = "$tried" ]
}

case ${1-} in --help | -h) usage && exit ;; --check) ;; -*) usage >&2 && exit 2 ;; esac
read_list
check
if [ "${1-}" = --check ]; then say "$count mutants, and each fits its file" && exit; fi
chosen=0
for ((i = 1; i <= count; ++i)); do if wanted "$i" "$@"; then chosen=$((chosen + 1)); fi; done
if [ $chosen = 0 ]; then stop "None of the $count mutants is called that: $*"; fi

timeout=$(command -v timeout || command -v gtimeout) || stop 'Missing: timeout, of GNU coreutils'
setup tests install
export TMPDIR=$work/tmp GOMP_SPINCOUNT=1000
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
mkdir -p "$TMPDIR"
copy_tree
name_parts
# One file at a time, and without the optimizations that take longest.
options=(-DATTENTION_TESTS=ON -DATTENTION_LESSONS=OFF -DATTENTION_UNITY=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O1
  -DCMAKE_CATCH_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST)
if has ccache; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
root=$tree # what configure() and build() work on from here on
configure "$objects" "${options[@]}"
build "$objects" float double attention_program
cd "$objects/tests"
baseline
try_all "$@"
