# The demos and tessera-view without a display: pictures, windows of SDL's dummy and offscreen drivers and of a virtual X
# server, and what is refused.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

viewer=$(dirname "$TESSERA_TOOL")/tessera-view
if [ ! -x "$viewer" ]; then
  echo "SKIPPED: this build has no tessera-view (TESSERA_VIEW is OFF)"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT
demos=$(sed -n 's/^DEMO(\([a-z]*\),.*/\1/p' samples/demos/demos.def)
files_of() { [ "$1" != obj ] || echo samples/vase/vase.obj samples/vase/glaze.png; }

size_of() { [ "$1" = bump ] && echo 640x480 || echo 320x240; }   # its equations need room

hidden() { SDL_VIDEODRIVER=dummy timeout 60 "$TESSERA_TOOL" view "$@"; }

# shellcheck disable=SC2046
demo_picture() { "$TESSERA_BUILD/samples/demos/$1" $(files_of "$1") --png "$work/$1.png" --size "$(size_of "$1")" "${@:2}"; }

# As the one that is kept, bit by bit.
demo_draws() { demo_picture "$1" --time 1 && cmp "$work/$1.png" "samples/demos/pictures/$1.png"; }

same_on_the_interpreter() {
  demo_picture "$1" --time 1 --executor interp --threads 1 --simd sse4 && cmp "$work/$1.png" "samples/demos/pictures/$1.png"
}

demo_is_short() { [ "$(wc -l <"samples/demos/$1.cpp")" -lt 150 ]; }

window_shows() {   # ARGUMENT...: a few frames, and a screenshot of the window's size
  rm -f "$work/shot.png"
  hidden "$@" --frames 3 --size 200x150 --screenshot "$work/shot.png" && [ -s "$work/shot.png" ]
}

# Time goes a sixtieth of a second a frame: the third frame's time is 2/60.
window_shows_what_the_picture_shows() {
  hidden --demo knot --frames 3 --size 200x150 --screenshot "$work/shot.png" &&
    hidden --demo knot --png "$work/still.png" --size 200x150 --time 0.03333333333333333 && cmp "$work/shot.png" "$work/still.png"
}

order_shows_not() {   # glass: one second on the rings are drawn in another order; stopped, the picture is the same
  hidden --demo transparency --png "$work/a.png" --size 160x120 --time 0 &&
    hidden --demo transparency --png "$work/b.png" --size 160x120 --time 0 --threads 1 && cmp "$work/a.png" "$work/b.png"
}

pause_stops_the_time() {
  hidden --demo knot --do pause@1 --frames 6 --size 200x150 --screenshot "$work/paused.png" &&
    hidden --demo knot --frames 2 --size 200x150 --screenshot "$work/second.png" && cmp "$work/paused.png" "$work/second.png"
}

step_is_one_frame() {
  hidden --demo knot --do pause@1 --do step@3 --frames 6 --size 200x150 --screenshot "$work/stepped.png" &&
    hidden --demo knot --frames 3 --size 200x150 --screenshot "$work/third.png" && cmp "$work/stepped.png" "$work/third.png"
}

switches_keep_the_picture() {
  hidden --demo knot --do executor@1 --do more-threads@2 --do fewer-threads@3 --frames 5 --size 200x150 --screenshot "$work/a.png" &&
    hidden --demo knot --frames 5 --size 200x150 --screenshot "$work/b.png" && cmp "$work/a.png" "$work/b.png"
}

scene_fills_the_window_with_its_picture() {   # at its own size: its own texels
  "$TESSERA_TOOL" render samples/vase/vase.scene -o "$work/vase.png" --quiet &&
    hidden samples/vase/vase.scene --png "$work/view.png" --size 480x360 && cmp "$work/vase.png" "$work/view.png"
}

# DRIVER [VARIABLE=VALUE...]: a window of another of SDL's video drivers shows what the dummy one shows.
driver_shows_the_same() {
  local driver=$1
  shift
  hidden --demo knot --frames 3 --size 200x150 --screenshot "$work/dummy.png" &&
    env "$@" SDL_VIDEODRIVER="$driver" timeout 60 "$TESSERA_TOOL" view --demo knot --frames 3 --size 200x150 \
      --screenshot "$work/other.png" && cmp "$work/dummy.png" "$work/other.png"
}

x_server_shows_the_same() {
  local display server status=0
  mkfifo "$work/display"
  Xvfb -displayfd 3 -screen 0 800x600x24 3>"$work/display" 2>/dev/null &
  server=$!
  read -r -t 30 display <"$work/display" || status=1
  [ $status -ne 0 ] || driver_shows_the_same x11 DISPLAY=":$display" || status=1
  kill $server && wait $server
  return $status
}

fails_with() {   # STATUS TEXT COMMAND...
  local wanted=$1 text=$2 status=0
  shift 2
  "$@" >"$work/out" 2>&1 || status=$?
  [ $status -eq "$wanted" ] && grep -q -- "$text" "$work/out" || { echo "exit status $status"; cat "$work/out"; return 1; }
}

without_display() { env -u DISPLAY -u WAYLAND_DISPLAY SDL_VIDEODRIVER=x11 "$TESSERA_TOOL" view "$@"; }

printf '[test]\ndraw nonsense\n' >"$work/bad.scene"
printf 'v 1 2\n' >"$work/bad.obj"

for demo in $demos; do
  check "the demo $demo has fewer than 150 lines" demo_is_short "$demo"
  check "the demo $demo draws its picture, bit by bit" demo_draws "$demo"
done
for demo in bump water transparency; do
  check "the demo $demo draws the same on the interpreter, one thread, the baseline's instructions" same_on_the_interpreter "$demo"
done
check "a window shows a demo" window_shows --demo instances
check "a window shows a demo with its panel and the tiles' times" window_shows --demo knot --panel --tiles
check "a window shows a scene with its panel" window_shows samples/vase/vase.scene --panel
check "a window shows a scene of Direct3D 9" window_shows samples/d3d9_bump/d3d9_bump.scene
check "a frame of a window is the picture of its time" window_shows_what_the_picture_shows
check "SDL's offscreen driver shows what its dummy driver shows" driver_shows_the_same offscreen
if command -v Xvfb >/dev/null; then
  check "a window on an X server shows what SDL's dummy driver shows" x_server_shows_the_same
else
  echo "SKIPPED: Xvfb is not installed"
fi
check "transparency is the same on one thread" order_shows_not
check "pause stops the time" pause_stops_the_time
check "a step is one frame" step_is_one_frame
check "executor and threads are switched while it runs, and the picture stays" switches_keep_the_picture
check "a scene at its own size shows its own texels" scene_fills_the_window_with_its_picture
check "an unknown demo is wrong use, and names those there are" fails_with 2 transparency hidden --demo nonsense
check "an unknown action is wrong use, and names those there are" fails_with 2 fewer-threads hidden --demo knot --do dance@1
check "a demo that takes no files refuses one" fails_with 2 "takes no files" hidden --demo knot x.obj
check "a missing scene is wrong use" fails_with 2 "no/such.scene" hidden no/such.scene
check "a wrong scene is wrong use, with its place" fails_with 2 "bad.scene:2:" hidden "$work/bad.scene"
check "an OBJ file that is wrong is refused with its place" fails_with 2 "bad.obj.*line 1" hidden --demo obj "$work/bad.obj"
check "an OBJ file that is missing is refused by name" fails_with 2 "none.obj" hidden --demo obj none.obj
check "a size that is none is wrong use" fails_with 2 "WIDTHxHEIGHT" hidden --demo knot --size 0x0
check "neither scene nor demo is wrong use" fails_with 2 "--demo" hidden
check "without a display it says how to go on" fails_with 2 "SDL_VIDEODRIVER=dummy" without_display --demo knot
