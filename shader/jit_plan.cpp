#include "shader/jit_plan.h"

#include "shader/jit_ops.h"

namespace tessera::jit {
namespace {

using ir::Instr;
using ir::kNoValue;
using ir::Op;
using ir::op_info;
using ir::Program;
using ir::ValueId;
namespace trait = ir::trait;

Piece piece_of(const Instr& i, const interp::Slots& slots) {
  if (i.op == Op::Input || (i.result_count > 0 && slots.is_uniform[i.result])) return Piece::Nothing;
  if (op_info(i.op).is(trait::Region)) return Piece::Region;
  if (i.op == Op::KillIf) return Piece::Kill;
  return lane_writer(i.op) ? Piece::InRun : Piece::Call;
}

// About how many machine instructions an operation takes.
uint32_t weight_of(Op op) { return op == Op::FPow ? 50 : op == Op::FLg2 || op == Op::FEx2 ? 25 : 1; }

// A longer run is cut: the processor works at several strips at once only while the next one begins within what it
// looks ahead, and a strip alone is one long chain of dependent operations. Measured: 24 to 60 are the same.
constexpr uint32_t kMaxWeight = 40;

// The condition of an If, and copies that are few enough.
bool has_tail(const Instr& i) { return i.op == Op::If || i.arg_count <= kMaxCopiesInTail; }

bool gives_bool(const Program& p, const Instr& i, const std::vector<bool>& is_bool) {
  if (op_info(i.op).result == ir::Type::Bool) return true;
  if (i.op != Op::And && i.op != Op::Or && i.op != Op::Xor && i.op != Op::Not) return false;
  for (const ValueId v : args_of(p, i))
    if (!is_bool[v]) return false;
  return true;
}

}  // namespace

Plan make_plan(const Program& p, const interp::Slots& slots) {
  Plan plan;
  plan.run_of.assign(p.code.size(), kNoRun);
  plan.is_kept.assign(p.value_count, false);
  plan.is_bool.assign(p.value_count, false);
  plan.constant.assign(p.value_count, nullptr);
  std::vector<uint32_t> run_of_value(p.value_count, kNoRun);
  uint32_t run = 0, weight = 0;
  for (uint32_t at = 0; at < p.code.size(); ++at) {
    const Instr& i = p.code[at];
    const Piece piece = piece_of(i, slots);
    plan.pieces.push_back(piece);
    if (i.result_count == 1) plan.is_bool[i.result] = gives_bool(p, i, plan.is_bool);
    if (i.op == Op::Const) plan.constant[i.result] = &i;
    if (piece == Piece::Nothing) continue;
    const bool is_tail = piece == Piece::Kill || (piece == Piece::Region && has_tail(i));
    if (piece == Piece::InRun) {
      if (weight > 0 && weight + weight_of(i.op) > kMaxWeight) ++run, weight = 0;
      weight += weight_of(i.op);
    }
    if (piece == Piece::InRun || is_tail) plan.run_of[at] = run;
    if (piece == Piece::InRun) run_of_value[i.result] = run;
    for (const ValueId v : args_of(p, i))
      if (v != kNoValue && run_of_value[v] != plan.run_of[at]) plan.is_kept[v] = true;
    if (piece != Piece::InRun) ++run, weight = 0;
  }
  for (const ir::Output& o : p.outputs)
    if (o.value != kNoValue) plan.is_kept[o.value] = true;
  return plan;
}

}  // namespace tessera::jit
