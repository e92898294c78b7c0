// shader/jit_products.h: products in which 0 times anything is 0 (FMulZ, FFmaZ), several at a time. They are computed
// as if there were no such rule, with one test for all: only where a result is NaN, which is rare, code elsewhere
// computes them again, by the rule.
//
// A group is products that follow each other in a run and do not multiply each other's results; a sum may go on from
// the product before it, as in a dot product. A NaN in such a chain stays to its end, so the end is all that is tested.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shader/emit.h"
#include "shader/ir.h"
#include "shader/jit_plan.h"
#include "shader/jit_registers.h"

namespace tessera::jit {

inline bool is_product(ir::Op op) { return op == ir::Op::FMulZ || op == ir::Op::FFmaZ; }

class Products {
 public:
  Products(emit::Emitter& emitter, const ir::Program& program, const Plan& plan, Registers& registers);

  // How many of the operations from `run[first]` on, which is a product, are one group.
  uint32_t count(std::span<const uint32_t> run, uint32_t first);
  // Writes them, as the operations at these positions of the run that `registers` is in.
  void write(std::span<const uint32_t> run, uint32_t first, uint32_t count);
  // What is jumped to: behind the code that has a way out.
  void write_exact();

 private:
  struct Product {
    emit::Ymm a, b, c, result;                   // c: of a sum that does not go on from the product before
    bool is_sum = false, goes_on = false;
  };
  struct Group {
    std::vector<Product> products;
    emit::Label exact, done;
  };
  bool goes_on(const ir::Instr& before, const ir::Instr& i) const;
  Product write_plain(const ir::Instr& i, const Product* before);
  void write_test(const Group& group);
  void write_exact(const Group& group);

  emit::Emitter& e_;
  const ir::Program& program_;
  const Plan& plan_;
  Registers& registers_;
  std::vector<uint32_t> uses_;                   // by value
  std::vector<Group> groups_;                    // whose exact code is to be written
};

}  // namespace tessera::jit
