#!/bin/bash
# Speed of OpenGL programs: Tessera, the reference vtest server (virgl_test_server) on llvmpipe, and llvmpipe itself, in
# turns, each for SECONDS (default 5), the best of ROUNDS (default 3). Frames a second of glxgears in a 300x300 window; of a million triangles in a
# vertex buffer; of a texture of 4 MiB uploaded; of 4 MiB read back. With perf (linux-perf), then the part of Tessera's
# time, the program's included, that goes into copies and the kernel, which the protocol asks for. Needs a built tool (tests/run.sh), and on Debian 12
# libegl-dev, libgl-dev, xvfb, mesa-utils, virgl-server: what is missing is said and left out.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$here/../../build/release/frontend
rounds=${1:-3} seconds=${2:-5}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

missing() { echo "SKIPPED: $1"; }
[ -x "$build/tessera" ] || { echo "$build/tessera is not built: run tests/run.sh"; exit 2; }

workloads=() drivers=(tessera llvmpipe)
if ${CC:-cc} -O2 "$here/bench.c" -lEGL -lGL -o "$work/bench" 2>"$work/cc.log"; then workloads+=(triangles upload readback)
else missing "libegl-dev and libgl-dev are not installed: no triangles, upload, readback"; fi

if command -v Xvfb >/dev/null && command -v glxgears >/dev/null; then
  workloads=(glxgears "${workloads[@]}")
  Xvfb -displayfd 3 -screen 0 1024x768x24 3>"$work/display" 2>/dev/null &
  for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.05; done
  export DISPLAY=:$(cat "$work/display")
else missing "xvfb or mesa-utils is not installed: no glxgears"; fi

if command -v virgl_test_server >/dev/null; then
  drivers=(tessera virgl_test_server llvmpipe)
  LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe virgl_test_server --use-egl-surfaceless "--socket-path=$work/virgl" \
    >"$work/virgl.log" 2>&1 &
else missing "virgl-server is not installed: no comparison with virgl_test_server"; fi

on() {             # DRIVER COMMAND...
  case $1 in
    tessera) "$build/tessera" run -- "${@:2}" ;;
    llvmpipe) LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe "${@:2}" ;;
    *) LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=virpipe LD_PRELOAD=$build/tessera-connect.so TESSERA_VTEST_SOCKET=$work/virgl "${@:2}" ;;
  esac
}

frames_of() {      # DRIVER WORKLOAD: frames a second
  case $2 in                         # glxgears prints every five seconds
    glxgears) on "$1" timeout 6 env vblank_mode=0 glxgears 2>/dev/null | sed -n 's/.* = \([0-9.]*\) FPS/\1/p' | head -1 ;;
    *) on "$1" "$work/bench" "$2" "$seconds" 2>/dev/null ;;
  esac
}

printf '%-10s' frames/s; printf ' %18s' "${drivers[@]}"; echo
for workload in "${workloads[@]}"; do
  declare -A best=()
  for _ in $(seq "$rounds"); do
    for driver in "${drivers[@]}"; do
      found=$(frames_of "$driver" "$workload")
      best[$driver]=$(printf '%s\n' "${best[$driver]:-0}" "${found:-0}" | sort -g | tail -1)
    done
  done
  printf '%-10s' "$workload"
  for driver in "${drivers[@]}"; do printf ' %18s' "${best[$driver]}"; done
  echo
done

# ---- where the time goes -------------------------------------------------------------------------------------

copies_and_kernel() {   # of the profile on standard input, lines of `percent, program's file, symbol`
  awk '$2 == "[kernel.kallsyms]" || $2 ~ /^libpthread/ || $4 ~ /^__mem(move|cpy)_/ { sum += $1 } END { printf "%.0f", sum }'
}

command -v perf >/dev/null || { missing "linux-perf is not installed: no profile"; exit 0; }
for workload in "${workloads[@]}"; do
  perf record -q -F 500 -o "$work/profile" "$build/tessera" run -- \
    timeout $((seconds + 1)) "$([ "$workload" = glxgears ] && echo glxgears || echo "$work/bench")" "$workload" "$seconds" \
    >/dev/null 2>&1 || true
  perf report -i "$work/profile" --stdio --sort dso,symbol 2>/dev/null | grep '^ ' >"$work/report" || true
  [ -s "$work/report" ] || { missing "perf may not measure here: no profile"; break; }
  echo "$workload: $(copies_and_kernel <"$work/report")% in copies and the kernel"
done
