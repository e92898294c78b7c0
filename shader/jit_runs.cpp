#include "shader/jit_runs.h"

#include "shader/jit_ops.h"
#include "shader/print.h"

namespace tessera::jit {

using emit::Gp;
using emit::Inst;
using emit::Label;
using emit::low32;
using emit::low8;
using emit::memory;
using emit::Operand;
using emit::Ymm;
using ir::Instr;
using ir::ValueId;

Runs::Runs(emit::Emitter& emitter, const ir::Program& program, const interp::Slots& slots, const Plan& plan)
    : e_(emitter),
      program_(program),
      slots_(slots),
      plan_(plan),
      registers_(emitter, program, slots, plan),
      products_(emitter, program, plan, registers_) {}

void Runs::add(uint32_t instr) {
  if (!run_.empty() && plan_.run_of[run_.back()] != plan_.run_of[instr]) write();
  run_.push_back(instr);
}

void Runs::write() {
  if (!run_.empty()) write_strips(Tail::None);
}

void Runs::write_condition(uint32_t instr) {
  const ValueId condition = program_.args[program_.code[instr].first_arg];
  if (!slots_.is_uniform[condition]) {
    run_.push_back(instr);
    return write_strips(Tail::Condition);
  }
  // All lanes or none: the carry of word - 1 is whether it is 0.
  write();
  comment(instr);
  e_.emit(Inst::cmp, memory(kSlots, int64_t{slots_.of_value[condition]} * kSlotBytes, 4), 1);
  e_.emit(Inst::sbb, kTrueLanes, kTrueLanes);
  e_.emit(Inst::not_, kTrueLanes);
}

void Runs::write_copies(uint32_t instr, ValueId first_result, CopyTo to) {
  const Instr& i = program_.code[instr];
  if (i.arg_count == 0) return write();
  first_result_ = first_result;
  copy_to_ = to;
  if (plan_.run_of[instr] != kNoRun) {
    run_.push_back(instr);
    return write_strips(Tail::Copies);
  }
  write();
  comment(instr);
  run_.push_back(instr);
  write_strips(Tail::Copies);
}

void Runs::comment(uint32_t instr) {
  if (e_.is_listing()) e_.comment(ir::print(program_, program_.code[instr]));
}

// ---- strips --------------------------------------------------------------------------------------------------------

void Runs::write_strips(Tail tail) {
  constexpr size_t kFew = 16;                      // operations beside which a loop over strips costs much
  if (tail == Tail::Condition) e_.emit(Inst::xor_, low32(kTrueLanes), low32(kTrueLanes));
  if (loops_ > 0 && run_.size() <= kFew) write_each_strip(tail);
  else write_loop(tail);
  run_.clear();
}

void Runs::write_each_strip(Tail tail) {
  constexpr uint32_t kHalf = kStrips / 2;
  for (uint32_t strip = 0; strip < kStrips; ++strip) {
    const Label next = e_.new_label();
    if (strip == kHalf) {
      e_.emit(Inst::mov, Gp::rdx, kExec);
      e_.emit(Inst::shr, Gp::rdx, int64_t{kHalf * kStripLanes});
    }
    const uint32_t lanes = 0xffu << strip % kHalf * kStripLanes;
    e_.emit(Inst::test, low32(strip < kHalf ? kExec : Gp::rdx), int64_t{static_cast<int32_t>(lanes)});
    e_.emit(Inst::jz, next);
    write_strip(tail, strip);
    e_.bind(next);
  }
}

void Runs::write_loop(Tail tail) {
  const Label strip = e_.new_label(), next = e_.new_label();
  e_.emit(Inst::xor_, low32(kLane), low32(kLane));
  e_.emit(Inst::mov, kStrip, kSlots);
  e_.bind(strip);
  e_.emit(Inst::shrx, Gp::rax, kExec, kLane);
  e_.emit(Inst::test, low8(Gp::rax), low8(Gp::rax));
  e_.emit(Inst::jz, next);
  write_strip(tail, std::nullopt);
  e_.bind(next);
  e_.emit(Inst::add, kStrip, int64_t{kStripBytes});
  e_.emit(Inst::add, low32(kLane), int64_t{kStripLanes});
  e_.emit(Inst::cmp, low32(kLane), int64_t{kBlockLanes});
  e_.emit(Inst::jb, strip);
}

void Runs::write_strip(Tail tail, std::optional<uint32_t> strip) {
  strip_ = strip;
  registers_.begin(run_, strip);
  const size_t operations = run_.size() - (tail != Tail::None);
  for (uint32_t k = 0; k < operations; ++k) {
    const Instr& i = program_.code[run_[k]];
    if (is_product(i.op)) {
      const uint32_t count = products_.count(std::span(run_).first(operations), k);
      for (uint32_t n = 0; n < count; ++n) comment(run_[k + n]);
      products_.write(run_, k, count);
      k += count - 1;
      continue;
    }
    comment(run_[k]);
    registers_.begin_instruction(k);
    Lane lane{e_, registers_, program_, plan_, i};
    lane_writer(i.op)(lane);
    registers_.end_instruction();
  }
  if (tail == Tail::None) return;
  const Instr& last = program_.code[run_.back()];
  comment(run_.back());
  registers_.begin_instruction(static_cast<uint32_t>(operations));
  if (tail == Tail::Condition) condition_tail(last);
  else if (plan_.run_of[run_.back()] != kNoRun) copies_tail(last);
  else copy_by_slots(last);
  registers_.end_instruction();
}

// ---- tails ---------------------------------------------------------------------------------------------------------

void Runs::condition_tail(const Instr& i) {
  const Ymm condition = registers_.in_register(0);
  if (plan_.is_bool[program_.args[i.first_arg]]) {
    e_.emit(Inst::vmovmskps, low32(Gp::rax), condition);
  } else {
    const Ymm is_false = registers_.temporary();
    e_.emit(Inst::vxorps, is_false, is_false, is_false);
    e_.emit(Inst::vpcmpeqd, is_false, is_false, condition);
    e_.emit(Inst::vmovmskps, low32(Gp::rax), is_false);
    e_.emit(Inst::xor_, low32(Gp::rax), 0xff);
  }
  if (!strip_) e_.emit(Inst::shlx, Gp::rax, Gp::rax, kLane);
  else if (*strip_ > 0) e_.emit(Inst::shl, Gp::rax, int64_t{*strip_ * kStripLanes});
  e_.emit(Inst::or_, kTrueLanes, Gp::rax);
}

// The strip's lanes in the lowest bits.
void Runs::shift_to_strip(Gp to, Gp lanes) {
  if (!strip_) return e_.emit(Inst::shrx, to, lanes, kLane);
  e_.emit(Inst::mov, to, lanes);
  if (*strip_ > 0) e_.emit(Inst::shr, to, int64_t{*strip_ * kStripLanes});
}

Ymm Runs::mask_of_lanes_that_stay() {
  const Ymm mask = registers_.temporary(), zero = registers_.temporary();
  shift_to_strip(Gp::rax, kCopyLanes);
  e_.emit(Inst::vmovd, low128(mask), low32(Gp::rax));
  e_.emit(Inst::vpbroadcastd, mask, low128(mask));
  e_.emit(Inst::vpand, mask, mask, e_.constant({1, 2, 4, 8, 16, 32, 64, 128}));
  e_.emit(Inst::vxorps, zero, zero, zero);
  e_.emit(Inst::vpcmpeqd, mask, mask, zero);
  registers_.give_back(zero);
  return mask;
}

// All values are in registers before the first result is written: results may be each other's values.
void Runs::copies_tail(const Instr& i) {
  struct Copy { Ymm from; uint32_t to_slot; bool is_masked; };
  std::array<Copy, kMaxCopiesInTail> copies;
  uint32_t count = 0;
  bool is_any_masked = false;
  for (uint32_t k = 0; k < i.arg_count; ++k) {
    const ValueId v = program_.args[i.first_arg + k];
    const uint32_t to = slots_.of_value[first_result_ + k];
    // A value that shares its result's slot was to be there from its definition on, in all lanes.
    const bool is_shared = slots_.of_value[v] == to;
    if (is_shared && registers_.is_in_slot(v)) continue;
    copies[count++] = {registers_.in_register(k), to, copy_to_ == CopyTo::Masked && !is_shared};
    is_any_masked |= copies[count - 1].is_masked;
  }
  Ymm stays, merged;
  if (is_any_masked) {
    stays = mask_of_lanes_that_stay();
    merged = registers_.temporary();
  }
  for (const Copy& copy : std::span(copies).first(count)) {
    const Operand to = registers_.strip_of(copy.to_slot);
    if (copy.is_masked) e_.emit(Inst::vblendvps, merged, copy.from, to, stays);
    e_.emit(Inst::vmovaps, to, copy.is_masked ? merged : copy.from);
  }
}

// More than there are registers: one after the other, in an order in which none overwrites what another one needs.
void Runs::copy_by_slots(const Instr& i) {
  std::vector<interp::Copy> copies;
  for (uint32_t k = 0; k < i.arg_count; ++k)
    copies.push_back({slots_.of_value[first_result_ + k], slots_.of_value[program_.args[i.first_arg + k]]});
  const Ymm value = registers_.temporary();
  Ymm stays;
  if (copy_to_ == CopyTo::Masked) stays = mask_of_lanes_that_stay();
  for (const interp::Copy& copy : interp::in_order(std::move(copies), slots_.scratch)) {
    e_.emit(Inst::vmovaps, value, registers_.strip_of(copy.from));
    const Operand to = registers_.strip_of(copy.to);
    if (copy_to_ == CopyTo::Masked) e_.emit(Inst::vblendvps, value, value, to, stays);
    e_.emit(Inst::vmovaps, to, value);
  }
}

}  // namespace tessera::jit
