// frontend/direct3d9/constants.h: what the code of fixed-function state reads, in buffer kStateConstants of each stage. Places
// count words.
#pragma once

#include <cstdint>

#include "frontend/direct3d9/states.h"

namespace tessera::direct3d9 {

inline constexpr uint32_t kStateConstants = 4;

// Fog of both stages: start, end, density.
namespace vertex_place {
inline constexpr uint32_t kFog = 0,
    kPixelSize = 4,    // 2 / width, 2 / height of the target
    kDepthRange = 6,   // the viewport's nearest depth, 1 / its depth range
        kClipFromObj = 8, kWorldFromObj = 24, kEyeFromObj = 40, kTexture = 56, kCount = kTexture + 16 * kStages;
}  // namespace vertex_place
namespace pixel_place {
inline constexpr uint32_t kFog = 0, kAlphaReference = 3, kFogColor = 4, kTextureFactor = 8, kCount = 12;
}  // namespace pixel_place

}  // namespace tessera::direct3d9
