#!/bin/bash
# OpenGL programs as Debian ships them, on `tessera run`: the first frame that each shows, against tests/gl/NAME.png, and
# what glxinfo reports. Needs Xvfb, mesa-utils and glmark2-es2-x11; what is missing is said and skipped. Needs a built tool
# (tests/run.sh).
# With `--piglit` also three sets of piglit's tests, where it is installed: those that do not pass must be in
# tests/gl/piglit-shader.txt, -gl.txt or -extensions.txt, each with its reason. The last line is
# `N passed, N failed, N skipped`.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tool=$here/../../build/release/frontend/tessera
work=$(mktemp -d)
passed=0 failed=0 skipped=0
trap 'rm -rf "$work"' EXIT

missing() { echo "SKIPPED: $1"; skipped=$((skipped + 1)); }
check() { if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else echo "FAILED: $1"; failed=$((failed + 1)); fi; }
finish() { echo "$passed passed, $failed failed, $skipped skipped"; exit $((failed > 0)); }

[ -x "$tool" ] || { echo "$tool is not built: run tests/run.sh"; exit 2; }
command -v Xvfb >/dev/null || { missing "Xvfb is not installed"; finish; }
. "$here/../support/picture_scene.sh"

# A scene that shows the picture texel for pixel and compares it with the expected one.
write_comparison() {   # SHOT EXPECTED
  printf '[target]\nsize 300 300\n[texture 0]\nfile %s\n[sampler 0]\nfilter nearest nearest\n' "$1"
  picture_shaders
  printf '[test]\nclear color 0 0 0 0\ndraw rect -1 -1 2 2\nexpect image %s\n' "$2"
}

# Runs a program on a screen of its own until the picture of a frame is there, at most half a minute.
shoot() {              # FRAME:FILE PROGRAM...
  timeout 60 "$tool" run --size 1024x768 --screenshot "$1" -- sh -c '
    picture=$1; shift; "$@" & program=$!
    for _ in $(seq 300); do [ -s "$picture" ] && break; sleep 0.1; done
    kill $program' - "${1#*:}" "${@:2}"
}

compare() {            # NAME FRAME PROGRAM...: the frame that the program shows, with NAME.png
  local shot=$work/$1-shot.png status
  command -v "$3" >/dev/null || { missing "$3 is not installed"; return; }
  shoot "$2:$shot" "${@:3}" >"$work/$1.log" 2>&1
  [ -e "$shot" ] || { cat "$work/$1.log"; check "$1 shows nothing" 1; return; }
  cp "$here/$1.png" "$work/$1.png"   # files of a scene lie beside it
  write_comparison "$1-shot.png" "$1.png" >"$work/$1.scene"
  "$tool" test --quiet "$work/$1.scene" >"$work/$1.out" 2>&1
  status=$?
  [ $status -eq 0 ] || cat "$work/$1.out"
  check "$1" $status
}

glxinfo_reports_the_level() {
  timeout 60 "$tool" run --size 640x480 -- glxinfo >"$work/glxinfo" 2>&1
  for line in 'OpenGL renderer string: .*Tessera' 'OpenGL core profile version string: 4\.3 ' \
    'OpenGL version string: 4\.3 (Compatibility' 'OpenGL ES profile version string: OpenGL ES 3\.1 '; do
    grep -q "^$line" "$work/glxinfo" || { echo "glxinfo does not say: $line"; tail -5 "$work/glxinfo"; return 1; }
  done
}

# Counters, commands and programs of a program that draws; its time is up after some frames (exit status 124).
watches_a_program() {
  timeout 60 "$tool" run --size 640x480 --stats --trace-commands "$work/trace" -- timeout 5 glxgears >/dev/null 2>"$work/stats"
  [ $? -eq 124 ] && grep -q '^frame 2: .*draws [0-9]' "$work/stats" && grep -q '^DRAW_VBO start=.* mode=.* instances=1' "$work/trace" &&
    grep -q '^CREATE_OBJECT RASTERIZER handle=.* front_ccw=1' "$work/trace" && grep -q '^DCL OUT\[0\], POSITION' "$work/trace"
}

draws_side_by_side() {
  local runs=()
  for i in 1 2 3; do
    shoot "1:$work/side$i.png" glxgears >/dev/null 2>&1 &
    runs+=($!)
  done
  wait "${runs[@]}"
  cmp "$work/side1.png" "$work/side2.png" && cmp "$work/side1.png" "$work/side3.png"
}

if command -v glxgears >/dev/null; then
  watches_a_program; check "counters, commands and programs are shown" $?
  draws_side_by_side; check "several programs draw side by side" $?
fi
if command -v glxinfo >/dev/null; then glxinfo_reports_the_level; check "glxinfo reports the level" $?
else missing "glxinfo is not installed"; fi

compare glxgears 1 glxgears
compare es2gears_x11 1 es2gears_x11
compare es2tri 1 es2tri
compare glxdemo 1 glxdemo
compare glxheads 1 glxheads
for scene in build texture effect2d; do   # what moves in them has not begun to in their first frame
  compare "glmark2-$scene" 1 glmark2-es2 -b "$scene:duration=0.5" --size 300x300
done

# Runs tests of a piglit profile; those that do not pass must be in the file LIST, each with its reason.
run_piglit() {   # LIST PROFILE TESTS OPTIONS...
  local list=$here/$1 profile=$2 tests=$3 out=$work/$1
  shift 3
  timeout 3000 "$tool" run --size 1024x768 -- env LIBGL_ALWAYS_SOFTWARE=1 piglit run -o -p glx -j 2 "$@" -t "$tests" "$profile" "$out" \
    >/dev/null 2>&1
  piglit summary console "$out" >"$work/summary" 2>/dev/null
  passed=$((passed + $(grep -c ': pass$' "$work/summary")))
  grep -E ': (fail|crash|timeout)$' "$work/summary" | sed 's/: [a-z]*$//' >"$work/wrong"
  while read -r test; do
    if grep -qF "$test: " "$list"; then missing "$test, which is known"; else check "$test" 1; fi
  done <"$work/wrong"
}

if [ "${1:-}" = --piglit ]; then
  command -v piglit >/dev/null || { missing "piglit is not installed"; finish; }
  run_piglit piglit-shader.txt shader \
    'spec@glsl-(1.10|1.20|1.30|1.40|1.50|3.30)@execution' --timeout 500 --process-isolation false
  run_piglit piglit-gl.txt quick_gl 'spec@!opengl (1.[0-5]|2.[01]|3.[0-3])' --timeout 60
  run_piglit piglit-extensions.txt quick_gl '^spec@(arb|ext|nv|ati|oes|khr|amd|sgis|apple)_' --timeout 60 \
    -x 'dma_buf|bindless|external_objects|@arb_gpu_shader5@texturegather|@arb_texture_gather@'
fi
finish
