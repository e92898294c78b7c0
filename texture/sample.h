// texture/sample.h: the block functions of BoundTexture, chosen by texel class, shape, whether texels may be missing
// (cold.h) and instruction set.
#pragma once

#include "core/simd_target.h"
#include "texture/bound.h"

namespace tessera::texture {

BlockFn choose_sample(TexelClass texel_class, Shape shape, bool may_be_cold, SimdTarget simd);  // sample.cpp: filters
BlockFn choose_fetch(TexelClass texel_class, bool may_be_cold, SimdTarget simd);   // fetch.cpp: one texel by integer address
BlockFn choose_gather(TexelClass texel_class, bool may_be_cold, SimdTarget simd);  // gather.cpp: one component of four texels
BlockFn choose_query_lod(SimdTarget simd);                       // query.cpp
void query_size(const BoundTexture& texture, const SampleArgs& args);
void query_samples(const BoundTexture& texture, const SampleArgs& args);

}  // namespace tessera::texture
