// tests/support/random_program.h: random IR programs: nested control flow, jumps out of several regions, private
// arrays, all operations on lanes alone, and on demand those that look at other lanes. Every loop ends.
#pragma once

#include <random>

#include "shader/executor.h"
#include "shader/ir.h"

namespace tessera::tests {

struct RandomProgramOptions {
  uint32_t instructions = 60;      // about
  uint32_t inputs = 4, constants = 8, variables = 6, outputs = 4;
  bool kill = true;
  bool across_lanes = false;          // operations across the quad, textures, constants by computed index
  bool memory = false;                // loads, stores and atomic operations on buffers 0 and 1 and shared memory
  bool variables_in_memory = false;   // the same program with words of a private array for variables: no joins at all
};

ir::Program random_program(std::mt19937& random, const RandomProgramOptions& options = {});

// For Bindings::services: four words that depend on all operands in all lanes of the quad.
void mix_texture_operands(const void* texture, const SampleArgs& args);

// A word that is interesting as a float, or as an integer, or any.
uint32_t random_word(std::mt19937& random);

}  // namespace tessera::tests
