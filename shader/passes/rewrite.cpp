#include "shader/passes/rewrite.h"

#include <numeric>

namespace tessera::ir {

std::vector<uint32_t> find_definitions(const Program& p) {
  std::vector<uint32_t> defined_at(p.value_count, 0);
  for (uint32_t at = 0; at < p.code.size(); ++at)
    for (uint32_t k = 0; k < p.code[at].result_count; ++k) defined_at[p.code[at].result + k] = at;
  return defined_at;
}

Replacements::Replacements(uint32_t values) : by_(values) { std::iota(by_.begin(), by_.end(), 0u); }

ValueId Replacements::of(ValueId v) {
  if (v == kNoValue) return v;
  while (by_[v] != v) v = by_[v] = by_[by_[v]];
  return v;
}

void Replacements::apply(Program& p) {
  for (ValueId& v : p.args) v = of(v);
  for (Output& o : p.outputs) o.value = of(o.value);
}

void compact(Program& p, const std::vector<bool>& keep) { compact(p, keep, std::vector<bool>(p.value_count, true)); }

void compact(Program& p, const std::vector<bool>& keep, const std::vector<bool>& is_live) {
  std::vector<ValueId> number(p.value_count, kNoValue), args;
  args.reserve(p.args.size());
  size_t kept = 0;
  ValueId next = 0;
  for (size_t at = 0; at < p.code.size(); ++at) {
    if (!keep[at]) continue;
    Instr i = p.code[at];
    const bool may_shrink = op_info(i.op).is(trait::Region);
    const ValueId first = next;
    for (uint32_t k = 0; k < i.result_count; ++k)
      if (!may_shrink || is_live[i.result + k]) number[i.result + k] = next++;
    i.result_count = static_cast<uint16_t>(next - first);
    i.result = i.result_count > 0 ? first : kNoValue;
    p.code[kept++] = i;
  }
  p.code.resize(kept);
  for (Instr& i : p.code) {   // a loop's operands for the next turn are defined behind their first mention
    const uint32_t first = static_cast<uint32_t>(args.size());
    for (const ValueId v : args_of(p, i)) args.push_back(v == kNoValue ? v : number[v]);
    i.first_arg = first;
  }
  p.args = std::move(args);
  p.value_count = next;
  for (Output& o : p.outputs)
    if (o.value != kNoValue) o.value = number[o.value];
}

void renumber(Program& p) { compact(p, std::vector<bool>(p.code.size(), true)); }

}  // namespace tessera::ir
