#include "shader/passes/passes.h"

namespace tessera::ir {
namespace {

// What a value never is.
struct Never {
  bool nan = false, infinite = false, zero = false;
  bool is_finite() const { return nan && infinite; }
};
constexpr Never kAnything{}, kFinite{.nan = true, .infinite = true};

Never never_of_constant(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffffu, infinity = 0x7f800000u;
  return {magnitude <= infinity, magnitude != infinity, magnitude != 0};
}

class ZeroWins {
 public:
  explicit ZeroWins(Program& p) : p_(p), never_(p.value_count) {}

  void run() {
    for (Instr& i : p_.code) {
      if (i.op == Op::FMulZ && is_plain(i)) i.op = Op::FMul;
      if (i.op == Op::FFmaZ && is_plain(i)) i.op = Op::FFma;
      if (i.result_count == 1 && op_info(i.op).is(trait::Pure)) never_[i.result] = never(i);
    }
  }

 private:
  const Never& of(const Instr& i, uint32_t operand) const { return never_[args_of(p_, i)[operand]]; }

  // Is there no lane in which one factor is 0 and the other infinite or NaN?
  bool is_plain(const Instr& i) const {
    const Never &a = of(i, 0), &b = of(i, 1);
    if (args_of(p_, i)[0] == args_of(p_, i)[1]) return true;
    return (a.zero || b.is_finite()) && (b.zero || a.is_finite());
  }

  Never never(const Instr& i) const {
    switch (i.op) {
      case Op::Const:
        return never_of_constant(i.imm);
      case Op::FSat:
      case Op::FSign:
      case Op::IToF:
      case Op::UToF:
        return kFinite;
      case Op::FAbs:
      case Op::FNeg:
        return of(i, 0);
      case Op::FFloor:
      case Op::FCeil:
      case Op::FTrunc:
      case Op::FRound:
        return {of(i, 0).nan, of(i, 0).infinite, false};
      case Op::FFract:
        return {of(i, 0).is_finite(), true, false};
      case Op::FMin:                               // of a number and NaN: the number
      case Op::FMax:
        return {of(i, 0).nan || of(i, 1).nan, of(i, 0).infinite && of(i, 1).infinite, of(i, 0).zero && of(i, 1).zero};
      case Op::Select:
        return {of(i, 1).nan && of(i, 2).nan, of(i, 1).infinite && of(i, 2).infinite, of(i, 1).zero && of(i, 2).zero};
      case Op::And:                                // some bits of a finite number
        return of(i, 0).is_finite() || of(i, 1).is_finite() ? kFinite : kAnything;
      default:
        return kAnything;
    }
  }

  Program& p_;
  std::vector<Never> never_;                       // by value
};

}  // namespace

void make_products_plain(Program& p) { ZeroWins(p).run(); }

}  // namespace tessera::ir
