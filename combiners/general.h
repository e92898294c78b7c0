// combiners/general.h: one general combiner stage → IR.
#pragma once

#include "combiners/registers.h"

namespace tessera::combiners {

// Reads all of `registers`, then changes those that the stage writes. Constants are loaded.
void lower_general(Lowering& low, const GeneralStage& stage, Registers& registers);

}  // namespace tessera::combiners
