#include "combiners/constants.h"

#include <bit>

namespace tessera::combiners {

std::array<uint32_t, 4 * kConstantPlaces> constant_words(const FragmentState& state) {
  std::array<uint32_t, 4 * kConstantPlaces> words{};
  const auto put = [&words](uint32_t place, const Color& color) {
    for (size_t c = 0; c < 4; ++c) words[4 * place + c] = std::bit_cast<uint32_t>(color[c]);
  };
  for (uint32_t k = 0; k < 2; ++k) {
    put(kGlobalConstants + k, state.combiners.constants[k]);
    for (uint32_t s = 0; s < kMaxStages; ++s) put(kStageConstants + 2 * s + k, state.combiners.stages[s].constants[k]);
  }
  for (uint32_t u = 0; u < kTextureUnits; ++u) put(kEnvironmentColors + u, state.units[u].environment.color);
  put(kFogColor, {state.fog.color[0], state.fog.color[1], state.fog.color[2], 1});
  put(kFogParameters, {state.fog.density, state.fog.start, state.fog.end, 0});
  for (uint32_t k = 0; k < kAtiConstants; ++k) put(kAtiConstantColors + k, state.ati.constants[k]);
  return words;
}

}  // namespace tessera::combiners
