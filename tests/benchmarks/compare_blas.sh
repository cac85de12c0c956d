#!/usr/bin/env bash
# Our matrix products beside those of OpenBLAS and oneDNN, with 1 and 2 threads in turns; prints
# tables as Markdown. Which libraries there are was decided when matmul_benchmark was built.
set -euo pipefail

stop() { printf '%s\n' "$@" >&2; exit 1; }
misuse() { printf '%s\n' "$@" "$usage" >&2; exit 2; }
usage="usage: compare_blas.sh MATMUL_BENCHMARK [ROUNDS]     ROUNDS: 5 unless given
for example: tests/benchmarks/compare_blas.sh build/bin/matmul_benchmark"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then misuse "One or two words are needed."; fi
benchmark=$1 rounds=${2:-5}
if [ ! -f "$benchmark" ] || [ ! -x "$benchmark" ]; then misuse "$benchmark is not a program."; fi
case $rounds in '' | *[!0-9]* | 0) misuse "$rounds rounds: at least 1 is needed." ;; esac
case $benchmark in */*) ;; *) benchmark=./$benchmark ;; esac

# Nothing that was set for other programs: a core type, say, can halve OpenBLAS's speed.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS OMP_PROC_BIND OMP_WAIT_POLICY

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
for ((round = 1; round <= rounds; round++)); do
  for threads in 1 2; do
    printf '\rround %d of %d: %d ' "$round" "$rounds" "$threads" >&2
    OMP_NUM_THREADS=$threads "$benchmark" --benchmark_format=json --benchmark_min_time=0.05 \
      >"$results/$threads.$round" 2>"$results/log" || stop "$(cat "$results/log")"
  done
done
printf '\r\033[K' >&2

machine="$(lscpu | sed -n 's/^Model name: *//p' | head -n 1), $(nproc) processors"
python3 - "$results" "$rounds" "$machine" <<'END'
import collections, datetime, json, math, pathlib, statistics, sys

folder, rounds, machine = sys.argv[1:]
speeds = collections.defaultdict(list)  # (threads, group, transposes), shape, library: one a round
for path in sorted(pathlib.Path(folder).glob("*.*")):
    run = json.loads(path.read_text())
    for line in run["benchmarks"]:
        group, shape, transposes, library = line["name"].split("/")[:4]
        if "error_message" in line:
            sys.exit(f"{line['name']}: {line['error_message']}")
        case = path.name.split(".")[0], group, transposes
        speeds[case, shape, library].append(line["GFLOP"])

def mean(numbers):  # the geometric one
    return math.exp(statistics.fmean(map(math.log, numbers)))

libraries = list(dict.fromkeys(library for _, _, library in speeds))
peers = libraries[1:]
print(f"{datetime.date.today()}, {machine}. {run['context'].get('OpenBLAS', '')}\n\n"
      f"GFLOP/s: geometric means over the shapes, of the medians of {rounds} rounds. Ratios: ours to "
      "theirs in the same round, the median; first their geometric mean, then the worst shape.\n")
heads = ["threads", "shapes", "product", *libraries, *(f"to {p} | worst" for p in peers)]
print("| " + " | ".join(heads) + " |")
print("|---" * (len(heads) + len(peers)) + "|")
for case in dict.fromkeys(case for case, _, _ in speeds):
    shapes = list(dict.fromkeys(shape for c, shape, _ in speeds if c == case))
    cells = [*case]
    for library in libraries:
        cells.append(f"{mean(statistics.median(speeds[case, s, library]) for s in shapes):.0f}")
    for peer in peers:
        ratios = {s: statistics.median(o / p for o, p in zip(speeds[case, s, "ours"],
                                                             speeds[case, s, peer])) for s in shapes}
        worst = min(ratios, key=ratios.get)
        cells += [f"{mean(ratios.values()):.2f}", f"{ratios[worst]:.2f} ({worst})"]
    print("| " + " | ".join(cells) + " |")
END
