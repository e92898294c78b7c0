# The golden-vector program tells good, failing and malformed files apart.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

goldens=$TESSERA_BUILD/tests/goldens
dir=$(mktemp -d)
head -1 tests/goldens/data/tgsi-alu.jsonl >"$dir/good.jsonl"
sed 's/007fffff 00000001 cf000001 0000002d"/007fffff 00000001 cf000001 0000002e"/2' "$dir/good.jsonl" >"$dir/failing.jsonl"
{ cat "$dir/good.jsonl"; echo '{"id": }'; cat "$dir/good.jsonl"; } >"$dir/broken.jsonl"
sed 's/"exact"/"ulp:x"/' "$dir/good.jsonl" >"$dir/tolerance.jsonl"
echo '{"kind": "none of ours"}' >"$dir/unknown.jsonl"
: >"$dir/empty.jsonl"

gives() {   # STATUS LAST-LINE FILE: exit status and closing line
  local out status=0
  out=$("$goldens" "$3" 2>"$dir/errors") || status=$?
  [ "$status" = "$1" ] && [ "$(tail -1 <<<"$out")" = "$2" ] || { echo "exit status $status"; echo "$out"; return 1; }
}

names_line_2() { "$goldens" "$dir/broken.jsonl" 2>&1 | grep -q 'broken.jsonl:2: error'; }

check "a good record passes" gives 0 "1 passed, 0 failed, 0 skipped" "$dir/good.jsonl"
check "a wrong word fails" gives 1 "0 passed, 1 failed, 0 skipped" "$dir/failing.jsonl"
check "a broken line is an error and the others still run" gives 2 "2 passed, 0 failed, 0 skipped" "$dir/broken.jsonl"
check "the error names file and line" names_line_2
check "a field of another form is an error" gives 2 "0 passed, 0 failed, 0 skipped" "$dir/tolerance.jsonl"
check "a file of unknown kind is an error" gives 2 "0 passed, 0 failed, 0 skipped" "$dir/unknown.jsonl"
check "an empty file is an error" gives 2 "0 passed, 0 failed, 0 skipped" "$dir/empty.jsonl"
check "a missing file is an error" gives 2 "0 passed, 0 failed, 0 skipped" "$dir/none.jsonl"
rm -r "$dir"
