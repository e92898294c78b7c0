#include <algorithm>
#include <optional>

#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

// Operations between two exits that lanes which have taken the first one compute for nothing.
constexpr uint32_t kMostOperations = 8;
constexpr size_t kInstructions = 4;      // If, Exit, Else, EndIf

class ExitMerger {
 public:
  explicit ExitMerger(Program& p) : p_(p) {}

  void run() {
    for (size_t at = 0; at < p_.code.size(); ++at) {
      if (is_conditional_exit(at)) {
        conditional_exit(at);
        at += kInstructions - 1;
      } else {
        operation(p_.code[at]);
      }
    }
    std::vector<bool> keep(code_.size(), true);
    for (const size_t first : dropped_)
      std::fill_n(keep.begin() + static_cast<std::ptrdiff_t>(first), kInstructions, false);
    p_.code = std::move(code_);
    compact(p_, keep);
  }

 private:
  bool is_conditional_exit(size_t at) const {
    return at + kInstructions <= p_.code.size() && p_.code[at].op == Op::If && p_.code[at + 1].op == Op::Exit &&
           p_.code[at + 2].op == Op::Else && p_.code[at + 3].op == Op::EndIf && p_.code[at + 3].result_count == 0;
  }

  void conditional_exit(size_t at) {
    Instr branch = p_.code[at];
    if (before_ && same_exit(code_[*before_ + 1], p_.code[at + 1])) {
      const ValueId either = p_.value_count++;
      append(Op::Or, branch, {condition(code_[*before_]), condition(branch)}, either);
      dropped_.push_back(*before_);
      branch.first_arg = static_cast<uint32_t>(p_.args.size());
      p_.args.push_back(either);
    }
    before_ = code_.size();
    operations_ = 0;
    code_.push_back(branch);
    for (size_t k = 1; k < kInstructions; ++k) code_.push_back(p_.code[at + k]);
  }

  void operation(const Instr& i) {
    const OpInfo& info = op_info(i.op);
    operations_ += i.op != Op::Const && i.op != Op::Input;
    if (!info.is(trait::Pure) || info.is(trait::Slow) || operations_ > kMostOperations) before_.reset();
    code_.push_back(i);
  }

  bool same_exit(const Instr& a, const Instr& b) const {
    return a.imm == b.imm && std::ranges::equal(args_of(p_, a), args_of(p_, b));
  }

  ValueId condition(const Instr& branch) const { return p_.args[branch.first_arg]; }

  void append(Op op, const Instr& near, std::initializer_list<ValueId> args, ValueId result) {
    Instr i;
    i.op = op;
    i.loc = near.loc;
    i.result = result;
    i.result_count = 1;
    i.first_arg = static_cast<uint32_t>(p_.args.size());
    i.arg_count = static_cast<uint16_t>(args.size());
    p_.args.insert(p_.args.end(), args.begin(), args.end());
    code_.push_back(i);
  }

  Program& p_;
  std::vector<Instr> code_;
  std::vector<size_t> dropped_;          // where in `code_` exits begin that later ones stand for
  std::optional<size_t> before_;         // where the last exit begins; none: what is behind it must not run for its lanes
  uint32_t operations_ = 0;              // behind it
};

}  // namespace

void merge_exits(Program& p) { ExitMerger(p).run(); }

}  // namespace tessera::ir
