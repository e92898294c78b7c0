#!/bin/bash
# Installs what is missing, builds, and runs the tests. The last line is `N passed, N failed, N skipped`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/support/setup.sh"
. "$root/tests/support/count.sh"

usage() {
  cat <<'TEXT'
usage: tests/run.sh [--only PART]... [--data DIR] [--preset release|debug|shared|asan|tsan]... [--simd sse4]
  --only PART    run only this part; --list names them. May be repeated
  --data DIR     the folder of outside data (default: ../shared, where it exists). What is missing in it is a failure
  --preset NAME  the build to test (default: release). Repeated: one after the other, counted together.
                 tsan runs the parts that use threads; shared, with libtessera.so, those that are not linked to the library
  --simd sse4    as on a machine that has no faster instruction set: test programs, golden vectors and scenes
  --list         build, then print the names of the parts
TEXT
}

# Parts worth running under the thread sanitizer: the others start no threads.
threaded_parts=" core raster frontend invariants samples "
threaded_targets="test_core test_raster test_frontend test_invariants tessera_tool"

only=() presets=() scene_options=() list=no
while [ $# -gt 0 ]; do
  case $1 in
    --only | --data | --preset | --simd)
      [ $# -ge 2 ] || { echo "$1 needs a value" >&2; usage >&2; exit 2; }
      case $1 in
        --only) only+=("$2") ;;
        --data) [ -d "$2" ] || { echo "--data $2: no such folder" >&2; exit 2; }
                TESSERA_DATA=$(cd "$2" && pwd) ;;
        --preset) [[ $2 =~ ^(release|debug|shared|asan|tsan)$ ]] || { echo "--preset $2: unknown" >&2; usage >&2; exit 2; }
                  presets+=("$2") ;;
        --simd) [ "$2" = sse4 ] || { echo "--simd $2: not a limit that changes anything" >&2; usage >&2; exit 2; }
                export TESSERA_TEST_SIMD=$2
                scene_options=(--simd "$2") ;;
      esac
      shift 2 ;;
    --list) list=yes; shift ;;
    --help | -h) usage; exit 0 ;;
    *) echo "unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
done
[ ${#presets[@]} -gt 0 ] || presets=(release)
if [ -z "${TESSERA_DATA:-}" ] && [ -d "$root/../shared" ]; then TESSERA_DATA=$(cd "$root/../shared" && pwd); fi
[ -z "${TESSERA_DATA:-}" ] || export TESSERA_DATA

# ---- the parts: a program a folder of tests/unit, then golden vectors, shell tests, scenes -----------------

part_names() {   # PRESET
  local program script
  for program in "$root/build/$1"/tests/test_*; do
    [ -x "$program" ] && basename "$program" | sed 's/^test_//'
  done
  [ -x "$root/build/$1/tests/goldens" ] && echo goldens
  for script in "$root"/tests/shell/*.sh; do basename "$script" .sh; done
  [ -x "$tool" ] && echo samples
  true
}

# What has to be built: nothing named is everything.
targets_of() {   # PRESET
  local name targets=()
  for name in ${only[@]+"${only[@]}"}; do
    case $name in
      goldens) targets+=(goldens) ;;
      opcode | invariants) targets+=("test_$name") ;;
      *) [ -d "$root/tests/unit/$name" ] || return 0      # a shell test or the samples: may need any program
         targets+=("test_$name") ;;
    esac
  done
  if [ ${#targets[@]} -gt 0 ]; then echo "${targets[@]}"
  elif [ "$1" = tsan ]; then echo "$threaded_targets"
  fi
}

# Vectors that may not be part of the tree, by name; those of the tree are in tests/goldens/data.
outside_goldens="d3d9-asm d3d9-pixels"

run_goldens() {  # PROGRAM
  local name files=("$root"/tests/goldens/data/*.jsonl)
  for name in $outside_goldens; do
    if [ -n "${TESSERA_DATA:-}" ]; then files+=("$TESSERA_DATA/goldens/$name.jsonl")
    else echo "SKIPPED: the golden vectors $name: no data folder" && echo "0 passed, 0 failed, 1 skipped"
    fi
  done
  "$1" "${files[@]}"
}

run_part() {     # PRESET PART: its output ends in whatever `count_log` understands
  local dir=$root/build/$1
  case $2 in
    goldens) run_goldens "$dir/tests/goldens" ;;
    samples) "$tool" test "$root/samples" --report "$dir/report" --junit "$dir/scenes.xml" \
        ${scene_options[@]+"${scene_options[@]}"} ;;
    *)
      if [ -x "$dir/tests/test_$2" ]; then "$dir/tests/test_$2"
      else TESSERA_ROOT=$root TESSERA_BUILD=$dir TESSERA_TOOL=$tool bash "$root/tests/shell/$2.sh"
      fi ;;
  esac
}

# Parts run side by side, one a processor; each leaves its exit status and its seconds behind.
time_part() {    # PRESET PART LOGS
  local start status=0
  start=$(date +%s.%N)
  rm -f "$3/$2.status"
  run_part "$1" "$2" >"$3/$2.log" 2>&1 </dev/null || status=$?
  echo "$status $(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')" >"$3/$2.status"
}

wanted() {       # PRESET PART
  local name
  if [ ${#only[@]} -eq 0 ]; then [ "$1" != tsan ] || [[ $threaded_parts == *" $2 "* ]]; return; fi
  for name in "${only[@]}"; do [ "$name" = "$2" ] && return 0; done
  return 1
}

install_packages
total_passed=0 total_failed=0 total_skipped=0 ran=0
for preset in "${presets[@]}"; do
  tool=$root/build/$preset/frontend/tessera
  # shellcheck disable=SC2046
  build "$preset" $(targets_of "$preset")
  parts=$(part_names "$preset")
  if [ $list = yes ]; then printf '%s\n' $parts; exit 0; fi
  logs=$root/build/$preset/test-logs
  mkdir -p "$logs"
  chosen=()
  for part in $parts; do
    wanted "$preset" "$part" || continue
    chosen+=("$part")
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    time_part "$preset" "$part" "$logs" &
  done
  wait
  for part in ${chosen[@]+"${chosen[@]}"}; do
    is_catch=no
    [ -x "$root/build/$preset/tests/test_$part" ] && is_catch=yes
    read -r status seconds <"$logs/$part.status" || { status=1 seconds=?; }   # the part did not come to its end
    read -r passed failed skipped <<<"$(count_log "$logs/$part.log" "$status" $is_catch)"
    [ "$failed" -eq 0 ] || cat "$logs/$part.log"
    grep '^SKIPPED: ' "$logs/$part.log" | sort | uniq -c | sed 's/^ *\([0-9]*\) SKIPPED: /  skipped (\1): /' || true
    printf '%-8s %-12s %d passed, %d failed, %d skipped  (%s s)\n' "$preset" "$part" "$passed" "$failed" "$skipped" "$seconds"
    total_passed=$((total_passed + passed)) total_failed=$((total_failed + failed)) total_skipped=$((total_skipped + skipped))
    ran=$((ran + 1))
  done
done
if [ $ran -eq 0 ]; then echo "no such part: ${only[*]:-}; tests/run.sh --list names them" >&2; exit 2; fi
echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
[ $total_failed -eq 0 ]
