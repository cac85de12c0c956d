#!/usr/bin/env bash
# floors.sh [ROOT]: each file under include/ and src/ includes only its own floor's ground and floors
# below. Names each arrow that runs up, or to a room that its room does without.
set -euo pipefail
cd "${1:-$(dirname -- "$0")/../..}"

# shellcheck disable=SC2016  # the $0 in there is awk's
find include src \( -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z | xargs -0 awk '
  # The house: which floor a file is on. The first pattern that fits counts.
  function floor_of(path) {
    if (path ~ /^core\/(kernels|elementwise)/) return 1
    if (path ~ /^core\//) return 0
    if (path ~ /^tensor\/op\./) return 3
    if (path ~ /^tensor\/ops[.\/]/) return 4
    if (path ~ /^tensor\/(autograd|anomaly|watch|likely_cause|gradcheck)/) return 5
    if (path ~ /^tensor\//) return 2
    if (path ~ /^nn\//) return 6
    if (path ~ /^train\//) return 7
    if (path ~ /^(tasks|draw)\//) return 8
    return 9
  }

  # Rooms that see less than their floor would let them: train knows named tensors only, and toy
  # data and pictures need no model.
  BEGIN {
    without["train"] = "nn"
    without["tasks"] = "nn train draw"
    without["draw"] = "nn train tasks"
  }
  function room_of(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "" }
  function holds(list, word) { return word != "" && index(" " list " ", " " word " ") > 0 }

  function inside(file) { sub(/^(include\/attention|src)\//, "", file); return file }

  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    here = inside(FILENAME)
    split($0, part, /["<>]/)
    there = part[2]
    if (!sub(/^attention\//, "", there)) {
      if ($0 !~ /"/) next                           # a header from elsewhere
      folder = here; sub(/[^\/]*$/, "", folder)
      there = folder there                          # beside the file
      while (sub(/[^\/]+\/\.\.\//, "", there)) {}
    }
    includes++
    if (floor_of(there) > floor_of(here)) {
      print FILENAME ": includes " there ", which is a floor above"; bad = 1
    } else if (holds(without[room_of(here)], room_of(there))) {
      print FILENAME ": includes " there ", but " room_of(here) " does without " room_of(there); bad = 1
    }
  }
  END {
    if (!includes) { print "floors: no includes found"; bad = 1 }
    if (!bad) print "floors: " includes " includes, none runs up"
    exit bad
  }'
