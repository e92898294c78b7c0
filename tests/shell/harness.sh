# The test scripts themselves: what they count, and that wrong use is an error.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"
. tests/support/count.sh

# counts EXPECTED EXIT_STATUS IS_CATCH TEXT
counts() {
  local found
  found=$(count_log <(printf '%b' "$4") "$2" "$3")
  [ "$found" = "$1" ] || { echo "counted '$found', expected '$1'"; return 1; }
}

fails_with_2() {
  local status=0
  "$@" </dev/null >/dev/null 2>&1 || status=$?
  [ $status -eq 2 ] || { echo "exit status $status"; return 1; }
}

check "a Catch program that passes counts its test cases" counts "3 0 0" 0 yes 'All tests passed (12 assertions in 3 test cases)\n'
check "a Catch program with one test case counts one" counts "1 0 0" 0 yes 'All tests passed (1 assertion in 1 test case)\n'
check "failed test cases are counted" counts "4 1 0" 1 yes 'test cases: 5 | 4 passed | 1 failed\nassertions: 9 | 8 passed | 1 failed\n'
check "a skipped test case does not count as passed" counts "2 0 1" 0 yes 'SKIPPED: no data\nAll tests passed (5 assertions in 3 test cases)\n'
check "a crash counts as a failure" counts "0 1 0" 139 yes ''
check "a sanitizer report after passed tests counts as a failure" counts "2 1 0" 1 yes 'All tests passed (5 assertions in 2 test cases)\n==1==ERROR: LeakSanitizer\n'
check "an empty run counts as a failure" counts "0 1 0" 0 yes 'No tests ran\n'
check "our own closing line is understood" counts "10 1 2" 1 no 'x\n10 passed, 1 failed, 2 skipped\n'
check "skips are not counted twice" counts "3 0 1" 0 no 'SKIPPED: DADD is not supported\n3 passed, 0 failed, 1 skipped\n'
check "shell checks are counted" counts "2 1 1" 1 no 'ok a\nnot ok b\nok c\nSKIPPED: d\n'
check "an unknown argument is wrong use" fails_with_2 tests/run.sh --bogus
check "an argument without its value is wrong use" fails_with_2 tests/run.sh --only
check "a data folder that is not there is wrong use" fails_with_2 tests/run.sh --data /no/such/folder
check "an unknown preset is wrong use" fails_with_2 tests/run.sh --preset fastest
check "an unknown part is wrong use" fails_with_2 tests/run.sh --preset "$(basename "$TESSERA_BUILD")" --only no-such-part
check "the gallery refuses unknown arguments" fails_with_2 samples/gallery.sh --bogus
