# `tessera serve` and `tessera run` as processes: what they pass on, what they leave behind, what they refuse. The programs
# that run here draw nothing; tests/gl has those that do.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

work=$(mktemp -d)
export TMPDIR=$work
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT

ends_with() {      # STATUS COMMAND...
  local status=0
  "${@:2}" </dev/null >"$work/out" 2>"$work/err" || status=$?
  [ $status -eq "$1" ] || { echo "exit status $status"; cat "$work/err"; return 1; }
}

says() { grep -q -- "$1" "$work/err" || { cat "$work/err"; return 1; }; }

refuses() {        # TEXT OPTION...: wrong use, and why
  ends_with 2 "$TESSERA_TOOL" run "${@:2}" -- touch "$work/started" && says "$1" && [ ! -e "$work/started" ]
}

wait_for() { for _ in $(seq 200); do "$@" && return; sleep 0.05; done; echo "waited in vain for: $*"; return 1; }
is_gone() { [ ! -e "$1" ]; }

nothing_is_left() { ls -d "$work"/tessera-run-* 2>/dev/null; }

serves_until() {   # SIGNAL
  "$TESSERA_TOOL" serve --socket "$work/socket" --quiet &
  local server=$!
  wait_for test -S "$work/socket" && [ "$(stat -c %a "$work/socket")" = 600 ] && kill "-$1" $server &&
    wait $server && is_gone "$work/socket"
}

hands_on() {       # SIGNAL STATUS: the program gets the signal, and nothing stays behind
  rm -f "$work/pid"
  "$TESSERA_TOOL" run -- sh -c 'echo $$ >"$TMPDIR/pid"; exec sleep 60' &
  local run=$! status=0
  wait_for test -s "$work/pid" && kill "-$1" $run
  wait $run || status=$?
  [ $status -eq "$2" ] || { echo "exit status $status"; return 1; }
  ! kill -0 "$(cat "$work/pid")" 2>/dev/null && finds_nothing nothing_is_left
}

run_side_by_side() {
  local runs=()
  for i in 1 2 3; do
    "$TESSERA_TOOL" run -- sh -c 'echo $TESSERA_VTEST_SOCKET; test -S $TESSERA_VTEST_SOCKET && sleep 0.3' >"$work/side$i" &
    runs+=($!)
  done
  for run in "${runs[@]}"; do wait "$run" || return 1; done
  [ "$(sort -u "$work"/side[123] | wc -l)" -eq 3 ] && finds_nothing nothing_is_left
}

has_environment() {
  LD_PRELOAD='' "$TESSERA_TOOL" run -- env >"$work/out" 2>/dev/null
  grep -q '^GALLIUM_DRIVER=virpipe$' "$work/out" && grep -q '^LIBGL_ALWAYS_SOFTWARE=1$' "$work/out" &&
    grep -q '^LD_PRELOAD=.*tessera-connect.so' "$work/out"
}

gets_a_screen() {
  "$TESSERA_TOOL" run --size 320x200 -- sh -c 'echo $DISPLAY $XAUTHORITY; test -s $XAUTHORITY' >"$work/out" &&
    grep -q '^:[0-9]* .*/authority$' "$work/out" && is_gone "/tmp/.X11-unix/X$(sed 's/^:\([0-9]*\).*/\1/' "$work/out")"
}

misses_xvfb() {
  ends_with 2 env PATH="$work" "$TESSERA_TOOL" run --size 320x200 -- touch "$work/started" && says 'Xvfb is not installed'
}

check "serve's socket is its owner's alone and goes with SIGTERM" serves_until TERM
check "... with SIGINT" serves_until INT
check "... with SIGHUP" serves_until HUP
check "run passes the program's exit status on" ends_with 7 "$TESSERA_TOOL" run -- sh -c 'exit 7'
check "... and the signal that ended it" ends_with 139 "$TESSERA_TOOL" run -- sh -c 'kill -SEGV $$'
check "a program that is not there is wrong use" ends_with 2 "$TESSERA_TOOL" run -- /no/such/program
check "... and named" says '/no/such/program: No such file'
check "no program is wrong use" ends_with 2 "$TESSERA_TOOL" run
check "run hands SIGTERM on to the program and cleans up" hands_on TERM 143
check "... and SIGHUP" hands_on HUP 129
check "several runs side by side have a server each" run_side_by_side
check "the program finds Mesa's virpipe driver chosen" has_environment
check "a size that is none is refused before the program starts" refuses "expected WIDTHxHEIGHT, each from 1 to 16384, found '640'" --size 640
check "... and one of zero" refuses "found '0x480'" --size 0x480
check "... and one with more behind it" refuses "found '640x480x24'" --size 640x480x24
check "a screenshot without a frame is refused" refuses "expected FRAME:FILE.png" --screenshot a.png
check "... and frame 0" refuses "with frames from 1 on, found '0:a.png'" --screenshot 0:a.png
check "... and no file" refuses "found '3:'" --screenshot 3:
check "... and a folder that is not there" refuses "--screenshot: /no/such/folder is no folder" --screenshot 1:/no/such/folder/a.png
check "a frame that never came makes a run fail" ends_with 1 "$TESSERA_TOOL" run --screenshot "3:$work/a.png" -- true
check "... and is named" says 'there was no frame 3'
check "a program's own failure counts more" ends_with 7 "$TESSERA_TOOL" run --screenshot "3:$work/a.png" -- sh -c 'exit 7'
check "a trace that cannot be written is refused" refuses "/no/such/folder/trace: No such file" --trace-commands /no/such/folder/trace
check "no memory for clients is refused" refuses memory --memory 0
check "no clients at all are refused" refuses clients --clients 0
check "without Xvfb, --size says what is missing" misses_xvfb
if command -v Xvfb >/dev/null; then check "with --size, the program gets a screen of its own, which goes with it" gets_a_screen
else echo "SKIPPED: Xvfb is not installed"; fi
