#!/usr/bin/env bash
# Tries lessons/run.sh and tests/run.sh in a copy, on made-up systems: stubs stand in for the package
# manager, cmake and ctest, so nothing is installed and nothing is compiled.
# shellcheck disable=SC2016  # the stubs expand their own variables
set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) && work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT

house="$work/a house" stubs=$work/stubs failed=0 tried=0
mkdir -p "$house/lessons/exercises" "$house/tests" "$stubs"
cp "$root"/lessons/{run,setup,claims}.sh "$house/lessons"
cp "$root"/tests/run.sh "$house/tests"
touch "$house"/lessons/{01_tensor,08_causal,exercises/08_causal}.cpp
echo '![](pictures/en/08_map.png)' >"$house/lessons/README.md"
echo '![](pictures/zh/08_map.png)' >"$house/lessons/README.zh.md"

# ---- stubs --------------------------------------------------------------------------------------

stub() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$stubs/$1" && chmod +x "$stubs/$1"; }
unset CXX CMAKE_PREFIX_PATH
export WORK=$work ATTENTION_OS_RELEASE=$work/os-release

# Packages: all that are listed in $work/packages are installed; apt-get adds to it.
stub dpkg-query 'grep -qx "${@: -1}" "$WORK/packages" && echo "installed "'
stub apt-get 'echo "apt-get $*" >>"$WORK/calls"
case " $* " in *" install "*) ;; *) exit 0 ;; esac
if [ -e "$WORK/offline" ]; then echo "no network" >&2; exit 100; fi
for word; do echo "$word"; done >>"$WORK/packages"'
stub sudo 'echo sudo >>"$WORK/calls"; exec "$@"'
stub id 'cat "$WORK/user"'
stub uname 'cat "$WORK/kernel"'

# A compiler and a cmake of the versions in files; cmake "builds" programs that echo their words.
stub c++ 'case $1 in -dumpversion) cat "$WORK/gcc" ;; *) echo "Free Software Foundation" ;; esac'
stub ninja ''
stub cmake 'case $1 in
  --version) echo "cmake version $(cat "$WORK/cmake")" ;;
  -S) echo "cmake $*" >>"$WORK/calls"
      if [ -e "$WORK/broken" ]; then echo "fmt is not to be found"; exit 1; fi
      echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$4/CMakeCache.txt" ;;
  --build) if [ -e "$WORK/wrong" ]; then echo "[1/2] main.cpp"; echo "main.cpp:1: wrong"; exit 1; fi
      mkdir -p "$2/bin"
      for name in attention lesson_01 lesson_08 exercise_08; do
        cp "$WORK/program" "$2/bin/$name" && chmod +x "$2/bin/$name"
      done ;;
esac'
# What it builds: says its own name and words, leaves a picture and claims where it is told to.
cat >"$work/program" <<'END'
#!/usr/bin/env bash
name=${0##*/} words="$*" out='' claims=''
while [ $# -gt 0 ]; do
  case $1 in --out) out=$2 ;; --claims) claims=$2 ;; esac
  shift
done
echo "$name $words"
if [ -n "$claims" ]; then
  mkdir -p "$out" && echo "picture of $name" >"$out/08_map.png"
  for kind in summary claims article; do echo "$kind of $name" >"$claims/${name#lesson_}.$kind"; done
fi
if [ -e "$WORK/failing" ]; then exit 1; fi
END
stub ctest 'echo "ctest $*"; exit 8'
stub fc-list ''
stub brew 'echo "/brew/$2"'

# A path with the stubs, without sudo, and with just enough of a system besides.
mkdir "$work/bin" "$work/with sudo" && mv "$stubs/sudo" "$work/with sudo"
for tool in bash cat chmod cp dirname env getconf grep mkdir rm sed sh tee; do
  ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
alone=$stubs:$work/bin

# ---- checks -------------------------------------------------------------------------------------

# A Debian that has everything, root at the keyboard, no build yet.
anew() {
  rm -rf "$house/build" "$work"/{calls,offline,broken,wrong,failing}
  echo ID=debian >"$work/os-release"
  echo 0 >"$work/user" && echo Linux >"$work/kernel"
  echo 12.2.0 >"$work/gcc" && echo 3.25.1 >"$work/cmake"
  printf '%s\n' libfmt-dev libstb-dev libcli11-dev nlohmann-json3-dev fonts-wqy-microhei catch2 \
    clang libclang-rt-dev python3-numpy \
    clang-format >"$work/packages"
  touch "$work/calls"
}
lose() { grep -vx "$1" "$work/packages" >"$work/fewer"; mv "$work/fewer" "$work/packages"; }

# try STATUS COMMAND...: runs it in the house; its output goes to $out.
try() {
  local wanted=$1 status=0
  shift && tried=$((tried + 1)) what="$*"
  out=$(cd "${place:-$house}" && PATH="$stubs:$work/with sudo:$PATH" "$@" 2>&1 </dev/null) || status=$?
  if [ $status != "$wanted" ]; then wrong "exit code $status instead of $wanted"; fi
}
wrong() { printf '%s: %s\n%s\n----\n' "$what" "$1" "$out" && failed=$((failed + 1)); }
says() { case $out in *"$1"*) ;; *) wrong "does not say: $1" ;; esac; }
silent_on() { case $out in *"$1"*) wrong "says: $1" ;; esac; }
called() { grep -qF -- "$1" "$work/calls" || wrong "has not called: $1, but $(cat "$work/calls")"; }
not_called() { if grep -qF -- "$1" "$work/calls"; then wrong "has called: $1"; fi; }

anew # all there: nothing is installed, nothing said about it
try 0 lessons/run.sh
says 'attention train reverse --out runs/reverse'
silent_on issing
not_called apt-get
called '-G Ninja'
place=/ try 0 "$house/lessons/run.sh"
says "attention train reverse --out $house/runs/reverse"
silent_on '[1/'

anew # words on the command line
try 0 lessons/run.sh --help && says 'usage: lessons/run.sh'
try 0 tests/run.sh -h && says 'usage: tests/run.sh'
try 2 lessons/run.sh seven && says usage
try 2 lessons/run.sh --fast && says usage
try 2 tests/run.sh --fast && says usage
try 2 lessons/run.sh 8 1 && says usage
try 2 lessons/run.sh --exercise && says usage
try 2 lessons/run.sh all --exercise && says usage
try 1 lessons/run.sh 8 --lang fr && says '--lang fr: the lessons speak zh and en.'
try 1 lessons/run.sh 3 && says 'Lesson 3 is not there. There are: 01 08.'
try 1 lessons/run.sh 99
try 1 lessons/run.sh 1 --exercise && says 'Exercise 1 is not there. There are: 08.'
try 8 tests/run.sh -- -R softmax && says 'ctest --test-dir' && says '-R softmax'
called -DATTENTION_TESTS=ON

anew # lessons and exercises
try 0 lessons/run.sh 8 && says 'lesson_08 --out runs/lessons'
try 0 lessons/run.sh 08 --lang zh --out here && says 'lesson_08 --lang zh --out here'
place=/ try 0 "$house/lessons/run.sh" 8 --lang=en --out=tmp
says 'lesson_08 --lang en --out //tmp'
place=/ try 0 "$house/lessons/run.sh" 8
says "--out $house/runs/lessons"
try 0 lessons/run.sh 8 --exercise --lang zh && says 'exercise_08 --lang zh'
try 0 lessons/run.sh all --lang zh
says 'lesson_01 --lang zh --out runs/lessons --claims build/claims'
says "summary of lesson_01
summary of lesson_08

seconds  1: "
touch "$work/failing"
try 1 lessons/run.sh all && says 'lesson_08' && says 'all: '
try 1 lessons/run.sh claims && says 'Not every claim holds'
if [ -e "$house/lessons/CLAIMS.md" ]; then wrong 'wrote CLAIMS.md all the same'; fi
rm "$work/failing"
try 0 lessons/run.sh claims && says 'lessons/CLAIMS.md'
out=$(cat "$house/lessons/CLAIMS.md") && says 'claims of lesson_08' && says 'article of lesson_01'
try 0 lessons/run.sh pictures && says 'lessons/pictures/zh/08_map.png'
out=$(cat "$house"/lessons/pictures/{zh,en}/08_map.png) && says 'picture of lesson_08'

anew # missing, and installed: lists that are absent get a second try
lose libfmt-dev
try 0 lessons/run.sh
says 'Installing what is missing: libfmt-dev'
called 'install --yes --no-install-recommends libfmt-dev'
not_called sudo
lose catch2
try 8 tests/run.sh
called 'install --yes --no-install-recommends catch2'
lose libstb-dev && echo 1000 >"$work/user"
try 0 lessons/run.sh
called sudo

anew # missing, and only said
lose libcli11-dev && lose fonts-wqy-microhei
try 1 lessons/run.sh --no-install
says 'Missing: libcli11-dev'
says 'Missing, but only pictures with Chinese letters want it: fonts-wqy-microhei'
says 'To install: apt-get install libcli11-dev fonts-wqy-microhei'
not_called apt-get
echo 1000 >"$work/user"
try 1 lessons/run.sh --no-install && says 'To install: sudo apt-get install libcli11-dev'
touch "$work/offline"
try 1 lessons/run.sh && says 'no network' && says 'Missing: libcli11-dev'
called update
not_called cmake
echo libcli11-dev >>"$work/packages"
try 0 lessons/run.sh --no-install && says 'Nothing that is needed is missing.'
try 0 lessons/run.sh && says 'attention train' # the font alone stops nobody
CMAKE_PREFIX_PATH=/nowhere:$work/by\ hand
export CMAKE_PREFIX_PATH
mkdir -p "$work/by hand/include/CLI" && touch "$work/by hand/include/CLI/CLI.hpp"
lose libcli11-dev
try 0 lessons/run.sh --no-install
unset CMAKE_PREFIX_PATH

anew # neither root nor sudo: the font is mentioned, a library stops the run
echo 1000 >"$work/user" && lose fonts-wqy-microhei
try 0 env PATH="$alone" bash lessons/run.sh
silent_on failed
says 'To install: sudo apt-get install fonts-wqy-microhei' && says 'attention train'
lose libfmt-dev
try 1 env PATH="$alone" bash lessons/run.sh && says 'Missing: libfmt-dev'
not_called apt-get

anew # too old
echo 3.22.1 >"$work/cmake"
try 1 lessons/run.sh && says 'cmake 3.22 is too old'
anew
echo 11 >"$work/gcc"
try 1 tests/run.sh && says 'c++ is GCC 11, too old: 12 or newer is needed'

# Elsewhere nothing is ever installed: tools are looked for, the libraries named.
elsewhere() { # what os-release says, a library's name there, the command, the tests' Catch2
  anew
  echo "$1" >"$work/os-release" && : >"$work/packages"
  try 0 lessons/run.sh --no-install && says "$3" && says "$2" && silent_on "$4"
  try 0 tests/run.sh --no-install && says "$4"
  try 0 lessons/run.sh && says 'attention train'
  touch "$work/broken"
  try 1 lessons/run.sh && says 'fmt is not to be found' && says "$3"
  mv "$stubs/cmake" "$work/hidden"
  try 1 env PATH="$alone" bash lessons/run.sh
  says 'Missing: cmake' && says "$3"
  mv "$work/hidden" "$stubs/cmake"
  not_called apt-get
}
elsewhere ID=fedora cli11-devel 'To install: dnf install gcc-c++' catch2-devel
elsewhere ID=arch nlohmann-json 'To install: pacman -S --needed gcc' catch2-v2
elsewhere ID=plan9 CLI11 'Needed: g++ 12' Catch2
elsewhere 'ID=pop
ID_LIKE="arch linux"' stb 'pacman' catch2-v2
anew
echo Darwin >"$work/kernel"
try 0 lessons/run.sh --no-install && says 'brew install cmake' && says 'Homebrew has no stb'
try 0 lessons/run.sh && says 'attention train'
anew
printf 'ID=ubuntu\nID_LIKE=debian\n' >"$work/os-release" && lose libfmt-dev
try 1 lessons/run.sh --no-install && says 'apt-get install libfmt-dev'

anew # a build folder that came from another place; a build that goes wrong
try 0 lessons/run.sh
sed 's|=.*|=/moved/away|' "$house/build/CMakeCache.txt" >"$work/cache"
cp "$work/cache" "$house/build/CMakeCache.txt"
try 0 lessons/run.sh
called '--fresh'
touch "$work/wrong"
try 1 lessons/run.sh && says 'main.cpp:1: wrong' && says 'The build failed'
silent_on '[1/2]'

echo "$tried runs, $failed wrong"
[ "$failed" = 0 ]
