// shader/tgsi/lower.cpp: the walk over the instructions; the operand access that all handlers share.
#include "shader/tgsi/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "shader/tgsi/lowering.h"
#include "shader/tgsi/names.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kMaxSteps = 65536, kMaxArrayWords = 65536, kMaxValues = 1u << 20;
constexpr uint8_t kDepthUnchanged = 4;   // of FS_DEPTH_LAYOUT: what the program writes does not count

// What ops.def says of an opcode's lowering.
struct How {
  enum class Kind : uint8_t { Each, Scalar, Pairs, Packed, By, Flow } kind;
  Op op = {};
  void (*handler)(Lowering&) = nullptr;
};

constexpr How kHow[] = {
#define OP(name, group, signature, stages, kind, lowering) lowering,
#define EACH(op) {How::Kind::Each, Op::op}
#define SCALAR(op) {How::Kind::Scalar, Op::op}
#define PAIRS(op) {How::Kind::Pairs, Op::op}
#define PACKED(op) {How::Kind::Packed, Op::op}
#define BY(handler) {How::Kind::By, {}, lower_##handler}
#define FLOW {How::Kind::Flow}
#include "shader/tgsi/ops.def"
#undef OP
#undef EACH
#undef SCALAR
#undef PAIRS
#undef PACKED
#undef BY
#undef FLOW
};

Value apply(Lowering& l, Op op, uint32_t channel) {
  const uint32_t count = l.inst().src_count;
  if (count == 1) return l.b().op(op, {l.src(0, channel)});
  if (count == 2) return l.b().op(op, {l.src(0, channel), l.src(1, channel)});
  if (count == 3) return l.b().op(op, {l.src(0, channel), l.src(1, channel), l.src(2, channel)});
  return l.b().op(op, {l.src(0, channel), l.src(1, channel), l.src(2, channel), l.src(3, channel)});
}

}  // namespace

Lowering::Lowering(const Program& program, const LowerOptions& options)
    : program_(program), options_(options), b_(program.stage), registers_(b_, program) {}

Result<ir::Program> Lowering::run() {
  if (!check_stage()) return diags_.take();
  set_facts();
  if (program_.stage == Stage::Geometry) registers_.declare_emitted_outputs();
  if (program_.stage == Stage::TessCtrl) registers_.declare_patch_outputs();
  find_labels();
  const bool returns = main_returns();
  frames_.push_back({});
  frames_.back().kind = Frame::Kind::Call;
  if (returns) frames_.back().region = b_.begin_block();
  lower_body(0);
  if (!diags_.empty()) return diags_.take();
  if (returns) b_.end_block();
  if (program_.stage != Stage::Geometry && program_.stage != Stage::TessCtrl) registers_.write_outputs();
  return b_.finish();
}

bool Lowering::check_stage() {
  if (registers_.array_words() > kMaxArrayWords)
    diags_.add(Rule::program_too_large, {1, 1}, fmt::format("indirectly addressed registers need {} words a lane, more than {}",
                                                            registers_.array_words(), kMaxArrayWords));
  return diags_.empty();
}

void Lowering::set_facts() {
  ir::Program& facts = b_.program();
  const auto value = [&](PropertyName name) { return program_.property(name).value_or(0); };
  facts.color0_writes_all = value(PropertyName::FsColor0WritesAllCbufs) != 0;
  facts.origin_lower_left = value(PropertyName::FsCoordOrigin) == 1;
  facts.pixel_center_integer = value(PropertyName::FsCoordPixelCenter) == 1;
  facts.early_depth_stencil = value(PropertyName::FsEarlyDepthStencil) != 0;
  facts.post_depth_coverage = value(PropertyName::FsPostDepthCoverage) != 0;
  facts.early_depth_stencil = facts.early_depth_stencil || facts.post_depth_coverage;   // which it implies
  facts.window_space_position = value(PropertyName::VsWindowSpacePosition) != 0;
  facts.prohibits_clip_planes = value(PropertyName::VsProhibitUcps) != 0;
  facts.layer_viewport_relative = value(PropertyName::LayerViewportRelative) != 0;
  facts.depth_layout = static_cast<uint8_t>(value(PropertyName::FsDepthLayout));
  facts.blend_equations = value(PropertyName::FsBlendEquationAdvanced);
  if (const auto width = program_.property(PropertyName::CsFixedBlockWidth))
    facts.block_size = {*width, program_.property(PropertyName::CsFixedBlockHeight).value_or(1),
                        program_.property(PropertyName::CsFixedBlockDepth).value_or(1)};
  legacy_math_ = value(PropertyName::LegacyMathRules) != 0;
  set_primitive_facts();
  if (program_.stage != Stage::Fragment) return;
  for (const Declaration& d : program_.declarations) {
    if (d.file != File::Out || !d.semantic) continue;
    facts.writes_depth |= d.semantic->name == Semantic::Position && facts.depth_layout != kDepthUnchanged;
    facts.writes_stencil |= d.semantic->name == Semantic::Stencil;
    facts.writes_sample_mask |= d.semantic->name == Semantic::SampleMask;
  }
}

// What a program before the rasterizer says of primitives.
void Lowering::set_primitive_facts() {
  ir::Program& facts = b_.program();
  const auto value = [&](PropertyName name, uint32_t otherwise) { return program_.property(name).value_or(otherwise); };
  const auto number = [&](PropertyName name, uint32_t otherwise = 0) {
    return static_cast<uint8_t>(value(name, otherwise));
  };
  facts.geometry = {};
  if (program_.stage == Stage::Geometry) {
    facts.geometry.input_primitive = number(PropertyName::GsInputPrimitive);
    facts.geometry.output_primitive = number(PropertyName::GsOutputPrimitive);
    facts.geometry.max_vertices = static_cast<uint16_t>(value(PropertyName::GsMaxOutputVertices, 0));
    facts.geometry.invocations = number(PropertyName::GsInvocations, 1);
  }
  facts.tessellation.vertices_out = number(PropertyName::TcsVerticesOut);
  facts.tessellation.primitive = number(PropertyName::TesPrimMode);
  facts.tessellation.spacing = number(PropertyName::TesSpacing);
  facts.tessellation.clockwise = number(PropertyName::TesVertexOrderCw) != 0;
  facts.tessellation.point_mode = number(PropertyName::TesPointMode) != 0;
  const bool counted =
      program_.property(PropertyName::NumClipdistEnabled) || program_.property(PropertyName::NumCulldistEnabled);
  facts.clip_distances = counted ? number(PropertyName::NumClipdistEnabled) : declared_clip_distances();
  facts.cull_distances = number(PropertyName::NumCulldistEnabled);
}

// Without a property all declared distances clip.
uint8_t Lowering::declared_clip_distances() const {
  uint32_t count = 0;
  for (const Declaration& d : program_.declarations) {
    if (d.file != File::Out || !d.semantic || d.semantic->name != Semantic::ClipDist) continue;
    const uint32_t last = d.semantic->index + (d.last - d.first);
    count = std::max(count, 4 * last + static_cast<uint32_t>(std::bit_width(d.usage_mask)));
  }
  return static_cast<uint8_t>(std::min(count, 8u));
}

void Lowering::lower_body(uint32_t first) {
  for (uint32_t pc = first; pc < program_.instructions.size() && !diags_.full(); ++pc) {
    const Instruction& inst = program_.instructions[pc];
    if (inst.opcode == Opcode::Op_END || inst.opcode == Opcode::Op_ENDSUB) return;
    if (++steps_ > kMaxSteps) {
      if (steps_ == kMaxSteps + 1)
        diags_.add(Rule::program_too_large, inst.loc, fmt::format("subroutine calls make more than {} instructions", kMaxSteps));
      return;
    }
    if (b_.size() > kMaxValues) {
      if (!std::exchange(is_too_large_, true))
        diags_.add(Rule::program_too_large, inst.loc, fmt::format("branches join more than {} values", kMaxValues));
      return;
    }
    pc_ = pc;
    inst_ = &inst;
    b_.at(inst.loc);
    lower_instruction();
  }
}

void Lowering::lower_instruction() {
  const How& how = kHow[static_cast<size_t>(inst_->opcode)];
  src_places_.clear();
  results_ = {};
  mask_ = inst_->dst_count ? program_.dsts(*inst_)[0].mask : 0;
  const std::string_view types = opcode_info(inst_->opcode).srcs;
  for (uint32_t i = 0; i < inst_->src_count; ++i) {
    const bool is_value = std::string_view("SVRNOvs").find(types[i]) == std::string_view::npos && !source(i).literal;
    src_places_.push_back(is_value ? registers_.resolve(source(i).reg) : Registers::Place{});
  }
  switch (how.kind) {
    case How::Kind::Each:
      for (uint32_t c = 0; c < 4; ++c)
        if (enabled(c)) set(c, apply(*this, how.op, c));
      break;
    case How::Kind::Scalar: set_all(apply(*this, how.op, 0)); break;
    case How::Kind::Pairs: lower_pairs(*this, how.op, NarrowChannels::XZ); break;
    case How::Kind::Packed: lower_pairs(*this, how.op, NarrowChannels::XY); break;
    case How::Kind::By: how.handler(*this); break;
    case How::Kind::Flow: return lower_flow();
  }
  commit();
}

// All sources and indices have been read; now the channels are written.
void Lowering::commit() {
  const std::span<const Destination> dsts = program_.dsts(*inst_);
  if (dsts.empty()) return;
  const Registers::Place place = registers_.resolve(dsts[0].reg);
  const Registers::Place second = dsts.size() > 1 ? registers_.resolve(dsts[1].reg) : Registers::Place{};
  for (uint32_t c = 0; c < 4; ++c) {
    if (!enabled(c) || results_[c].id == ir::kNoValue) continue;
    registers_.write(place, c, inst_->saturate ? b_.op(Op::FSat, {results_[c]}) : results_[c]);
  }
  for (uint32_t c = 0; c < 4 && dsts.size() > 1; ++c)
    if (dsts[1].mask >> c & 1) registers_.write(second, c, second_result_);
}

// Absolute value first. On integers the minus is two's complement, on floats and untyped bits it is the sign bit.
Value Lowering::src(uint32_t i, uint32_t channel) {
  const Source& s = source(i);
  if (s.literal) return b_.u32(*s.literal);
  return modified(i, registers_.read(src_places_[i], s.swizzle[channel]));
}

Value Lowering::modified(uint32_t i, Value value) {
  const Source& s = source(i);
  const char type = opcode_info(inst_->opcode).srcs[i];
  const bool integer = type == 'I' || type == 'U' || type == 'i';
  if (s.absolute) value = b_.op(integer ? Op::IAbs : Op::FAbs, {value});
  if (s.negate) value = b_.op(integer ? Op::INeg : Op::FNeg, {value});
  return value;
}

std::vector<NamedInput> Lowering::inputs_of(uint32_t i, uint32_t channel) const {
  const Source& s = source(i);
  const Index& index = s.reg.index;
  std::vector<NamedInput> inputs;
  const auto add = [&](const Declaration& d, uint32_t reg) {
    inputs.push_back({reg, registers_.input_of(d, reg, s.swizzle[channel])});
  };
  if (!index.indirect) {
    const auto reg = static_cast<uint32_t>(index.value);
    if (const Declaration* d = registers_.declaration_of(s.reg.file, reg)) add(*d, reg);
    return inputs;
  }
  for (const Declaration& d : program_.declarations) {
    if (d.file != s.reg.file || (index.array_id && d.array_id != index.array_id)) continue;
    for (uint32_t reg = d.first; reg <= d.last; ++reg) add(d, reg);
  }
  return inputs;
}

Value Lowering::offset_word(const Offset& offset, uint32_t channel) {
  return registers_.read(registers_.resolve(offset.reg), offset.swizzle[channel]);
}

Value Lowering::handle(uint32_t i) { return registers_.read(registers_.resolve(source(i).reg), source(i).swizzle[0]); }

TextureTarget Lowering::view_target(const Register& view) const {
  if (!view.index.indirect) {
    const Declaration* d = registers_.declaration_of(File::Sview, static_cast<uint32_t>(view.index.value));
    return d ? *d->target : TextureTarget::Unknown;
  }
  for (const Declaration& d : program_.declarations)
    if (d.file == File::Sview && (!view.index.array_id || d.array_id == view.index.array_id)) return *d.target;
  return TextureTarget::Unknown;
}

uint32_t Lowering::private_memory(uint32_t words) {
  if (!private_memory_) private_memory_ = b_.private_array(words);
  return *private_memory_;
}

Result<ir::Program> lower(const Program& program, const LowerOptions& options) { return Lowering(program, options).run(); }

}  // namespace tessera::tgsi
