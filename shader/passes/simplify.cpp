#include <utility>

#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

// Identities that keep every bit (a NaN of arithmetic has none to keep). Not among them: x * 1 and x + 0, which make a
// signalling NaN quiet and -0 positive.
class Simplifier {
 public:
  explicit Simplifier(Program& p) : p_(p), definition_(find_definitions(p)), replacements_(p.value_count) {}

  void run() {
    for (Instr& i : p_.code) {
      for (ValueId& v : args_of(p_, i)) v = replacements_.of(v);
      if (i.result_count != 1 || !op_info(i.op).is(trait::Pure)) continue;
      while (absorb_negation(i)) {
      }
      if (const ValueId same = same_as(i); same != kNoValue) replacements_.replace(i.result, same);
    }
    replacements_.apply(p_);
    renumber(p_);
  }

 private:
  ValueId& arg(const Instr& i, uint32_t k) { return p_.args[i.first_arg + k]; }
  const Instr& made_by(ValueId v) const { return p_.code[definition_[v]]; }
  bool is_negation(ValueId v) const { return made_by(v).op == Op::FNeg; }
  ValueId negated(ValueId v) { return replacements_.of(arg(made_by(v), 0)); }
  bool is_constant(ValueId v, uint32_t bits) const { return made_by(v).op == Op::Const && made_by(v).imm == bits; }

  // Turns an operand -x into x and the operation into its form with another sign.
  bool absorb(Instr& i, uint32_t k, Op becomes) {
    if (!is_negation(arg(i, k))) return false;
    arg(i, k) = negated(arg(i, k));
    i.op = becomes;
    return true;
  }

  bool absorb_negation(Instr& i) {
    switch (i.op) {
      case Op::FAdd:
        if (is_negation(arg(i, 0))) std::swap(arg(i, 0), arg(i, 1));
        return absorb(i, 1, Op::FSub);
      case Op::FSub:
        return absorb(i, 1, Op::FAdd);
      case Op::FMul:
        return is_negation(arg(i, 0)) && is_negation(arg(i, 1)) && absorb(i, 0, Op::FMul) && absorb(i, 1, Op::FMul);
      case Op::FFma:
        return absorb(i, 0, Op::FFnma) || absorb(i, 1, Op::FFnma) || absorb(i, 2, Op::FFms);
      case Op::FFms:
        return absorb(i, 2, Op::FFma);
      case Op::FFnma:
        return absorb(i, 0, Op::FFma) || absorb(i, 1, Op::FFma);
      case Op::FAbs:
        return absorb(i, 0, Op::FAbs);
      default:
        return false;
    }
  }

  // The operand whose bits are the result.
  ValueId same_as(const Instr& i) {
    const auto neutral = [&](uint32_t k, uint32_t bits) { return is_constant(arg(i, k), bits) ? arg(i, 1 - k) : kNoValue; };
    switch (i.op) {
      case Op::FNeg:
        return is_negation(arg(i, 0)) ? negated(arg(i, 0)) : kNoValue;
      case Op::Select:
        return arg(i, 1) == arg(i, 2) ? arg(i, 1) : kNoValue;
      case Op::IAdd:
      case Op::Or:
      case Op::Xor:
        return neutral(0, 0) != kNoValue ? neutral(0, 0) : neutral(1, 0);
      case Op::ISub:
      case Op::Shl:
      case Op::UShr:
      case Op::IShr:
        return neutral(1, 0);
      case Op::And:
        return neutral(0, ~0u) != kNoValue ? neutral(0, ~0u) : neutral(1, ~0u);
      case Op::IMul:
        return neutral(0, 1) != kNoValue ? neutral(0, 1) : neutral(1, 1);
      default:
        return kNoValue;
    }
  }

  Program& p_;
  std::vector<uint32_t> definition_;
  Replacements replacements_;
};

}  // namespace

void simplify(Program& p) { Simplifier(p).run(); }

}  // namespace tessera::ir
