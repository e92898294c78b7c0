# The manual page and the completions say what --help says: they come from the same declarations.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT

commands_of() {   # COMMAND...: as its --help lists them
  "$TESSERA_TOOL" "$@" --help | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z]\{1,\}\) .*/\1/p'
}
options_of() { "$TESSERA_TOOL" "$@" --help | sed -n '/^Options:/,/^$/ s/^  \(-[^ ]*\).*/\1/p' | tr ',' '\n' | sort -u; }

"$TESSERA_TOOL" manual >"$work/manual"
for shell in bash zsh fish; do "$TESSERA_TOOL" completions $shell >"$work/$shell"; done

# Every command with every option, in each form: `COMMAND OPTION` a line.
for command in $(commands_of); do
  options_of "$command" | sed "s/^/$command /"
  for below in $(commands_of "$command"); do options_of "$command" "$below" | sed "s/^/$command:$below /"; done
done >"$work/options"

missing_in_manual() {
  local path option
  while read -r path option; do
    case $option in --threads | --executor | --simd | --budget | --strict | --quiet | --help | -h) path= ;; esac
    awk -v heading=".SS \"tessera ${path/:/ }\"" -v option="\\\\fB${option//-/\\\\-}\\\\fR" -v anywhere="${path:+no}" '
      /^\.SS/ { inside = $0 == heading }
      (inside || anywhere == "") && index($0, option) { found = 1 }
      END { exit !found }' "$work/manual" || echo "$path $option"
  done <"$work/options"
}

completes_in_bash() {   # EXPECTED WORD...: the last word may be empty
  local expected=$1
  shift
  bash -c '. "$1"; shift; COMP_WORDS=(tessera "$@") COMP_CWORD=$#; _tessera; printf "%s\n" "${COMPREPLY[@]}"' bash "$work/bash" "$@" |
    grep -qx -- "$expected"
}

missing_in_bash() {
  local path option
  while read -r path option; do
    # shellcheck disable=SC2086
    completes_in_bash "$option" ${path/:/ } "$option" || echo "$path $option"
  done <"$work/options"
}

missing_in_zsh() {
  local path option
  while read -r path option; do
    sed -n "/^_tessera_${path/:/_}()/,/^}/p" "$work/zsh" | grep -qF -- "'$option[" || echo "$path $option"
  done <"$work/options"
}

completes_in_fish() {   # EXPECTED LINE
  fish --no-config -c "source '$work/fish'; complete -C '$2'" | cut -f1 | grep -qx -- "$1"
}

shows_without_complaint() { ! man --warnings -l -Tutf8 "$work/manual" 2>&1 >/dev/null | grep .; }

fails_with_2() {
  local status=0
  "$TESSERA_TOOL" "$@" >"$work/out" 2>&1 || status=$?
  [ $status -eq 2 ] && [ -s "$work/out" ]
}

every_command_has_examples() {
  local command
  for command in $(commands_of); do
    "$TESSERA_TOOL" "$command" --help | sed -n '/^Examples:/,$p' | grep -q "^ *tessera $command" || echo "$command"
  done
}

check "there are commands and options to compare" test "$(wc -l <"$work/options")" -gt 50
check "--help of every command has examples" finds_nothing every_command_has_examples
check "the manual page has every option of every command" finds_nothing missing_in_manual
check "bash completes every option of every command" finds_nothing missing_in_bash
check "bash completes commands" completes_in_bash render re
check "bash completes commands of commands" completes_in_bash disassemble shader d
check "bash completes the values of an option" completes_in_bash interp render --executor ''
check "bash completes files" completes_in_bash README.md render READ
check "the completion for zsh has every option of every command" finds_nothing missing_in_zsh
if command -v man >/dev/null; then check "man shows the page without a warning" shows_without_complaint
else echo "SKIPPED: man is not installed"; fi
if command -v zsh >/dev/null; then check "zsh reads its completion" zsh -fc "autoload -Uz compinit; compinit -u -d '$work/dump'; . '$work/zsh'"
else echo "SKIPPED: zsh is not installed"; fi
if command -v fish >/dev/null; then
  check "fish completes commands" completes_in_fish selfcheck "tessera self"
  check "fish completes values" completes_in_fish interp "tessera render --executor "
  check "fish completes options of commands of commands" completes_in_fish --trace "tessera shader run --tr"
else echo "SKIPPED: fish is not installed"; fi
check "an unknown shell is wrong use" fails_with_2 completions tcsh
