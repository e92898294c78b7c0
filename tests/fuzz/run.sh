#!/bin/bash
# Builds the libFuzzer targets of this folder with clang, the address and the undefined-behaviour sanitizer, and runs each
# for SECONDS (default 600). Without clang nothing runs, and that is counted as skipped. Further arguments name targets:
# `run.sh 900 vtest`. The last line is `N passed, N failed, N skipped`; inputs that break a target lie in build/fuzz
# afterwards.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:-600}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(d3d9_text d3d9_tokens vtest)

if ! command -v clang++ >/dev/null; then
  echo "SKIPPED: no clang++ for the fuzz targets"
  echo "0 passed, 0 failed, ${#targets[@]} skipped"
  exit 0
fi
mkdir -p "$root/build/fuzz"
cd "$root/build/fuzz"

build_d3d9() {   # TARGET; the shader language alone: the lowering needs the rest of the library
  local sources flags="-std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I$root"
  sources=$(ls "$root"/shader/d3d9/*.cpp | grep -v '/\(lower\|compile\|link\)[^/]*$')
  if [ ! -e d3d9_objects ]; then
    rm -f ./*.o
    printf '%s\n' $sources "$root"/core/{result,check}.cpp "$root/tests/support/d3d9_round_trip.cpp" |
      xargs -P "$(nproc)" -I{} clang++ $flags -fsanitize=fuzzer-no-link -c {}
    touch d3d9_objects
  fi
  clang++ $flags -fsanitize=fuzzer "$root/tests/fuzz/$1.cpp" ./*.o -lfmt -o "fuzz_$1"
  # Words of the language for the mutations.
  grep -oh '"[a-z0-9]\+"' "$root"/shader/d3d9/{ops,words,registers}.def | sort -u >"dictionary_$1"
  printf '"%s"\n' vs_1_1 vs_2_x vs_3_0 ps_1_1 ps_1_4 ps_2_0 ps_3_0 '_sat' '_gt' '.xyz' '[a0.x + 1]' '(p0)' '#define ' '##' >>"dictionary_$1"
}

build_vtest() {  # the whole library, instrumented; its seeds come from a program
  cmake -S "$root" -B library -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DTESSERA_FUZZ=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -gline-tables-only" \
    -DTESSERA_SANITIZE=address,undefined,fuzzer-no-link >vtest-build.log
  ninja -C library fuzz_vtest vtest_seeds >>vtest-build.log
  cp library/tests/fuzz_vtest fuzz_vtest
  library/tests/vtest_seeds seeds_vtest
  sed -n 's/^OP(\([A-Z0-9_]*\),.*/"\1"/p' "$root/shader/tgsi/ops.def" | sort -u >dictionary_vtest
}

folder_of() {    # TARGET: a folder to begin with
  case $1 in
    d3d9_text) echo "$root/tests/fuzz/d3d9_seeds" ;;
    vtest) echo seeds_vtest ;;
  esac
}

# On an input's length and time, and on the memory of the whole. (The streams' coverage is so wide that choosing among them
# by entropy takes longer than running them.)
limits_of() {    # TARGET
  case $1 in
    vtest) echo -entropic=0 -max_len=16384 -timeout=30 -rss_limit_mb=3072 ;;
    *) echo -max_len=2048 -timeout=10 -rss_limit_mb=2048 ;;
  esac
}

rm -f d3d9_objects
passed=0 failed=0
for target in "${targets[@]}"; do
  build_${target%%_*} "$target"
  mkdir -p "corpus_$target"
  if "./fuzz_$target" -max_total_time="$seconds" $(limits_of "$target") -verbosity=0 -print_final_stats=1 \
      -dict="dictionary_$target" -artifact_prefix="$target-" "corpus_$target" $(folder_of "$target") >"$target.log" 2>&1; then
    passed=$((passed + 1))
    grep -h 'number_of_executed_units' "$target.log" | sed "s/^/$target: /"
  else
    failed=$((failed + 1))
    echo "FAILED $target: $root/build/fuzz/$target.log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
