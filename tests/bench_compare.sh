#!/bin/bash
# Benchmark rows on this machine: other renderers first (peers/run.sh of the data folder), then Tessera, with ratios.
# usage: tests/bench_compare.sh [ROW...]      VKBENCH_OUT=DIR keeps the built peer benchmark between runs
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/support/setup.sh"

peers=${TESSERA_DATA:-$root/../shared}/peers
[ -f "$peers/run.sh" ] || { echo "no $peers/run.sh: nothing to compare with" >&2; exit 2; }

install_packages
build release tessera_tool
results=$(mktemp)
trap 'rm -f "$results"' EXIT
sh "$peers/run.sh" "$@" | tee "$results"
"$root/build/release/frontend/tessera" bench --compare "$results" "$@"
