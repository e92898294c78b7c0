# The tool as a program: what it links, how big it is, how fast it starts, and that its pictures are reproducible.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT
scene=samples/triangle/triangle.scene

links_only_the_system() {
  ldd "$TESSERA_TOOL" | awk '{ print $1 }' | grep -vE '^(linux-vdso|libc|libm|libstdc\+\+|libgcc_s|libtbb|libhwy|/lib64/ld-linux|libpthread|ld-linux)[-.]'
}

stripped_is_at_most_10_mb() {
  strip -o "$work/stripped" "$TESSERA_TOOL" && [ "$(stat -c %s "$work/stripped")" -le 10000000 ]
}

runs_without_an_environment() { env -i "$TESSERA_TOOL" render "$scene" -o "$work/bare.png" --quiet && cmp "$work/bare.png" "$work/plain.png"; }

same_file_with() { "$TESSERA_TOOL" render "$scene" -o "$work/other.png" --quiet "$@" && cmp "$work/other.png" "$work/plain.png"; }

leaves_nothing_behind() {
  local status=0
  printf '[test]\ndraw nonsense\n' >"$work/bad.scene"
  "$TESSERA_TOOL" render "$work/bad.scene" -o "$work/bad.png" >"$work/out" 2>"$work/err" || status=$?
  [ $status -eq 2 ] && [ ! -e "$work/bad.png" ] && [ ! -s "$work/out" ] && grep -q 'bad.scene:2:' "$work/err"
}

passes_user_data() {
  printf '%s\n' COMP 'PROPERTY CS_FIXED_BLOCK_WIDTH 1' 'DCL SV[0], CS_USER_DATA_AMD' 'DCL BUFFER[0]' \
    'IMM[0] UINT32 {0, 0, 0, 0}' 'STORE BUFFER[0], IMM[0].xxxx, SV[0]' END >"$work/user.tgsi"
  local words
  words=$("$TESSERA_TOOL" shader run "$work/user.tgsi" --buffer 0=zeros:4 --user-data 7u,0xbeef | awk '{ print $3 }')
  [ "$(echo $words)" = '0x00000007 0x0000beef 0x00000000 0x00000000' ] &&
    ! "$TESSERA_TOOL" shader run "$work/user.tgsi" --buffer 0=zeros:4 --user-data 1,2,3,4,5 2>"$work/err" &&
    grep -q -- '--user-data 1,2,3,4,5: at most 4 numbers' "$work/err"
}

selfcheck_is_in_the_change_log() {
  local expected found
  expected=$(sed -n '/^## Change log/,$ s/^- .*`\([0-9a-f]*\)`.*/\1/p' README.md | head -1)
  found=$("$TESSERA_TOOL" selfcheck "$@" | cut -d' ' -f1)
  [ -n "$expected" ] && [ "$found" = "$expected" ] || { echo "README has $expected, selfcheck prints $found"; return 1; }
}

terminal_shows_a_bar() { script -qec "'$TESSERA_TOOL' test samples/triangle $*" /dev/null </dev/null | grep -q '\[#*\] 1 of 1'; }
quiet_shows_no_bar() { ! terminal_shows_a_bar --quiet; }
pipe_shows_no_bar() { ! "$TESSERA_TOOL" test samples/triangle 2>&1 | grep -q '1 of 1'; }

"$TESSERA_TOOL" render "$scene" -o "$work/plain.png" --quiet
if [ "$(basename "$TESSERA_BUILD")" = release ]; then
  check "the tool links only the system's C and C++ libraries, TBB and Highway" finds_nothing links_only_the_system
  check "the tool is at most 10 MB, stripped" stripped_is_at_most_10_mb
fi
if command -v script >/dev/null; then
  check "long work shows its progress on a terminal" terminal_shows_a_bar
  check "and none with --quiet" quiet_shows_no_bar
fi
check "and none in a pipe" pipe_shows_no_bar
check "the tool needs no environment" runs_without_an_environment
check "a picture's file is the same each time" same_file_with
check "a picture's file is the same with one thread" same_file_with --threads 1
check "a bad scene gives exit status 2, its place on standard error, and no file" leaves_nothing_behind
check "a compute program gets the words that the command line passes" passes_user_data
check "the version is printed" "$TESSERA_TOOL" --version
check "selfcheck prints the hash of the change log's newest line" selfcheck_is_in_the_change_log
check "selfcheck prints the same hash with one thread" selfcheck_is_in_the_change_log --threads 1
[ "$(uname -m)" != x86_64 ] ||
  check "selfcheck prints the same hash with the baseline's instruction set" selfcheck_is_in_the_change_log --simd sse4
