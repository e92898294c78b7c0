// tests/fuzz/d3d9_tokens.cpp: libFuzzer target: bytecode of Direct3D 9. The first byte chooses the version, so that no
// input is lost on that; the rest are little-endian words.
#include <cstdio>
#include <cstdlib>

#include "shader/d3d9/load.h"
#include "shader/d3d9/token.h"
#include "shader/d3d9/versions.h"
#include "tests/support/d3d9_round_trip.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto version = static_cast<d3d9::Version>(data[0] % d3d9::kVersionCount);
  std::vector<uint32_t> words = d3d9::words_of({reinterpret_cast<const char*>(data) + 1, size - 1});
  words.insert(words.begin(), d3d9::version_info(version).word);
  words.push_back(d3d9::token::kEnd);
  const std::string problem = tests::d3d9_words_problem(words);
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
