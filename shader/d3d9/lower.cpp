// shader/d3d9/lower.cpp: the walk over the instructions; operands and results as all handlers see them.
#include "shader/d3d9/lower.h"

#include <fmt/format.h>

#include <bit>

#include "shader/d3d9/lowering.h"

namespace tessera::d3d9 {
namespace {

constexpr uint32_t kMaxSteps = 65536;
constexpr size_t kMaxValues = size_t{1} << 20;

// What lowerings.def says of an instruction.
struct How {
  enum class Kind : uint8_t { Each, By, Nothing } kind;
  Op op = {};
  void (*handler)(Lowering&) = nullptr;
};

constexpr How kHow[] = {
#define LOWERING(name, lowering) lowering,
#define EACH(op) {How::Kind::Each, Op::op}
#define BY(handler) {How::Kind::By, {}, lower_##handler}
#define NOTHING {How::Kind::Nothing}
#include "shader/d3d9/lowerings.def"
#undef LOWERING
#undef EACH
#undef BY
#undef NOTHING
};
constexpr Opcode kOrder[] = {
#define LOWERING(name, lowering) Opcode::Op_##name,
#include "shader/d3d9/lowerings.def"
#undef LOWERING
};
constexpr bool is_in_order() {
  for (size_t k = 0; k < std::size(kOrder); ++k)
    if (kOrder[k] != static_cast<Opcode>(k)) return false;
  return true;
}
static_assert(is_in_order());

Value apply(Lowering& l, Op op, uint32_t c) {
  return l.inst().src_count == 1 ? l.op(op, {l.src(0, c)}) : l.op(op, {l.src(0, c), l.src(1, c)});
}

uint8_t components_to_write(const Program& p, const Instruction& inst) {
  return inst.dst_count ? p.dsts(inst)[0].mask : uint8_t{0};
}

}  // namespace

// Colours, coordinates, fog, position and size are what the rasterizer knows by name; others are plain data.
SemanticName semantic_of(Usage usage, uint32_t usage_index) {
  const auto index = static_cast<uint16_t>(usage_index);
  if (usage == Usage::Color) return {ir::Semantic::Color, index};
  if (usage == Usage::Texcoord) return {ir::Semantic::TexCoord, index};
  if (index == 0 && usage == Usage::Position) return {ir::Semantic::Position, 0};
  if (index == 0 && usage == Usage::PSize) return {ir::Semantic::PointSize, 0};
  if (index == 0 && usage == Usage::Fog) return {ir::Semantic::Fog, 0};
  return {ir::Semantic::Generic, static_cast<uint16_t>(static_cast<uint32_t>(usage) * 16 + usage_index)};
}

Lowering::Lowering(const Program& program, const LowerOptions& options)
    : program_(program), options_(options), b_(version_info(program.version).stage), registers_(b_, program) {}

Result<ir::Program> Lowering::run() {
  find_labels();
  calls_.push_back(b_.begin_block());
  lower_body(0);
  if (!diags_.empty()) return std::move(diags_);
  b_.end_block();
  registers_.write_outputs();
  return b_.finish();
}

void Lowering::find_labels() {
  for (uint32_t pc = 0; pc < program_.instructions.size(); ++pc) {
    const Instruction& inst = program_.instructions[pc];
    if (inst.opcode == Opcode::Op_label) labels_[program_.srcs(inst)[0].reg.number] = pc + 1;
  }
}

bool Lowering::is_last() const {
  return pc_ + 1 == program_.instructions.size() || program_.instructions[pc_ + 1].opcode == Opcode::Op_label;
}

void Lowering::lower_body(uint32_t first) {
  for (uint32_t pc = first; pc < program_.instructions.size() && diags_.empty(); ++pc) {
    const Instruction& inst = program_.instructions[pc];
    if (inst.opcode == Opcode::Op_label) return;
    if (++steps_ > kMaxSteps || b_.size() > kMaxValues) {
      diags_.push_back(error_at(inst.loc, "calls and branches make the program too large"));
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
  results_ = {};
  mask_ = components_to_write(program_, *inst_);
  if (how.kind == How::Kind::Each)
    for (uint32_t c = 0; c < 4; ++c)
      if (enabled(c)) set(c, apply(*this, how.op, c));
  if (how.kind == How::Kind::By) how.handler(*this);
  const Pending results{inst_, results_};
  if (reads_half_pair()) {
    first_of_pair_ = results;
    return;
  }
  if (first_of_pair_) write(*first_of_pair_);
  first_of_pair_.reset();
  write(results);
}

// Both halves of a pair read what was there before it.
bool Lowering::reads_half_pair() const {
  return pc_ + 1 < program_.instructions.size() && program_.instructions[pc_ + 1].co_issued;
}

void Lowering::write(const Pending& pending) {
  if (pending.inst->dst_count == 0) return;
  const Destination& dst = program_.dsts(*pending.inst)[0];
  const bool is_scalar = dst.reg.file == File::DepthOut ||
                         (dst.reg.file == File::RasterOut && dst.reg.number != kRasterPosition);
  if (is_scalar) return write_scalar(pending, dst);
  const Source* const predicate = program_.predicate(*pending.inst);
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(dst.mask >> c & 1) || pending.results[c].id == ir::kNoValue) continue;
    Value value = shifted(dst, pending.results[c]);
    if (predicate) {
      Value holds_v = registers_.read(predicate->reg, component_of(predicate->swizzle, c));
      if (predicate->modifier == SourceModifier::Not) holds_v = b_.op(Op::Not, {holds_v});
      value = b_.op(Op::Select, {holds_v, value, registers_.read(dst.reg, c)});
    }
    registers_.write(dst.reg, c, value);
  }
}

// An output of one component takes that of a mask of one, else x.
void Lowering::write_scalar(const Pending& pending, const Destination& dst) {
  const uint32_t c = std::has_single_bit(dst.mask) ? static_cast<uint32_t>(std::countr_zero(dst.mask)) : 0;
  if (pending.results[c].id == ir::kNoValue) return;
  Value value = shifted(dst, pending.results[c]);
  if (const Source* const predicate = program_.predicate(*pending.inst)) {
    Value holds_v = registers_.read(predicate->reg, component_of(predicate->swizzle, c));
    if (predicate->modifier == SourceModifier::Not) holds_v = b_.op(Op::Not, {holds_v});
    value = b_.op(Op::Select, {holds_v, value, registers_.read(dst.reg, 0)});
  }
  registers_.write(dst.reg, 0, value);
}

Value Lowering::shifted(const Destination& dst, Value value) {
  if (dst.shift) value = b_.op(Op::FMul, {value, number(dst.shift > 0 ? static_cast<float>(1 << dst.shift)
                                                                      : 1.0f / static_cast<float>(1 << -dst.shift))});
  return dst.saturate ? b_.op(Op::FSat, {value}) : value;
}

// ---- sources -------------------------------------------------------------------------------------------------------

Value Lowering::src(uint32_t i, uint32_t component) { return read_source(source(i), source(i).reg, component); }

Value Lowering::row(uint32_t i, uint32_t register_offset, uint32_t component) {
  Register reg = source(i).reg;
  reg.number += register_offset;
  return read_source(source(i), reg, component);
}

bool Lowering::is_known_number(uint32_t i, uint32_t component) const {
  return registers_.is_known_number(source(i).reg, component_of(source(i).swizzle, component));
}

Value Lowering::read_source(const Source& s, const Register& reg, uint32_t component) {
  const uint32_t from = component_of(s.swizzle, component);
  const Value x = registers_.read(reg, from);
  const auto divided = [&](uint32_t by) {
    if (from >= 2) return x;
    const Value divisor_v = registers_.read(reg, by);
    return b_.op(Op::Select, {b_.op(Op::FEq, {divisor_v, number(0)}), x, b_.op(Op::FDiv, {x, divisor_v})});
  };
  const auto twice_less_one = [&] { return b_.op(Op::FFma, {x, number(2), number(-1)}); };
  switch (s.modifier) {
    case SourceModifier::None: case SourceModifier::Not: return x;
    case SourceModifier::Negate: return b_.op(Op::FNeg, {x});
    case SourceModifier::Bias: return b_.op(Op::FSub, {x, number(0.5f)});
    case SourceModifier::BiasNegate: return b_.op(Op::FSub, {number(0.5f), x});
    case SourceModifier::Sign: return twice_less_one();
    case SourceModifier::SignNegate: return b_.op(Op::FNeg, {twice_less_one()});
    case SourceModifier::Complement: return b_.op(Op::FSub, {number(1), x});
    case SourceModifier::Twice: return b_.op(Op::FMul, {x, number(2)});
    case SourceModifier::TwiceNegate: return b_.op(Op::FMul, {x, number(-2)});
    case SourceModifier::DivideZ: return divided(2);
    case SourceModifier::DivideW: return divided(3);
    case SourceModifier::Abs: return b_.op(Op::FAbs, {x});
    case SourceModifier::AbsNegate: return b_.op(Op::FNeg, {b_.op(Op::FAbs, {x})});
  }
  return x;
}

Value Lowering::compare(Comparison comparison, Value a, Value b) {
  switch (comparison) {
    case Comparison::None: break;
    case Comparison::Gt: return b_.op(Op::FLt, {b, a});
    case Comparison::Eq: return b_.op(Op::FEq, {a, b});
    case Comparison::Ge: return b_.op(Op::FGe, {a, b});
    case Comparison::Lt: return b_.op(Op::FLt, {a, b});
    case Comparison::Ne: return b_.op(Op::FNe, {a, b});
    case Comparison::Le: return b_.op(Op::FGe, {b, a});
  }
  return b_.u32(0);
}

Result<ir::Program> lower(const Program& program, const LowerOptions& options) {
  return Lowering(program, options).run();
}

}  // namespace tessera::d3d9
