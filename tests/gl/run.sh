#!/bin/bash
# OpenGL programs as Debian ships them, on `tessera run`: the first frame that each shows, against tests/gl/NAME.png.
# Needs Xvfb, mesa-utils and mesa-utils-extra; what is missing is said and skipped. Needs a built tool (tests/run.sh).
# With `--piglit` also three sets of piglit's tests, where it is installed: those that do not pass must be in
# tests/gl/piglit-shader.txt, -gl.txt or -extensions.txt, each with its reason. The last line is `N passed, N failed, N skipped`.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tool=$here/../../build/release/frontend/tessera
work=$(mktemp -d)
passed=0 failed=0 skipped=0
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

missing() { echo "SKIPPED: $1"; skipped=$((skipped + 1)); }
check() { if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else echo "FAILED: $1"; failed=$((failed + 1)); fi; }
finish() { echo "$passed passed, $failed failed, $skipped skipped"; exit $((failed > 0)); }

[ -x "$tool" ] || { echo "$tool is not built: run tests/run.sh"; exit 2; }
command -v Xvfb >/dev/null || { missing "Xvfb is not installed"; finish; }

# An X server of our own: it picks a free number and writes it.
Xvfb -displayfd 3 -screen 0 1024x768x24 3>"$work/display" 2>/dev/null &
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.05; done
export DISPLAY=:$(cat "$work/display")

# A scene that shows the picture texel for pixel and compares it with the expected one.
write_comparison() {   # SHOT EXPECTED
  cat <<SCENE
[target]
size 300 300
[texture 0]
file $1
[sampler 0]
filter nearest nearest
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
0: TEX OUT[0], IN[0], SAMP[0], 2D
1: END
[test]
clear color 0 0 0 0
draw rect -1 -1 2 2
expect image $2
SCENE
}

for expected in "$here"/*.png; do
  name=$(basename "$expected" .png)
  command -v "$name" >/dev/null || { missing "$name is not installed"; continue; }
  shot=$work/$name-shot.png
  timeout 10 "$tool" run --screenshot "1:$shot" -- timeout 3 "$name" >"$work/$name.log" 2>&1
  [ -e "$shot" ] || { cat "$work/$name.log"; check "$name shows nothing" 1; continue; }
  cp "$expected" "$work/$name.png"   # files of a scene lie beside it
  write_comparison "$name-shot.png" "$name.png" >"$work/$name.scene"
  "$tool" test --quiet "$work/$name.scene" >"$work/$name.out" 2>&1
  status=$?
  [ $status -eq 0 ] || cat "$work/$name.out"
  check "$name" $status
done

# Runs tests of a piglit profile; those that do not pass must be in the file LIST, each with its reason.
run_piglit() {   # LIST PROFILE TESTS OPTIONS...
  local list=$here/$1 profile=$2 tests=$3 out=$work/$1
  shift 3
  timeout 3000 "$tool" run -- env LIBGL_ALWAYS_SOFTWARE=1 piglit run -o -p glx -j 2 "$@" -t "$tests" "$profile" "$out" \
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
