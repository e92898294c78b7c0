#include "shader/jit_function.h"

#include <fmt/format.h>

#include <cstddef>

#include "shader/jit_plan.h"
#include "shader/jit_runs.h"
#include "shader/names.h"
#include "shader/regions.h"

namespace tessera::jit {
namespace {

using emit::Gp;
using emit::Inst;
using emit::Label;
using emit::low32;
using emit::low8;
using emit::memory;
using emit::Operand;
using interp::Run;
using ir::Instr;
using ir::kNoValue;
using ir::Op;
using ir::op_info;
using ir::Program;
using ir::RegionMap;
using ir::ValueId;
namespace trait = ir::trait;

constexpr Gp kSaved[] = {kSlots, kExec, kRun};   // three, with the return address: the stack stays 16-byte aligned

// Fields of the running block.
const Operand kFieldExec = memory(kRun, offsetof(Run, exec), 8);
const Operand kFieldLive = memory(kRun, offsetof(Run, live), 8);
const Operand kFieldWanted = memory(kRun, offsetof(Run, wanted), 8);
const Operand kFieldBudget = memory(kRun, offsetof(Run, budget), 4);
const Operand kFieldStops = memory(kRun, offsetof(Run, stops_at_barriers), 1);
const Operand kFieldWaitingAt = memory(kRun, offsetof(Run, waiting_at), 8);

// True: a lane took more back-edges than it may.
bool take_turn(Run* run) {
  run->over_budget = run->turns.add(run->exec, run->budget);
  return run->over_budget;
}

// The counters' lowest bits are counted in line.
constexpr uint32_t kInlineBits = 3;
void carry_turn(Run* run, uint64_t lanes) { run->turns.carry_from(kInlineBits, lanes); }
constexpr size_t kTurns = offsetof(Run, turns);
const Operand kFieldLargest = memory(kRun, kTurns + offsetof(interp::TurnCounters, largest), 4);
Operand turn_bit(uint32_t k) {
  return memory(kRun, kTurns + offsetof(interp::TurnCounters, bit) + k * sizeof(uint64_t), 8);
}

class FunctionWriter {
 public:
  FunctionWriter(const Program& p, const interp::Slots& slots, std::string* listing)
      : p_(p),
        slots_(slots),
        steps_(interp::step_table(SimdTarget::Avx2)),
        plan_(make_plan(p, slots)),
        e_(listing),
        runs_(e_, p, slots, plan_),
        regions_(ir::map_regions(p)),
        open_(p.code.size()) {}

  Function run() {
    end_ = e_.new_label();
    begin();
    for (uint32_t at = 0; at < p_.code.size(); ++at) piece(at);
    runs_.write();
    e_.bind(end_);
    finish();
    runs_.write_exact_products();
    return {is_empty_ ? nullptr : e_.finish(name()), masks_, is_empty_};
  }

 private:
  // What an If, Block or Loop needs until its end: as in interp_code.cpp.
  struct Open {
    uint32_t waiting = 0;      // mask: lanes that have arrived at the end
    uint32_t other = 0;        // mask: If: lanes of the other half; Loop: lanes for the next turn
    Label head;                // Loop: where a turn begins
    Label end;                 // what ends it, or the first half of an If
    Label behind;              // If without a second half: behind its end
    bool is_half = false;
  };

  std::string name() const {
    return fmt::format("tessera_{}_{}", ir::name_of(p_.stage), p_.code.size());
  }

  // ---- the frame ----

  void begin() {
    const Label start = e_.new_label();
    for (const Gp r : kSaved) e_.emit(Inst::push, r);
    e_.emit(Inst::mov, kSlots, Gp::rdi);
    e_.emit(Inst::mov, kRun, Gp::rsi);
    e_.emit(Inst::mov, kExec, kFieldExec);
    e_.emit(Inst::test, Gp::rdx, Gp::rdx);
    e_.emit(Inst::jz, start);
    e_.emit(Inst::jmp, Gp::rdx);
    e_.bind(start);
    for (size_t k = 0; k < p_.private_arrays.size(); ++k)
      call(steps_.clear, {slots_.of_array[k] * kBlockLanes, p_.private_arrays[k]});
    is_empty_ = p_.private_arrays.empty();
  }

  void finish() {
    e_.emit(Inst::mov, kFieldExec, kExec);
    e_.emit(Inst::vzeroupper);
    for (size_t k = std::size(kSaved); k-- > 0;) e_.emit(Inst::pop, kSaved[k]);
    e_.emit(Inst::ret);
  }

  // ---- pieces ----

  void piece(uint32_t at) {
    const Instr& i = p_.code[at];
    const Piece piece = plan_.pieces[at];
    if (piece == Piece::Nothing) return;
    is_empty_ = false;
    if (piece == Piece::InRun) return runs_.add(at);
    if (piece == Piece::Kill) return kill(at);
    if (piece == Piece::Region) return region(i, at);
    runs_.write();
    runs_.comment(at);
    if (i.op == Op::Barrier) barrier();
    else call(steps_.op[static_cast<size_t>(i.op)], step_words(i));
  }

  std::vector<uint32_t> step_words(const Instr& i) const {
    std::vector<uint32_t> words;
    const auto place = [&](ValueId v) { return v == kNoValue ? interp::kNoPlace : slots_.of_value[v] * kBlockLanes; };
    const ir::OpInfo& info = op_info(i.op);
    if (info.is(trait::ImmMemory)) words.push_back(i.result_count);
    for (uint32_t k = 0; k < i.result_count; ++k) words.push_back(place(i.result + k));
    for (const ValueId v : args_of(p_, i)) words.push_back(place(v));
    if (info.is(trait::ImmArray)) {
      words.push_back(slots_.of_array[i.imm] * kBlockLanes);
      words.push_back(p_.private_arrays[i.imm]);
    } else if (info.is(trait::ImmMask)) {
      words.push_back(i.imm);
    }
    return words;
  }

  void call(interp::Step step, const std::vector<uint32_t>& words) {
    e_.emit(Inst::mov, kFieldExec, kExec);
    e_.emit(Inst::lea, Gp::rdi, memory(e_.words(words)));
    e_.emit(Inst::mov, Gp::rsi, kSlots);
    e_.emit(Inst::mov, Gp::rdx, kRun);
    e_.emit(Inst::mov, Gp::rax, static_cast<int64_t>(reinterpret_cast<uintptr_t>(step)));
    e_.emit(Inst::vzeroupper);
    e_.emit(Inst::call, Gp::rax);
  }

  // All values that are needed later are in their slots here, and all masks in memory.
  void barrier() {
    const Label on = e_.new_label();
    e_.emit(Inst::cmp, kFieldStops, 0);
    e_.emit(Inst::jz, on);
    e_.emit(Inst::lea, Gp::rax, memory(on));
    e_.emit(Inst::mov, kFieldWaitingAt, Gp::rax);
    e_.emit(Inst::jmp, end_);
    e_.bind(on);
  }

  void kill(uint32_t at) {
    runs_.write_condition(at);
    e_.emit(Inst::and_, kTrueLanes, kExec);
    e_.emit(Inst::andn, Gp::rax, kTrueLanes, kFieldLive);
    e_.emit(Inst::mov, kFieldLive, Gp::rax);
    whole_quads(Gp::rax, Gp::rdx);
    e_.emit(Inst::mov, kFieldWanted, Gp::rax);
    e_.emit(Inst::and_, kExec, Gp::rax);
    e_.emit(Inst::test, Gp::rax, Gp::rax);
    e_.emit(Inst::jz, end_);
  }

  // ---- masks ----

  Operand mask(uint32_t number) const {
    return memory(kSlots, int64_t{slots_.count} * kSlotBytes + int64_t{number} * sizeof(uint64_t), 8);
  }

  // All lanes of the quads that have one in `lanes`.
  void whole_quads(Gp lanes, Gp scratch) {
    for (const int shift : {1, 2}) {
      e_.emit(Inst::mov, scratch, lanes);
      e_.emit(Inst::shr, scratch, shift);
      e_.emit(Inst::or_, lanes, scratch);
    }
    e_.emit(Inst::mov, scratch, int64_t{0x1111111111111111});
    e_.emit(Inst::and_, lanes, scratch);
    e_.emit(Inst::imul, lanes, lanes, 15);
  }

  void copy_running(uint32_t at, ValueId first_result) {
    if (p_.code[at].arg_count > 0) e_.emit(Inst::mov, kCopyLanes, kExec);
    runs_.write_copies(at, first_result, CopyTo::Masked);
  }

  // Running lanes, and the lanes of their quads that have not arrived yet.
  void copy_arriving(uint32_t at, ValueId first_result, uint32_t waiting) {
    if (p_.code[at].arg_count > 0) {
      e_.emit(Inst::mov, kCopyLanes, kExec);
      whole_quads(kCopyLanes, Gp::rax);
      e_.emit(Inst::mov, Gp::rax, mask(waiting));
      e_.emit(Inst::andn, kCopyLanes, Gp::rax, kCopyLanes);
      e_.emit(Inst::or_, kCopyLanes, kExec);
    }
    runs_.write_copies(at, first_result, CopyTo::Masked);
  }

  // ---- regions ----

  // Where lanes go on when none of them is left to run on behind the end of a region.
  Label end_of_parent(uint32_t begin) const {
    const uint32_t parent = regions_.parent[begin];
    return parent == RegionMap::kNone ? end_ : open_[parent].end;
  }

  void region(const Instr& i, uint32_t at) {
    const uint32_t begin = regions_.begin[at];
    switch (i.op) {
      case Op::If: return begin_if(at);
      case Op::Else: return begin_else(at, open_[begin]);
      case Op::EndIf: return end_if(at, begin, open_[begin]);
      case Op::Block: return begin_block(at);
      case Op::EndBlock: return end_block(at, begin, open_[begin]);
      case Op::Loop: return begin_loop(at);
      case Op::EndLoop: return end_loop(at, begin, open_[begin]);
      case Op::Exit: return exit(at, begin);
      case Op::Again: return again(at, begin);
      default: return;
    }
  }

  void begin_if(uint32_t at) {
    Open& o = open_[at];
    const uint32_t else_at = regions_.else_of[at];
    o.is_half = regions_.end[at] == else_at + 1 && p_.code[regions_.end[at]].result_count == 0;
    o.waiting = masks_++;
    o.other = o.is_half ? o.waiting : masks_++;
    o.end = e_.new_label();
    o.behind = e_.new_label();
    runs_.write_condition(at);
    if (o.is_half) {
      e_.emit(Inst::and_, kTrueLanes, kExec);
      e_.emit(Inst::jz, o.behind);
      e_.emit(Inst::andn, Gp::rax, kTrueLanes, kExec);
      e_.emit(Inst::mov, mask(o.other), Gp::rax);
      e_.emit(Inst::mov, kExec, kTrueLanes);
      return;
    }
    e_.emit(Inst::andn, Gp::rax, kTrueLanes, kExec);
    e_.emit(Inst::mov, mask(o.other), Gp::rax);
    e_.emit(Inst::and_, kExec, kTrueLanes);
    e_.emit(Inst::jz, o.end);
  }

  void begin_else(uint32_t at, Open& o) {
    if (o.is_half) return;
    runs_.write_copies(at, p_.code[regions_.end[at]].result, CopyTo::All);
    e_.bind(o.end);
    o.end = e_.new_label();
    e_.emit(Inst::mov, mask(o.waiting), kExec);
    e_.emit(Inst::mov, kExec, mask(o.other));
    e_.emit(Inst::and_, kExec, kFieldWanted);
    e_.emit(Inst::jz, o.end);
  }

  void join(uint32_t begin, const Open& o) {
    e_.bind(o.end);
    e_.emit(Inst::or_, kExec, mask(o.waiting));
    e_.emit(Inst::and_, kExec, kFieldWanted);
    e_.emit(Inst::jz, end_of_parent(begin));
  }

  void end_if(uint32_t at, uint32_t begin, const Open& o) {
    copy_arriving(at, p_.code[at].result, o.waiting);
    join(begin, o);
    e_.bind(o.behind);
  }

  void empty_mask(uint32_t number) { e_.emit(Inst::mov, mask(number), 0); }

  void begin_block(uint32_t at) {
    runs_.write();
    Open& o = open_[at];
    o.waiting = masks_++;
    o.end = e_.new_label();
    empty_mask(o.waiting);
  }

  void end_block(uint32_t at, uint32_t begin, const Open& o) {
    copy_arriving(at, p_.code[at].result, o.waiting);
    join(begin, o);
  }

  void begin_loop(uint32_t at) {
    Open& o = open_[at];
    o.waiting = masks_++;
    o.other = masks_++;
    o.end = e_.new_label();
    o.head = e_.new_label();
    runs_.write_copies(at, p_.code[at].result, CopyTo::All);
    empty_mask(o.waiting);
    empty_mask(o.other);
    e_.bind(o.head);
    runs_.begin_loop();
  }

  void end_loop(uint32_t at, uint32_t begin, const Open& o) {
    const Label turn = e_.new_label(), out = e_.new_label();
    copy_running(at, p_.code[begin].result);
    runs_.end_loop();
    e_.bind(o.end);
    e_.emit(Inst::or_, kExec, mask(o.other));
    empty_mask(o.other);
    e_.emit(Inst::and_, kExec, kFieldWanted);
    e_.emit(Inst::jnz, turn);
    e_.emit(Inst::mov, kExec, mask(o.waiting));
    e_.emit(Inst::and_, kExec, kFieldWanted);
    e_.emit(Inst::jz, end_of_parent(begin));
    e_.emit(Inst::jmp, out);
    e_.bind(turn);
    count_turn(o.head);
    e_.bind(out);
  }

  // Goes to `head`, unless a lane is over the budget.
  void count_turn(Label head) {
    const Label may_exceed = e_.new_label(), counted = e_.new_label();
    e_.emit(Inst::mov, low32(Gp::rax), kFieldBudget);
    e_.emit(Inst::test, low32(Gp::rax), low32(Gp::rax));
    e_.emit(Inst::jz, head);
    e_.emit(Inst::cmp, low32(Gp::rax), kFieldLargest);
    e_.emit(Inst::jz, may_exceed);
    e_.emit(Inst::jb, may_exceed);
    e_.emit(Inst::mov, Gp::rsi, kExec);
    for (uint32_t k = 0; k < kInlineBits; ++k) {
      e_.emit(Inst::mov, Gp::rax, turn_bit(k));
      e_.emit(Inst::xor_, turn_bit(k), Gp::rsi);
      e_.emit(Inst::and_, Gp::rsi, Gp::rax);
      e_.emit(Inst::jz, counted);
    }
    e_.emit(Inst::mov, Gp::rdi, kRun);
    e_.emit(Inst::mov, Gp::rax, static_cast<int64_t>(reinterpret_cast<uintptr_t>(&carry_turn)));
    e_.emit(Inst::vzeroupper);
    e_.emit(Inst::call, Gp::rax);
    e_.bind(counted);
    e_.emit(Inst::add, kFieldLargest, 1);
    e_.emit(Inst::jmp, head);
    e_.bind(may_exceed);
    e_.emit(Inst::mov, kFieldExec, kExec);
    e_.emit(Inst::mov, Gp::rdi, kRun);
    e_.emit(Inst::mov, Gp::rax, static_cast<int64_t>(reinterpret_cast<uintptr_t>(&take_turn)));
    e_.emit(Inst::vzeroupper);
    e_.emit(Inst::call, Gp::rax);
    e_.emit(Inst::test, low8(Gp::rax), low8(Gp::rax));
    e_.emit(Inst::jz, head);
    e_.emit(Inst::jmp, end_);
  }

  void leave(uint32_t at, uint32_t number) {
    e_.emit(Inst::or_, mask(number), kExec);
    e_.emit(Inst::xor_, low32(kExec), low32(kExec));
    e_.emit(Inst::jmp, open_[regions_.parent[at]].end);
  }

  void exit(uint32_t at, uint32_t begin) {
    copy_arriving(at, p_.code[regions_.end[begin]].result, open_[begin].waiting);
    leave(at, open_[begin].waiting);
  }

  void again(uint32_t at, uint32_t begin) {
    copy_running(at, p_.code[begin].result);
    leave(at, open_[begin].other);
  }

  const Program& p_;
  const interp::Slots& slots_;
  const interp::StepTable& steps_;
  const Plan plan_;
  emit::Emitter e_;
  Runs runs_;
  RegionMap regions_;
  std::vector<Open> open_;     // by instruction that opens it
  uint32_t masks_ = 0;
  Label end_;
  bool is_empty_ = true;
};

}  // namespace

Function write_function(const Program& program, const interp::Slots& slots, std::string* listing) {
  return FunctionWriter(program, slots, listing).run();
}

}  // namespace tessera::jit
