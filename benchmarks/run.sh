#!/usr/bin/env bash
# Measures the cost of a step on stacks of 1,000 and 10,000 resources and prints a table.
# usage: run.sh [--quick]     --quick leaves the 10,000 out
#
# KINGPOST_BIN      the command (default build/bin/kingpost)
# KINGPOST_PEER     the real pulumi command, measured beside it when set
# KINGPOST_SCALE    folder of the scale harness (default ../shared/scale); it needs Go to build
# KINGPOST_REPS     runs of each, interleaved; the medians are printed (default 1)
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kingpost=${KINGPOST_BIN:-$top/build/bin/kingpost}
scale=${KINGPOST_SCALE:-$top/../shared/scale}
reps=${KINGPOST_REPS:-1}

[ -x "$kingpost" ] || { echo "bench: $kingpost is not built; run ./dev build" >&2; exit 2; }
[ -f "$scale/go.mod" ] || { echo "bench: no scale harness in $scale; set KINGPOST_SCALE to its folder" >&2; exit 2; }
command -v go >/dev/null || { echo "bench: building the scale harness needs Go" >&2; exit 2; }

mkdir -p "$top/build/bench"
(cd "$scale" && go build -o "$top/build/bench/scale" .)
results=$top/build/bench/results.jsonl
: >"$results"

# Every engine saves every step, as users run it.
phases=create,noop-preview,noop-up,change10,refresh,destroy
measure() {  # measure N PHASES [LIMIT]: one interleaved run of all engines
  local engines=(--dut "kingpost=$kingpost")
  [ -z "${KINGPOST_PEER:-}" ] || engines+=(--dut "pulumi=$KINGPOST_PEER")
  "$top/build/bench/scale" compare "${engines[@]}" --n "$1" --shape wide --phases "$2" --reps "$reps" \
    --json "$results" ${3:+--limit "$3"}
}

echo "machine: $(nproc) cores, $(awk '/MemTotal/ {printf "%.0f GB", $2 / 1e6}' /proc/meminfo), load $(cut -d' ' -f1 /proc/loadavg)"
measure 1000 "$phases" 600s
[ "${1:-}" = --quick ] || measure 10000 seed,noop-preview 900s
python3 "$top/benchmarks/table.py" "$results"
