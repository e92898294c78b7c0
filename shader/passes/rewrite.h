// shader/passes/rewrite.h: what passes share: operands, definitions, replacing values, dropping instructions.
#pragma once

#include <vector>

#include "shader/ir.h"

namespace tessera::ir {

// By value: the instruction that defines it.
std::vector<uint32_t> find_definitions(const Program& program);

// Which value stands for which. Follows chains.
class Replacements {
 public:
  explicit Replacements(uint32_t values);
  ValueId of(ValueId v);
  void replace(ValueId v, ValueId by) { by_[v] = of(by); }
  // Puts the replacements in place of all operands and output values.
  void apply(Program& program);

 private:
  std::vector<ValueId> by_;
};

// Drops the instructions that are not kept, puts operands in order and numbers values by definition.
void compact(Program& program, const std::vector<bool>& keep);
// Drops the results of regions that are not live, too.
void compact(Program& program, const std::vector<bool>& keep, const std::vector<bool>& is_live);
// The same when nothing is dropped.
void renumber(Program& program);

}  // namespace tessera::ir
