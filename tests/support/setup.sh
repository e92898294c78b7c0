# tests/support/setup.sh: sourced by tests/run.sh, tests/long.sh and samples/gallery.sh. Installs what is missing and
# builds; does nothing that is already done. Needs `root`, the source tree.

# Installs the packages of packages.txt that are missing. Asks nothing; root, or a user who may sudo.
install_packages() {
  command -v dpkg-query >/dev/null || return 0   # not Debian: CMake names what it does not find
  local wanted missing
  wanted=$(sed 's/#.*//' "$root/tests/support/packages.txt")
  # shellcheck disable=SC2086
  missing=$(comm -23 <(printf '%s\n' $wanted | sort) \
    <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $wanted 2>/dev/null | sed -n 's/ installed$//p' | sort))
  [ -n "$missing" ] || return 0
  echo "installing:" $missing
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >/dev/null
}

# build PRESET [TARGET...]: configures once (CMake itself notices changed lists), then builds. Warnings are errors, but
# under the sanitizers: GCC's manual advises against the two together, since they make its flow warnings wrong.
build() {
  local preset=$1 dir=$root/build/$1 werror=ON
  shift
  case $preset in asan | tsan) werror=OFF ;; esac
  if ! { [ -f "$dir/build.ninja" ] && grep -q "^TESSERA_WERROR:BOOL=$werror\$" "$dir/CMakeCache.txt"; }; then
    (cd "$root" && cmake --preset "$preset" -DTESSERA_WERROR=$werror)
  fi
  ninja -C "$dir" "$@"
}
