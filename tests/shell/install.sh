# The installed package: a project of its own finds it by CMake and by pkg-config, in C and in C++.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

case $(basename "$TESSERA_BUILD") in
  release) library=libtessera.a ;;
  shared) library=libtessera.so ;;
  *) echo "SKIPPED: only the presets release and shared are installed"
     exit 0 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT
prefix=$work/prefix
expected=samples/triangle/triangle.png

installs() { cmake --install "$TESSERA_BUILD" --prefix "$prefix" --strip; }

example_builds() {
  cmake -S samples/library -B "$work/example" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" && ninja -C "$work/example"
}

draws_the_scene() { "$@" "$work/drawn.png" && cmp "$work/drawn.png" "$expected"; }

builds_by_pkg_config() {
  local flags
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tessera.pc)") pkg-config --cflags --libs tessera) || return 1
  # shellcheck disable=SC2086
  cc -Wall -Wextra -Wpedantic -Werror -std=c99 samples/library/triangle.c -o "$work/plain" $flags -Wl,-rpath,"$prefix/lib"
}

fails_with() {   # STATUS TEXT COMMAND...
  local wanted=$1 text=$2 status=0
  shift 2
  "$@" >"$work/out" 2>&1 || status=$?
  [ $status -eq "$wanted" ] && grep -q -- "$text" "$work/out" || { echo "exit status $status"; cat "$work/out"; return 1; }
}

another_version_is_refused() {
  mkdir -p "$work/future"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(future)\nfind_package(tessera 9 REQUIRED)\n' >"$work/future/CMakeLists.txt"
  fails_with 1 'requested version "9"' cmake -S "$work/future" -B "$work/future/build" -DCMAKE_PREFIX_PATH="$prefix"
}

installed_tool_draws() { "$prefix/bin/tessera" render samples/triangle/triangle.scene -o "$work/drawn.png" && cmp "$work/drawn.png" "$expected"; }

# Nothing that a public header includes is missing.
headers_compile() {
  sed -n '/\.h$/p' "$TESSERA_BUILD/frontend/package/public_headers.txt" |
    sed 's/.*/#include <&>/; s|frontend/tessera.h|tessera.h|' >"$work/all.cpp"
  c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I"$prefix/include" -I"$prefix/include/tessera" "$work/all.cpp"
}

docs_have_no_warnings() { cmake --build "$TESSERA_BUILD" --target docs && [ -s "$TESSERA_BUILD/docs/html/index.html" ]; }

names_no_build_folder() { grep -rlF -e "$TESSERA_ROOT" -e "$TESSERA_BUILD" "$prefix" --include='*.cmake' --include='*.pc'; }

# The installed tool finds a shared library by itself.
is_of_its_kind() {
  [ -n "$(find "$prefix" -name "$library")" ] || { find "$prefix" -name 'libtessera.*'; return 1; }
  [ $library = libtessera.a ] || ldd "$prefix/bin/tessera" | grep -F "libtessera.so" | grep -F "$prefix/"
}

check "the build can be installed" installs
check "it holds $library, which the installed tool finds" is_of_its_kind
check "a project finds the installed package and builds with it" example_builds
check "its C++ program draws what the scene draws, bit by bit" draws_the_scene "$work/example/triangle_cpp"
check "its C program draws what the scene draws, bit by bit" draws_the_scene "$work/example/triangle_c"
check "a C99 program builds by pkg-config's flags alone" builds_by_pkg_config
check "and draws what the scene draws" draws_the_scene "$work/plain"
check "a C program says why a file cannot be written" fails_with 2 "no/such/folder" "$work/example/triangle_c" no/such/folder/x.png
check "a version that is not there is refused" another_version_is_refused
check "the installed tool works" installed_tool_draws
manual_and_completions_are_there() {
  local file
  for file in man/man1/tessera.1 bash-completion/completions/tessera zsh/site-functions/_tessera fish/vendor_completions.d/tessera.fish; do
    [ -s "$prefix/share/$file" ] || { echo "share/$file is missing"; return 1; }
  done
  "$TESSERA_TOOL" manual | cmp - "$prefix/share/man/man1/tessera.1"
}

check "the manual page and the completions are installed" manual_and_completions_are_there
check "nothing installed names the folder that it was built in" finds_nothing names_no_build_folder
check "all installed headers compile in one file" headers_compile
if command -v doxygen >/dev/null; then
  check "Doxygen reads the public headers without a warning" docs_have_no_warnings
else
  echo "SKIPPED: Doxygen is not installed"
fi
