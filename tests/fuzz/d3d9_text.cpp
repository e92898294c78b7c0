// tests/fuzz/d3d9_text.cpp: libFuzzer target: assembler text of Direct3D 9.
#include <cstdio>
#include <cstdlib>

#include "tests/support/d3d9_round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string problem = tessera::tests::d3d9_text_problem({reinterpret_cast<const char*>(data), size});
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
