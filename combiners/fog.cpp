#include "combiners/fog.h"

namespace tessera::combiners {

ir::Value lower_fog_factor(Lowering& low, ir::Value coordinate) {
  const Rgba parameters = low.words(kFogParameters);
  const ir::Value density = parameters[0], start = parameters[1], end = parameters[2];
  const ir::Value scaled = low.mul(density, coordinate), log2e = low.number(kLog2E);
  switch (low.state.fog.mode) {
    case FogMode::Linear: return low.clamp_unit(low.divide(low.sub(end, coordinate), low.sub(end, start)));
    case FogMode::Exp: return low.clamp_unit(low.exp2(low.mul(low.negate(scaled), log2e)));
    case FogMode::Exp2: return low.clamp_unit(low.exp2(low.mul(low.negate(low.mul(scaled, scaled)), log2e)));
    case FogMode::Factor: break;
  }
  return low.clamp_unit(coordinate);
}

}  // namespace tessera::combiners
