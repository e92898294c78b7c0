// shader/tgsi/lower_texture.cpp: texture opcodes → Op::Texture: operands by meaning, not by position.
#include <algorithm>
#include <optional>
#include <vector>

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
  Value component_v;                // Gather: the component, where the program tells it when it runs
};

// Coordinates, layer and reference of the first source, by the target's shape. Where its four words do not suffice, only
// some opcodes have an operand for the reference.
void take_coordinates(Lowering& l, Sampling& s) {
  const TargetShape& shape = target_shape(s.op.target);
  for (uint32_t c = 0; c < shape.coords; ++c) s.args[arg::S + c] = l.src(0, c);
  if (shape.has_layer()) s.args[arg::Layer] = l.src(0, shape.layer);
  if (shape.ref < 4) s.args[arg::Ref] = l.src(0, shape.ref);
}

void take_next_reference(Lowering& l, Sampling& s, uint32_t channel) {
  if (target_shape(s.op.target).ref == TargetShape::kNextOperand) s.args[arg::Ref] = l.src(1, channel);
}

// Offsets that are immediates are part of the operation; one of another register is a word a lane.
void take_offsets(Lowering& l, Sampling& s) {
  for (const Offset& offset : l.program().offsets(l.inst())) {
    if (offset.reg.file != File::Imm) {
      for (uint32_t c = 0; c < 3; ++c) s.args[arg::Offset + c] = l.offset_word(offset, c);
      return;
    }
    const Immediate& imm = l.program().immediates[static_cast<size_t>(offset.reg.index.value)];
    for (uint32_t c = 0; c < 3; ++c)
      s.op.offset[s.op.offset_count][c] = static_cast<int8_t>(imm.words[offset.swizzle[c]]);
    ++s.op.offset_count;
  }
}

// Several offsets of which one is known only when the program runs.
bool offsets_need_operations(Lowering& l) {
  const auto offsets = l.program().offsets(l.inst());
  return offsets.size() > 1 && std::ranges::any_of(offsets, [](const Offset& o) { return o.reg.file != File::Imm; });
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

// What an operand that names SAMP or SVIEW may name when the program runs: one unit, or the one that `chosen_v` tells.
// A bindless handle is the number of a unit.
struct Units {
  std::vector<uint32_t> numbers;
  std::optional<Value> chosen_v;
};

bool names_unit(const Register& reg) { return reg.file == File::Samp || reg.file == File::Sview; }

Units units_of(Lowering& l, const Sampling& s, uint32_t operand) {
  const Register& reg = l.source(operand).reg;
  if (names_unit(reg) && !reg.index.indirect) return {{static_cast<uint32_t>(reg.index.value)}, {}};
  Units units;
  units.chosen_v = names_unit(reg) ? l.index_value(reg.index) : l.handle(operand);
  for (const Declaration& d : l.program().declarations) {
    if (d.file != (reg.file == File::Sview ? File::Sview : File::Samp)) continue;
    if (reg.index.array_id && d.array_id != reg.index.array_id) continue;
    if (d.target && shadow_target(*d.target) != shadow_target(s.op.target)) continue;   // the instruction means the others
    for (uint32_t unit = d.first; unit <= d.last; ++unit) units.numbers.push_back(unit);
  }
  if (units.numbers.empty() && !names_unit(reg))
    for (uint32_t unit = 0; unit < kHandleUnits; ++unit) units.numbers.push_back(unit);
  return units;
}

void begin_if_chosen(Lowering& l, const Units& units, uint32_t unit) {
  if (units.chosen_v) l.b().begin_if(l.b().op(Op::IEq, {*units.chosen_v, l.b().u32(unit)}));
}

void end_if_chosen(Lowering& l, const Units& units) {
  if (units.chosen_v) l.b().end_if();
}

// One operation for each pair of units that may be meant, for the lanes that mean it; beyond the units the result is 0.
void sample_units(Lowering& l, Sampling& s, Value results[4]) {
  Builder& b = l.b();
  const bool is_pair = s.view_operand != s.sampler_operand;
  const Units views = units_of(l, s, s.view_operand);
  Units samplers;
  if (is_pair) samplers = units_of(l, s, s.sampler_operand);
  if (!views.chosen_v && !samplers.chosen_v)
    return sample_bound(l, s, views.numbers[0], is_pair ? samplers.numbers[0] : views.numbers[0], results);
  Var vars[4];
  for (Var& v : vars) v = b.var(b.u32(0));
  for (const uint32_t view : views.numbers) {
    begin_if_chosen(l, views, view);
    if (!is_pair) samplers.numbers = {view};
    for (const uint32_t sampler : samplers.numbers) {
      begin_if_chosen(l, samplers, sampler);
      sample_bound(l, s, view, sampler, results);
      for (uint32_t c = 0; c < 4; ++c) b.write(vars[c], results[c]);
      end_if_chosen(l, samplers);
    }
    end_if_chosen(l, views);
  }
  for (uint32_t c = 0; c < 4; ++c) results[c] = b.read(vars[c]);
}

// Gather with an operation for each offset: result k is the last texel, (i, j), of the footprint that offset k moves.
void gather_each_offset(Lowering& l, const Sampling& s, Value results[4]) {
  const auto offsets = l.program().offsets(l.inst());
  for (uint32_t k = 0; k < 4; ++k) {
    Sampling one = s;
    for (uint32_t c = 0; c < 3; ++c)
      one.args[arg::Offset + c] = k < offsets.size() ? l.offset_word(offsets[k], c) : l.b().u32(0);
    Value texels[4];
    sample_units(l, one, texels);
    results[k] = texels[3];
  }
}

void sample_offsets(Lowering& l, Sampling& s, Value results[4]) {
  if (offsets_need_operations(l)) return gather_each_offset(l, s, results);
  take_offsets(l, s);
  sample_units(l, s, results);
}

// Gather of a component that is known only when the program runs.
void gather_component(Lowering& l, const Sampling& s, Value results[4]) {
  Builder& b = l.b();
  const Value component_v = b.op(Op::And, {s.component_v, b.u32(3)});
  for (uint8_t k = 0; k < 4; ++k) {
    Sampling one = s;
    one.op.component = k;
    Value texels[4];
    sample_offsets(l, one, texels);
    const Value is_it_v = b.op(Op::IEq, {component_v, b.u32(k)});
    for (uint32_t c = 0; c < 4; ++c) results[c] = k == 0 ? texels[c] : b.op(Op::Select, {is_it_v, texels[c], results[c]});
  }
}

void finish(Lowering& l, Sampling s) {
  without_quads(l, s);
  Value results[4];
  if (s.component_v.id != ir::kNoValue) gather_component(l, s, results);
  else sample_offsets(l, s, results);
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
  take_next_reference(l, s, 0);
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
  take_next_reference(l, s, 1);
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

namespace {

uint8_t immediate_component(Lowering& l, const Source& component) {
  const Immediate& imm = l.program().immediates[static_cast<size_t>(component.reg.index.value)];
  return static_cast<uint8_t>(imm.words[component.swizzle[0]] & 3);
}

}  // namespace

// The component comes from the second source, or from a swizzle on the sampler; the second source of a shadow cube array
// is its reference, and comparisons have no component.
void lower_tg4(Lowering& l) {
  Sampling s = classic(l, TextureKind::Gather, 2);
  take_coordinates(l, s);
  take_next_reference(l, s, 0);
  const Source& component = l.source(1);
  if (l.source(2).letters) {
    s.op.component = l.source(2).swizzle[0];
  } else if (!target_shape(s.op.target).is_shadow()) {
    const bool known = component.reg.file == File::Imm && !component.reg.index.indirect;
    if (!known) s.component_v = l.src(1, 0);
    else s.op.component = immediate_component(l, component);
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

namespace {

// How many samples a pixel has: of a view, or, where a TEMP stands in its place, of the render target.
Value sample_count(Lowering& l) {
  const Register& reg = l.source(0).reg;
  if (reg.file != File::Sview) {
    ir::Input in;
    in.semantic = ir::Semantic::SampleId;
    in.of_target = true;
    return l.b().input(in);
  }
  Sampling s = sampled(l, TextureKind::QuerySamples, 0, 0);
  Value results[4];
  sample_units(l, s, results);
  return results[0];
}

void set_swizzled(Lowering& l, Value x, Value y) {
  for (uint32_t c = 0; c < 4; ++c) {
    const uint8_t from = l.source(0).swizzle[c];
    l.set(c, from == 0 ? x : from == 1 ? y : l.b().u32(0));
  }
}

}  // namespace

void lower_sample_pos(Lowering& l) {
  const Value count = sample_count(l), sample = l.src(1, 0);
  set_swizzled(l, l.b().op(Op::SamplePosX, {count, sample}), l.b().op(Op::SamplePosY, {count, sample}));
}

void lower_sample_info(Lowering& l) { set_swizzled(l, sample_count(l), l.b().u32(0)); }

void lower_lod(Lowering& l) { finish(l, sample_family(l, TextureKind::QueryLod)); }

}  // namespace tessera::tgsi
