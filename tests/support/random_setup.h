// tests/support/random_setup.h: random legal setups and fragments.
#pragma once

#include <random>

#include "combiners/evaluate.h"

namespace tessera::tests {

combiners::FragmentState random_setup(std::mt19937& random);         // no ATI fragment shader
combiners::AtiFragmentShader random_ati(std::mt19937& random);
combiners::Fragment random_fragment(std::mt19937& random);

}  // namespace tessera::tests
