// combiners/registers.h: the combiners' registers while a setup is lowered, and how variables read them.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

class Registers {
 public:
  // As they enter stage 0; constants are read by load_constants.
  Registers(Lowering& low, const FragmentValues& fragment);

  // From the two places of constants.h that begin at `place`.
  void load_constants(Lowering& low, uint32_t place);

  Rgba& operator[](Register r) { return values_[index_of(r)]; }
  const Rgba& operator[](Register r) const { return values_[index_of(r)]; }

 private:
  std::array<Rgba, kTokens<Register>.size()> values_;
};

Rgb read_rgb(Lowering& low, const Registers& registers, const Input& in);
ir::Value read_alpha(Lowering& low, const Registers& registers, const Input& in);

}  // namespace tessera::combiners
