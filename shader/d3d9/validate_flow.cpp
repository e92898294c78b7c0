// shader/d3d9/validate_flow.cpp: blocks, subroutines, and how deep they nest.
#include "shader/d3d9/validation.h"

#include <algorithm>

namespace tessera::d3d9 {

void Validation::find_labels() {
  for (size_t i = 0; i < p.instructions.size(); ++i) {
    const Instruction& inst = p.instructions[i];
    if (inst.opcode != Opcode::Op_label) continue;
    const Register& label = p.srcs(inst)[0].reg;
    if (!labels_.emplace(label.number, Label{i}).second)
      fail(Rule::bad_label, label.loc, "{} stands twice", name(label));
  }
}

void Validation::check_flow() {
  find_labels();
  for (position_ = 0; position_ < p.instructions.size(); ++position_) {
    const Instruction& inst = p.instructions[position_];
    check_step(inst);
    check_loop_counter(inst);
    after_ret_ = inst.opcode == Opcode::Op_ret;
  }
  for (const Open& open : open_)
    fail(Rule::open_block, open.inst->loc, "this {} is not closed", opcode_info(open.inst->opcode).text);
  if (in_subroutine_ && !after_ret_) fail(Rule::bad_label, p.end, "the last subroutine has no ret at its end");
  if (static_branches_ > v.branches)
    fail(Rule::nesting_too_deep, p.end, "{} static branches, {} has {}", static_branches_, v.name, v.branches);
}

void Validation::check_step(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::Op_if_:
    case Opcode::Op_if_cc:
    case Opcode::Op_loop:
    case Opcode::Op_rep: return open_block(inst);
    case Opcode::Op_else_: return check_else(inst);
    case Opcode::Op_endif: return close_block(inst, {Opcode::Op_if_, Opcode::Op_if_cc});
    case Opcode::Op_endloop: return close_block(inst, {Opcode::Op_loop});
    case Opcode::Op_endrep: return close_block(inst, {Opcode::Op_rep});
    case Opcode::Op_break_:
    case Opcode::Op_break_cc:
    case Opcode::Op_breakp: return check_break(inst);
    case Opcode::Op_label: return check_label(inst);
    case Opcode::Op_call:
    case Opcode::Op_callnz: return check_call(inst);
    default: return;
  }
}

void Validation::check_depth(const Instruction& inst, std::string_view what, uint32_t depth, uint32_t limit) {
  if (depth > limit)
    fail(Rule::nesting_too_deep, inst.loc, "{} nest {} deep, in {} {} are allowed", what, depth, v.name, limit);
}

void Validation::open_block(const Instruction& inst) {
  const bool is_loop = inst.opcode == Opcode::Op_loop, repeats = is_loop || inst.opcode == Opcode::Op_rep;
  const bool by_lane = inst.opcode == Opcode::Op_if_cc || p.srcs(inst)[0].reg.file == File::Predicate;
  Depths now = depths();
  ++(repeats ? now.loops : by_lane ? now.dynamic : now.static_ifs);
  now.counters += is_loop;
  open_.push_back({&inst, false, now});
  check_depth(inst, "static branches", now.static_ifs, v.static_ifs);
  check_depth(inst, "dynamic branches", now.dynamic, v.dynamic);
  check_depth(inst, "loops", now.loops, v.loops);
  if (!by_lane) ++static_branches_;
}

void Validation::close_block(const Instruction& inst, std::initializer_list<Opcode> openers) {
  const bool fits = !open_.empty() && std::ranges::find(openers, open_.back().inst->opcode) != openers.end();
  if (fits) open_.pop_back();
  else fail(Rule::open_block, inst.loc, "{} closes nothing that is open here", opcode_info(inst.opcode).text);
}

void Validation::check_else(const Instruction& inst) {
  const bool in_if =
      !open_.empty() && (open_.back().inst->opcode == Opcode::Op_if_ || open_.back().inst->opcode == Opcode::Op_if_cc);
  if (!in_if || open_.back().had_else) return fail(Rule::open_block, inst.loc, "else belongs to no if");
  open_.back().had_else = true;
  if (open_.back().inst->opcode == Opcode::Op_if_) ++static_branches_;
}

void Validation::check_break(const Instruction& inst) {
  const Depths now = depths();
  if (!now.loops) fail(Rule::not_in_loop, inst.loc, "{} stands in no loop", opcode_info(inst.opcode).text);
  if (inst.opcode != Opcode::Op_break_) check_depth(inst, "dynamic branches", now.dynamic + 1, v.dynamic);
}

void Validation::check_label(const Instruction& inst) {
  if (!after_ret_) fail(Rule::bad_label, inst.loc, "no ret stands before this label");
  for (const Open& open : open_)
    fail(Rule::open_block, open.inst->loc, "this {} is not closed", opcode_info(open.inst->opcode).text);
  open_.clear();
  in_subroutine_ = true;
  call_depth_ = labels_.at(p.srcs(inst)[0].reg.number).call_depth;
}

// Calls lead forward, so every caller of a subroutine has been seen when its label comes.
void Validation::check_call(const Instruction& inst) {
  const std::span<const Source> srcs = p.srcs(inst);
  const auto at = labels_.find(srcs[0].reg.number);
  if (at == labels_.end()) return fail(Rule::bad_call, srcs[0].reg.loc, "there is no label {}", name(srcs[0].reg));
  if (at->second.position < position_)
    return fail(Rule::bad_call, srcs[0].reg.loc, "{} stands before this call", name(srcs[0].reg));
  at->second.call_depth = std::max(at->second.call_depth, call_depth_ + 1);
  check_depth(inst, "calls", call_depth_ + 1, v.calls);
  const bool by_lane = srcs.size() > 1 && srcs[1].reg.file == File::Predicate;
  if (by_lane) check_depth(inst, "dynamic branches", depths().dynamic + 1, v.dynamic);
  else ++static_branches_;
}

void Validation::check_loop_counter(const Instruction& inst) {
  if (in_subroutine_) return;            // which may be called from a loop
  const bool in_loop = depths().counters > 0;
  const auto check = [&](const Register& reg) {
    if (reg.relative && reg.address == File::Loop && !in_loop)
      fail(Rule::not_in_loop, reg.loc, "aL has no value outside of loops");
  };
  for (const Destination& dst : p.dsts(inst)) check(dst.reg);
  for (const Source& src : p.srcs(inst)) check(src.reg);
}

}  // namespace tessera::d3d9
