// raster/sample_block.h: raster/block.h for targets of several samples a pixel. The program runs once for all samples
// of a fragment, or once for each; depth, stencil and colours are those of each sample.
// In:     the lanes of each sample that a triangle covers.
// Out:    the tile's planes; counters: fragments are pixels, and one has failed when its last sample has.
// Errors: as in raster/block.h.                       Threads: one owner.
#pragma once

#include "raster/block.h"

namespace tessera::raster {

// Shades the covered samples of a block of one triangle; raster[sample] is a mask of lanes.
void shade_samples(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, int32_t block,
                   const uint64_t* raster);

// What the program's sample mask and its alpha leave of the lanes that live: keep[sample].
void surviving_samples(const DrawPlan& plan, uint64_t live, uint64_t* keep);

// The triangle as seen from a sample: what its formulas give at a pixel's centre is what they give at the sample.
SetupTriangle seen_from(const SetupTriangle& triangle, const SamplePattern& pattern, uint32_t sample);

}  // namespace tessera::raster
