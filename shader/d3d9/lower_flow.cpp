// shader/d3d9/lower_flow.cpp: branches, loops and calls → the IR's regions. Subroutines are put in place of their
// calls.
#include "shader/d3d9/lowering.h"

namespace tessera::d3d9 {
namespace {

Value compared(Lowering& l) { return l.compare(l.inst().comparison, l.scalar(0), l.scalar(1)); }

template <class Body>
void where(Lowering& l, Value condition, Body body) {
  l.b().begin_if(condition);
  body();
  l.b().end_if();
}

}  // namespace

Value Lowering::condition(const Source& s) {
  const Value value = s.reg.file == File::ConstBool ? registers_.bool_constant(s.reg.number)
                                                    : registers_.read(s.reg, component_of(s.swizzle, 3));
  return s.modifier == SourceModifier::Not ? b_.op(Op::IEq, {value, b_.u32(0)}) : value;
}

// i# = (count, start, step). The count is tested before each turn; each loop has its own aL.
void Lowering::begin_loop(const Source& counts, bool has_counter) {
  Loop loop;
  loop.turns_left = b_.var(registers_.int_constant(counts.reg.number, 0));
  if (has_counter) {
    loop.step = registers_.int_constant(counts.reg.number, 2);
    registers_.loop_counters.push_back(b_.var(registers_.int_constant(counts.reg.number, 1)));
  }
  loop.region = b_.begin_loop();
  loops_.push_back(loop);
  b_.begin_if(b_.op(Op::IGe, {b_.u32(0), b_.read(loop.turns_left)}));
  b_.exit(loop.region);
  b_.end_if();
}

void Lowering::end_loop() {
  const Loop loop = loops_.back();
  b_.write(loop.turns_left, b_.op(Op::ISub, {b_.read(loop.turns_left), b_.u32(1)}));
  if (loop.step) {
    const Var counter = registers_.loop_counters.back();
    b_.write(counter, b_.op(Op::IAdd, {b_.read(counter), *loop.step}));
    registers_.loop_counters.pop_back();
  }
  b_.end_loop();
  loops_.pop_back();
}

void Lowering::call(uint32_t label) {
  const auto found = labels_.find(label);
  if (found == labels_.end()) return;
  const Instruction* const caller = inst_;
  const uint32_t caller_pc = pc_;
  calls_.push_back(b_.begin_block());
  lower_body(found->second);
  b_.end_block();
  calls_.pop_back();
  inst_ = caller;
  pc_ = caller_pc;
  results_ = {};
}

void lower_if_(Lowering& l) { l.b().begin_if(l.condition(l.source(0))); }
void lower_if_cc(Lowering& l) { l.b().begin_if(compared(l)); }
void lower_else_(Lowering& l) { l.b().begin_else(); }
void lower_endif(Lowering& l) { l.b().end_if(); }

void lower_loop(Lowering& l) { l.begin_loop(l.source(1), true); }
void lower_rep(Lowering& l) { l.begin_loop(l.source(0), false); }
void lower_endloop(Lowering& l) { l.end_loop(); }
void lower_endrep(Lowering& l) { l.end_loop(); }
void lower_break_(Lowering& l) { l.leave_loop(); }
void lower_break_cc(Lowering& l) {
  where(l, compared(l), [&] { l.leave_loop(); });
}
void lower_breakp(Lowering& l) {
  where(l, l.condition(l.source(0)), [&] { l.leave_loop(); });
}

void lower_call(Lowering& l) { l.call(l.source(0).reg.number); }
void lower_callnz(Lowering& l) {
  where(l, l.condition(l.source(1)), [&] { l.call(l.source(0).reg.number); });
}
void lower_ret(Lowering& l) {
  if (!l.is_last()) l.leave_call();
}

}  // namespace tessera::d3d9
