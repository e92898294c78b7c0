#!/bin/bash
# Benchmark rows on this machine: other renderers first (peers/run.sh of the data folder), then Tessera, with ratios;
# last the time from the command to the first picture.
# usage: tests/bench_compare.sh [ROW...]      VKBENCH_OUT=DIR keeps the built peer benchmark between runs
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/support/setup.sh"

peers=${TESSERA_DATA:-$root/../shared}/peers
[ -f "$peers/run.sh" ] || { echo "no $peers/run.sh: nothing to compare with" >&2; exit 2; }

install_packages
build release tessera_tool
results=$(mktemp)
trap 'rm -f "$results" "$results.png"' EXIT
sh "$peers/run.sh" "$@" | tee "$results"
tool=$root/build/release/frontend/tessera
"$tool" bench --compare "$results" "$@"

# From the command to the first picture's file: the best of twenty starts.
best=1000000
for _ in {1..20}; do
  start=$(date +%s%N)
  "$tool" render "$root/samples/triangle/triangle.scene" -o "$results.png" --quiet
  us=$((($(date +%s%N) - start) / 1000))
  [ $us -lt $best ] && best=$us
done
echo "start to first picture: $((best / 1000)).$((best % 1000 / 100)) ms"
