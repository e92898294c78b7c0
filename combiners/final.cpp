#include "combiners/final.h"

#include "combiners/general.h"

namespace tessera::combiners {

Rgba lower_final(Lowering& low, Registers& registers) {
  const RegisterCombiners& combiners = low.state.combiners;
  const auto& in = combiners.final_combiner.in;
  const Rgb e = read_rgb(low, registers, in[4]), f = read_rgb(low, registers, in[5]);
  for (size_t k = 0; k < 3; ++k) {
    registers[Register::ETimesF][k] = low.mul(e[k], f[k]);
    const ir::Value sum = low.add(low.at_least(registers[Register::Spare0][k], 0), low.at_least(registers[Register::Secondary][k], 0));
    registers[Register::Spare0PlusSecondary][k] = combiners.color_sum_clamp ? low.at_most(sum, 1) : sum;
  }
  const Rgb a = read_rgb(low, registers, in[0]), b = read_rgb(low, registers, in[1]);
  const Rgb c = read_rgb(low, registers, in[2]), d = read_rgb(low, registers, in[3]);
  Rgba out;
  for (size_t k = 0; k < 3; ++k) {
    const ir::Value mixed = low.add(low.mul(a[k], b[k]), low.mul(low.one_minus(a[k]), c[k]));
    out[k] = low.at_most(low.add(mixed, d[k]), 1);
  }
  out[3] = read_alpha(low, registers, in[6]);
  return out;
}

Rgba lower_combiners(Lowering& low, const FragmentValues& fragment) {
  const RegisterCombiners& combiners = low.state.combiners;
  Registers registers(low, fragment);
  for (uint32_t s = 0; s < combiners.stage_count; ++s) {
    low.begin(s);
    registers.load_constants(low, combiners.per_stage_constants ? kStageConstants + 2 * s : kGlobalConstants);
    lower_general(low, combiners.stages[s], registers);
  }
  low.begin(kFinalPlace);
  registers.load_constants(low, kGlobalConstants);
  return lower_final(low, registers);
}

}  // namespace tessera::combiners
