#include "frontend/tool/selfcheck_scenes.h"

namespace tessera::tool {
namespace {

constexpr std::string_view kGouraud = R"(
[target]
size 200 150
depth z32_float
[vertex data]
0/r32g32b32_float 1/r8g8b8a8_unorm
-0.93 -0.87 -0.2   1 0 0 1
 0.81 -0.77  0.3   0 1 0 1
 0.07  0.91  0.1   0 0 1 1
-0.99  0.45  0.4   1 1 0 1
 0.97  0.31 -0.4   0 1 1 1
-0.11 -0.95  0.0   1 0 1 1
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], COLOR, COLOR
DCL OUT[0], COLOR
0: MOV OUT[0], IN[0]
1: END
[state]
depth_test less
[test]
clear color 0.1 0.1 0.2 1
clear depth 1
draw triangles
)";

constexpr std::string_view kFloor = R"(
[target]
size 200 150
depth z24_unorm_s8_uint
[texture 0]
checker 64 64 8  0.9 0.9 0.8 1  0.1 0.2 0.3 1
mips
[sampler 0]
mip linear
[mesh]
grid 2 2
[constants]
vertex 0: perspective(60, 4/3, 0.1, 100) * look_at(0, 0.6, 1.2,  0, 0, 0,  0, 1, 0) * rotate(-90, 1, 0, 0) * scale(4, 4, 1)
vertex 4: 12 12 0 0
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0..4]
0: DP4 OUT[0].x, IN[0], CONST[0]
1: DP4 OUT[0].y, IN[0], CONST[1]
2: DP4 OUT[0].z, IN[0], CONST[2]
3: DP4 OUT[0].w, IN[0], CONST[3]
4: MUL OUT[1], IN[2], CONST[4]
5: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
0: TEX OUT[0], IN[0], SAMP[0], 2D
1: END
[state]
depth_test lequal
[test]
clear color 0.4 0.6 0.9 1
clear depth 1
draw mesh
)";

constexpr std::string_view kKnot = R"(
[target]
size 200 150
color 0 b8g8r8a8_srgb
depth z16_unorm
[mesh]
torus_knot 2 3 96 12 0.25
[constants]
vertex 0: perspective(45, 4/3, 1, 20) * look_at(0, 0, 5,  0, 0, 0,  0, 1, 0)
fragment 0: 0.48 0.6 0.64 0  0.9 0.5 0.2 1  0.05 0.05 0.1 24
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0..3]
0: DP4 OUT[0].x, IN[0], CONST[0]
1: DP4 OUT[0].y, IN[0], CONST[1]
2: DP4 OUT[0].z, IN[0], CONST[2]
3: DP4 OUT[0].w, IN[0], CONST[3]
4: MOV OUT[1], IN[1]
5: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..2]
DCL TEMP[0..1]
IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}
 0: DP3 TEMP[0].x, IN[0], IN[0]
 1: RSQ TEMP[0].x, TEMP[0].xxxx
 2: MUL TEMP[0].xyz, IN[0], TEMP[0].xxxx
 3: DP3 TEMP[1].x, TEMP[0], CONST[0]
 4: MAX TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
 5: POW TEMP[1].y, TEMP[1].xxxx, CONST[2].wwww
 6: MAD TEMP[0].xyz, CONST[1], TEMP[1].xxxx, CONST[2]
 7: ADD TEMP[0].xyz, TEMP[0], TEMP[1].yyyy
 8: MOV TEMP[0].w, IMM[0].yyyy
 9: MOV OUT[0], TEMP[0]
10: END
[state]
depth_test less
cull back
[test]
clear color 0.02 0.02 0.03 1
clear depth 1
draw mesh
)";

constexpr std::string_view kWaves = R"(
[target]
size 200 150
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {31.4, 0.5, 1.0, -4.0}
0: MUL TEMP[0].xy, IN[0], IMM[0].xxxx
1: SIN TEMP[1].x, TEMP[0].xxxx
2: COS TEMP[1].y, TEMP[0].yyyy
3: MUL TEMP[1].z, TEMP[1].xxxx, TEMP[1].yyyy
4: DDX TEMP[0].z, TEMP[1].zzzz
5: MUL TEMP[0].z, TEMP[0].zzzz, IMM[0].wwww
6: EX2 TEMP[1].z, TEMP[0].zzzz
7: MAD OUT[0], TEMP[1].xyzz, IMM[0].yyyy, IMM[0].yyyy
8: END
[test]
draw rect -1 -1 2 2
)";

constexpr std::string_view kMandelbrot = R"(
[target]
size 200 150
[vertex shader tgsi]
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] FLT32 {1.6, 1.2, -0.6, 0.0}
0: MOV OUT[0], IN[0]
1: MAD OUT[1], IN[0], IMM[0].xyww, IMM[0].zwww
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..2]
IMM[0] FLT32 {0.0, 1.0, 4.0, 0.015625}
IMM[1] FLT32 {64.0, 2.0, 0.0, 0.0}
 0: MOV TEMP[0], IMM[0].xxxx
 1: BGNLOOP
 2:   MUL TEMP[1].xy, TEMP[0], TEMP[0]
 3:   ADD TEMP[1].z, TEMP[1].xxxx, TEMP[1].yyyy
 4:   SGE TEMP[1].w, TEMP[1].zzzz, IMM[0].zzzz
 5:   SGE TEMP[2].x, TEMP[0].zzzz, IMM[1].xxxx
 6:   ADD TEMP[1].w, TEMP[1].wwww, TEMP[2].xxxx
 7:   IF TEMP[1].wwww
 8:     BRK
 9:   ENDIF
10:   MUL TEMP[2].x, TEMP[0].xxxx, TEMP[0].yyyy
11:   ADD TEMP[0].x, TEMP[1].xxxx, -TEMP[1].yyyy
12:   ADD TEMP[0].x, TEMP[0].xxxx, IN[0].xxxx
13:   MAD TEMP[0].y, TEMP[2].xxxx, IMM[1].yyyy, IN[0].yyyy
14:   ADD TEMP[0].z, TEMP[0].zzzz, IMM[0].yyyy
15: ENDLOOP
16: MUL OUT[0], TEMP[0].zzzz, IMM[0].wwww
17: END
[test]
draw rect -1 -1 2 2
)";

constexpr std::string_view kLayers = R"(
[target]
size 200 150
depth z24_unorm_s8_uint
[texture 0]
disc 32 32 0.9  1 1 1 1  0 0 0 0
[texture 1]
cube
face +x solid 4 4  1 0 0 1
face -x solid 4 4  0 1 1 1
face +y solid 4 4  0 1 0 1
face -y solid 4 4  1 0 1 1
face +z checker 4 4 4  0 0 1 1  1 1 1 1
face -z solid 4 4  1 1 0 1
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
[fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {0.5, 0.0, 0.0, 0.0}
0: TEX TEMP[0], IN[0], SAMP[0], 2D
1: ADD TEMP[0].x, TEMP[0].wwww, -IMM[0].xxxx
2: KILL_IF TEMP[0].xxxx
3: MOV OUT[0], IMM[0].yyyy
4: END
[fragment shader tgsi sky]
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[1]
DCL SVIEW[1], CUBE, FLOAT
DCL CONST[0..1]
DCL TEMP[0]
0: MAD TEMP[0], IN[0], CONST[0], CONST[1]
1: TEX OUT[0], TEMP[0], SAMP[1], CUBE
2: END
[constants]
fragment 0: 3 -3 0 0  -1.5 1.5 1 0
[state]
stencil both always 1 255 255
stencil_op both keep keep replace
[test]
clear color 0.5 0.5 0.5 1
clear stencil 0
draw rect -0.8 -0.9 1.6 1.8
set stencil both equal 1 255 0
set blend src_alpha inv_src_alpha
use fragment shader sky
draw rect -1 -1 2 2
set blend_color 0.25 0.5 0.75 0.5
set blend const_color inv_src_color
set blend_equation reverse_subtract
draw rect -0.5 -0.5 1.5 1.2
)";

constexpr BuiltInScene kScenes[] = {{"gouraud", kGouraud}, {"floor", kFloor}, {"knot", kKnot},
                                    {"waves", kWaves}, {"mandelbrot", kMandelbrot}, {"layers", kLayers}};

}  // namespace

std::span<const BuiltInScene> selfcheck_scenes() { return kScenes; }

}  // namespace tessera::tool
