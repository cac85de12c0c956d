# shellcheck shell=bash
# Sourced by lessons/run.sh and tests/run.sh: sees to it that a compiler, CMake and the libraries are
# there; configures; builds quietly. Keeps to bash 3.2, which is what macOS has: no mapfile, no
# associative arrays; lists are words in a string.

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

say() { printf '%s\n' "$*"; }
stop() { say "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# ---- what is needed -----------------------------------------------------------------------------

# Debian, Fedora and Arch stand for their descendants too.
find_system() {
  local file=${ATTENTION_OS_RELEASE:-/etc/os-release} names=
  # shellcheck disable=SC1090
  if [ -r "$file" ]; then names=$(. "$file" && say "${ID:-} ${ID_LIKE:-}"); fi
  if [ "$(uname -s)" = Darwin ]; then names=macos; fi
  case " $names " in
    *" macos "*) system=macOS ;;
    *" debian "* | *" ubuntu "*) system=Debian ;;
    *" fedora "*) system=Fedora ;;
    *" arch "*) system=Arch ;;
    *) system=unknown ;;
  esac
}

# Sets how packages are installed, which are needed, which are missed by nobody but a few (the font,
# by pictures with Chinese letters; clang and numpy, by the tests that want them), what only the tests
# need, and what no package gives.
name_packages() {
  font='' for_tests='' few_tests='' note=''
  case $system in
    Debian)
      install='apt-get install'
      needed='g++ cmake ninja-build libfmt-dev libstb-dev libcli11-dev nlohmann-json3-dev'
      font='fonts-wqy-microhei'
      for_tests='catch2 clang-format'
      few_tests='clang libclang-rt-dev python3-numpy'
      ;;
    Fedora)
      install='dnf install'
      needed='gcc-c++ cmake ninja-build fmt-devel stb-devel cli11-devel json-devel'
      font='wqy-microhei-fonts'
      for_tests='catch2-devel clang-tools-extra'
      ;;
    Arch)
      install='pacman -S --needed'
      needed='gcc cmake ninja fmt stb cli11 nlohmann-json'
      font='wqy-microhei'
      for_tests='catch2-v2 clang'
      ;;
    macOS)
      install='brew install'
      needed='cmake ninja fmt cli11 nlohmann-json libomp'
      for_tests='clang-format'
      note='The compiler comes with: xcode-select --install
Homebrew has no stb, and of Catch2 (for the tests) only version 3 where 2 is needed. In a folder X:
git clone https://github.com/nothings/stb X/include/stb, install Catch2 v2.13.10 with the prefix X,
then export CMAKE_PREFIX_PATH=X'
      ;;
    unknown)
      install=''
      needed='g++ 12 or clang++ 14, CMake 3.25, Ninja or Make, fmt, stb, CLI11, nlohmann-json'
      for_tests='and for the tests Catch2 version 2 and clang-format'
      ;;
  esac
  if [ "$1" = tests ]; then needed="$needed $for_tests"; else few_tests=''; fi
}

as_root() { if [ "$(id -u)" != 0 ]; then say sudo; fi; }
can_install() { [ "$(id -u)" = 0 ] || has sudo; }

# For a person to type.
how_to_install() {
  local sudo=
  case $system in
    unknown) say "Needed: $needed" ;;
    macOS) say "To install: $install $*" ;;
    *) sudo=$(as_root) && say "To install: ${sudo:+$sudo }$install $*" ;;
  esac
  if [ -n "$note" ]; then say "$note"; fi
}

# ---- what is there ------------------------------------------------------------------------------

# The compiler that CMake is going to take.
compiler() {
  local name
  for name in "${CXX:-c++}" g++ clang++; do
    if has "$name"; then say "$name" && return; fi
  done
  return 1
}

# Whether a Debian package is installed.
package() {
  local state
  state=$(dpkg-query -W -f='${db:Status-Status} ' "$1" 2>/dev/null) || true
  case " $state" in *" installed "*) ;; *) return 1 ;; esac
}

# The same for a library, whose header may also be where people put things by hand.
library() {
  local prefix IFS=:
  if package "$1"; then return; fi
  for prefix in /usr/local ${CMAKE_PREFIX_PATH:-}; do
    if [ -e "$prefix/include/$2" ]; then return; fi
  done
  return 1
}

# Which of these Debian packages are missing. Tools count wherever they came from.
missing() {
  local package
  for package in "$@"; do
    case $package in
      g++) compiler >/dev/null ;;
      cmake | clang-format) has "$package" ;;
      ninja-build) has ninja || has make ;;
      libfmt-dev) library "$package" fmt/format.h ;;
      libstb-dev) library "$package" stb/stb_image_write.h ;;
      libcli11-dev) library "$package" CLI/CLI.hpp ;;
      nlohmann-json3-dev) library "$package" nlohmann/json.hpp ;;
      catch2) library "$package" catch2/catch.hpp ;;
      clang) has clang++ || package "$package" ;;
      libclang-rt-dev | python3-numpy) package "$package" ;;
      fonts-*) [ -n "$(fc-list :lang=zh 2>/dev/null)" ] || package "$package" ;;
    esac || printf ' %s' "$package"
  done
}

check_versions() {
  local found name
  found=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
  if [ $((${found%.*} * 1000 + ${found#*.})) -lt 3025 ]; then
    stop "cmake $found is too old: 3.25 or newer is needed (https://cmake.org/download)"
  fi
  name=$(compiler)
  case $("$name" --version) in *"Free Software Foundation"*) ;; *) return 0 ;; esac  # not GCC
  found=$("$name" -dumpversion)
  if [ "${found%%.*}" -lt 12 ]; then
    stop "$name is GCC $found, too old: 12 or newer is needed (where it has a name of its own: export CXX=g++-12)"
  fi
}

apt_get() {
  # shellcheck disable=SC2046  # sudo, or nothing
  $(as_root) env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# Package lists may be absent or old, so a failure gets a second try with fresh ones.
apt_install() {
  apt_get install --yes --no-install-recommends "$@" 2>/dev/null ||
    { apt_get update && apt_get install --yes --no-install-recommends "$@"; }
}

# setup lessons|tests install|list: says what is missing and installs it (outside Debian and its
# descendants: says how), silent when all is there. With `list` it only says, and ends the script,
# with 1 when something needed is missing.
setup() {
  local lacking nicer='' fewer='' as_far='' status=0
  find_system
  name_packages "$1"
  # shellcheck disable=SC2086  # lists of words
  case $system in
    Debian) lacking=$(missing $needed) nicer=$(missing $font) fewer=$(missing $few_tests) ;;
    *) lacking=$(missing g++ cmake) as_far=", as far as a compiler and cmake go" ;;
  esac

  # shellcheck disable=SC2086
  if [ "$2$system" = installDebian ] && [ -n "$lacking$nicer$fewer" ] && can_install; then
    say "Installing what is missing:$lacking$nicer$fewer"
    if [ -n "$lacking$nicer" ]; then apt_install $lacking $nicer || say "That failed." >&2; fi
    if [ -n "$fewer" ]; then apt_install $fewer || say "That failed." >&2; fi
    lacking=$(missing $needed) nicer=$(missing $font) fewer=$(missing $few_tests)
  fi

  if [ -n "$lacking" ]; then
    say "Missing:$lacking"
    status=1
  elif [ "$2" = list ]; then
    say "Nothing that is needed is missing$as_far."
  fi
  if [ -n "$nicer" ]; then say "Missing, but only pictures with Chinese letters want it:$nicer"; fi
  if [ -n "$fewer" ]; then say "Missing, but only a few tests want it, and are left out:$fewer"; fi
  # shellcheck disable=SC2086
  case $system in
    Debian)
      if [ -n "$lacking$nicer$fewer" ]; then how_to_install $lacking $nicer $fewer; fi
      ;;
    *) if [ "$2" = list ] || [ -n "$lacking" ]; then how_to_install $needed $font; fi ;;
  esac

  if [ $status = 0 ]; then check_versions; fi
  if [ $status = 1 ] || [ "$2" = list ]; then exit $status; fi
}

# ---- building -----------------------------------------------------------------------------------

# configure FOLDER [options for cmake]. A folder that was made for a tree elsewhere starts afresh.
configure() {
  local folder=$1 cache=$1/CMakeCache.txt log=$1/configure.log
  shift
  mkdir -p "$folder"
  if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm "$cache"
    set -- --fresh "$@"
  fi
  if [ ! -e "$cache" ] && has ninja; then set -- -G Ninja "$@"; fi
  if [ "$system" = macOS ] && has brew; then # Apple's clang does not look there by itself
    OpenMP_ROOT=${OpenMP_ROOT:-$(brew --prefix libomp)} && export OpenMP_ROOT
  fi
  if ! cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1; then
    cat "$log"
    # shellcheck disable=SC2086
    how_to_install $needed $font
    stop "cmake could not configure $folder."
  fi
}

# build FOLDER TARGET…: one line while it lasts; what the compiler said only when it fails.
build() {
  local folder=$1 log=$1/build.log
  shift
  say "Building (the first time takes a minute or two) ..."
  if ! cmake --build "$folder" --parallel "$jobs" --target "$@" 2>&1 | tee "$log" | count_steps; then
    grep -v '^\[' "$log" || true
    stop "The build failed; all of its output is in $log."
  fi
}

# On a terminal, shows how far the build is, for example [12/40], then wipes that away.
count_steps() {
  local line
  if [ ! -t 1 ]; then cat >/dev/null && return; fi
  while IFS= read -r line; do
    case $line in "["*) printf '\r%s]' "${line%%]*}" ;; esac
  done
  printf '\r\033[K'
}
