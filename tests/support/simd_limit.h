// tests/support/simd_limit.h: what a machine without the newer instruction sets does, on one that has them.
#pragma once

namespace tessera::test {

// Where the variable TESSERA_TEST_SIMD names an instruction set (sse4), the process uses nothing faster: no kernels, no
// JIT. False: it names none that is there. To be called before anything else.
bool limit_simd();

}  // namespace tessera::test
