// frontend/direct3d9/constants.h: what the code of fixed-function state reads, in buffer kStateConstants of each stage. Places
// count words.
#pragma once

#include <cstdint>

#include "frontend/direct3d9/lighting.h"
#include "frontend/direct3d9/states.h"

namespace tessera::direct3d9 {

inline constexpr uint32_t kStateConstants = 4;

// Fog of both stages: start, end, density.
namespace vertex_place {
inline constexpr uint32_t kFog = 0,
    kPixelSize = 4,    // 2 / width, 2 / height of the target
    kDepthRange = 6,   // the viewport's nearest depth, 1 / its depth range
        kClipFromObj = 8, kWorldFromObj = 24, kEyeFromObj = 40, kTexture = 56,
        kNormal = kTexture + 16 * kStages,     // three rows of four: the camera's normal from the object's
        kPoint = kNormal + 12,                 // size, least, most, scale factors of 1, the distance, its square; the
                                               // viewport's height
        kLighting = kPoint + 8;
}  // namespace vertex_place
// Places, directions toward a light and distances are the camera's.
namespace light_place {
inline constexpr uint32_t kMaterialDiffuse = vertex_place::kLighting, kMaterialAmbient = kMaterialDiffuse + 4,
    kMaterialSpecular = kMaterialAmbient + 4, kMaterialEmissive = kMaterialSpecular + 4,
    kGlobalAmbient = kMaterialEmissive + 4, kPower = kGlobalAmbient + 3, kLights = kPower + 1;
// Of a light.
inline constexpr uint32_t kDiffuse = 0, kAmbient = 4, kSpecular = 8, kPosition = 12, kTowardLight = 15, kRange = 18,
    kFalloff = 19, kAttenuation = 20, kOuterCosine = 23,
    kConeScale = 24,                           // 1 / (the inner cone's cosine - the outer cone's)
    kWords = 25;
inline constexpr uint32_t kEnd = kLights + kWords * kMaxLights;
}  // namespace light_place
namespace vertex_place {
inline constexpr uint32_t kCount = light_place::kEnd;
}  // namespace vertex_place
namespace pixel_place {
inline constexpr uint32_t kFog = 0, kAlphaReference = 3, kFogColor = 4, kTextureFactor = 8, kCount = 12;
}  // namespace pixel_place

}  // namespace tessera::direct3d9
