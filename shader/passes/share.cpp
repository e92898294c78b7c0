#include <algorithm>
#include <unordered_map>

#include "core/hash.h"
#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

class Sharer {
 public:
  explicit Sharer(Program& p) : p_(p), replacements_(p.value_count), epoch_of_(p.code.size(), 0) {}

  void run() {
    std::vector<bool> keep(p_.code.size(), true);
    for (uint32_t at = 0; at < p_.code.size(); ++at) {
      Instr& i = p_.code[at];
      for (ValueId& v : args_of(p_, i)) v = replacements_.of(v);
      const OpInfo& info = op_info(i.op);
      if (info.is(trait::Region | trait::Effect)) ++epoch_;   // other lanes may run from here on
      if (i.op == Op::Else || i.op == Op::EndIf || i.op == Op::EndBlock || i.op == Op::EndLoop) close_scope();
      if (i.op == Op::If || i.op == Op::Else || i.op == Op::Block || i.op == Op::Loop) scopes_.push_back(added_.size());
      if (!info.is(trait::Pure | trait::LaneCross)) continue;
      if (info.is(trait::Commutes)) order_operands(args_of(p_, i));
      epoch_of_[at] = info.is(trait::LaneCross) ? epoch_ : 0;
      keep[at] = !share(at);
    }
    replacements_.apply(p_);
    compact(p_, keep);
  }

 private:
  // a and b of an operation that commutes, in the order of their values; they may be pairs of words.
  static void order_operands(std::span<ValueId> args) {
    const size_t words = args.size() / 2;
    if (std::ranges::lexicographical_compare(args.subspan(words), args.first(words)))
      std::swap_ranges(args.begin(), args.begin() + words, args.begin() + words);
  }

  // True when an earlier instruction in scope gives the same results.
  bool share(uint32_t at) {
    const uint64_t key = hash(at);
    const auto [it, is_new] = seen_.try_emplace(key, at);
    if (is_new) {
      added_.push_back(key);
      return false;
    }
    if (!equal(at, it->second)) return false;
    for (uint32_t k = 0; k < p_.code[at].result_count; ++k)
      replacements_.replace(p_.code[at].result + k, p_.code[it->second].result + k);
    return true;
  }

  uint64_t hash(uint32_t at) const {
    const Instr& i = p_.code[at];
    Hasher h;
    h.add_value(i.op).add(i.imm).add(epoch_of_[at]);
    for (const ValueId v : args_of(p_, i)) h.add(v);
    return h.value();
  }

  bool equal(uint32_t a, uint32_t b) const {
    const Instr &x = p_.code[a], &y = p_.code[b];
    return x.op == y.op && x.imm == y.imm && epoch_of_[a] == epoch_of_[b] &&
           std::ranges::equal(args_of(p_, x), args_of(p_, y));
  }

  void close_scope() {
    for (; added_.size() > scopes_.back(); added_.pop_back()) seen_.erase(added_.back());
    scopes_.pop_back();
  }

  Program& p_;
  Replacements replacements_;
  std::vector<uint32_t> epoch_of_;                    // by instruction, for operations across lanes
  uint32_t epoch_ = 1;
  std::unordered_map<uint64_t, uint32_t> seen_;       // hash of what is computed: the instruction
  std::vector<uint64_t> added_;                       // keys in order
  std::vector<size_t> scopes_;                        // by open region: added_.size() at its begin
};

}  // namespace

void share_common(Program& p) { Sharer(p).run(); }

}  // namespace tessera::ir
