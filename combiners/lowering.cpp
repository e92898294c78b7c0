#include "combiners/lowering.h"

namespace tessera::combiners {

Rgba Lowering::expand(const Rgba& texel, BaseFormat format) {
  Rgba out;
  for (size_t c = 0; c < 4; ++c) {
    const Part part = info(format).rgba[c];
    if (part == Part::Zero) out[c] = number(0);
    else if (part == Part::One) out[c] = number(1);
    else out[c] = texel[static_cast<size_t>(part)];
  }
  return out;
}

Rgba Lowering::color(uint32_t place) {
  Rgba out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = b_.constant(constants_, place * 4 + c);
  return out;
}

}  // namespace tessera::combiners
