#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"
#include "shader/regions.h"

namespace tessera::ir {
namespace {

bool hands_on_values(Op op) { return op_info(op).is(trait::Region) && op != Op::If; }

class DeadRemover {
 public:
  explicit DeadRemover(Program& p)
      : p_(p),
        regions_(map_regions(p)),
        defined_at_(find_definitions(p)),
        is_live_(p.value_count, false),
        is_needed_(p.code.size(), false),
        jumps_(p.code.size()) {
    for (uint32_t at = 0; at < p.code.size(); ++at)
      if (p.code[at].op == Op::Exit || p.code[at].op == Op::Again) jumps_[regions_.begin[at]].push_back(at);
  }

  void run() {
    for (const Output& o : p_.outputs) need_value(o.value);
    for (uint32_t at = 0; at < p_.code.size(); ++at) {
      const Op op = p_.code[at].op;
      if (op_info(op).is(trait::Effect) || op == Op::Exit || op == Op::Again || op == Op::Loop) need(at);
    }
    while (!pending_.empty()) {
      const ValueId v = pending_.back();
      pending_.pop_back();
      need_sources(v);
    }
    for (uint32_t at = 0; at < p_.code.size(); ++at) drop_dead_operands(at);
    compact(p_, is_needed_, is_live_);
  }

 private:
  void need_value(ValueId v) {
    if (v == kNoValue || is_live_[v]) return;
    is_live_[v] = true;
    pending_.push_back(v);
  }

  // The instruction stays, with the regions around it, and a region with its other ends.
  void need(uint32_t at) {
    while (at != RegionMap::kNone && !is_needed_[at]) {
      is_needed_[at] = true;
      const Instr& i = p_.code[at];
      if (!hands_on_values(i.op))
        for (const ValueId v : args_of(p_, i)) need_value(v);
      if (regions_.begin[at] != RegionMap::kNone) need(regions_.begin[at]);
      if (regions_.else_of[at] != RegionMap::kNone) need(regions_.else_of[at]);
      if (regions_.end[at] != RegionMap::kNone) need(regions_.end[at]);
      at = regions_.parent[at];
    }
  }

  void need_arg(uint32_t edge, uint32_t k) {
    if (p_.code[edge].arg_count > 0) need_value(p_.args[p_.code[edge].first_arg + k]);
  }

  // What a live value is made of.
  void need_sources(ValueId v) {
    const uint32_t at = defined_at_[v], k = v - p_.code[at].result;
    need(at);
    switch (p_.code[at].op) {
      case Op::EndIf:
        need_arg(regions_.else_of[regions_.begin[at]], k);
        need_arg(at, k);
        break;
      case Op::EndBlock:
        need_arg(at, k);
        need_jumps(regions_.begin[at], Op::Exit, k);
        break;
      case Op::EndLoop:
        need_jumps(regions_.begin[at], Op::Exit, k);
        break;
      case Op::Loop:
        need_arg(at, k);
        need_arg(regions_.end[at], k);
        need_jumps(at, Op::Again, k);
        break;
      default:
        break;
    }
  }

  void need_jumps(uint32_t begin, Op op, uint32_t k) {
    for (const uint32_t jump : jumps_[begin])
      if (p_.code[jump].op == op) need_arg(jump, k);
  }

  // The instruction whose results the operands of a region's instruction become.
  uint32_t receiver(uint32_t at) const {
    const Op op = p_.code[at].op;
    if (op == Op::Else || op == Op::Exit) return regions_.end[op == Op::Else ? at : regions_.begin[at]];
    return op == Op::EndLoop || op == Op::Again ? regions_.begin[at] : at;
  }

  void drop_dead_operands(uint32_t at) {
    Instr& i = p_.code[at];
    if (!hands_on_values(i.op)) return;
    const ValueId result = p_.code[receiver(at)].result;
    uint16_t kept = 0;
    for (uint32_t k = 0; k < i.arg_count; ++k)
      if (is_live_[result + k]) p_.args[i.first_arg + kept++] = p_.args[i.first_arg + k];
    i.arg_count = kept;
  }

  Program& p_;
  RegionMap regions_;
  std::vector<uint32_t> defined_at_;
  std::vector<bool> is_live_, is_needed_;
  std::vector<ValueId> pending_;
  std::vector<std::vector<uint32_t>> jumps_;   // by Block or Loop: the Exits and Agains to it
};

}  // namespace

void remove_dead(Program& p) { DeadRemover(p).run(); }

}  // namespace tessera::ir
