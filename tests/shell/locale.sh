# Text is read and written the same where the user's locale writes a comma for the decimal point.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT
localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null
in_german() { LOCPATH=$work LC_ALL=de_DE.UTF-8 "$@"; }
if [ "$(in_german bash -c 'printf %.1f 0,5' 2>/dev/null)" != 0,5 ]; then
  echo "SKIPPED: no locale de_DE.UTF-8 could be made (Debian package: locales)"
  exit 0
fi

# COMMAND...: prints and writes the same in both locales; "$out" in an argument names a file to write.
same_in_german() {
  local -a plain=("${@//\$out/$work/plain}") german=("${@//\$out/$work/german}")
  : >"$work/plain"; : >"$work/german"
  "${plain[@]}" >"$work/plain.text" || return 1
  in_german "${german[@]}" >"$work/german.text" || return 1
  cmp "$work/plain.text" "$work/german.text" && cmp "$work/plain" "$work/german"
}

cat >"$work/half.tgsi" <<'TGSI'
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
IMM[0] FLT32 {0.5, 1.25, -3.75e-2, 1000000.0}
  0: MUL OUT[0], IN[0], IMM[0]
  1: END
TGSI

# The test programs call setlocale; the tool, like the library, never does. The C library never frees its copy of LOCPATH.
passes_in_german() {
  in_german env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$TESSERA_BUILD/tests/$1" --filenames-as-tags "$2"
}

prints_points_in_json() { in_german "$TESSERA_TOOL" bench compile --json | grep -qE '"median_ms": [0-9]+\.[0-9]'; }

check "a scene is drawn the same under a comma locale" same_in_german "$TESSERA_TOOL" render samples/phong/phong.scene -o '$out' --quiet
check "a shader is printed the same under a comma locale" same_in_german "$TESSERA_TOOL" shader print "$work/half.tgsi"
check "a shader's results are the same under a comma locale" \
  same_in_german "$TESSERA_TOOL" shader run "$work/half.tgsi" --in 'GENERIC[0]=0.5,1.5,2.5,3.5'
check "the hash is the same under a comma locale" same_in_german "$TESSERA_TOOL" selfcheck --threads 1
check "JSON has decimal points under a comma locale" prints_points_in_json
check "scenes and shader values are read in a program that follows a comma locale" \
  passes_in_german test_frontend '[#scene_parser_test],[#scene_math_test],[#scene_errors_test],[#test_suite_test],[#mesh_test]'
check "shaders are read and printed in a program that follows a comma locale" \
  passes_in_german test_shader '[#tgsi_parser_test],[#tgsi_diagnostics_test],[#print_test]'
