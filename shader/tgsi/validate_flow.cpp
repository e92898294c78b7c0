// shader/tgsi/validate_flow.cpp: stages, nesting, switches, subroutines and the end.
#include <algorithm>

#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr size_t kMaxNesting = 128, kMaxCallDepth = 64;

bool runs_in(OpStages stages, Stage stage) {
  switch (stages) {
    case OpStages::AnyStage: return true;
    case OpStages::FragmentOnly: return stage == Stage::Fragment;
    case OpStages::GeometryOnly: return stage == Stage::Geometry;
    case OpStages::WorkGroupOnly: return stage == Stage::Compute || stage == Stage::TessCtrl;
  }
  return false;
}

// The opcode that opens what `op` closes.
bool closes(Opcode op, Opcode opener) {
  switch (op) {
    case Opcode::Op_ELSE:
    case Opcode::Op_ENDIF: return opener == Opcode::Op_IF || opener == Opcode::Op_UIF;
    case Opcode::Op_ENDLOOP: return opener == Opcode::Op_BGNLOOP;
    case Opcode::Op_ENDSWITCH: return opener == Opcode::Op_SWITCH;
    default: return false;
  }
}

}  // namespace

void Validation::check_flow() {
  bodies_.emplace_back();
  for (uint32_t pc = 0; pc < p.instructions.size(); ++pc) {
    const Instruction& inst = p.instructions[pc];
    if (!runs_in(opcode_info(inst.opcode).stages, p.stage))
      fail(Rule::opcode_stage, inst.loc, "{} is not for {} programs", op_name(inst), name_of(kStageNames, p.stage));
    check_step(pc);
  }
  if (!after_end_) fail(Rule::end_missing, p.end, "expected END, found the end of the text");
  else if (in_body_) fail(Rule::unbalanced_flow, p.end, "expected ENDSUB, found the end of the text");
  check_calls();
}

void Validation::check_step(uint32_t pc) {
  const Instruction& inst = p.instructions[pc];
  if (!in_body_ && inst.opcode != Opcode::Op_BGNSUB) {
    fail(Rule::end_missing, inst.loc, "only subroutines stand behind END, found {}", op_name(inst));
    in_body_ = true;   // one complaint for a run of stray code
    return;
  }
  if (!open_.empty() && open_.back().opcode == Opcode::Op_SWITCH) check_label(pc);
  switch (inst.opcode) {
    case Opcode::Op_IF:
    case Opcode::Op_UIF:
    case Opcode::Op_BGNLOOP:
    case Opcode::Op_SWITCH: return open_flow(pc);
    case Opcode::Op_ELSE:
    case Opcode::Op_ENDIF:
    case Opcode::Op_ENDLOOP:
    case Opcode::Op_ENDSWITCH: return close_flow(pc);
    case Opcode::Op_BRK:
    case Opcode::Op_CONT: return check_jump(inst);
    case Opcode::Op_CASE:
    case Opcode::Op_DEFAULT:
      if (open_.empty() || open_.back().opcode != Opcode::Op_SWITCH)
        fail(Rule::case_outside, inst.loc, "{} stands directly in a SWITCH", op_name(inst));
      return;
    case Opcode::Op_CAL:
      bodies_.back().calls.push_back(pc);
      return;
    case Opcode::Op_BGNSUB:
      if (in_body_) return fail(Rule::unbalanced_flow, inst.loc, "a subroutine begins behind END, outside another one");
      bodies_.emplace_back().begin = pc;
      in_body_ = true;
      return;
    case Opcode::Op_END:
      if (after_end_) return fail(Rule::end_missing, inst.loc, "END stands once");
      end_body(inst);
      after_end_ = true;
      return;
    case Opcode::Op_ENDSUB:
      if (bodies_.size() == 1) return fail(Rule::unbalanced_flow, inst.loc, "ENDSUB without BGNSUB");
      return end_body(inst);
    default: return;
  }
}

void Validation::open_flow(uint32_t pc) {
  const Instruction& inst = p.instructions[pc];
  if (open_.size() == kMaxNesting) fail(Rule::nesting_too_deep, inst.loc, "flow nests more than {} deep", kMaxNesting);
  open_.push_back({inst.opcode, pc, false, false, {}});
  open_loops_ += inst.opcode == Opcode::Op_BGNLOOP;
  open_switches_ += inst.opcode == Opcode::Op_SWITCH;
}

void Validation::close_flow(uint32_t pc) {
  const Instruction& inst = p.instructions[pc];
  if (open_.empty() || !closes(inst.opcode, open_.back().opcode)) {
    const std::string_view opener = open_.empty() ? "nothing" : opcode_info(open_.back().opcode).name;
    return fail(Rule::unbalanced_flow, inst.loc, "{} closes {} here", op_name(inst), opener);
  }
  open_loops_ -= inst.opcode == Opcode::Op_ENDLOOP;
  open_switches_ -= inst.opcode == Opcode::Op_ENDSWITCH;
  if (inst.opcode != Opcode::Op_ELSE) return open_.pop_back();
  if (std::exchange(open_.back().had_else, true)) fail(Rule::unbalanced_flow, inst.loc, "a second ELSE");
}

void Validation::check_jump(const Instruction& inst) {
  const bool inside = open_loops_ > 0 || (inst.opcode == Opcode::Op_BRK && open_switches_ > 0);
  if (!inside)
    fail(Rule::break_outside, inst.loc, "{} stands in {}", op_name(inst),
         inst.opcode == Opcode::Op_BRK ? "a loop or switch" : "a loop");
}

// An instruction directly in a switch.
void Validation::check_label(uint32_t pc) {
  const Instruction& inst = p.instructions[pc];
  Open& open = open_.back();
  if (inst.opcode == Opcode::Op_CASE) return check_case_value(inst, open);
  if (inst.opcode == Opcode::Op_DEFAULT) {
    if (std::exchange(open.had_default, true)) fail(Rule::case_outside, inst.loc, "a second DEFAULT");
    return;
  }
  if (pc == open.pc + 1 && inst.opcode != Opcode::Op_ENDSWITCH)
    fail(Rule::case_outside, inst.loc, "expected CASE or DEFAULT behind SWITCH, found {}", op_name(inst));
}

void Validation::check_case_value(const Instruction& inst, Open& open) {
  const Source& src = p.srcs(inst)[0];
  const Immediate* imm = integer_immediate(src);
  if (!imm) return fail(Rule::case_value, src.loc, "expected an integer immediate without modifiers");
  const uint32_t value = imm->words[src.swizzle[0]];
  if (!open.values.insert(value).second) fail(Rule::case_value, src.loc, "a second CASE of {}", value);
}

// END or ENDSUB.
void Validation::end_body(const Instruction& inst) {
  for (const Open& open : open_)
    fail(Rule::unbalanced_flow, p.instructions[open.pc].loc, "{} is not closed before {}",
         opcode_info(open.opcode).name, op_name(inst));
  open_.clear();
  open_loops_ = open_switches_ = 0;
  in_body_ = false;
}

void Validation::check_calls() {
  for (const Body& body : bodies_)
    for (const uint32_t pc : body.calls) {
      const Instruction& inst = p.instructions[pc];
      const bool known = inst.label && *inst.label < p.instructions.size() &&
                         p.instructions[*inst.label].opcode == Opcode::Op_BGNSUB;
      if (!known)
        return fail(Rule::call_label, inst.loc, "expected the number of a BGNSUB instruction as label of CAL");
    }
  for (Body& body : bodies_) walk_calls(body);
}

Validation::Body& Validation::body_at(uint32_t pc) {
  return *std::lower_bound(bodies_.begin() + 1, bodies_.end(), pc,
                           [](const Body& b, uint32_t at) { return b.begin < at; });
}

// Depth first, on a stack of its own: a call of a body on the path is recursion.
void Validation::walk_calls(Body& root) {
  if (root.state != Body::State::New) return;
  std::vector<Body*> path{&root};
  root.state = Body::State::OnPath;
  while (!path.empty()) {
    Body& body = *path.back();
    if (body.next_call == body.calls.size()) {
      body.state = Body::State::Done;
      path.pop_back();
      continue;
    }
    const Instruction& call = p.instructions[body.calls[body.next_call]];
    Body& callee = body_at(*call.label);
    if (callee.state == Body::State::New) {
      callee.state = Body::State::OnPath;
      path.push_back(&callee);
      continue;
    }
    ++body.next_call;
    if (callee.state == Body::State::OnPath) {
      fail(Rule::recursive_call, call.loc, "the subroutine at {} calls itself", *call.label);
      continue;
    }
    if (callee.depth + 1 > kMaxCallDepth)
      fail(Rule::nesting_too_deep, call.loc, "calls nest more than {} deep", kMaxCallDepth);
    body.depth = std::max(body.depth, callee.depth + 1);
  }
}

}  // namespace tessera::tgsi
