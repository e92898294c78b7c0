// frontend/tool/bench_shaders.h: the shaders of the benchmark rows, written in TGSI by hand. Their arithmetic is that of
// the GLSL shaders which the same rows use on other renderers.
#pragma once

#include <string>
#include <string_view>

#include "combiners/state.h"

namespace tessera::bench {

// A full-screen triangle, one instance a layer. CONST[0] = (z of layer 0, z step a layer, texture scale, tilt): a tilt
// above 0 lets w vary over the screen. Gives a colour (GENERIC[0]) and a texture coordinate (GENERIC[1]).
inline constexpr std::string_view kFullScreenVertex = R"(VERT
DCL SV[0], VERTEXID
DCL SV[1], INSTANCEID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].xy, GENERIC[1]
DCL CONST[0]
DCL TEMP[0..1]
IMM[0] INT32 {1, 2, 0, 0}
IMM[1] FLT32 {2.0, -1.0, 1.0, -0.5}
IMM[2] FLT32 {0.25, 0.0, 0.0, 0.0}
  0: SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: AND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  2: AND TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
  3: I2F TEMP[0].xy, TEMP[0].xyyy
  4: I2F TEMP[1].x, SV[1].xxxx
  5: MAD TEMP[1].z, CONST[0].yyyy, TEMP[1].xxxx, CONST[0].xxxx
  6: MAD TEMP[1].w, CONST[0].wwww, TEMP[0].yyyy, IMM[1].zzzz
  7: MAD TEMP[1].xy, TEMP[0].xyyy, IMM[1].xxxx, IMM[1].yyyy
  8: MUL OUT[0].xyz, TEMP[1].xyzz, TEMP[1].wwww
  9: MOV OUT[0].w, TEMP[1].wwww
 10: MOV OUT[1].xy, TEMP[0].xyyy
 11: MAD OUT[1].z, TEMP[0].xxxx, IMM[1].wwww, IMM[1].zzzz
 12: MAD OUT[1].w, TEMP[0].yyyy, IMM[2].xxxx, IMM[2].xxxx
 13: MUL TEMP[0].xy, TEMP[0].xyyy, CONST[0].zzzz
 14: MUL OUT[2].xy, TEMP[0].xyyy, TEMP[1].wwww
 15: END
)";

// A lit mesh. CONST[0..3] = columns of the matrix from object to clip space.
inline constexpr std::string_view kMeshVertex = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].xy, GENERIC[1]
DCL CONST[0..3]
DCL TEMP[0]
IMM[0] FLT32 {0.303045763, 0.505076272, 0.808122036, 0.0}
IMM[1] FLT32 {0.85, 0.15, 1.0, 0.0}
  0: MUL TEMP[0], CONST[0], IN[0].xxxx
  1: MAD TEMP[0], CONST[1], IN[0].yyyy, TEMP[0]
  2: MAD TEMP[0], CONST[2], IN[0].zzzz, TEMP[0]
  3: ADD OUT[0], TEMP[0], CONST[3]
  4: DP3 TEMP[0].x, IN[1], IMM[0]
  5: MAX TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww
  6: MAD OUT[1].xyz, TEMP[0].xxxx, IMM[1].xxxx, IMM[1].yyyy
  7: MOV OUT[1].w, IMM[1].zzzz
  8: MOV OUT[2].xy, IN[2].xyyy
  9: END
)";

// The same position; the colour is the work of 16 turns.
inline constexpr std::string_view kHeavyVertex = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].xy, GENERIC[1]
DCL CONST[0..3]
DCL TEMP[0..3]
IMM[0] FLT32 {0.25, 0.1, 1.0, 0.0}
IMM[1] INT32 {0, 16, 1, 0}
  0: MUL TEMP[0], CONST[0], IN[0].xxxx
  1: MAD TEMP[0], CONST[1], IN[0].yyyy, TEMP[0]
  2: MAD TEMP[0], CONST[2], IN[0].zzzz, TEMP[0]
  3: ADD OUT[0], TEMP[0], CONST[3]
  4: ADD TEMP[0].xyz, IN[0].xyzz, IN[1].xyzz
  5: MOV TEMP[1].x, IMM[1].xxxx
  6: BGNLOOP
  7:   ISGE TEMP[2].x, TEMP[1].xxxx, IMM[1].yyyy
  8:   UIF TEMP[2].xxxx
  9:     BRK
 10:   ENDIF
 11:   DP3 TEMP[2].x, TEMP[0], TEMP[0]
 12:   RSQ TEMP[2].x, TEMP[2].xxxx
 13:   MUL TEMP[0].xyz, TEMP[0].xyzz, TEMP[2].xxxx
 14:   MAD TEMP[0].xyz, IN[1].xyzz, IMM[0].xxxx, TEMP[0].xyzz
 15:   ADD TEMP[0].xyz, TEMP[0].xyzz, IN[0].yzxx
 16:   UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].zzzz
 17: ENDLOOP
 18: MUL OUT[1].xyz, TEMP[0].xyzz, IMM[0].yyyy
 19: MOV OUT[1].w, IMM[0].zzzz
 20: MOV OUT[2].xy, IN[2].xyyy
 21: END
)";

inline constexpr std::string_view kFlatFragment = R"(FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 {0.25, 0.5, 0.75, 0.5}
  0: MOV OUT[0], IMM[0]
  1: END
)";

inline constexpr std::string_view kGouraudFragment = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

inline constexpr std::string_view kTextureFragment = R"(FRAG
DCL IN[0].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0].xyyy, SAMP[0], 2D
  1: END
)";

inline constexpr std::string_view kCubeFragment = R"(FRAG
DCL IN[0].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], CUBE, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {2.0, -1.0, 0.6, 0.0}
  0: MAD TEMP[0].xy, IN[0].xyyy, IMM[0].xxxx, IMM[0].yyyy
  1: MOV TEMP[0].z, IMM[0].zzzz
  2: TEX OUT[0], TEMP[0].xyzz, SAMP[0], CUBE
  3: END
)";

inline constexpr std::string_view kDiscardFragment = R"(FRAG
DCL IN[0].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {-0.5, 0.0, 0.0, 0.0}
  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D
  1: ADD TEMP[1].x, TEMP[0].wwww, IMM[0].xxxx
  2: KILL_IF TEMP[1].xxxx
  3: MOV OUT[0], TEMP[0]
  4: END
)";

// Two Blinn-Phong lights a pixel. TEMP[0] normal, TEMP[1] view direction, TEMP[2] sum; a light takes TEMP[3..5].
inline constexpr std::string_view kPhongFragment = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..5]
IMM[0] FLT32 {2.0, -1.0, 0.75, 1.0}
IMM[1] FLT32 {0.2, 0.3, 2.0, 0.1}
IMM[2] FLT32 {0.0, 32.0, 3.0, 0.0}
  0: MAD TEMP[0].xy, IN[1].xyyy, IMM[0].xxxx, IMM[0].yyyy
  1: MOV TEMP[0].z, IMM[0].zzzz
  2: DP3 TEMP[0].w, TEMP[0], TEMP[0]
  3: RSQ TEMP[0].w, TEMP[0].wwww
  4: MUL TEMP[0].xyz, TEMP[0].xyzz, TEMP[0].wwww
  5: ADD TEMP[1].xy, IMM[1].xyyy, -IN[1].xyyy
  6: MOV TEMP[1].z, IMM[1].zzzz
  7: DP3 TEMP[1].w, TEMP[1], TEMP[1]
  8: RSQ TEMP[1].w, TEMP[1].wwww
  9: MUL TEMP[1].xyz, TEMP[1].xyzz, TEMP[1].wwww
 10: MUL TEMP[2].xyz, IN[0].xyzz, IMM[1].wwww
 11: ADD TEMP[3].x, IMM[0].wwww, -IN[1].xxxx
 12: MOV TEMP[3].y, IMM[0].xxxx
 13: MOV TEMP[3].z, IMM[2].zzzz
 14: DP3 TEMP[3].w, TEMP[3], TEMP[3]
 15: RSQ TEMP[3].w, TEMP[3].wwww
 16: MUL TEMP[3].xyz, TEMP[3].xyzz, TEMP[3].wwww
 17: ADD TEMP[4].xyz, TEMP[3].xyzz, TEMP[1].xyzz
 18: DP3 TEMP[4].w, TEMP[4], TEMP[4]
 19: RSQ TEMP[4].w, TEMP[4].wwww
 20: MUL TEMP[4].xyz, TEMP[4].xyzz, TEMP[4].wwww
 21: DP3 TEMP[5].x, TEMP[0], TEMP[3]
 22: DP3 TEMP[5].y, TEMP[0], TEMP[4]
 23: MAX TEMP[5].xy, TEMP[5].xyyy, IMM[2].xxxx
 24: POW TEMP[5].y, TEMP[5].yyyy, IMM[2].yyyy
 25: MAD TEMP[4].xyz, IN[0].xyzz, TEMP[5].xxxx, TEMP[5].yyyy
 26: ADD TEMP[2].xyz, TEMP[2].xyzz, TEMP[4].xyzz
 27: MOV TEMP[3].x, IMM[0].yyyy
 28: MOV TEMP[3].y, IN[1].yyyy
 29: MOV TEMP[3].z, IMM[0].xxxx
 30: DP3 TEMP[3].w, TEMP[3], TEMP[3]
 31: RSQ TEMP[3].w, TEMP[3].wwww
 32: MUL TEMP[3].xyz, TEMP[3].xyzz, TEMP[3].wwww
 33: ADD TEMP[4].xyz, TEMP[3].xyzz, TEMP[1].xyzz
 34: DP3 TEMP[4].w, TEMP[4], TEMP[4]
 35: RSQ TEMP[4].w, TEMP[4].wwww
 36: MUL TEMP[4].xyz, TEMP[4].xyzz, TEMP[4].wwww
 37: DP3 TEMP[5].x, TEMP[0], TEMP[3]
 38: DP3 TEMP[5].y, TEMP[0], TEMP[4]
 39: MAX TEMP[5].xy, TEMP[5].xyyy, IMM[2].xxxx
 40: POW TEMP[5].y, TEMP[5].yyyy, IMM[2].yyyy
 41: MAD TEMP[4].xyz, IN[0].yzxx, TEMP[5].xxxx, TEMP[5].yyyy
 42: ADD OUT[0].xyz, TEMP[2].xyzz, TEMP[4].xyzz
 43: MOV OUT[0].w, IMM[0].wwww
 44: END
)";

// The same in ps_3_0, and the full-screen triangle that goes with it: v0 is (0, 0), (2, 0) or (0, 2).
inline constexpr std::string_view kPhongVertexD3d9 = R"(vs_3_0
def c0, 2, -1, 1, 0.5
def c1, -0.5, 0.25, 0, 0
dcl_position v0
dcl_position o0
dcl_color o1
dcl_texcoord o2.xy
mad o0.xy, v0, c0.x, c0.y
mov o0.zw, c0.wwwz
mov o1.xy, v0
mad o1.z, v0.x, c1.x, c0.z
mad o1.w, v0.y, c1.y, c1.y
mov o2.xy, v0
)";
inline constexpr std::string_view kPhongFragmentD3d9 = R"(ps_3_0
def c0, 2, -1, 0.75, 1
def c1, 0.2, 0.3, 2, 0.1
def c2, 0, 32, 3, 0
dcl_color v0
dcl_texcoord v1.xy
mad r6.xy, v1, c0.x, c0.y
mov r6.z, c0.z
nrm r0.xyz, r6
sub r6.xy, c1, v1
mov r6.z, c1.z
nrm r1.xyz, r6
mul r2.xyz, v0, c1.w
sub r6.x, c0.w, v1.x
mov r6.y, c0.x
mov r6.z, c2.z
nrm r3.xyz, r6
add r6.xyz, r3, r1
nrm r4.xyz, r6
dp3 r5.x, r0, r3
dp3 r5.y, r0, r4
max r5.xy, r5, c2.x
pow r5.y, r5.y, c2.y
mad r4.xyz, v0, r5.x, r5.y
add r2.xyz, r2, r4
mov r6.x, c0.y
mov r6.y, v1.y
mov r6.z, c0.x
nrm r3.xyz, r6
add r6.xyz, r3, r1
nrm r4.xyz, r6
dp3 r5.x, r0, r3
dp3 r5.y, r0, r4
max r5.xy, r5, c2.x
pow r5.y, r5.y, c2.y
mad r4.xyz, v0, r5.x, r5.y
add oC0.xyz, r2, r4
mov oC0.w, c0.w
)";

// A divergent loop of at most 64 turns. TEMP[0] c, TEMP[1].xy z, TEMP[1].z count, TEMP[2].x turn.
inline constexpr std::string_view kMandelbrotFragment = R"(FRAG
DCL IN[0].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..4]
IMM[0] FLT32 {3.0, 2.4, -2.2, -1.2}
IMM[1] FLT32 {0.0, 4.0, 2.0, 1.0}
IMM[2] FLT32 {0.015625, 0.125, 0.25, 1.0}
IMM[3] INT32 {0, 64, 1, 0}
  0: MAD TEMP[0].xy, IN[0].xyyy, IMM[0].xyyy, IMM[0].zwww
  1: MOV TEMP[1].xyz, IMM[1].xxxx
  2: MOV TEMP[2].x, IMM[3].xxxx
  3: BGNLOOP
  4:   ISGE TEMP[3].x, TEMP[2].xxxx, IMM[3].yyyy
  5:   UIF TEMP[3].xxxx
  6:     BRK
  7:   ENDIF
  8:   DP2 TEMP[3].x, TEMP[1], TEMP[1]
  9:   FSLT TEMP[3].x, IMM[1].yyyy, TEMP[3].xxxx
 10:   UIF TEMP[3].xxxx
 11:     BRK
 12:   ENDIF
 13:   MUL TEMP[3].xy, TEMP[1].xyyy, TEMP[1].xyyy
 14:   ADD TEMP[4].x, TEMP[3].xxxx, -TEMP[3].yyyy
 15:   MUL TEMP[3].x, TEMP[1].xxxx, IMM[1].zzzz
 16:   MUL TEMP[4].y, TEMP[3].xxxx, TEMP[1].yyyy
 17:   ADD TEMP[1].xy, TEMP[4].xyyy, TEMP[0].xyyy
 18:   ADD TEMP[1].z, TEMP[1].zzzz, IMM[1].wwww
 19:   UADD TEMP[2].x, TEMP[2].xxxx, IMM[3].zzzz
 20: ENDLOOP
 21: MUL TEMP[3].xyz, TEMP[1].zzzz, IMM[2].xyzz
 22: MOV OUT[0].x, TEMP[3].xxxx
 23: FRC OUT[0].yz, TEMP[3].xyzz
 24: MOV OUT[0].w, IMM[2].wwww
 25: END
)";

// A lit, textured surface.
inline constexpr std::string_view kMeshFragment = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
  0: TEX TEMP[0], IN[1].xyyy, SAMP[0], 2D
  1: MUL OUT[0], TEMP[0], IN[0]
  2: END
)";

// A full-screen triangle for bump mapping: TEXCOORD[0] and [1] into normal map and decal, TEXCOORD[2] to the light.
inline constexpr std::string_view kBumpVertex = R"(VERT
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1].xy, TEXCOORD[0]
DCL OUT[2].xy, TEXCOORD[1]
DCL OUT[3].xyz, TEXCOORD[2]
DCL CONST[0]
DCL TEMP[0]
IMM[0] INT32 {1, 2, 0, 0}
IMM[1] FLT32 {2.0, -1.0, 0.5, 1.0}
IMM[2] FLT32 {1.37, 2.5, 0.6, 0.0}
  0: SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: AND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  2: AND TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
  3: I2F TEMP[0].xy, TEMP[0].xyyy
  4: MAD OUT[0].xy, TEMP[0].xyyy, IMM[1].xxxx, IMM[1].yyyy
  5: MOV OUT[0].zw, IMM[1].zzzw
  6: MUL OUT[1].xy, TEMP[0].xyyy, IMM[2].xxxx
  7: MUL OUT[2].xy, TEMP[0].xyyy, IMM[2].yyyy
  8: MAD OUT[3].xy, TEMP[0].xyyy, IMM[1].xxxx, IMM[1].yyyy
  9: MOV OUT[3].z, IMM[2].zzzz
 10: END
)";

// (ambient + N.L min(1, 8 L.z)) decal: what the combiners of the row combiners-bump compute.
inline constexpr std::string_view kBumpFragment = R"(FRAG
DCL IN[0].xy, TEXCOORD[0], PERSPECTIVE
DCL IN[1].xy, TEXCOORD[1], PERSPECTIVE
DCL IN[2].xyz, TEXCOORD[2], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..2]
DCL SVIEW[0..1], 2D, FLOAT
DCL SVIEW[2], CUBE, FLOAT
DCL TEMP[0..3]
IMM[0] FLT32 {2.0, -1.0, 8.0, 0.0}
IMM[1] FLT32 {0.2, 0.25, 0.3, 1.0}
  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D
  1: TEX TEMP[1], IN[1].xyyy, SAMP[1], 2D
  2: TEX TEMP[2], IN[2].xyzz, SAMP[2], CUBE
  3: MAD TEMP[0].xyz, TEMP[0], IMM[0].xxxx, IMM[0].yyyy
  4: MAD TEMP[2].xyz, TEMP[2], IMM[0].xxxx, IMM[0].yyyy
  5: DP3 TEMP[3].x, TEMP[0], TEMP[2]
  6: MUL_SAT TEMP[3].y, TEMP[2].zzzz, IMM[0].zzzz
  7: MAX TEMP[3].x, TEMP[3].xxxx, IMM[0].wwww
  8: MUL TEMP[3].x, TEMP[3].xxxx, TEMP[3].yyyy
  9: ADD_SAT TEMP[3].xyz, TEMP[3].xxxx, IMM[1]
 10: MUL OUT[0].xyz, TEMP[3], TEMP[1]
 11: MOV OUT[0].w, IMM[1].wwww
 12: END
)";

// A shader that no cache has seen before: every `variant` has its own immediates.
std::string variant_fragment(float variant);

// y = a * x + y on buffers 0 (x) and 1 (y), four floats an invocation.
inline constexpr std::string_view kSaxpy = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 256
DCL SV[0], BLOCK_ID
DCL SV[1], THREAD_ID
DCL CONST[0]
DCL BUFFER[0]
DCL BUFFER[1]
DCL TEMP[0..2]
IMM[0] UINT32 {256, 4, 0, 0}
  0: UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx
  1: SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  2: LOAD TEMP[1], BUFFER[0], TEMP[0].xxxx
  3: LOAD TEMP[2], BUFFER[1], TEMP[0].xxxx
  4: MAD TEMP[1], CONST[0].xxxx, TEMP[1], TEMP[2]
  5: STORE BUFFER[1], TEMP[0].xxxx, TEMP[1]
  6: END
)";
// The maths of kBumpFragment in three stages.
combiners::FragmentState bump_combiners();
// Eight stages that use all they have; each `variant` has its own mappings.
combiners::FragmentState variant_combiners(uint32_t variant);

}  // namespace tessera::bench
