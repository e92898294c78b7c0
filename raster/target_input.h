// raster/target_input.h: inputs of a fragment program that are a pixel's colour in a target from before the fragment
// (framebuffer fetch). A program with such inputs runs a triangle at a time, and once for each sample.
// In:     the planes of a tile; a block and a sample of it.
// Out:    input slots: the stored colour, correctly rounded; sRGB decoded; 0 outside of the target and where there is none.
// Errors: none.                                       Threads: planes and slots have one owner.
#pragma once

#include <cstdint>
#include <span>

#include "raster/interpolate.h"
#include "raster/planes.h"

namespace tessera::raster {

void load_target_inputs(TilePlanes& planes, std::span<const InputPlan::TargetWord> words, int32_t block, uint32_t sample,
                        uint32_t* slots);

}  // namespace tessera::raster
