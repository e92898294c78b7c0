#include "shader/chain.h"

#include <algorithm>

#include "shader/names.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

// Number of `item` in `all`, where it is put if it is new.
template <class T>
uint32_t number_in(std::vector<T>& all, const T& item) {
  const auto found = std::find(all.begin(), all.end(), item);
  const auto number = static_cast<uint32_t>(found - all.begin());
  if (found == all.end()) all.push_back(item);
  return number;
}

template <class A, class B>
bool same_place(const A& a, const B& b) {
  return a.semantic == b.semantic && a.index == b.index && a.component == b.component;
}

uint32_t region_count(const Program& p) {
  uint32_t count = 0;
  for (const Instr& i : p.code)
    if (op_info(i.op).is(trait::ImmRegion)) count = std::max(count, i.imm + 1);
  return count;
}

class Chain {
 public:
  Chain(const Program& first, const Program& second, std::span<const Semantic> handed_over)
      : p_(first), first_(first), second_(second), handed_over_(handed_over), regions_(region_count(first)) {}

  Program run() {
    p_.value_count += second_.value_count;
    p_.private_arrays.insert(p_.private_arrays.end(), second_.private_arrays.begin(), second_.private_arrays.end());
    for (const Flag& flag : kFlags) p_.*flag.member = first_.*flag.member || second_.*flag.member;
    Replacements replacements(p_.value_count);
    std::vector<bool> keep(first_.code.size(), true);
    for (const Instr& instr : second_.code) {
      const Instr moved = append(instr);
      const Output* const fed = source_of(instr);
      if (fed) replacements.replace(moved.result, fed->value);
      keep.push_back(fed == nullptr);
    }
    for (const Output& output : second_.outputs) put(output);
    replacements.apply(p_);
    compact(p_, keep);
    return std::move(p_);
  }

 private:
  bool is_handed_over(const Instr& i) const {
    if (i.op != Op::Input) return false;
    const Input& in = second_.inputs[i.imm];
    if (in.system_value || in.of_target || in.per_vertex) return false;
    return std::find(handed_over_.begin(), handed_over_.end(), in.semantic) != handed_over_.end();
  }

  // The output of the first program that an instruction of the second reads as an input.
  const Output* source_of(const Instr& i) const {
    if (!is_handed_over(i)) return nullptr;
    for (const Output& output : first_.outputs)
      if (same_place(output, second_.inputs[i.imm])) return &output;
    return nullptr;
  }

  Instr append(Instr i) {
    const std::span<const ValueId> args = args_of(second_, i);
    if (is_handed_over(i)) i.op = Op::Const, i.imm = 0;           // what stands for one that is not written
    else i.imm = moved_imm(i);
    i.first_arg = static_cast<uint32_t>(p_.args.size());
    for (const ValueId v : args) p_.args.push_back(moved(v));
    i.result = moved(i.result);
    p_.code.push_back(i);
    return i;
  }

  uint32_t moved_imm(const Instr& i) {
    const OpInfo& info = op_info(i.op);
    if (info.is(trait::ImmInput)) return number_in(p_.inputs, second_.inputs[i.imm]);
    if (info.is(trait::ImmRegion)) return i.imm + regions_;
    if (info.is(trait::ImmArray)) return i.imm + static_cast<uint32_t>(first_.private_arrays.size());
    if (info.is(trait::ImmMemory)) return number_in(p_.memory_ops, second_.memory_ops[i.imm]);
    if (!info.is(trait::ImmTexture)) return i.imm;
    TextureOp op = second_.texture_ops[i.imm];
    op.binding = static_cast<uint16_t>(number_in(p_.texture_bindings, second_.texture_bindings[op.binding]));
    return number_in(p_.texture_ops, op);
  }

  ValueId moved(ValueId v) const { return v == kNoValue ? v : v + first_.value_count; }

  void put(Output output) {
    output.value = moved(output.value);
    const auto found =
        std::find_if(p_.outputs.begin(), p_.outputs.end(), [&](const Output& o) { return same_place(o, output); });
    if (found != p_.outputs.end()) *found = output;
    else p_.outputs.push_back(output);
  }

  Program p_;
  const Program& first_;
  const Program& second_;
  std::span<const Semantic> handed_over_;
  uint32_t regions_;
};

}  // namespace

Program chain(const Program& first, const Program& second, std::span<const Semantic> handed_over) {
  return Chain(first, second, handed_over).run();
}

}  // namespace tessera::ir
