// shader/d3d9/lower_texture_1.cpp: texture instructions of ps_1_1 to ps_1_4. The number of the destination register is
// the stage: of its texture, its coordinate and its bump mapping.
#include "shader/d3d9/lower_texture.h"

namespace tessera::d3d9 {
namespace {

uint32_t stage_of(Lowering& l) { return l.destination().reg.number; }

Value coordinate(Lowering& l, uint32_t stage, uint32_t c) { return l.registers().coordinate(stage, c); }

// The interpolated coordinate of the stage, divided as its texture transform asks.
Vec4 projected_coordinate(Lowering& l) {
  const uint32_t stage = stage_of(l);
  Vec4 coords;
  for (uint32_t c = 0; c < 4; ++c) coords[c] = coordinate(l, stage, c);
  const uint8_t by = stage < l.options().divided_by.size() ? l.options().divided_by[stage] : uint8_t{0};
  return by == 0 || is_cube(l, stage) ? coords : divided(l, coords, coords[by]);
}

void set_texel(Lowering& l, const Vec4& texel) {
  for (uint32_t c = 0; c < 4; ++c) l.set(c, texel[c]);
}

void sample_at(Lowering& l, Value x, Value y, Value z) {
  set_texel(l, sample(l, stage_of(l), {.coords = {x, y, z, l.number(0)}}));
}

Value stage_constant(Lowering& l, uint32_t word) {
  return l.b().constant(kStageConstants, stage_of(l) * kStageWords + word);
}

// base + the bump matrix of the stage times (x, y).
std::array<Value, 2> bumped(Lowering& l, Value base_x, Value base_y, Value x, Value y) {
  enum { M00, M01, M10, M11 };
  const auto moved = [&](Value base, uint32_t row0, uint32_t row1) {
    return l.multiply_add(stage_constant(l, row1), y, l.multiply_add(stage_constant(l, row0), x, base));
  };
  return {moved(base_x, M00, M10), moved(base_y, M01, M11)};
}

Vec4 bump_sample(Lowering& l) {
  Vec4 coords = projected_coordinate(l);
  const auto [u, v] = bumped(l, coords[0], coords[1], l.src(0, 0), l.src(0, 1));
  coords[0] = u, coords[1] = v;
  return sample(l, stage_of(l), {.coords = coords});
}

// The coordinate of the stage times the source: a row of texm3x2*, texm3x3* and texdp3*.
Value row(Lowering& l) {
  const uint32_t stage = stage_of(l);
  return l.dot(3, [&](uint32_t c) { return coordinate(l, stage, c); }, [&](uint32_t c) { return l.src(0, c); });
}

Value row_before(Lowering& l, uint32_t distance) {
  const uint32_t stage = stage_of(l);
  const Value kept = l.matrix_rows()[stage >= distance ? stage - distance : 0];
  return kept.id == ir::kNoValue ? l.number(0) : kept;
}

using Vec3 = std::array<Value, 3>;
Vec3 three_rows(Lowering& l) { return {row_before(l, 2), row_before(l, 1), row(l)}; }

// The direction in which E is seen in the mirror of N: 2 (N.E) / (N.N) N - E.
void sample_reflected(Lowering& l, const Vec3& eye) {
  const Vec3 normal = three_rows(l);
  const auto n = [&](uint32_t c) { return normal[c]; };
  const Value along_v = l.dot(3, n, [&](uint32_t c) { return eye[c]; }), square_v = l.dot(3, n, n);
  const Value scale_v = l.op(Op::FDiv, {l.op(Op::FAdd, {along_v, along_v}), square_v});
  Vec3 reflected;
  for (uint32_t c = 0; c < 3; ++c) reflected[c] = l.multiply_add(scale_v, normal[c], l.op(Op::FNeg, {eye[c]}));
  sample_at(l, reflected[0], reflected[1], reflected[2]);
}

// a / b as a depth; 1 where b is 0.
void set_depth(Lowering& l, Value a, Value b) {
  const Value is_zero_v = l.op(Op::FEq, {b, l.number(0)});
  l.registers().set_depth(l.op(Op::Select, {is_zero_v, l.number(1), l.op(Op::FDiv, {a, b})}));
}

}  // namespace

void lower_texcoord(Lowering& l) {
  for (uint32_t c = 0; c < 3; ++c) l.set(c, l.op(Op::FSat, {coordinate(l, stage_of(l), c)}));
  l.set(3, l.number(1));
}

void lower_texcrd(Lowering& l) {
  for (uint32_t c = 0; c < 4; ++c) l.set(c, l.src(0, c));
}

void lower_tex(Lowering& l) { set_texel(l, sample(l, stage_of(l), {.coords = projected_coordinate(l)})); }
void lower_texld_1_4(Lowering& l) { sample_at(l, l.src(0, 0), l.src(0, 1), l.src(0, 2)); }

void lower_texbem(Lowering& l) { set_texel(l, bump_sample(l)); }

void lower_texbeml(Lowering& l) {
  enum { Scale = 4, Offset = 5 };
  Vec4 texel = bump_sample(l);
  const Value luminance_v = l.multiply_add(l.src(0, 2), stage_constant(l, Scale), stage_constant(l, Offset));
  for (uint32_t c = 0; c < 3; ++c) texel[c] = l.multiply(texel[c], luminance_v);
  set_texel(l, texel);
}

void lower_bem(Lowering& l) {
  const auto [x, y] = bumped(l, l.src(0, 0), l.src(0, 1), l.src(1, 0), l.src(1, 1));
  l.set(0, x);
  l.set(1, y);
}

void lower_texreg2ar(Lowering& l) { sample_at(l, l.src(0, 3), l.src(0, 0), l.number(0)); }
void lower_texreg2gb(Lowering& l) { sample_at(l, l.src(0, 1), l.src(0, 2), l.number(0)); }
void lower_texreg2rgb(Lowering& l) { sample_at(l, l.src(0, 0), l.src(0, 1), l.src(0, 2)); }

void lower_texm3x2pad(Lowering& l) { l.matrix_rows()[stage_of(l)] = row(l); }
void lower_texm3x3pad(Lowering& l) { lower_texm3x2pad(l); }
void lower_texm3x2tex(Lowering& l) { sample_at(l, row_before(l, 1), row(l), l.number(0)); }
void lower_texm3x2depth(Lowering& l) { set_depth(l, row_before(l, 1), row(l)); }

void lower_texm3x3tex(Lowering& l) {
  const Vec3 rows = three_rows(l);
  sample_at(l, rows[0], rows[1], rows[2]);
}

void lower_texm3x3(Lowering& l) {
  const Vec3 rows = three_rows(l);
  for (uint32_t c = 0; c < 3; ++c) l.set(c, rows[c]);
  l.set(3, l.number(1));
}

void lower_texm3x3spec(Lowering& l) { sample_reflected(l, {l.src(1, 0), l.src(1, 1), l.src(1, 2)}); }

void lower_texm3x3vspec(Lowering& l) {
  const uint32_t stage = stage_of(l), first = stage >= 2 ? stage - 2 : 0;
  sample_reflected(l, {coordinate(l, first, 3), coordinate(l, first + 1, 3), coordinate(l, stage, 3)});
}

void lower_texdp3(Lowering& l) { l.set_all(row(l)); }
void lower_texdp3tex(Lowering& l) { sample_at(l, row(l), l.number(0), l.number(0)); }

void lower_texdepth(Lowering& l) {
  const Register& reg = l.destination().reg;
  const Value green_v = l.op(Op::FMin, {l.registers().read(reg, 1), l.number(1)});
  set_depth(l, l.registers().read(reg, 0), green_v);
}

}  // namespace tessera::d3d9
