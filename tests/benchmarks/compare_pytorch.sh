#!/usr/bin/env bash
# Our training step beside PyTorch's, in turns, at four sizes and with 1 and 2 threads; prints a
# table as Markdown. PyTorch gets the BLAS that serves it best, both the same way of waiting.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

stop() { printf '%s\n' "$@" >&2; exit 1; }
misuse() { printf '%s\n' "$@" "$usage" >&2; exit 2; }
usage="usage: compare_pytorch.sh ATTENTION_PROGRAM [ROUNDS]     ROUNDS: 5, the default, or more
for example: tests/benchmarks/compare_pytorch.sh build/bin/attention"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then misuse "One or two words are needed."; fi
attention=$1 rounds=${2:-5}
if [ ! -f "$attention" ] || [ ! -x "$attention" ]; then misuse "$attention is not a program."; fi
case $rounds in '' | *[!0-9]* | [0-4]) misuse "$rounds rounds: at least 5 are needed." ;; esac
case $attention in */*) ;; *) attention=./$attention ;; esac

# ---- what is needed -----------------------------------------------------------------------------

# The first python3 that has PyTorch: another than Debian's may come first in the path.
python='' blas=''
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
  if "$candidate" -c 'import torch' >/dev/null 2>&1; then python=$candidate && break; fi
done
# OpenBLAS over OpenMP shares PyTorch's threads. Debian's default, over threads of its own, fights
# with them: with two it takes three times as long, which proves nothing.
for folder in /usr/lib/*/openblas-openmp; do
  if [ -e "$folder/libblas.so.3" ]; then blas=$folder; fi
done
if [ -z "$python" ] || [ -z "$blas" ]; then
  packages="python3-torch python3-numpy libopenblas0-openmp libopenblas0-serial"
  stop "PyTorch, or an OpenBLAS that suits it, is missing. To install them on Debian or Ubuntu:" \
    "apt-get install --no-install-recommends $packages"
fi

# Nothing that was set for other programs: a core type, say, can halve OpenBLAS's speed. Threads
# that wait spin for a thirtieth of what is usual: as quick on a quiet machine, less harmed on a busy
# one.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS OMP_PROC_BIND OMP_WAIT_POLICY
export GOMP_SPINCOUNT=10000

# ---- in turns -----------------------------------------------------------------------------------

results=$(mktemp)
trap 'rm -f "$results"' EXIT

# turn NAME COMMAND...: one line of results, NAME and what the command prints.
turn() {
  local name=$1 line
  shift
  if ! line=$("$@"); then stop "This failed: $*"; fi
  printf '%s %s\n' "$name" "$line" >>"$results"
}

load=$(uptime)
for ((round = 1; round <= rounds; round++)); do
  for each in tiny:200 small:15 baby:40 babybig:5; do # a model, and how many steps to time
    config=${each%:*} steps=${each#*:}
    for threads in 1 2; do
      printf '\rround %d of %d: %-7s %d ' "$round" "$rounds" "$config" "$threads" >&2
      export OMP_NUM_THREADS=$threads
      turn "$config pytorch" env LD_LIBRARY_PATH="$blas" \
        "$python" "$here/pytorch_step.py" "$config" "$threads" "$steps"
      turn "$config ours" \
        "$attention" bench --config "$config" --threads "$threads" --steps "$steps" --json
    done
  done
done
printf '\r\033[K' >&2

# ---- the table ----------------------------------------------------------------------------------

machine="$(lscpu | sed -n 's/^Model name: *//p' | head -n 1), $(nproc) processors"
"$python" - "$results" "$rounds" "$machine" "${load##*: }" <<'END'
import collections, datetime, json, statistics, sys

path, rounds, machine, load = sys.argv[1:]
runs = collections.defaultdict(list)
for line in open(path):
    config, side, result = line.split(" ", 2)
    result = json.loads(result)
    runs[config, result["threads"], side].append(result)

median = statistics.median
torch = next(iter(runs.values()))[0]
print(f"{datetime.date.today()}, {machine}, load at the start {load}. PyTorch {torch['version']} with "
      f"{torch['blas']}. Medians of {rounds} rounds; ratio: PyTorch's time to ours in the same round.\n")
print("| config | threads | PyTorch, ms | ours, ms | ratio | lowest, highest | PyTorch, MiB | ours, MiB |")
print("|---|---|---|---|---|---|---|---|")
for config, threads, side in list(runs):
    if side == "ours":
        continue
    theirs, ours = runs[config, threads, side], runs[config, threads, "ours"]
    if len(ours) != len(theirs) or {r["parameters"] for r in ours + theirs} != {ours[0]["parameters"]}:
        sys.exit(f"{config}, {threads} threads: the two have not run the same model alike")
    ratios = sorted(t["ms_per_step"] / o["ms_per_step"] for t, o in zip(theirs, ours))
    ms = [median(r["ms_per_step"] for r in side) for side in (theirs, ours)]
    mib = [median(r["peak_mib"] for r in side) for side in (theirs, ours)]
    print(f"| {config} | {threads} | {ms[0]:.2f} | {ms[1]:.2f} | {median(ratios):.2f} | "
          f"{ratios[0]:.2f}, {ratios[-1]:.2f} | {mib[0]:.0f} | {mib[1]:.0f} |")
END
