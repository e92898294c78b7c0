#include "frontend/tool/bench_shaders.h"

#include <fmt/format.h>

namespace tessera::bench {

std::string variant_fragment(float variant) {
  return fmt::format(R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..2]
IMM[0] FLT32 {{2.0, {0:.9g}, 0.75, 0.0}}
IMM[1] FLT32 {{0.3, 0.4, {1:.9g}, {2:.9g}}}
IMM[2] FLT32 {{{3:.9g}, {4:.9g}, 0.0, 0.0}}
  0: MAD TEMP[0].xy, IN[1].xyyy, IMM[0].xxxx, IMM[0].yyyy
  1: MOV TEMP[0].z, IMM[0].zzzz
  2: DP3 TEMP[0].w, TEMP[0], TEMP[0]
  3: RSQ TEMP[0].w, TEMP[0].wwww
  4: MUL TEMP[0].xyz, TEMP[0].xyzz, TEMP[0].wwww
  5: ADD TEMP[1].xyz, TEMP[0].xyzz, IMM[1].xyzz
  6: DP3 TEMP[1].w, TEMP[1], TEMP[1]
  7: RSQ TEMP[1].w, TEMP[1].wwww
  8: MUL TEMP[1].xyz, TEMP[1].xyzz, TEMP[1].wwww
  9: DP3 TEMP[1].x, TEMP[0], TEMP[1]
 10: MAX TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww
 11: POW TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx
 12: MUL TEMP[2].xy, IN[1].xyyy, IMM[1].wwww
 13: TEX TEMP[2], TEMP[2].xyyy, SAMP[0], 2D
 14: ADD TEMP[1].y, TEMP[2].wwww, IMM[2].yyyy
 15: KILL_IF TEMP[1].yyyy
 16: MAD OUT[0], TEMP[2], IN[0], TEMP[1].xxxx
 17: END
)",
                     -variant, variant + 0.5f, variant + 0.25f, variant, -0.001f * variant);
}

}  // namespace tessera::bench
