#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace tessera {
void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: internal error: %s\n", file, line, condition);
  std::abort();
}
}  // namespace tessera
