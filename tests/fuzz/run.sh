#!/bin/bash
# Builds the libFuzzer targets of this folder with clang, the address and the undefined-behaviour sanitizer, and runs each
# for SECONDS (default 600). Without clang nothing runs, and that is counted as skipped. The last line is
# `N passed, N failed, N skipped`; inputs that break a target lie in build/fuzz afterwards.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:-600}
targets=(d3d9_text d3d9_tokens)

if ! command -v clang++ >/dev/null; then
  echo "SKIPPED: no clang++ for the fuzz targets"
  echo "0 passed, 0 failed, ${#targets[@]} skipped"
  exit 0
fi
mkdir -p "$root/build/fuzz"
cd "$root/build/fuzz"

# The shader language alone; the lowering needs the rest of the library.
sources=$(ls "$root"/shader/d3d9/*.cpp | grep -v '/\(lower\|compile\|link\)[^/]*$')
flags="-std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I$root"
rm -f ./*.o
printf '%s\n' $sources "$root"/core/{result,check}.cpp "$root/tests/support/d3d9_round_trip.cpp" |
  xargs -P "$(nproc)" -I{} clang++ $flags -fsanitize=fuzzer-no-link -c {}

# Words of the language for the mutations.
grep -oh '"[a-z0-9]\+"' "$root"/shader/d3d9/{ops,words,registers}.def | sort -u >dictionary
printf '"%s"\n' vs_1_1 vs_2_x vs_3_0 ps_1_1 ps_1_4 ps_2_0 ps_3_0 '_sat' '_gt' '.xyz' '[a0.x + 1]' '(p0)' '#define ' '##' >>dictionary

seeds_of() {     # TARGET: a folder to begin with
  [ "$1" != d3d9_text ] || echo "$root/tests/fuzz/d3d9_seeds"
}

passed=0 failed=0
for target in "${targets[@]}"; do
  clang++ $flags -fsanitize=fuzzer "$root/tests/fuzz/$target.cpp" ./*.o -lfmt -o "fuzz_$target"
  mkdir -p "corpus_$target"
  if "./fuzz_$target" -max_total_time="$seconds" -max_len=2048 -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
      -print_final_stats=1 -dict=dictionary -artifact_prefix="$target-" "corpus_$target" $(seeds_of "$target") >"$target.log" 2>&1; then
    passed=$((passed + 1))
    grep -h 'number_of_executed_units' "$target.log" | sed "s/^/$target: /"
  else
    failed=$((failed + 1))
    echo "FAILED $target: $root/build/fuzz/$target.log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
