// Every instruction of Direct3D 9 against its formula: one row a form, run with random operands; edge cases as rows
// too.
#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "shader/d3d9/compile.h"
#include "shader/d3d9/load.h"
#include "shader/d3d9/opcodes.h"
#include "tests/support/random.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::tests;

namespace {

using Vec4 = std::array<double, 4>;
constexpr double kAny = -12345;            // the component is not looked at
constexpr float kInf = HUGE_VALF;

// What a program reads: c0, c1, c2 and t0, t1, t2 (or v0, v1, v2) are a, b, c.
struct Values {
  Vec4 a{}, b{}, c{};
};
using Formula = std::function<Vec4(const Values&)>;

struct Row {
  const char* version;
  const char* body;                        // leaves its result in r0
  Formula formula;
  double tolerance = 2e-6;
};

Vec4 all(double x) { return {x, x, x, x}; }
Vec4 map(const std::function<double(size_t)>& f) { return {f(0), f(1), f(2), f(3)}; }
double dot(const Vec4& a, const Vec4& b, size_t n) {
  double sum = 0;
  for (size_t c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}
double sat(double x) { return std::min(std::max(x, 0.0), 1.0); }
double limited(double x) { return std::min(std::max(x, -1.0), 1.0); }

// Registers c4 to c7, i0, and the bump mapping of all stages.
constexpr float kMatrix[4][4] = {{1, 2, 3, 4}, {-1, 0.5f, 0.25f, 2}, {0, 1, -2, 1}, {3, -1, 1, 0.5f}};
constexpr uint32_t kTurns[4] = {3, 5, uint32_t(-2), 0};
constexpr float kBump[6] = {0.5f, 0.25f, -0.125f, 0.75f, 2, 0.125f};
// The coordinate of stage 3.
constexpr Vec4 kLast = {0.25, -0.5, 0.75, 0.5};

double row_of(const Vec4& a, size_t k, size_t n) {
  double sum = 0;
  for (size_t c = 0; c < n; ++c) sum += a[c] * double{kMatrix[k][c]};
  return sum;
}
Vec4 matrix(const Values& v, size_t rows, size_t columns) {
  return map([&](size_t k) { return k < rows ? row_of(v.a, k, columns) : kAny; });
}
// What the sampling that the test provides gives: coordinate and level, or their gradients' sum.
Vec4 texel(double s, double t, double r, double w = 0) { return {s, t, r, w}; }
Vec4 bumped(const Values& v) {              // of stage 1 by the texel of stage 0
  return texel(v.b[0] + double{kBump[0]} * v.a[0] + double{kBump[2]} * v.a[1],
               v.b[1] + double{kBump[1]} * v.a[0] + double{kBump[3]} * v.a[1], kAny, kAny);
}
Vec4 reflected(const Values& v, const Vec4& eye) {
  const Vec4 source = v.a, n = {dot(v.b, source, 3), dot(v.c, source, 3), dot(kLast, source, 3), 0};
  const double scale = 2 * dot(n, eye, 3) / dot(n, n, 3);
  return {scale * n[0] - eye[0], scale * n[1] - eye[1], scale * n[2] - eye[2], kAny};
}

const Row kRows[] = {
    // ---- arithmetic ----
    {"vs_2_0", "nop\nmov r0, c0", [](const Values& v) { return v.a; }},
    {"vs_2_0", "add r0, c0, -c1", [](const Values& v) { return map([&](size_t c) { return v.a[c] - v.b[c]; }); }},
    {"vs_2_0", "sub r0, c0, c1.wzyx",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] - v.b[3 - c]; }); }},
    {"vs_2_0", "mad r0, c0, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] * v.b[c] + v.c[c]; }); }},
    {"vs_2_0", "mul r0, c0, c1", [](const Values& v) { return map([&](size_t c) { return v.a[c] * v.b[c]; }); }},
    {"vs_2_0", "rcp r0, c0.y", [](const Values& v) { return all(1 / v.a[1]); }},
    {"vs_2_0", "rsq r0, c0.z", [](const Values& v) { return all(1 / std::sqrt(std::fabs(v.a[2]))); }},
    {"vs_2_0", "dp3 r0, c0, c1", [](const Values& v) { return all(dot(v.a, v.b, 3)); }},
    {"vs_2_0", "dp4 r0, c0, c1", [](const Values& v) { return all(dot(v.a, v.b, 4)); }},
    {"vs_2_0", "min r0, c0, c1",
     [](const Values& v) { return map([&](size_t c) { return std::min(v.a[c], v.b[c]); }); }},
    {"vs_2_0", "max r0, c0, c1",
     [](const Values& v) { return map([&](size_t c) { return std::max(v.a[c], v.b[c]); }); }},
    {"vs_2_0", "slt r0, c0, c1",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] < v.b[c] ? 1 : 0; }); }},
    {"vs_2_0", "sge r0, c0, c1",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] >= v.b[c] ? 1 : 0; }); }},
    {"vs_2_0", "exp r0, c0.w", [](const Values& v) { return all(std::exp2(v.a[3])); }},
    {"vs_2_0", "log r0, c0.x", [](const Values& v) { return all(std::log2(std::fabs(v.a[0]))); }},
    {"vs_2_0", "expp r0, c0.w", [](const Values& v) { return all(std::exp2(v.a[3])); }},
    {"vs_2_0", "logp r0, c0.x", [](const Values& v) { return all(std::log2(std::fabs(v.a[0]))); }},
    {"vs_1_1", "expp r0, c0.y",
     [](const Values& v) {
       return Vec4{std::exp2(std::floor(v.a[1])), v.a[1] - std::floor(v.a[1]), std::exp2(v.a[1]), 1};
     }},
    {"vs_1_1", "logp r0, c0.y",
     [](const Values& v) {
       const double x = std::fabs(v.a[1]), e = std::floor(std::log2(x));
       return Vec4{e, x / std::exp2(e), std::log2(x), 1};
     }},
    {"vs_2_0", "lit r0, c0",
     [](const Values& v) {
       const double p = std::min(std::max(v.a[3], -127.9961), 127.9961);
       return Vec4{1, std::max(v.a[0], 0.0), v.a[0] > 0 && v.a[1] > 0 ? std::pow(v.a[1], p) : 0, 1};
     },
     2e-5},
    {"vs_2_0", "dst r0, c0, c1",
     [](const Values& v) {
       return Vec4{1, v.a[1] * v.b[1], v.a[2], v.b[3]};
     }},
    {"vs_2_0", "lrp r0, c0, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] * (v.b[c] - v.c[c]) + v.c[c]; }); }},
    {"vs_1_1", "mov r0, c0\nfrc r0.xy, c0",
     [](const Values& v) {
       return Vec4{v.a[0] - std::floor(v.a[0]), v.a[1] - std::floor(v.a[1]), v.a[2], v.a[3]};
     }},
    {"vs_2_0", "frc r0, c0",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] - std::floor(v.a[c]); }); }},
    {"vs_2_0", "m4x4 r0, c0, c4", [](const Values& v) { return matrix(v, 4, 4); }},
    {"vs_2_0", "mov r0, c0\nm4x3 r0.xyz, c0, c4", [](const Values& v) { return matrix(v, 3, 4); }},
    {"vs_2_0", "m3x4 r0, c0, c4", [](const Values& v) { return matrix(v, 4, 3); }},
    {"vs_2_0", "mov r0, c0\nm3x3 r0.xyz, c0, c4", [](const Values& v) { return matrix(v, 3, 3); }},
    {"vs_2_0", "mov r0, c0\nm3x2 r0.xy, c0, c4", [](const Values& v) { return matrix(v, 2, 3); }},
    {"vs_2_0", "pow r0, c0.x, c1.y", [](const Values& v) { return all(std::pow(std::fabs(v.a[0]), v.b[1])); }, 2e-5},
    {"vs_2_0", "mov r0, c2\ncrs r0.xyz, c0, c1",
     [](const Values& v) {
       return Vec4{v.a[1] * v.b[2] - v.a[2] * v.b[1], v.a[2] * v.b[0] - v.a[0] * v.b[2],
                   v.a[0] * v.b[1] - v.a[1] * v.b[0], v.c[3]};
     }},
    {"vs_2_0", "sgn r0, c0, r1, r2",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] > 0   ? 1
                                                             : v.a[c] < 0 ? -1
                                                                          : 0; }); }},
    {"vs_3_0", "sgn r0, c0",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] > 0   ? 1
                                                             : v.a[c] < 0 ? -1
                                                                          : 0; }); }},
    {"vs_2_0", "abs r0, c0", [](const Values& v) { return map([&](size_t c) { return std::fabs(v.a[c]); }); }},
    {"vs_2_0", "nrm r0, c0",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] / std::sqrt(dot(v.a, v.a, 3)); }); }},
    {"vs_2_0", "mov r0, c0\nsincos r0.xy, c0.x, c1, c2",
     [](const Values& v) {
       return Vec4{std::cos(v.a[0]), std::sin(v.a[0]), v.a[2], v.a[3]};
     }},
    {"vs_3_0", "mov r0, c0\nsincos r0.xy, c0.x",
     [](const Values& v) {
       return Vec4{std::cos(v.a[0]), std::sin(v.a[0]), v.a[2], v.a[3]};
     }},
    {"vs_2_0", "mova a0, c0\nmov r0, c[a0.x + 6]",
     [](const Values& v) {  // c4 to c7 around it
       const auto k = static_cast<int>(std::nearbyint(v.a[0])) + 2;
       return map([&](size_t c) { return k >= 0 && k < 4 ? double{kMatrix[k][c]} : kAny; });
     }},
    {"vs_1_1", "mov a0.x, c0.y\nmov r0, c[a0.x + 6]",
     [](const Values& v) {
       const auto k = static_cast<int>(std::floor(v.a[1])) + 2;
       return map([&](size_t c) { return k >= 0 && k < 4 ? double{kMatrix[k][c]} : kAny; });
     }},
    {"ps_2_0", "cmp r0, c0, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] >= 0 ? v.b[c] : v.c[c]; }); }},
    {"ps_2_0", "dp2add r0, c0, c1, c2.z", [](const Values& v) { return all(dot(v.a, v.b, 2) + v.c[2]); }},
    {"ps_3_0", "dsx r0, v0", [](const Values&) { return all(0.5); }},
    {"ps_3_0", "dsy r0, v0", [](const Values&) { return all(2); }},
    {"ps_3_0", "mov r0, c1\nsetp_gt p0, c0, c1\n(p0) mov r0, c2",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] > v.b[c] ? v.c[c] : v.b[c]; }); }},
    {"ps_3_0", "mov r0, c1\nsetp_le p0, c0, c1\n(!p0.y) mov r0, c2",
     [](const Values& v) { return v.a[1] <= v.b[1] ? v.b : v.c; }},
    {"ps_3_0", "add_sat r0, c0_abs, -c1_abs",
     [](const Values& v) { return map([&](size_t c) { return sat(std::fabs(v.a[c]) - std::fabs(v.b[c])); }); }},

    // ---- flow ----
    {"vs_2_0", "def c8, 1, 0, 0, 0\nmov r0, c0\nloop aL, i0\nadd r0, r0, c[aL]\nendloop",
     [](const Values& v) {  // c5, c3, c1
       return map([&](size_t c) { return v.a[c] + double{kMatrix[1][c]} + v.b[c]; });
     }},
    {"vs_2_x", "mov r0, c0\nrep i0\nadd r0, r0, c1\nif_gt r0.x, c2.x\nbreak\nendif\nendrep",
     [](const Values& v) {
       Vec4 r = v.a;
       for (int k = 0; k < 3; ++k) {
         r = map([&](size_t c) { return r[c] + v.b[c]; });
         if (r[0] > v.c[0]) break;
       }
       return r;
     }},
    {"vs_2_x", "mov r0, c0\nrep i0\nbreak_lt r0.y, c1.y\nadd r0, r0, -c2\nendrep",
     [](const Values& v) {
       Vec4 r = v.a;
       for (int k = 0; k < 3 && !(r[1] < v.b[1]); ++k) r = map([&](size_t c) { return r[c] - v.c[c]; });
       return r;
     }},
    {"vs_2_x", "mov r0, c0\nrep i0\nsetp_ge p0, r0, c1\nbreakp p0.z\nadd r0, r0, c2\nendrep",
     [](const Values& v) {
       Vec4 r = v.a;
       for (int k = 0; k < 3 && !(r[2] >= v.b[2]); ++k) r = map([&](size_t c) { return r[c] + v.c[c]; });
       return r;
     }},
    {"vs_2_x", "setp_ne p0, c0, c1\nif p0.x\nmov r0, c0\nelse\nmov r0, c1\nendif",
     [](const Values& v) { return v.a[0] != v.b[0] ? v.a : v.b; }},
    {"vs_2_0", "if b0\nmov r0, c0\nelse\nmov r0, c1\nendif", [](const Values& v) { return v.a; }},
    {"vs_2_0", "if !b0\nmov r0, c0\nelse\nmov r0, c1\nendif", [](const Values& v) { return v.b; }},
    {"vs_2_0",
     "defb b3, false\ndefi i2, 2, 0, 0, 0\nmov r0, c0\nif b3\nmov r0, c1\nendif\nrep i2\nadd r0, r0, c2\nendrep",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] + 2 * v.c[c]; }); }},
    {"vs_2_0",
     "mov r0, c0\ncall l0\ncallnz l1, b0\ncallnz l0, !b0\n@\nret\nlabel l0\nadd r0, r0, c1\nret\nlabel l1\nadd r0, r0, "
     "c2\nret",
     [](const Values& v) { return map([&](size_t c) { return v.a[c] + v.b[c] + v.c[c]; }); }},
    {"vs_3_0",
     "mov r0, c0\nsetp_gt p0, c0, c1\ncallnz l0, p0.x\n@\nret\nlabel l0\nadd r0, r0, c1\nif_gt c0.y, "
     "c1.y\nret\nendif\nadd r0, r0, c2\nret",
     [](const Values& v) {
       return map(
           [&](size_t c) { return v.a[0] > v.b[0] ? v.a[c] + v.b[c] + (v.a[1] > v.b[1] ? 0 : v.c[c]) : v.a[c]; });
     }},

    // ---- textures ----
    {"ps_2_0", "dcl t0\ndcl_2d s0\ntexld r0, t0, s0", [](const Values& v) { return texel(v.a[0], v.a[1], 0); }},
    {"ps_2_0", "dcl t0\ndcl_cube s0\ntexld r0, t0, s0", [](const Values& v) { return texel(v.a[0], v.a[1], v.a[2]); }},
    {"ps_2_0", "dcl t0\ndcl_volume s1\ntexldp r0, t0, s1",
     [](const Values& v) { return texel(v.a[0] / v.a[3], v.a[1] / v.a[3], v.a[2] / v.a[3]); }},
    {"ps_2_0", "dcl t0\ndcl_cube s1\ntexldp r0, t0, s1", [](const Values& v) { return texel(v.a[0], v.a[1], v.a[2]); }},
    {"ps_2_0", "dcl t0\ndcl_2d s0\ntexldb r0, t0, s0",
     [](const Values& v) { return texel(v.a[0], v.a[1], 0, v.a[3]); }},
    {"ps_3_0", "dcl_2d s0\ntexldl r0, v0, s0.yxzw", [](const Values& v) { return texel(v.a[1], v.a[0], 0, v.a[3]); }},
    {"vs_3_0", "dcl_2d s0\ntexldl r0, c0, s0", [](const Values& v) { return texel(v.a[0], v.a[1], 0, v.a[3]); }},
    {"ps_3_0", "dcl_2d s0\ntexldd r0, v0, s0, v1, v2",
     [](const Values& v) { return texel(v.a[0], v.a[1], 0, v.b[0] + v.b[1] + v.c[0] + v.c[1]); }},
    {"ps_2_0", "dcl t0\nmov r0, c1\nadd r1, t0, c2\nabs r1, r1\ntexkill r1", [](const Values& v) { return v.b; }},

    // ---- ps_1_x; constants are limited ----
    {"ps_1_1", "tex t0\nmov r0, t0", [](const Values& v) { return texel(v.a[0], v.a[1], 0, 0); }},
    {"ps_1_1", "texcoord t1\nmov r0, t1",
     [](const Values& v) {
       return Vec4{sat(v.b[0]), sat(v.b[1]), sat(v.b[2]), 1};
     }},
    {"ps_1_1", "tex t0\ntexbem t1, t0\nmov r0, t1", bumped},
    {"ps_1_1", "tex t0\ntexbeml t1, t0\nmov r0, t1",
     [](const Values& v) {
       const Vec4 t = bumped(v);           // the texel's third component is 0
       return Vec4{t[0] * double{kBump[5]}, t[1] * double{kBump[5]}, kAny, kAny};
     }},
    {"ps_1_1", "tex t0\ntexreg2ar t1, t0\nmov r0, t1", [](const Values& v) { return texel(0, v.a[0], 0, 0); }},
    {"ps_1_1", "tex t0\ntexreg2gb t1, t0\nmov r0, t1", [](const Values& v) { return texel(v.a[1], 0, 0, 0); }},
    {"ps_1_2", "tex t0\ntexreg2rgb t1, t0\nmov r0, t1", [](const Values& v) { return texel(v.a[0], v.a[1], 0, 0); }},
    {"ps_1_1", "texcoord t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2",
     [](const Values& v) {
       const Vec4 s = map([&](size_t c) { return sat(v.a[c]); });
       return texel(dot(v.b, s, 3), dot(v.c, s, 3), 0, 0);
     }},
    {"ps_1_1", "texcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3",
     [](const Values& v) {
       const Vec4 s = map([&](size_t c) { return sat(v.a[c]); });
       return texel(dot(v.b, s, 3), dot(v.c, s, 3), dot(kLast, s, 3), 0);
     }},
    {"ps_1_2", "texcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3",
     [](const Values& v) {
       const Vec4 s = map([&](size_t c) { return sat(v.a[c]); });
       return Vec4{dot(v.b, s, 3), dot(v.c, s, 3), dot(kLast, s, 3), 1};
     }},
    {"ps_1_1", "texcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c1\nmov r0, t3",
     [](Values v) {
       v.a = map([&](size_t c) { return sat(v.a[c]); });
       return reflected(v, map([&](size_t c) { return limited(v.b[c]); }));
     },
     1e-4},
    {"ps_1_1", "texcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3vspec t3, t0\nmov r0, t3",
     [](Values v) {
       v.a = map([&](size_t c) { return sat(v.a[c]); });
       return reflected(v, {v.b[3], v.c[3], kLast[3], 0});
     },
     1e-4},
    {"ps_1_2", "texcoord t0\ntexdp3 t1, t0\nmov r0, t1",
     [](const Values& v) { return all(dot(v.b, map([&](size_t c) { return sat(v.a[c]); }), 3)); }},
    {"ps_1_2", "texcoord t0\ntexdp3tex t1, t0\nmov r0, t1",
     [](const Values& v) { return texel(dot(v.b, map([&](size_t c) { return sat(v.a[c]); }), 3), 0, 0, 0); }},
    {"ps_1_4", "texcrd r0.rgb, t0\nmov r0.a, c1",
     [](const Values& v) {
       return Vec4{v.a[0], v.a[1], v.a[2], limited(v.b[3])};
     }},
    {"ps_1_4", "texld r0, t1_dw.xyw", [](const Values& v) { return texel(v.b[0] / v.b[3], v.b[1] / v.b[3], 0, 0); }},
    {"ps_1_4",
     "texcrd r0.rgb, t0\nmov r0.a, c1.a\nbem r1.rg, c1, r0\nmov r1.b, c1\nphase\ntexcrd r0.rgb, r1\nmov r0.a, c1.a",
     [](const Values& v) {
       return Vec4{limited(v.b[0]) + double{kBump[0]} * v.a[0] + double{kBump[2]} * v.a[1],
                   limited(v.b[1]) + double{kBump[1]} * v.a[0] + double{kBump[3]} * v.a[1], limited(v.b[2]),
                   limited(v.b[3])};
     }},
    {"ps_1_1", "mov r0, c0\nmov r1.a, c0\nmov r0.a, c1\ncnd r0, r0.a, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return limited(limited(v.b[3]) > 0.5 ? v.b[c] : v.c[c]); }); }},
    {"ps_1_4", "cnd r0, c0, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return limited(limited(v.a[c]) > 0.5 ? v.b[c] : v.c[c]); }); }},
    {"ps_1_2", "cmp r0, c0, c1, c2",
     [](const Values& v) { return map([&](size_t c) { return limited(v.a[c] >= 0 ? v.b[c] : v.c[c]); }); }},
    {"ps_1_1", "tex t0\nmul_x2_sat r0.rgb, t0_bias, 1 - c1\n+ mov_d2 r0.a, -c2",
     [](const Values& v) {
       const Vec4 t = texel(v.a[0], v.a[1], 0, 0);
       return map(
           [&](size_t c) { return c == 3 ? -limited(v.c[3]) / 2 : sat(2 * (t[c] - 0.5) * (1 - limited(v.b[c]))); });
     }},
    {"ps_1_4", "mov r0, c0\nadd r0, r0_bx2, -r0_x2",
     [](const Values& v) { return map([&](size_t c) { return 2 * (limited(v.a[c]) - 0.5) - 2 * limited(v.a[c]); }); }},
};

std::string program_text(const Row& row) {
  const std::string version = row.version;
  std::string body = row.body;
  const bool is_vertex = version[0] == 'v';
  std::string head = version + "\n", tail;
  if (is_vertex && version == "vs_3_0") tail = "mov o0, r0\n", head += "dcl_position o0\n";
  else if (is_vertex) tail = "mov oPos, r0\n";
  else if (version[3] > '1') tail = "mov oC0, r0\n";
  if (version == "ps_3_0") head += "dcl_texcoord0 v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n";
  if (const size_t at = body.find('@'); at != std::string::npos) return head + body.replace(at, 1, tail) + "\n";
  return head + body + "\n" + tail;
}

// Gives the coordinate as the texel, and in alpha the level, the bias, or the sum of the first two gradients.
void give_coordinate(const void*, const SampleArgs& args) {
  const auto word = [](const uint32_t* words, size_t lane) { return words ? std::bit_cast<float>(words[lane]) : 0.0f; };
  for (size_t lane = 0; lane < kBlockLanes; ++lane) {
    float w = word(args.lod, lane);
    for (size_t c = 0; c < 2; ++c) w += word(args.ddx[c], lane) + word(args.ddy[c], lane);
    const float texel[4] = {word(args.coord[0], lane), word(args.coord[1], lane), word(args.coord[2], lane), w};
    for (size_t c = 0; c < 4; ++c) args.out[c][lane] = std::bit_cast<uint32_t>(texel[c]);
  }
}

std::vector<uint32_t> constant_registers(const Values& v) {
  std::vector<uint32_t> words;
  for (const Vec4* x : {&v.a, &v.b, &v.c})
    for (const double value : *x) words.push_back(std::bit_cast<uint32_t>(static_cast<float>(value)));
  words.resize(16);
  for (const auto& row : kMatrix)
    for (const float value : row) words.push_back(std::bit_cast<uint32_t>(value));
  return words;
}

BlockInput block_input(const ir::Program& program, const Values& v) {
  BlockInput in;
  in.constants = {constant_registers(v), {std::begin(kTurns), std::end(kTurns)}, {1, 0}, {}};
  for (size_t stage = 0; stage < 8; ++stage) {
    for (const float value : kBump) in.constants[3].push_back(std::bit_cast<uint32_t>(value));
    in.constants[3].resize((stage + 1) * d3d9::kStageWords);
  }
  static const void* const kTextures[16] = {};
  in.bindings.textures = kTextures;
  in.bindings.services.sample = give_coordinate;
  const Vec4 by_index[] = {v.a, v.b, v.c, kLast};
  for (const ir::Input& input : program.inputs) {
    BlockWords& words = in.inputs.emplace_back();
    const Vec4& value = by_index[std::min<size_t>(input.index, 3)];
    for (size_t lane = 0; lane < kBlockLanes; ++lane)
      words[lane] = std::bit_cast<uint32_t>(
          static_cast<float>(value[input.component] + 0.5 * double(lane & 1) + 2 * double(lane >> 1 & 1)));
  }
  return in;
}

// Stage 3 of ps_1_x has a cube: its three rows are a direction.
ir::Program compiled(const std::string& text, d3d9::LowerOptions options = {}) {
  options.bound[3] = d3d9::SamplerType::Cube;
  Result<ir::Program> program = d3d9::compile(text, options);
  if (!program) FAIL(format_diags(program.diags(), "shader", text));
  return *program;
}

Vec4 run(const ir::Program& program, const Values& v, SimdTarget simd) {
  const BlockOutput out = run_block(program, block_input(program, v), simd);
  Vec4 got = all(kAny);
  const ir::Semantic wanted = program.stage == ir::Stage::Vertex ? ir::Semantic::Position : ir::Semantic::Color;
  for (size_t k = 0; k < program.outputs.size(); ++k)
    if (program.outputs[k].semantic == wanted && program.outputs[k].index == 0)
      got[program.outputs[k].component] = double{std::bit_cast<float>(out.outputs[k][0])};
  return got;
}

bool is_near(double got, double want, double tolerance) {
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::fabs(got - want) <= tolerance * std::max(1.0, std::fabs(want));
}

Vec4 random_vector(std::mt19937& random, double largest) {
  return map([&](size_t) { return double{static_cast<float>((double(random() % 4096) / 2048 - 1) * largest)}; });
}

struct Edge {
  const char* version;
  const char* body;
  Vec4 a, b, c, want;
};
constexpr double kNan = NAN, kInfinity = INFINITY;
const Edge kEdges[] = {
    {"vs_2_0", "mul r0, c0, c1", {0, kInfinity, kNan, -0.0}, {kInfinity, 0, 0, kNan}, {}, {0, 0, 0, 0}},
    {"vs_2_0", "mad r0, c0, c1, c2", {0, kInfinity, kNan, 2}, {kInfinity, 0, 0, 3}, {1, 2, 3, 4}, {1, 2, 3, 10}},
    {"vs_2_0", "dp4 r0, c0, c1", {0, kInfinity, kNan, 2}, {kInfinity, 0, 0, 3}, {}, {6, 6, 6, 6}},
    {"vs_2_0", "lrp r0, c0, c1, c2", {0, 0, 1, 1}, {kInfinity, kNan, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}},
    {"vs_2_0", "rcp r0, c0.x", {0, 0, 0, 0}, {}, {}, all(kInfinity)},
    {"vs_2_0", "rcp r0, c0.x", {1, 0, 0, 0}, {}, {}, all(1)},
    {"vs_2_0", "rsq r0, c0.x", {-0.0, 0, 0, 0}, {}, {}, all(kInfinity)},
    {"vs_2_0", "rsq r0, c0.x", {-4, 0, 0, 0}, {}, {}, all(0.5)},
    {"vs_2_0", "log r0, c0.x", {0, 0, 0, 0}, {}, {}, all(-kInfinity)},
    {"vs_2_0", "log r0, c0.x", {-8, 0, 0, 0}, {}, {}, all(3)},
    {"vs_2_0", "rcp r0, c0", {2, 2, 2, 4}, {}, {}, all(0.25)},  // without a replicate: the fourth
    {"vs_2_0", "pow r0, c0.x, c0.y", {0, 0, 0, 0}, {}, {}, all(1)},
    {"vs_2_0", "pow r0, c0.x, c0.y", {0, -1, 0, 0}, {}, {}, all(double{std::numeric_limits<float>::max()})},
    {"vs_2_0", "pow r0, c0.x, c0.y", {-3, 2, 0, 0}, {}, {}, all(9)},
    {"vs_2_0", "nrm r0, c0", {0, 0, 0, 5}, {}, {}, all(0)},
    {"vs_2_0", "nrm r0, c0", {3, 0, 4, 10}, {}, {}, {0.6, 0, 0.8, 2}},
    {"vs_1_1", "logp r0, c0.x", {0, 0, 0, 0}, {}, {}, {-kInfinity, 1, -kInfinity, 1}},
    {"vs_1_1", "logp r0, c0.x", {0x1p-130, 0, 0, 0}, {}, {}, {-130, 1, -130, 1}},
    {"vs_2_0", "frc r0, c0", {-1e-30, 1.25, -1.25, 0}, {}, {}, {double{0x1.fffffep-1f}, 0.25, 0.75, 0}},
    {"vs_2_0", "lit r0, c0", {1, 2, 0, 1000}, {}, {}, {1, 1, std::exp2(127.99609375), 1}},
    {"vs_2_0", "lit r0, c0", {1, 0, 0, 2}, {}, {}, {1, 1, 0, 1}},
    {"vs_2_0", "min r0, c0, c1", {1, kNan, 2, 3}, {2, 5, 2, -3}, {}, {1, 5, 2, -3}},
    {"vs_2_0", "max r0, c0, c1", {1, kNan, 2, 3}, {2, 5, 2, -3}, {}, {2, 5, 2, 3}},
    {"vs_2_0", "slt r0, c0, c1", {kNan, 1, 1, -1}, {1, kNan, 1, 1}, {}, {0, 0, 0, 1}},
    {"vs_2_0", "sge r0, c0, c1", {kNan, 1, 1, -1}, {1, kNan, 1, 1}, {}, {0, 0, 1, 0}},
    {"ps_2_0", "cmp r0, c0, c1, c2", {-0.0, kNan, -1, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {1, 2, 2, 1}},
    {"ps_1_4", "cnd r0, c0, c1, c2", {0.5, 0.75, 0.25, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 1, 0, 1}},
    // A cnd that is paired and writes colour takes its second operand.
    {"ps_1_1",
     "mov r0, c0\nmov r1.a, c1\n+ cnd r0.rgb, r0.a, c1, c2",
     {0, 0, 0, 0},
     {1, 0.5, 0.25, 1},
     {-1, -1, -1, -1},
     {1, 0.5, 0.25, 0}},
    {"vs_2_0", "mova a0.x, c0.x\nmov r0, c[a0.x + 6]", {-1.6, 0, 0, 0}, {}, {}, {1, 2, 3, 4}},
    {"vs_1_1", "mov a0.x, c0.x\nmov r0, c[a0.x + 6]", {-0.4, 0, 0, 0}, {}, {}, {-1, 0.5, 0.25, 2}},
    {"vs_2_0", "def c9, 7, 8, 9, 10\nmova a0.x, c0.x\nmov r0, c[a0.x + 6]", {3, 0, 0, 0}, {}, {}, {7, 8, 9, 10}},
    {"vs_2_0", "mova a0.x, c0.x\nmov r0, c[a0.x + 6]", {-1000000, 0, 0, 0}, {}, {}, {0, 0, 0, 0}},
    {"vs_2_0", "mova a0.x, c0.x\nmov r0, c[a0.x + 6]", {1073741824, 0, 0, 0}, {}, {}, {0, 0, 0, 0}},
};

}  // namespace

TEST_CASE("every instruction of Direct3D 9 gives what its formula says", "[d3d9]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const Row& row : kRows) {
    const std::string text = program_text(row);
    CAPTURE(text);
    const ir::Program program = compiled(text);
    for (uint32_t round = 0; round < rounds(40); ++round) {
      const Values v{random_vector(random, 2), random_vector(random, 2), random_vector(random, 2)};
      const Vec4 want = row.formula(v);
      for (const SimdTarget simd : available_simd_targets()) {
        const Vec4 got = run(program, v, simd);
        for (size_t c = 0; c < 4; ++c) {
          if (want[c] == kAny || std::fabs(want[c]) > 1e6 || std::isnan(want[c])) continue;
          CAPTURE(v.a, v.b, v.c, c, got, want);
          REQUIRE(is_near(got[c], want[c], row.tolerance));
        }
      }
    }
  }
}

TEST_CASE("instructions of Direct3D 9 have the values of their edge cases", "[d3d9]") {
  for (const Edge& edge : kEdges) {
    const std::string text = program_text({edge.version, edge.body, {}});
    CAPTURE(text);
    const ir::Program program = compiled(text);
    for (const SimdTarget simd : available_simd_targets()) {
      const Vec4 got = run(program, {edge.a, edge.b, edge.c}, simd);
      for (size_t c = 0; c < 4; ++c) {
        CAPTURE(c, got, edge.want);
        CHECK(is_near(got[c], edge.want[c], 2e-6));
      }
    }
  }
}

TEST_CASE("as IEEE 754 has it, 0 times infinity is no number in Direct3D 9 shaders", "[d3d9]") {
  d3d9::LowerOptions options;
  options.zero_wins = false;
  const ir::Program program = compiled(program_text({"vs_2_0", "mul r0, c0, c1", {}}), options);
  const Vec4 got = run(program, {{0, 2, 0, 0}, {double{kInf}, 3, 0, 0}, {}}, best_simd_target());
  CHECK(std::isnan(got[0]));
  CHECK(got[1] == 6);
}

TEST_CASE("the rows cover every instruction of Direct3D 9", "[d3d9]") {
  std::set<d3d9::Opcode> seen = {d3d9::Opcode::Op_dcl, d3d9::Opcode::Op_def, d3d9::Opcode::Op_defi,
                                 d3d9::Opcode::Op_defb};
  seen.insert({d3d9::Opcode::Op_texm3x2depth, d3d9::Opcode::Op_texdepth});   // the next test
  for (const Row& row : kRows) {
    const Result<d3d9::Program> program = d3d9::load(program_text(row));
    REQUIRE(program);
    for (const d3d9::Instruction& i : program->instructions) seen.insert(i.opcode);
  }
  for (size_t k = 0; k < d3d9::all_opcodes().size(); ++k) {
    CAPTURE(d3d9::all_opcodes()[k].text, k);
    CHECK(seen.contains(static_cast<d3d9::Opcode>(k)));
  }
}

TEST_CASE("pixel shaders of Direct3D 9 give a depth, and drop pixels", "[d3d9]") {
  const auto depth_of = [](const char* text, const Values& v) {
    const ir::Program program = compiled(text);
    CHECK(program.writes_depth);
    const BlockOutput out = run_block(program, block_input(program, v));
    for (size_t k = 0; k < program.outputs.size(); ++k)
      if (program.outputs[k].semantic == ir::Semantic::Position) return std::bit_cast<float>(out.outputs[k][0]);
    return -1.0f;
  };
  const Values v{{0.5, 0.25, 0, 0}, {0.5, 0.5, 0, 0}, {1, 1, 0, 0}};
  const char* const kRatio = "ps_1_3\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0\n";
  CHECK(depth_of(kRatio, v) == 0.5f);                               // 0.375 / 0.75
  CHECK(depth_of(kRatio, {v.a, v.b, {0, 0, 0, 0}}) == 1.0f);
  CHECK(depth_of("ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\n", {{-0.25, -0.5, 0, 0}, {}, {}}) == 0.5f);
  CHECK(depth_of("ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\n", {{0.25, 0, 0, 0}, {}, {}}) == 1.0f);
  CHECK(depth_of("ps_2_0\nmov oDepth, c1.w\nmov oC0, c0\n", {{}, {0, 0, 0, 0.75}, {}}) == 0.75f);
  CHECK(depth_of("ps_2_0\nmov oDepth, c1\nmov oC0, c0\n", {{}, {3, 0, 0, 0.75}, {}}) == 1.0f);

  const auto is_killed = [](const char* text, const Vec4& a) {
    const ir::Program program = compiled(text);
    return (run_block(program, block_input(program, {a, {}, {}})).result.live & 1) == 0;
  };
  const char* const kOld = "ps_1_1\ntexkill t0\nmov r0, c0\n";
  const char* const kNew = "ps_2_0\ndcl t0\ntexkill t0\nmov oC0, c0\n";
  CHECK(is_killed(kOld, {0, 0, -0.5, 1}));
  CHECK_FALSE(is_killed(kOld, {0, 0, 0, -0.5}));
  CHECK(is_killed(kNew, {0, 0, 0, -0.5}));
  CHECK_FALSE(is_killed(kNew, {-0.0, 0, 0, 0}));
}
