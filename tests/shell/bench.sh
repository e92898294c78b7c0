# `tessera bench`: its options and the shape of what it prints. Rows are measured only where that takes little time.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT

exits_with() {   # STATUS COMMAND...
  local wanted=$1 status=0
  shift
  "$@" >/dev/null 2>&1 || status=$?
  [ $status -eq "$wanted" ] || { echo "exit status $status, expected $wanted"; return 1; }
}

lists_the_rows() {
  diff <("$TESSERA_TOOL" bench --list) <(printf '%s\n' clear fill-flat fill-gouraud-z zfail blend tex-bilinear tex-trilinear \
    tex-nearest tex-aniso8 tex-cube discard phong phong-ps30 combiners-bump tgsi-bump mandel tris-1M tris-62k tris-culled mesh-knot mesh-msaa4 draws-10k \
    vertex-heavy compile combiners-compile fill-hidden compute-saxpy)
}

prints_json() {
  "$TESSERA_TOOL" bench compile mesh-msaa4 --executor interp --json >"$work/json" || return 1
  local field
  for field in '"machine": {' '"name": "compile"' '"median_ms": ' '"rate": ' '"unit": "shaders/s"' '"threads": ' '"executor": "interp"' \
    '"peak_mib": ' '"tiles_per_s": ' '"tile_us_p50": ' '"tile_us_p95": ' '"stage_ms": {' '"frames": 30' '"name": "mesh-msaa4"'; do
    grep -qF -- "$field" "$work/json" || { echo "missing: $field"; cat "$work/json"; return 1; }
  done
}

prints_ratios() {
  printf '# device: llvmpipe (LLVM)\ncompile  1000000.000 ms  0.001 shaders/s\n' >"$work/peer"
  "$TESSERA_TOOL" bench compile --compare "$work/peer" >"$work/table" || return 1
  grep -q 'vs llvmpipe' "$work/table" && grep -qE '^compile .*[0-9]x$' "$work/table" || { cat "$work/table"; return 1; }
}

refuses_a_bad_comparison() {
  printf 'clear fast\n' >"$work/bad"
  exits_with 2 "$TESSERA_TOOL" bench clear --compare "$work/bad"
}

check "the rows are those of the benchmark page, in its order" lists_the_rows
check "an unknown row is wrong use" exits_with 2 "$TESSERA_TOOL" bench no-such-row
check "a comparison file that is not there is wrong use" exits_with 2 "$TESSERA_TOOL" bench clear --compare /no/such/file
check "a comparison file that cannot be read is wrong use" refuses_a_bad_comparison
check "rows are printed as JSON" prints_json
check "ratios to another renderer are printed" prints_ratios
