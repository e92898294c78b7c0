// shader/tgsi/lower_flow.cpp: branches, loops, switches and calls → the IR's regions. Subroutines are put in place of
// their calls; a switch becomes a block with an If for each run of code behind a label.
#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {

bool Lowering::main_returns() const {
  for (const Instruction& inst : program_.instructions) {
    if (inst.opcode == Opcode::Op_RET) return true;
    if (inst.opcode == Opcode::Op_END) break;
  }
  return false;
}

void Lowering::find_labels() {
  std::vector<uint32_t> open;
  for (uint32_t pc = 0; pc < program_.instructions.size(); ++pc) {
    const Opcode op = program_.instructions[pc].opcode;
    if (op == Opcode::Op_SWITCH) {
      switch_labels_[pc];
      open.push_back(pc);
    } else if (op == Opcode::Op_CASE || op == Opcode::Op_DEFAULT) {
      switch_labels_[open.back()].pcs.push_back(pc);
    } else if (op == Opcode::Op_ENDSWITCH) {
      open.pop_back();
    }
  }
}

void Lowering::lower_flow() {
  const auto open = [&](Frame::Kind kind, Region region) {
    frames_.push_back({});
    frames_.back().kind = kind;
    frames_.back().region = region;
  };
  switch (inst_->opcode) {
    case Opcode::Op_IF:
      open(Frame::Kind::If, {});
      b_.begin_if(b_.op(Op::FNe, {src(0, 0), b_.u32(0)}));
      break;
    case Opcode::Op_UIF:
      open(Frame::Kind::If, {});
      b_.begin_if(src(0, 0));
      break;
    case Opcode::Op_ELSE: b_.begin_else(); break;
    case Opcode::Op_ENDIF:
      b_.end_if();
      frames_.pop_back();
      break;
    case Opcode::Op_BGNLOOP: open(Frame::Kind::Loop, b_.begin_loop()); break;
    case Opcode::Op_ENDLOOP:
      b_.end_loop();
      frames_.pop_back();
      break;
    case Opcode::Op_BRK: lower_break(); break;
    case Opcode::Op_CONT: lower_continue(); break;
    case Opcode::Op_SWITCH: lower_switch(); break;
    case Opcode::Op_CASE:
    case Opcode::Op_DEFAULT: lower_label(); break;
    case Opcode::Op_ENDSWITCH: lower_end_switch(); break;
    case Opcode::Op_CAL: lower_call(); break;
    case Opcode::Op_RET: lower_return(); break;
    default: break;                        // NOP and BGNSUB do nothing
  }
}

void Lowering::lower_break() {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->kind == Frame::Kind::Loop || frame->kind == Frame::Kind::Switch) return b_.exit(frame->region);
}

void Lowering::lower_continue() {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->kind == Frame::Kind::Loop) return b_.again(frame->region);
}

void Lowering::lower_return() {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->kind == Frame::Kind::Call) return b_.exit(frame->region);
}

void Lowering::lower_call() {
  const uint32_t caller_pc = pc_;
  frames_.push_back({});
  frames_.back().kind = Frame::Kind::Call;
  frames_.back().region = b_.begin_block();
  lower_body(*inst_->label);
  b_.end_block();
  frames_.pop_back();
  pc_ = caller_pc;
}

// A lane enters at the first label that matches, at DEFAULT if none does, wherever that stands.
void Lowering::lower_switch() {
  Frame frame;
  frame.kind = Frame::Kind::Switch;
  frame.labels = &switch_labels_.at(pc_);
  const Value selector_v = src(0, 0);
  Value matched_v = b_.u32(0);
  for (const uint32_t pc : frame.labels->pcs) {
    const Instruction& label = program_.instructions[pc];
    if (label.opcode == Opcode::Op_DEFAULT) {
      frame.conditions.push_back({});
      continue;
    }
    const Source& s = program_.srcs(label)[0];
    const Value case_v = b_.u32(program_.immediates[static_cast<size_t>(s.reg.index.value)].words[s.swizzle[0]]);
    const Value equal_v = b_.op(Op::IEq, {selector_v, case_v});
    matched_v = b_.op(Op::Or, {matched_v, equal_v});
    frame.conditions.push_back(equal_v);
  }
  for (Value& condition : frame.conditions)
    if (condition.id == ir::kNoValue) condition = b_.op(Op::Not, {matched_v});
  frame.entered = b_.var(b_.u32(0));
  frame.region = b_.begin_block();
  frames_.push_back(std::move(frame));
}

// Lanes run what follows if they enter here, or are inside already and fall through.
void Lowering::lower_label() {
  Frame& frame = frames_.back();
  if (frame.in_section) {
    frame.falls_through = b_.reachable();
    b_.end_if();
    frame.in_section = false;
  }
  Value entered_v = frame.conditions[frame.next_label++];
  if (frame.falls_through) entered_v = b_.op(Op::Or, {entered_v, b_.read(frame.entered)});
  b_.write(frame.entered, entered_v);
  frame.falls_through = true;
  const bool next_is_label = frame.next_label < frame.labels->pcs.size() && frame.labels->pcs[frame.next_label] == pc_ + 1;
  if (next_is_label) return;
  b_.begin_if(entered_v);
  frame.in_section = true;
}

void Lowering::lower_end_switch() {
  if (frames_.back().in_section) b_.end_if();
  b_.end_block();
  frames_.pop_back();
}

}  // namespace tessera::tgsi
