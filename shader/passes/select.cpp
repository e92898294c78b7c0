#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

// Operations of both halves and results together: about what entering and leaving an If costs the interpreter.
constexpr uint32_t kMostOperations = 8;

class Selector {
 public:
  explicit Selector(Program& p) : p_(p) {}

  void run() {
    for (const Instr& i : p_.code) {
      switch (i.op) {
        case Op::If:
          open_.push_back({code_.size()});
          code_.push_back(i);
          break;
        case Op::Else:
          open_.back().else_at = code_.size();
          code_.push_back(i);
          break;
        case Op::EndIf:
          close(i);
          break;
        default:
          if (!open_.empty()) count(i);
          code_.push_back(i);
      }
    }
    std::vector<bool> keep(code_.size(), true);
    for (const size_t at : dropped_) keep[at] = false;
    p_.code = std::move(code_);
    compact(p_, keep);
  }

 private:
  struct Open {
    size_t if_at;
    size_t else_at = 0;
    uint32_t operations = 0;
    bool is_simple = true;       // nothing but quick pure operations inside
  };

  void count(const Instr& i) {
    Open& o = open_.back();
    o.is_simple = o.is_simple && op_info(i.op).is(trait::Pure) && !op_info(i.op).is(trait::Slow);
    o.operations += i.op != Op::Const && i.op != Op::Input;
  }

  void close(const Instr& end) {
    const Open o = open_.back();
    open_.pop_back();
    const uint32_t operations = o.operations + end.result_count;
    const bool both_arrive = code_[o.else_at].arg_count == end.arg_count;
    const bool becomes_selects = o.is_simple && both_arrive && operations <= kMostOperations;
    if (!open_.empty()) {
      open_.back().operations += operations;
      open_.back().is_simple = open_.back().is_simple && becomes_selects;
    }
    if (!becomes_selects) return code_.push_back(end);
    dropped_.push_back(o.if_at);
    dropped_.push_back(o.else_at);
    for (uint32_t k = 0; k < end.result_count; ++k) select(o, end, k);
  }

  void select(const Open& o, const Instr& end, uint32_t k) {
    Instr i;
    i.op = Op::Select;
    i.loc = end.loc;
    i.result = end.result + k;
    i.result_count = 1;
    i.first_arg = static_cast<uint32_t>(p_.args.size());
    i.arg_count = 3;
    const ValueId args[] = {p_.args[code_[o.if_at].first_arg], p_.args[code_[o.else_at].first_arg + k],
                            p_.args[end.first_arg + k]};
    p_.args.insert(p_.args.end(), std::begin(args), std::end(args));
    code_.push_back(i);
  }

  Program& p_;
  std::vector<Instr> code_;
  std::vector<size_t> dropped_;
  std::vector<Open> open_;
};

}  // namespace

void select_short_ifs(Program& p) { Selector(p).run(); }

}  // namespace tessera::ir
