// Debian's AsmJit is a static library whose one use of data outside of it, stderr, is not position-independent: no shared
// library can take it in. The linker's --wrap gives libtessera.so a variable of its own instead.
#include <cstdio>

extern "C" {
extern FILE* __real_stderr;
[[gnu::visibility("hidden")]] FILE* __wrap_stderr = nullptr;
[[gnu::constructor(101)]] static void copy_stderr() { __wrap_stderr = __real_stderr; }
}
