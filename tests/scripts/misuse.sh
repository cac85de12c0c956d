#!/usr/bin/env bash
# misuse.sh [ROOT]: each public function has a row in tests/misuse_*_test.cpp, where its misuse is
# tried, or a line in misuse_none.txt beside this script, with the reason why there is none. Names
# each function that has neither, and each row and line that no function stands for.
set -euo pipefail
cd "${1:-$(dirname -- "$0")/../..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Functions as they are declared, qualified by class and inner namespace. Left out: kernels and the
# mathematics below them, namespaces called detail, private members, what is defaulted or deleted.
# shellcheck disable=SC2016  # the $0 in there is awk's
find include/attention -name '*.hpp' ! -name kernels.hpp ! -name elementwise.hpp ! -name math.hpp \
  -print0 | sort -z | xargs -0 awk '
  # The declaration that ends here, if it is one of a function.
  function declared(text,   i, c, angles, name) {
    gsub(/\[\[[^\]]*\]\]/, "", text)
    while (text ~ /^[ \n]*template *</) {  # its parameters, however nested
      i = index(text, "<"); angles = 1
      while (angles > 0) { c = substr(text, ++i, 1); angles += (c == "<") - (c == ">") }
      text = substr(text, i + 1)
    }
    if (text ~ /^[ \n]*(using|friend|static_assert|typedef)/) return
    if (text ~ /~/ || text ~ /= *(default|delete) *$/) return
    if (match(text, /operator *(\(\)|\[\]|[^ (a-zA-Z]+)/) || match(text, /operator +[a-z]+/)) {
      report(substr(text, RSTART, RLENGTH))
      return
    }
    angles = 0
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      if (c == "=") return                       # a variable
      if (c == "<") angles++
      if (c == ">") angles--
      if (c == "(" && angles == 0) break
    }
    if (i > length(text) || substr(text, i + 1, 1) == "*") return
    name = substr(text, 1, i - 1)
    if (match(name, /[A-Za-z_0-9]+$/)) report(substr(name, RSTART))
  }
  function report(name,   i, path) {
    for (i = 1; i <= depth; i++) {
      if (hidden[i] || scope[i] == "detail") return
      if (scope[i] != "" && scope[i] != "attention") path = path scope[i] "::"
    }
    print path name
  }
  function push(text) {
    depth++; scope[depth] = ""; hidden[depth] = 0
    if (text ~ /^[ \n]*(inline +)?namespace /) {
      kind[depth] = "open"
      if (text !~ /inline/) { scope[depth] = text; gsub(/namespace|attention::|[ \n]/, "", scope[depth]) }
    } else if (text ~ /(struct|class) / && text !~ /\(/ && text !~ /enum/) {
      kind[depth] = "open"
      gsub(/template *<[^>]*>/, "", text)
      hidden[depth] = text ~ /class /
      match(text, /(struct|class) +[A-Za-z_0-9:]+/)
      scope[depth] = substr(text, RSTART, RLENGTH)
      sub(/^(struct|class) +/, "", scope[depth])
    } else {
      kind[depth] = "closed"
      declared(text)
    }
  }
  function read(text,   i, c, word) {
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      if (depth > 0 && kind[depth] == "closed") {
        if (c == "{") { depth++; kind[depth] = "closed"; scope[depth] = ""; hidden[depth] = 0 }
        if (c == "}") { depth--; statement = "" }
        continue
      }
      parens += (c == "(") - (c == ")")
      if (parens > 0) { statement = statement c; continue }
      word = statement; gsub(/[ \n]/, "", word)
      if (c == "{") { push(statement); statement = "" }
      else if (c == "}") { depth--; statement = "" }
      else if (c == ";") { declared(statement); statement = "" }
      else if (c == ":" && word ~ /^(public|protected|private)$/) { hidden[depth] = word != "public"; statement = "" }
      else statement = statement c
    }
  }
  FNR == 1 { statement = ""; depth = parens = 0 }
  /^#/ { while (/\\$/) getline; next }
  { gsub(/"([^"\\]|\\.)*"/, "\"\""); sub(/\/\/.*/, ""); read($0 "\n") }
' | sed -E 's/operator +([^a-z])/operator\1/' | sort -u >"$work/functions"

grep -hoE '^ +\{"[^"]+",' tests/misuse_*_test.cpp | sed -E 's/^ +\{"(.*)",$/\1/' | sort -u >"$work/rows"

awk -v rows="$work/rows" -v none=tests/scripts/misuse_none.txt '
  BEGIN {
    while ((getline line < rows) > 0) row[line] = 1
    while ((getline line < none) > 0) {
      if (line ~ /^#/ || line == "") continue
      if (!match(line, /  +/)) { print none ": no reason for " line; bad = 1; continue }
      reason[substr(line, 1, RSTART - 1)] = 1
    }
  }
  # The line that exempts a function: its own, or one for all members of that name.
  function exempt(name,   member) {
    if (name in reason) return name
    member = name; sub(/^.*::/, "*::", member)
    return member != name && member in reason ? member : ""
  }
  { functions++; name = exempt($0)
    if (name != "") used[name] = 1
    if ($0 in row) { known[$0] = 1; tried++ }
    if (!($0 in row) && name == "") { print $0 ": its misuse is not tried; add a row to tests/misuse_*_test.cpp"; bad = 1 }
    if ($0 in row && name == $0) { print $0 ": has rows, and a line in " none; bad = 1 }
  }
  END {
    for (name in row) if (!(name in known)) { print name ": has rows, but no header declares it"; bad = 1 }
    for (name in reason) if (!(name in used)) { print name ": has a line in " none ", but no header declares it"; bad = 1 }
    if (!functions) { print "misuse: no functions found"; bad = 1 }
    if (!bad) print "misuse: " functions " public functions, " tried " of them tried, the others cannot be misused"
    exit bad
  }' "$work/functions"
