#include "core/scalar.h"
#include "core/tasks.h"
#include "shader/interp.h"
#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"

namespace tessera::ir {
namespace {

bool is_foldable(const Instr& i) {
  const OpInfo& info = op_info(i.op);
  return info.is(trait::Pure) && !info.is(trait::ImmMask) && i.result_count == 1;
}

uint32_t canonical_result(Op op, uint32_t bits) {
  const bool is_nan = scalar::is_nan(scalar::float_of(bits));
  return op_info(op).is(trait::Arith) && is_nan ? scalar::kCanonicalNan : bits;
}

}  // namespace

void fold_constants(Program& p) {
  const FloatEnvironment environment;
  std::vector<bool> is_constant(p.value_count, false);
  std::vector<uint32_t> constant(p.value_count, 0);
  Replacements replacements(p.value_count);
  std::vector<uint32_t> words;
  for (Instr& i : p.code) {
    for (ValueId& v : args_of(p, i)) v = replacements.of(v);
    const std::span<const ValueId> args = args_of(p, i);
    if (i.op == Op::Select && is_constant[args[0]]) {
      replacements.replace(i.result, constant[args[0]] != 0 ? args[1] : args[2]);
      continue;
    }
    bool all_constant = is_foldable(i);
    for (const ValueId v : args) all_constant = all_constant && is_constant[v];
    if (all_constant) {
      words.clear();
      for (const ValueId v : args) words.push_back(constant[v]);
      i.imm = canonical_result(i.op, interp::evaluate(i.op, words));
      i.op = Op::Const;
      i.arg_count = 0;
    }
    if (i.op == Op::Const) is_constant[i.result] = true, constant[i.result] = i.imm;
  }
  replacements.apply(p);
  renumber(p);
}

}  // namespace tessera::ir
