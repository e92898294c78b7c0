// shader/d3d9/lower_texture.cpp: texture instructions of models 2 and 3, and those that all models share.
#include "shader/d3d9/lower_texture.h"

namespace tessera::d3d9 {
namespace {

using ir::TextureKind;
namespace arg = ir::tex_arg;

// What a sampler holds: what is bound, else what is declared.
SamplerType type_of(Lowering& l, uint32_t sampler) {
  if (sampler < kMaxSamplers && l.options().bound[sampler]) return *l.options().bound[sampler];
  for (const Declaration& d : l.program().declarations)
    if (d.dst.reg.is(File::Sampler, sampler)) return d.sampler;
  return SamplerType::TwoD;
}

// The coordinates of the first source, and a divisor for all of them.
Vec4 coordinates(Lowering& l) {
  Vec4 coords;
  for (uint32_t c = 0; c < 4; ++c) coords[c] = l.src(0, c);
  return coords;
}

// Results come through the swizzle of the sampler operand.
void finish(Lowering& l, Sampling s) {
  const Source& sampler = l.source(1);
  const Vec4 texel = sample(l, sampler.reg.number, s);
  for (uint32_t c = 0; c < 4; ++c) l.set(c, texel[component_of(sampler.swizzle, c)]);
}

}  // namespace

bool is_cube(Lowering& l, uint32_t sampler) { return type_of(l, sampler) == SamplerType::Cube; }

Vec4 sample(Lowering& l, uint32_t sampler, const Sampling& s) {
  const SamplerType type = type_of(l, sampler);
  const uint32_t dimensions = type == SamplerType::Cube || type == SamplerType::Volume ? 3 : 2;
  ir::TextureOp op;
  op.kind = s.kind;
  op.target = type == SamplerType::Cube     ? ir::TextureTarget::Cube
              : type == SamplerType::Volume ? ir::TextureTarget::Tex3D
                                            : ir::TextureTarget::Tex2D;
  op.binding = static_cast<uint16_t>(l.b().texture_binding(sampler, sampler));
  std::array<Value, arg::Count> args;
  for (uint32_t c = 0; c < dimensions; ++c) {
    args[arg::S + c] = s.coords[c];
    if (s.kind != TextureKind::SampleGrad) continue;
    args[arg::Ddx + c] = s.ddx[c];
    args[arg::Ddy + c] = s.ddy[c];
  }
  args[arg::Lod] = s.lod;
  Vec4 texel;
  l.b().texture(op, args, texel.data());
  return texel;
}

Vec4 divided(Lowering& l, Vec4 coords, Value by) {
  for (uint32_t c = 0; c < 3; ++c) coords[c] = l.op(Op::FDiv, {coords[c], by});
  return coords;
}

void lower_texld(Lowering& l) { finish(l, {.coords = coordinates(l)}); }

void lower_texldp(Lowering& l) {
  const Vec4 coords = coordinates(l);
  finish(l, {.coords = is_cube(l, l.source(1).reg.number) ? coords : divided(l, coords, coords[3])});
}

void lower_texldb(Lowering& l) {
  const Vec4 coords = coordinates(l);
  finish(l, {.kind = TextureKind::SampleBias, .coords = coords, .lod = coords[3]});
}

void lower_texldl(Lowering& l) {
  const Vec4 coords = coordinates(l);
  finish(l, {.kind = TextureKind::SampleLod, .coords = coords, .lod = coords[3]});
}

void lower_texldd(Lowering& l) {
  Sampling s{.kind = TextureKind::SampleGrad, .coords = coordinates(l)};
  for (uint32_t c = 0; c < 3; ++c) s.ddx[c] = l.src(2, c), s.ddy[c] = l.src(3, c);
  finish(l, s);
}

// ps_1_1 to ps_1_3 look at the coordinate as it was interpolated, ps_1_4 at a register, both at x, y, z.
void lower_texkill(Lowering& l) {
  const Register& reg = l.destination().reg;
  const bool is_model_1 = l.version().model == 1,
             reads_coordinate = is_model_1 && l.program().version != Version::ps_1_4;
  Value any = l.b().u32(0);
  for (uint32_t c = 0; c < 4; ++c) {
    if (is_model_1 ? c == 3 : !l.enabled(c)) continue;
    const Value x = reads_coordinate ? l.registers().coordinate(reg.number, c) : l.registers().read(reg, c);
    any = l.op(Op::Or, {any, l.op(Op::FLt, {x, l.number(0)})});
  }
  l.b().kill_if(any);
}

}  // namespace tessera::d3d9
