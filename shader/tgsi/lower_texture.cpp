// shader/tgsi/lower_texture.cpp: texture opcodes → Op::Texture: operands by meaning, not by position.
#include "shader/tgsi/lowering.h"
#include "shader/tgsi/targets.h"

namespace tessera::tgsi {
namespace {

using ir::TextureKind;
namespace arg = ir::tex_arg;

constexpr uint32_t kHandleUnits = 16;   // that a handle may name in a program without SAMP

// One texture operation in the making.
struct Sampling {
  ir::TextureOp op;
  Value args[arg::Count];
  uint32_t view_operand = 0;        // the source that names SAMP or SVIEW
  uint32_t sampler_operand = 0;     // the same in classic opcodes
  bool swizzled = false;            // the view operand's swizzle reorders the result
};

// Coordinates, layer and reference of the first source, by the target's shape.
void take_coordinates(Lowering& l, Sampling& s) {
  const TargetShape& shape = target_shape(s.op.target);
  for (uint32_t c = 0; c < shape.coords; ++c) s.args[arg::S + c] = l.src(0, c);
  if (shape.has_layer()) s.args[arg::Layer] = l.src(0, shape.layer);
  if (shape.ref < 4) s.args[arg::Ref] = l.src(0, shape.ref);
  if (shape.ref == TargetShape::kNextOperand) s.args[arg::Ref] = l.src(1, 0);
}

// Texel offsets: constants where they are immediates (or left out), else words a lane.
bool take_offsets(Lowering& l, Sampling& s) {
  const auto offsets = l.program().offsets(l.inst());
  for (const Offset& offset : offsets) {
    if (offset.reg.file != File::Imm) {
      if (s.op.kind != TextureKind::Gather || offsets.size() != 1) return l.refuse("a texel offset that is no immediate"), false;
      for (uint32_t c = 0; c < 3; ++c) s.args[arg::Offset + c] = l.offset_word(offset, c);
      return true;
    }
    const Immediate& imm = l.program().immediates[static_cast<size_t>(offset.reg.index.value)];
    for (uint32_t c = 0; c < 3; ++c)
      s.op.offset[s.op.offset_count][c] = static_cast<int8_t>(imm.words[offset.swizzle[c]]);
    ++s.op.offset_count;
  }
  return true;
}

// Outside fragment shaders lanes have no neighbours: the implicit LOD is 0.
void without_quads(Lowering& l, Sampling& s) {
  if (l.program().stage == Stage::Fragment) return;
  if (s.op.kind == TextureKind::Sample) s.args[arg::Lod] = l.b().u32(0);
  if (s.op.kind == TextureKind::Sample || s.op.kind == TextureKind::SampleBias) s.op.kind = TextureKind::SampleLod;
}

void sample_bound(Lowering& l, Sampling& s, uint32_t view, uint32_t sampler, Value results[4]) {
  s.op.binding = static_cast<uint16_t>(l.b().texture_binding(view, sampler));
  l.b().texture(s.op, s.args, results);
}

// The declared units; where there are none, those that a handle may name.
std::vector<uint32_t> sampled_units(const Program& program) {
  std::vector<uint32_t> units;
  for (const Declaration& d : program.declarations)
    for (uint32_t unit = d.first; d.file == File::Samp && unit <= d.last; ++unit) units.push_back(unit);
  if (units.empty())
    for (uint32_t unit = 0; unit < kHandleUnits; ++unit) units.push_back(unit);
  return units;
}

// SAMP[ADDR[0].x] or a handle: one operation for each unit that may be meant; beyond them the result is 0.
void sample_indirect(Lowering& l, Sampling& s, Value index_v, Value results[4]) {
  Builder& b = l.b();
  Var vars[4];
  for (Var& v : vars) v = b.var(b.u32(0));
  for (const uint32_t unit : sampled_units(l.program())) {
    b.begin_if(b.op(Op::IEq, {index_v, b.u32(unit)}));
    sample_bound(l, s, unit, unit, results);
    for (uint32_t c = 0; c < 4; ++c) b.write(vars[c], results[c]);
    b.end_if();
  }
  for (uint32_t c = 0; c < 4; ++c) results[c] = b.read(vars[c]);
}

void finish(Lowering& l, Sampling s) {
  const Register& view = l.source(s.view_operand).reg;
  const Register& sampler = l.source(s.sampler_operand).reg;
  const auto is_unit = [](const Register& reg) { return reg.file == File::Samp || reg.file == File::Sview; };
  if (s.view_operand != s.sampler_operand && (view.index.indirect || sampler.index.indirect || !is_unit(sampler)))
    return l.refuse("an indirect view or sampler of the SAMPLE opcodes");
  if (!take_offsets(l, s)) return;
  without_quads(l, s);
  Value results[4];
  if (!is_unit(view))
    sample_indirect(l, s, l.register_word(view, l.source(s.view_operand).swizzle[0]), results);
  else if (view.index.indirect)
    sample_indirect(l, s, l.index_value(view.index), results);
  else
    sample_bound(l, s, static_cast<uint32_t>(view.index.value), static_cast<uint32_t>(sampler.index.value), results);
  const uint8_t* swizzle = l.source(s.view_operand).swizzle;
  for (uint32_t c = 0; c < 4; ++c) l.set(c, results[s.swizzled ? swizzle[c] : c]);
}

// ---- classic opcodes: the target follows the operands, SAMP[i] names view and sampler ---------------------------------

Sampling classic(Lowering& l, TextureKind kind, uint32_t sampler_operand) {
  Sampling s;
  s.op.kind = kind;
  s.op.target = *l.inst().target;
  s.view_operand = s.sampler_operand = sampler_operand;
  return s;
}

// ---- SAMPLE opcodes: the target comes from the view's declaration ------------------------------------------------------

Sampling sampled(Lowering& l, TextureKind kind, uint32_t view_operand, uint32_t sampler_operand) {
  Sampling s;
  s.op.kind = kind;
  s.op.target = l.view_target(l.source(view_operand).reg);
  s.view_operand = view_operand;
  s.sampler_operand = sampler_operand;
  s.swizzled = true;
  return s;
}

// SAMPLE and its kin: coordinate, view, sampler and one more operand.
Sampling sample_family(Lowering& l, TextureKind kind) {
  Sampling s = sampled(l, kind, 1, 2);
  take_coordinates(l, s);
  return s;
}

// The reference is an operand of its own, the coordinates stay where they are without it.
Sampling sample_compared(Lowering& l, TextureKind kind) {
  Sampling s = sample_family(l, kind);
  s.op.target = shadow_target(s.op.target);
  s.args[arg::Ref] = l.src(3, 0);
  return s;
}

}  // namespace

void lower_tex(Lowering& l) {
  Sampling s = classic(l, TextureKind::Sample, 1);
  take_coordinates(l, s);
  finish(l, s);
}

void lower_tex2(Lowering& l) {
  Sampling s = classic(l, TextureKind::Sample, 2);
  take_coordinates(l, s);
  finish(l, s);
}

void lower_txb(Lowering& l) {
  Sampling s = classic(l, TextureKind::SampleBias, 1);
  take_coordinates(l, s);
  s.args[arg::Lod] = l.src(0, 3);
  finish(l, s);
}

void lower_txl(Lowering& l) {
  Sampling s = classic(l, TextureKind::SampleLod, 1);
  take_coordinates(l, s);
  s.args[arg::Lod] = l.src(0, 3);
  finish(l, s);
}

namespace {

// Bias or LOD in x of the second source; there the reference of a shadow cube array is in y.
void lower_with_lod_operand(Lowering& l, TextureKind kind) {
  Sampling s = classic(l, kind, 2);
  take_coordinates(l, s);
  s.args[arg::Lod] = l.src(1, 0);
  if (target_shape(s.op.target).ref == TargetShape::kNextOperand) s.args[arg::Ref] = l.src(1, 1);
  finish(l, s);
}

}  // namespace

void lower_txb2(Lowering& l) { lower_with_lod_operand(l, TextureKind::SampleBias); }
void lower_txl2(Lowering& l) { lower_with_lod_operand(l, TextureKind::SampleLod); }

void lower_tex_lz(Lowering& l) {
  Sampling s = classic(l, TextureKind::SampleLod, 1);
  take_coordinates(l, s);
  s.args[arg::Lod] = l.b().u32(0);
  finish(l, s);
}

// Coordinates and reference are divided by w.
void lower_txp(Lowering& l) {
  Sampling s = classic(l, TextureKind::Sample, 1);
  take_coordinates(l, s);
  const Value w = l.src(0, 3);
  for (const uint32_t a : {arg::S, arg::T, arg::R, arg::Ref})
    if (s.args[a].id != ir::kNoValue) s.args[a] = l.b().op(Op::FDiv, {s.args[a], w});
  finish(l, s);
}

namespace {

void take_derivatives(Lowering& l, Sampling& s, uint32_t ddx_operand) {
  for (uint32_t c = 0; c < target_shape(s.op.target).coords; ++c) {
    s.args[arg::Ddx + c] = l.src(ddx_operand, c);
    s.args[arg::Ddy + c] = l.src(ddx_operand + 1, c);
  }
}

// Integer coordinates; level or sample in w. Buffers and rectangles have one level.
void take_texel(Lowering& l, Sampling& s, Value level) {
  take_coordinates(l, s);
  if (s.op.target != TextureTarget::Buffer && s.op.target != TextureTarget::Rect) s.args[arg::Lod] = level;
}

}  // namespace

void lower_txd(Lowering& l) {
  Sampling s = classic(l, TextureKind::SampleGrad, 3);
  take_coordinates(l, s);
  take_derivatives(l, s, 1);
  finish(l, s);
}

void lower_txf(Lowering& l) {
  Sampling s = classic(l, TextureKind::Fetch, 1);
  take_texel(l, s, l.src(0, 3));
  finish(l, s);
}

void lower_txf_lz(Lowering& l) {
  Sampling s = classic(l, TextureKind::Fetch, 1);
  take_texel(l, s, l.b().u32(0));
  finish(l, s);
}

void lower_txq(Lowering& l) {
  Sampling s = classic(l, TextureKind::QuerySize, 1);
  s.args[arg::Lod] = l.src(0, 0);
  finish(l, s);
}

void lower_txqs(Lowering& l) { finish(l, classic(l, TextureKind::QuerySamples, 0)); }

// The component comes from the second source, or from a swizzle on the sampler; the second source of a shadow cube array
// is its reference, and comparisons have no component.
void lower_tg4(Lowering& l) {
  Sampling s = classic(l, TextureKind::Gather, 2);
  take_coordinates(l, s);
  const Source& component = l.source(1);
  if (l.source(2).letters) {
    s.op.component = l.source(2).swizzle[0];
  } else if (!target_shape(s.op.target).is_shadow()) {
    if (component.reg.file != File::Imm || component.reg.index.indirect) return l.refuse("a component that is no immediate");
    const Immediate& imm = l.program().immediates[static_cast<size_t>(component.reg.index.value)];
    s.op.component = static_cast<uint8_t>(imm.words[component.swizzle[0]] & 3);
  }
  finish(l, s);
}

void lower_lodq(Lowering& l) {
  Sampling s = classic(l, TextureKind::QueryLod, 1);
  take_coordinates(l, s);
  finish(l, s);
}

void lower_sample(Lowering& l) { finish(l, sample_family(l, TextureKind::Sample)); }

void lower_sample_b(Lowering& l) {
  Sampling s = sample_family(l, TextureKind::SampleBias);
  s.args[arg::Lod] = l.src(3, 0);
  finish(l, s);
}

void lower_sample_c(Lowering& l) { finish(l, sample_compared(l, TextureKind::Sample)); }

void lower_sample_c_lz(Lowering& l) {
  Sampling s = sample_compared(l, TextureKind::SampleLod);
  s.args[arg::Lod] = l.b().u32(0);
  finish(l, s);
}

void lower_sample_d(Lowering& l) {
  Sampling s = sample_family(l, TextureKind::SampleGrad);
  take_derivatives(l, s, 3);
  finish(l, s);
}

void lower_sample_l(Lowering& l) {
  Sampling s = sample_family(l, TextureKind::SampleLod);
  s.args[arg::Lod] = l.src(3, 0);
  finish(l, s);
}

void lower_sample_i(Lowering& l) {
  Sampling s = sampled(l, TextureKind::Fetch, 1, 1);
  take_texel(l, s, l.src(0, 3));
  finish(l, s);
}

void lower_sample_i_ms(Lowering& l) {
  Sampling s = sampled(l, TextureKind::Fetch, 1, 1);
  take_texel(l, s, l.src(2, 0));
  finish(l, s);
}

void lower_gather4(Lowering& l) { finish(l, sample_family(l, TextureKind::Gather)); }

void lower_sviewinfo(Lowering& l) {
  Sampling s = sampled(l, TextureKind::QuerySize, 1, 1);
  s.args[arg::Lod] = l.src(0, 0);
  s.swizzled = false;
  finish(l, s);
}

// Without multisampling the one sample is in the middle.
void lower_sample_pos(Lowering& l) {
  const Register& reg = l.source(0).reg;
  if (reg.file != File::Sview || target_shape(l.view_target(reg)).is_multisample) return l.refuse("SAMPLE_POS of several samples");
  for (uint32_t c = 0; c < 4; ++c) l.set(c, l.source(0).swizzle[c] < 2 ? l.b().f32(0.5f) : l.b().u32(0));
}

void lower_sample_info(Lowering& l) {
  if (l.source(0).reg.file != File::Sview) return l.refuse("SAMPLE_INFO of the render target");
  finish(l, sampled(l, TextureKind::QuerySamples, 0, 0));
}

void lower_lod(Lowering& l) { finish(l, sample_family(l, TextureKind::QueryLod)); }

}  // namespace tessera::tgsi
