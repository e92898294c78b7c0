# tests/support/count.sh: sourced by tests/run.sh; what a test program's output and exit status count as.

# count_log LOG EXIT_STATUS IS_CATCH: prints "passed failed skipped". Understands Catch's closing lines, our own closing line
# `N passed, N failed, N skipped`, the shell tests' `ok`/`not ok` lines, and `SKIPPED: reason` lines.
count_log() {
  awk -v status="$2" -v catch_program="$3" '
    /^All tests passed \(/ { passed += $(NF - 2) }
    /^test cases: / { for (i = 3; i < NF; ++i) { if ($(i + 1) == "passed") passed += $i; if ($(i + 1) == "failed") failed += $i } }
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5; counts_itself = 1 }
    /^ok / { ++passed }
    /^not ok / { ++failed }
    /^SKIPPED: / { ++skip_lines }
    END {
      if (!counts_itself) skipped += skip_lines
      if (catch_program == "yes") passed -= skip_lines
      if (status != 0 && failed == 0) failed = 1          # a crash, a sanitizer report, an empty run
      if (status == 0 && passed + failed + skipped == 0) failed = 1
      if (passed < 0) passed = 0
      print passed + 0, failed + 0, skipped + 0
    }' "$1"
}
