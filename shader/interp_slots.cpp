#include <algorithm>

#include "shader/interp.h"
#include "shader/regions.h"
#include "shader/uniform.h"

// Slots by linear scan: a value holds its slot from `first` to `last`, both numbers of instructions. Freed slots are
// reused last in, first out, so that the working set stays small and in the cache.
//
// A region's results are written when lanes leave it, while other lanes still run inside: they hold their slots from
// the first place that may write them. Two values share a slot from the start (Lifetimes::merge) where a copy between
// them would be the last use of one and the first write of the other.

namespace tessera::interp {
namespace {

using ir::Instr;
using ir::kNoValue;
using ir::Op;
using ir::op_info;
using ir::Program;
using ir::RegionMap;
using ir::ValueId;
namespace trait = ir::trait;

bool computes_uniform(const Instr& i, const std::vector<bool>& uniform) { return i.result_count > 0 && uniform[i.result]; }

struct Lifetimes {
  static constexpr uint32_t kNever = ~0u;
  std::vector<uint32_t> first, last;    // by value; kNever: holds no slot of its own
  std::vector<uint32_t> uses;           // by value
  std::vector<uint32_t> last_read;      // by value: as `last`, but a head value lives to its loop's end in any case
  std::vector<ValueId> merged;          // by value: the value whose slot it shares, or itself

  ValueId root(ValueId v) const {
    while (merged[v] != v) v = merged[v];
    return v;
  }
};

class LifetimeFinder {
 public:
  LifetimeFinder(const Program& p, const std::vector<bool>& uniform)
      : p_(p), uniform_(uniform), regions_(ir::map_regions(p)) {
    life_.first.assign(p.value_count, Lifetimes::kNever);
    life_.last.assign(p.value_count, 0);
    life_.uses.assign(p.value_count, 0);
    life_.last_read.assign(p.value_count, 0);
    life_.merged.resize(p.value_count);
    for (ValueId v = 0; v < p.value_count; ++v) life_.merged[v] = v;
    defined_at_.resize(p.value_count);
    for (uint32_t at = 0; at < p.code.size(); ++at) {
      for (uint32_t k = 0; k < p.code[at].result_count; ++k) defined_at_[p.code[at].result + k] = at;
      looks_across_lanes_ = looks_across_lanes_ || op_info(p.code[at].op).is(trait::LaneCross);
    }
  }

  Lifetimes run() {
    for (uint32_t at = 0; at < p_.code.size(); ++at) instruction(at);
    for (const ir::Output& o : p_.outputs) use(o.value, static_cast<uint32_t>(p_.code.size()));
    for (uint32_t at = 0; at < p_.code.size(); ++at) merge_copies(at);
    return std::move(life_);
  }

 private:
  bool holds_slot(ValueId v) const { return v != kNoValue && life_.first[v] != Lifetimes::kNever; }

  void instruction(uint32_t at) {
    const Instr& i = p_.code[at];
    if (computes_uniform(i, uniform_) || i.op == Op::Input) return;
    if (i.op == Op::EndLoop) loops_.pop_back();
    for (const ValueId v : args_of(p_, i)) use(v, at);
    for (uint32_t k = 0; k < i.result_count; ++k) {
      life_.first[i.result + k] = first_write(i, at);
      life_.last[i.result + k] = i.op == Op::Loop ? regions_.end[at] : at;
    }
    if (i.op == Op::Loop) loops_.push_back(at);
  }

  uint32_t first_write(const Instr& i, uint32_t at) const {
    if (i.op == Op::EndIf)
      return p_.code[regions_.else_of[regions_.begin[at]]].arg_count > 0 ? regions_.else_of[regions_.begin[at]] : at;
    return i.op == Op::EndBlock || i.op == Op::EndLoop ? regions_.begin[at] : at;
  }

  // A value from outside of a loop is needed until the loop's last turn is over.
  void use(ValueId v, uint32_t at) {
    if (!holds_slot(v)) return;
    ++life_.uses[v];
    uint32_t until = at;
    for (const uint32_t loop : loops_)
      if (loop > life_.first[v]) {
        until = std::max(until, regions_.end[loop]);
        break;
      }
    life_.last[v] = std::max(life_.last[v], until);
    life_.last_read[v] = std::max(life_.last_read[v], until);
  }

  void merge_copies(uint32_t at) {
    const Instr& i = p_.code[at];
    if (i.op == Op::Else && i.arg_count > 0) {
      // The first half's values are copied before any other lane has arrived, so their own slots may be the results'.
      const Instr& end = p_.code[regions_.end[at]];
      for (uint32_t k = 0; k < i.arg_count; ++k)
        if (const ValueId v = p_.args[i.first_arg + k]; dies_at(v, at) && life_.first[v] > regions_.begin[at])
          merge(v, end.result + k);
    }
    if (i.op == Op::Loop)
      for (uint32_t k = 0; k < i.arg_count; ++k)
        if (const ValueId v = p_.args[i.first_arg + k]; dies_at(v, at)) merge(v, i.result + k);
    if (i.op == Op::EndLoop && may_update_in_place(regions_.begin[at], at)) merge_next_values(i, at);
  }

  // An operation writes all lanes, those that have left the loop included. That is not to be seen where none of them
  // waits for a next turn, and no other lane looks at them: inside the loop, or behind it at lanes that never entered.
  bool may_update_in_place(uint32_t begin, uint32_t end) const {
    for (uint32_t at = begin; at < end; ++at)
      if (op_info(p_.code[at].op).is(trait::LaneCross) || (p_.code[at].op == Op::Again && regions_.begin[at] == begin))
        return false;
    return regions_.parent[begin] == RegionMap::kNone || !looks_across_lanes_;
  }

  void merge_next_values(const Instr& end, uint32_t at) {
    const Instr& loop = p_.code[regions_.begin[at]];
    for (uint32_t k = 0; k < end.arg_count; ++k) {
      const ValueId next = p_.args[end.first_arg + k], head = loop.result + k;
      if (!dies_at(next, at) || life_.first[next] <= regions_.begin[at]) continue;
      const bool is_operation =
          !op_info(p_.code[defined_at_[next]].op).is(trait::Region) && !ir::may_lack_operands(p_.code[defined_at_[next]].op);
      if (is_operation && life_.last_read[head] <= life_.first[next]) merge(next, head);
    }
  }

  bool dies_at(ValueId v, uint32_t at) const {
    return holds_slot(v) && life_.uses[v] == 1 && life_.last[v] == at && life_.merged[v] == v;
  }

  // `v` lives in the slot of `into` from its own start on. Whatever was merged into `v` was so at an earlier place.
  void merge(ValueId v, ValueId into) {
    life_.merged[v] = into;
    life_.first[into] = std::min(life_.first[into], life_.first[v]);
  }

  const Program& p_;
  const std::vector<bool>& uniform_;
  RegionMap regions_;
  Lifetimes life_;
  std::vector<uint32_t> loops_;
  std::vector<uint32_t> defined_at_;
  bool looks_across_lanes_ = false;
};

// Slots for values by their lifetimes, from `base` on.
class LinearScan {
 public:
  LinearScan(const Program& p, const Lifetimes& life, uint32_t base, std::vector<uint32_t>& slot_of)
      : p_(p), life_(life), next_(base), slot_of_(slot_of) {
    starts_.resize(p.code.size() + 1);
    ends_.resize(p.code.size() + 1);
    for (ValueId v = 0; v < p.value_count; ++v)
      if (life.first[v] != Lifetimes::kNever && life.merged[v] == v) {
        starts_[life.first[v]].push_back(v);
        ends_[life.last[v]].push_back(v);
      }
  }

  // Returns the first slot that was never given out.
  uint32_t run() {
    for (uint32_t at = 0; at < p_.code.size(); ++at) {
      // Results may take the slots of operands that end here, except where an operation reads operands after writing.
      const bool results_first = ir::may_lack_operands(p_.code[at].op) || op_info(p_.code[at].op).is(trait::LaneCross);
      if (results_first) start(at);
      end(at, !results_first);
      if (!results_first) start(at);
      if (!results_first) end(at, false);
    }
    for (ValueId v = 0; v < p_.value_count; ++v)
      if (life_.first[v] != Lifetimes::kNever) slot_of_[v] = slot_of_[life_.root(v)];
    return next_;
  }

 private:
  void start(uint32_t at) {
    for (const ValueId v : starts_[at]) {
      if (free_.empty()) free_.push_back(next_++);
      slot_of_[v] = free_.back();
      free_.pop_back();
    }
  }

  // Frees the slots of values that end at `at`: of those from before it, or of all.
  void end(uint32_t at, bool only_older) {
    std::erase_if(ends_[at], [&](ValueId v) {
      if (only_older && life_.first[v] == at) return false;
      free_.push_back(slot_of_[v]);
      return true;
    });
  }

  const Program& p_;
  const Lifetimes& life_;
  std::vector<std::vector<ValueId>> starts_, ends_;
  std::vector<uint32_t> free_;
  uint32_t next_;
  std::vector<uint32_t>& slot_of_;
};

}  // namespace

Slots assign_slots(const Program& p) {
  Slots slots;
  slots.is_uniform = ir::find_uniforms(p);
  slots.of_value.assign(p.value_count, kNoSlot);
  const auto keep_uniform = [&](ValueId v) {
    if (v == kNoValue || !slots.is_uniform[v] || slots.of_value[v] != kNoSlot) return;
    slots.of_value[v] = static_cast<uint32_t>(slots.uniforms.size());
    slots.uniforms.push_back(v);
  };
  for (const Instr& i : p.code)
    if (!computes_uniform(i, slots.is_uniform))
      for (const ValueId v : args_of(p, i)) keep_uniform(v);
  for (const ir::Output& o : p.outputs) keep_uniform(o.value);

  const uint32_t first_input = static_cast<uint32_t>(slots.uniforms.size());
  for (const Instr& i : p.code)
    if (i.op == Op::Input) slots.of_value[i.result] = first_input + i.imm;

  slots.count = first_input + static_cast<uint32_t>(p.inputs.size());
  const Lifetimes life = LifetimeFinder(p, slots.is_uniform).run();
  slots.count = LinearScan(p, life, slots.count, slots.of_value).run();
  for (const uint32_t words : p.private_arrays) {
    slots.of_array.push_back(slots.count);
    slots.count += words;
  }
  slots.scratch = slots.count++;
  return slots;
}

}  // namespace tessera::interp
