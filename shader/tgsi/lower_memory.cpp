// shader/tgsi/lower_memory.cpp: LOAD, STORE, RESQ and the atomic opcodes → memory operations; barriers.
//
// A register that stands where a resource would holds a handle: the number of a buffer or, where the instruction names
// a target, of an image.
#include "shader/tgsi/lowering.h"
#include "shader/tgsi/targets.h"

namespace tessera::tgsi {
namespace {

using ir::AtomicKind;
using ir::MemoryOp;
using ir::MemorySpace;
namespace arg = ir::mem_arg;

constexpr uint32_t kPrivateWords = 256;   // of PRIVATE memory, a lane

// One memory operation in the making.
struct Access {
  enum class Where : uint8_t { Memory, Private, Constants } where = Where::Memory;
  MemoryOp op;
  Value args[arg::Count];
};

bool holds_handle(File file) {
  return file != File::Buffer && file != File::Image && file != File::Memory && file != File::HwAtomic &&
         file != File::ConstBuf;
}

// ---- which resource -------------------------------------------------------------------------------------------------

// RESOURCE[number], or RESOURCE[ADDR[0].x + number]: the indirect part goes into an operand.
void take_number(Lowering& l, const Index& index, Access& a) {
  if (!index.indirect) {
    a.op.binding = static_cast<uint16_t>(index.value);
    return;
  }
  a.args[arg::Index] = l.index_value(index);
}

// The declaration of an image; of one that is only known when the program runs, that of the first it may be.
const Declaration* image_declaration(Lowering& l, const Register& reg) {
  if (!reg.index.indirect) return l.declaration_of(File::Image, static_cast<uint32_t>(reg.index.value));
  for (const Declaration& d : l.program().declarations)
    if (d.file == File::Image && (!reg.index.array_id || d.array_id == reg.index.array_id)) return &d;
  return nullptr;
}

void take_image(Lowering& l, const Register& reg, Access& a) {
  a.op.space = MemorySpace::Image;
  const Declaration* d = reg.file == File::Image ? image_declaration(l, reg) : nullptr;
  a.op.target = l.inst().target.value_or(d && d->target ? *d->target : TextureTarget::Unknown);
  a.op.format = l.inst().format.value_or(d && d->format ? *d->format : Format::NONE);
}

// Without a declaration MEMORY is shared by the work group.
void take_memory(Lowering& l, const Register& reg, Access& a) {
  const Declaration* d = l.declaration_of(File::Memory, static_cast<uint32_t>(reg.index.value));
  const MemoryKind kind = d ? d->memory.value_or(MemoryKind::Global) : MemoryKind::Shared;
  switch (kind) {
    case MemoryKind::Global: a.op.space = MemorySpace::Global; break;
    case MemoryKind::Shared: a.op.space = MemorySpace::Shared; break;
    case MemoryKind::Input: a.op.space = MemorySpace::Arguments; break;
    case MemoryKind::Private: a.where = Access::Where::Private; break;
  }
}

// A counter is a word of its buffer, named by the register; the instruction's address operand repeats it.
void take_counter(Lowering& l, const Register& reg, Access& a) {
  a.op.space = MemorySpace::Counter;
  if (reg.two_dimensional) take_number(l, reg.dimension, a);
  Builder& b = l.b();
  a.args[arg::X] = reg.index.indirect ? b.op(Op::Shl, {l.index_value(reg.index), b.u32(2)})
                                      : b.u32(static_cast<uint32_t>(reg.index.value) * 4);
}

// `handle_channel`: where a handle is in its register.
Access take_resource(Lowering& l, const Register& reg, uint32_t handle_channel) {
  Access a;
  switch (reg.file) {
    case File::Buffer: take_number(l, reg.index, a); break;
    case File::Image: take_image(l, reg, a), take_number(l, reg.index, a); break;
    case File::Memory: take_memory(l, reg, a); break;
    case File::HwAtomic: take_counter(l, reg, a); break;
    case File::ConstBuf:
      a.where = Access::Where::Constants;
      take_number(l, reg.index, a);
      break;
    default:
      if (l.inst().target) take_image(l, reg, a);
      a.args[arg::Index] = l.register_word(reg, handle_channel);
  }
  return a;
}

Access take_source_resource(Lowering& l) { return take_resource(l, l.source(0).reg, l.source(0).swizzle[0]); }

// ---- where in it ----------------------------------------------------------------------------------------------------

// Texels have their coordinates in x, y, z in the order of the target's dimensions, layers and faces behind them, a
// sample in w.
void take_address(Lowering& l, uint32_t operand, Access& a) {
  if (a.op.space == MemorySpace::Counter) return;
  a.args[arg::X] = l.src(operand, 0);
  if (a.op.space != MemorySpace::Image) return;
  const TargetShape& shape = target_shape(a.op.target);
  const uint32_t dimensions = shape.is_cube ? 2 : shape.coords;
  if (dimensions > 1) a.args[arg::Y] = l.src(operand, 1);
  if (dimensions > 2 || shape.is_cube || shape.has_layer()) a.args[arg::Slice] = l.src(operand, dimensions > 1 ? 2 : 1);
  if (shape.is_multisample) a.args[arg::Sample] = l.src(operand, 3);
}

Value word_number(Lowering& l, const Access& a, uint32_t word) {
  Builder& b = l.b();
  return b.op(Op::IAdd, {b.op(Op::UShr, {a.args[arg::X], b.u32(2)}), b.u32(word)});
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// A constant buffer that is only known when the program runs is picked from those that are declared.
Value load_constant(Lowering& l, const Access& a, Value word_v) {
  Builder& b = l.b();
  const Value number_v = a.args[arg::Index];
  if (number_v.id == ir::kNoValue) return b.constant_at(a.op.binding, word_v);
  Value result_v = b.u32(0);
  for (const Declaration& d : l.program().declarations)
    for (uint32_t buffer = d.first; d.file == File::ConstBuf && buffer <= d.last; ++buffer) {
      const Value is_it_v = b.op(Op::IEq, {number_v, b.u32(buffer)});
      result_v = b.op(Op::Select, {is_it_v, b.constant_at(buffer, word_v), result_v});
    }
  return result_v;
}

// The words [first, first + count) behind the address.
void load(Lowering& l, Access& a, uint32_t first, uint32_t count, Value* words) {
  if (a.where == Access::Where::Memory) {
    a.op.first_word = static_cast<uint8_t>(first);
    return l.b().memory(Op::MemLoad, a.op, a.args, {words, count});
  }
  for (uint32_t k = 0; k < count; ++k)
    words[k] = a.where == Access::Where::Private
                   ? l.b().array_load(l.private_memory(kPrivateWords), word_number(l, a, first + k))
                   : load_constant(l, a, word_number(l, a, first + k));
}

// ---- PRIVATE memory: operations on the lane's own array -------------------------------------------------------------

Value updated(Lowering& l, AtomicKind kind, Value old, Value value, Value other) {
  Builder& b = l.b();
  const auto below_limit = [&](Value v) { return b.op(Op::ULt, {v, value}); };
  const Value zero = b.u32(0), one = b.u32(1);
  switch (kind) {
    case AtomicKind::Add: return b.op(Op::IAdd, {old, value});
    case AtomicKind::FAdd: return b.op(Op::FAdd, {old, value});
    case AtomicKind::Exchange: return value;
    case AtomicKind::And: return b.op(Op::And, {old, value});
    case AtomicKind::Or: return b.op(Op::Or, {old, value});
    case AtomicKind::Xor: return b.op(Op::Xor, {old, value});
    case AtomicKind::UMin: return b.op(Op::UMin, {old, value});
    case AtomicKind::UMax: return b.op(Op::UMax, {old, value});
    case AtomicKind::IMin: return b.op(Op::IMin, {old, value});
    case AtomicKind::IMax: return b.op(Op::IMax, {old, value});
    case AtomicKind::CompareExchange: return b.op(Op::Select, {b.op(Op::IEq, {old, value}), other, old});
    case AtomicKind::IncWrap: {
      const Value next = b.op(Op::IAdd, {old, one});
      return b.op(Op::Select, {b.op(Op::UGe, {value, next}), next, zero});
    }
    case AtomicKind::DecWrap: {
      const Value counts = b.op(Op::And, {b.op(Op::INe, {old, zero}), below_limit(old)});
      return b.op(Op::Select, {counts, b.op(Op::ISub, {old, one}), zero});
    }
  }
  return old;
}

void update_private(Lowering& l, AtomicKind kind, const Access& a) {
  const uint32_t array = l.private_memory(kPrivateWords);
  const Value word = word_number(l, a, 0), old = l.b().array_load(array, word);
  l.b().array_store(array, word, updated(l, kind, old, a.args[arg::Value], a.args[arg::Value + 1]));
  l.set(0, old);
}

// ---- atomics --------------------------------------------------------------------------------------------------------

// The old value goes to x alone.
void lower_atomic(Lowering& l, AtomicKind kind) {
  Access a = take_source_resource(l);
  take_address(l, 1, a);
  a.args[arg::Value] = l.src(2, 0);
  if (kind == AtomicKind::CompareExchange) a.args[arg::Value + 1] = l.src(3, 0);
  l.restrict_mask(1);
  if (a.where == Access::Where::Private) return update_private(l, kind, a);
  a.op.atomic = kind;
  Value old;
  l.b().memory(Op::MemAtomic, a.op, a.args, {&old, 1});
  l.set(0, old);
}

}  // namespace

// The swizzle of the resource reorders the words or channels.
void lower_load(Lowering& l) {
  Access a = take_source_resource(l);
  take_address(l, 1, a);
  const bool is_handle = holds_handle(l.source(0).reg.file);
  uint32_t word_of[4], first = 3, last = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    word_of[c] = is_handle ? c : l.source(0).swizzle[c];
    if (l.enabled(c)) first = std::min(first, word_of[c]), last = std::max(last, word_of[c]);
  }
  if (a.op.space == MemorySpace::Image) first = 0, last = 3;
  Value words[4];
  load(l, a, first, last - first + 1, words);
  for (uint32_t c = 0; c < 4; ++c)
    if (l.enabled(c)) l.set(c, words[word_of[c] - first]);
}

// The mask says which words or channels are stored.
void lower_store(Lowering& l) {
  const Destination& dst = l.program().dsts(l.inst())[0];
  Access a = take_resource(l, dst.reg, 0);
  take_address(l, 0, a);
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(dst.mask >> c & 1)) continue;
    const Value value = l.src(1, c);
    if (a.where == Access::Where::Private)
      l.b().array_store(l.private_memory(kPrivateWords), word_number(l, a, c), value);
    else a.args[arg::Value + c] = value;
  }
  if (a.where == Access::Where::Memory) l.b().memory(Op::MemStore, a.op, a.args, {});
}

void lower_resq(Lowering& l) {
  Access a = take_source_resource(l);
  l.set_all(l.b().u32(0));
  if (a.where == Access::Where::Private) return l.set(0, l.b().u32(kPrivateWords * 4));
  a.args[arg::X] = {};
  Value size[4];
  const uint32_t count = a.op.space == MemorySpace::Image ? 4 : 1;
  l.b().memory(Op::MemSize, a.op, a.args, {size, count});
  for (uint32_t c = 0; c < count; ++c) l.set(c, size[c]);
}

// Whatever kinds of memory the operand names, all are ordered.
void lower_membar(Lowering& l) { l.b().op_multi(Op::MemFence, {}, 0, {}); }
void lower_barrier(Lowering& l) { l.b().barrier(); }

void lower_atomuadd(Lowering& l) { lower_atomic(l, AtomicKind::Add); }
void lower_atomfadd(Lowering& l) { lower_atomic(l, AtomicKind::FAdd); }
void lower_atomxchg(Lowering& l) { lower_atomic(l, AtomicKind::Exchange); }
void lower_atomand(Lowering& l) { lower_atomic(l, AtomicKind::And); }
void lower_atomor(Lowering& l) { lower_atomic(l, AtomicKind::Or); }
void lower_atomxor(Lowering& l) { lower_atomic(l, AtomicKind::Xor); }
void lower_atomumin(Lowering& l) { lower_atomic(l, AtomicKind::UMin); }
void lower_atomumax(Lowering& l) { lower_atomic(l, AtomicKind::UMax); }
void lower_atomimin(Lowering& l) { lower_atomic(l, AtomicKind::IMin); }
void lower_atomimax(Lowering& l) { lower_atomic(l, AtomicKind::IMax); }
void lower_atomcas(Lowering& l) { lower_atomic(l, AtomicKind::CompareExchange); }
void lower_atominc_wrap(Lowering& l) { lower_atomic(l, AtomicKind::IncWrap); }
void lower_atomdec_wrap(Lowering& l) { lower_atomic(l, AtomicKind::DecWrap); }

// A handle is the number of the unit that it names; the high word is 0.
void lower_handle(Lowering& l) {
  const Register& reg = l.source(0).reg;
  const bool is_value = reg.file != File::Samp && holds_handle(reg.file);
  const Value number = is_value ? l.handle(0)
                       : reg.index.indirect ? l.index_value(reg.index)
                                            : l.b().u32(static_cast<uint32_t>(reg.index.value));
  for (uint32_t c = 0; c < 4; ++c) l.set(c, c % 2 == 0 ? number : l.b().u32(0));
}

}  // namespace tessera::tgsi
