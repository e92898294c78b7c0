#include "shader/jit_registers.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tessera::jit {

using emit::Inst;
using emit::Operand;
using emit::Ymm;
using ir::Instr;
using ir::kNoValue;
using ir::ValueId;

Registers::Registers(emit::Emitter& emitter, const ir::Program& program, const interp::Slots& slots, const Plan& plan)
    : e_(emitter),
      program_(program),
      slots_(slots),
      plan_(plan),
      register_of_(program.value_count, kNone),
      is_in_slot_(program.value_count, true),
      next_use_(program.args.size(), kNever),
      use_ahead_(program.value_count, kNever) {}

void Registers::begin(std::span<const uint32_t> run, std::optional<uint32_t> strip) {
  run_ = run;
  strip_ = strip;
  for (uint8_t r = 0; r < kCount; ++r) forget(r);
  find_next_uses();
}

// From the end backwards. Two operands of one instruction that are the same value have the same next use.
void Registers::find_next_uses() {
  for (size_t k = run_.size(); k-- > 0;) {
    const Instr& i = program_.code[run_[k]];
    for (uint32_t a = 0; a < i.arg_count; ++a)
      if (const ValueId v = program_.args[i.first_arg + a]; v != kNoValue) next_use_[i.first_arg + a] = use_ahead_[v];
    for (uint32_t a = 0; a < i.arg_count; ++a)
      if (const ValueId v = program_.args[i.first_arg + a]; v != kNoValue) use_ahead_[v] = static_cast<uint32_t>(k);
  }
}

void Registers::begin_instruction(uint32_t position) {
  const Instr& i = program_.code[run_[position]];
  position_ = position;
  first_arg_ = i.first_arg;
  arg_count_ = i.arg_count;
  for (uint32_t k = 0; k < arg_count_; ++k) {
    const ValueId v = value_of(k);
    use_ahead_[v] = kNever;                        // for the next run that uses it
    if (register_of_[v] != kNone) registers_[register_of_[v]].is_busy = true;
  }
}

void Registers::end_instruction() {
  for (uint32_t k = 0; k < arg_count_; ++k)
    if (const uint8_t r = register_of_[value_of(k)]; r != kNone) {
      registers_[r].next_use = next_use_of(k);
      if (next_use_of(k) == kNever) forget(r);
    }
  for (uint8_t r = 0; r < kCount; ++r) registers_[r].is_busy = false;
}

// ---- operands ------------------------------------------------------------------------------------------------------

bool Registers::is_in_register(uint32_t operand) const { return register_of_[value_of(operand)] != kNone; }
bool Registers::dies(uint32_t operand) const { return is_in_register(operand) && next_use_of(operand) == kNever; }

// All strips of a uniform value's slot are the same: the first one stays in the cache.
Operand Registers::slot(ValueId value) const {
  const uint32_t slot = slots_.of_value[value];
  return slots_.is_uniform[value] ? emit::memory(kSlots, int64_t{slot} * kSlotBytes) : strip_of(slot);
}

Operand Registers::strip_of(uint32_t slot) const {
  const int64_t offset = int64_t{slot} * kSlotBytes;
  return strip_ ? emit::memory(kSlots, offset + *strip_ * kStripBytes) : emit::memory(kStrip, offset);
}

// A value that is needed again is worth a register that would stay empty.
Operand Registers::any(uint32_t operand) {
  constexpr uint32_t kSpared = 4;
  const ValueId v = value_of(operand);
  if (register_of_[v] == kNone && (slots_.is_uniform[v] || next_use_of(operand) == kNever || free_count() <= kSpared))
    return slot(v);
  return in_register(operand);
}

Ymm Registers::in_register(uint32_t operand) {
  const ValueId v = value_of(operand);
  if (register_of_[v] == kNone) {
    const uint8_t r = take();
    load(r, v);
    registers_[r].value = v;
    register_of_[v] = r;
  }
  return {register_of_[v]};
}

Ymm Registers::own(uint32_t operand) {
  const ValueId v = value_of(operand);
  uint32_t uses = 0;
  for (uint32_t k = 0; k < arg_count_; ++k) uses += value_of(k) == v;
  if (dies(operand) && uses == 1) return release(operand);
  const Ymm copy = temporary();
  load(copy.number, v);
  return copy;
}

// ---- results -------------------------------------------------------------------------------------------------------

Ymm Registers::temporary() { return {take()}; }

void Registers::give_back(Ymm temporary) { registers_[temporary.number] = {}; }

Ymm Registers::result() {
  for (uint32_t k = 0; k < arg_count_; ++k)
    if (dies(k)) return release(k);
  return temporary();
}

Ymm Registers::release(uint32_t operand) {
  const uint8_t r = std::exchange(register_of_[value_of(operand)], kNone);
  registers_[r].value = kNoValue;
  return {r};
}

void Registers::set_result(Ymm reg) {
  const ValueId v = program_.code[run_[position_]].result;
  Register& r = registers_[reg.number];
  if (plan_.is_kept[v]) e_.emit(Inst::vmovaps, slot(v), reg);
  is_in_slot_[v] = plan_.is_kept[v];
  r.next_use = use_ahead_[v];
  use_ahead_[v] = kNever;
  if (r.next_use == kNever) return;
  r.value = v;
  register_of_[v] = reg.number;
}

// ---- registers -----------------------------------------------------------------------------------------------------

uint32_t Registers::free_count() const {
  return static_cast<uint32_t>(
      std::ranges::count_if(registers_, [](const Register& r) { return !r.is_busy && r.value == kNoValue; }));
}

uint8_t Registers::take() {
  uint8_t best = kNone;
  for (uint8_t r = 0; r < kCount; ++r) {
    if (registers_[r].is_busy) continue;
    if (registers_[r].value == kNoValue) {
      best = r;
      break;
    }
    if (best == kNone || registers_[r].next_use > registers_[best].next_use) best = r;
  }
  TESSERA_CHECK(best != kNone);
  if (const ValueId v = registers_[best].value; v != kNoValue && !is_in_slot_[v]) {
    e_.emit(Inst::vmovaps, slot(v), Ymm{best});
    is_in_slot_[v] = true;
  }
  forget(best);
  registers_[best].is_busy = true;
  return best;
}

void Registers::load(uint8_t reg, ValueId value) {
  if (register_of_[value] != kNone) e_.emit(Inst::vmovaps, Ymm{reg}, Ymm{register_of_[value]});
  else e_.emit(Inst::vmovaps, Ymm{reg}, slot(value));
}

void Registers::forget(uint8_t reg) {
  if (registers_[reg].value != kNoValue) register_of_[registers_[reg].value] = kNone;
  registers_[reg] = {};
}

}  // namespace tessera::jit
