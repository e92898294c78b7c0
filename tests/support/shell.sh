# tests/support/shell.sh: sourced by tests/shell/*.sh. A check is a sentence and a command that must succeed:
#     check "the tool prints its version" tool_prints_version
# prints `ok SENTENCE`, or `not ok SENTENCE` after the command's output. tests/run.sh counts the lines and gives
# TESSERA_ROOT (source tree), TESSERA_BUILD (build folder) and TESSERA_TOOL (the program `tessera`).
set -u
cd "$TESSERA_ROOT" || exit 1
failed_checks=0
trap '[ $failed_checks -eq 0 ] || exit 1' EXIT

check() {
  local sentence=$1 output
  shift
  if output=$("$@" 2>&1); then echo "ok $sentence"; else
    [ -z "$output" ] || printf '%s\n' "$output" | sed 's/^/  /'
    echo "not ok $sentence"
    failed_checks=$((failed_checks + 1))
  fi
}

# finds_nothing COMMAND...: succeeds when the command prints nothing; else shows what it printed.
finds_nothing() {
  local found
  found=$("$@")
  [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}
