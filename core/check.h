// core/check.h: CHECK for broken invariants of our own code.
// Input from outside never reaches a CHECK: it gives a Result with a Diag instead.
#pragma once

namespace tessera {
// Prints file, line and the condition to stderr, then aborts.
[[noreturn]] void check_failed(const char* file, int line, const char* condition);
}  // namespace tessera

#define TESSERA_CHECK(condition) \
  do {                           \
    if (!(condition)) ::tessera::check_failed(__FILE__, __LINE__, #condition); \
  } while (false)
