// combiners/print.h: a setup as equations that people can read.
//
//     stage 0
//       spare0.rgb = dot((2 * max(0, texture0.rgb) - 1), (2 * max(0, primary.rgb) - 1))
//     final
//       rgb = min(1, spare0.rgb ...)
//
// Factors 1 and terms 0 are left out. Every result of a general stage is also clamped to [-1,1], those of a texture
// environment to [0,1]: said once at the top, not in each line.
#pragma once

#include <string>

#include "combiners/state.h"

namespace tessera::combiners {

std::string print(const FragmentState& state);

std::string print_combiners(const RegisterCombiners& combiners);
std::string print_environments(const FragmentState& state);
std::string print_ati(const AtiFragmentShader& shader);

}  // namespace tessera::combiners
