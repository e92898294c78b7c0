// frontend/direct3d9/raster_state.h: render states and sampler states → those of raster/ and texture/.
//
// What Direct3D 9 has otherwise than OpenGL: pixel centres at whole numbers, z 0..w, the front is clockwise on the
// screen, the first vertex of a triangle gives its flat colours, a level of detail of 0 or less magnifies whatever the
// limits are. The alpha test and fog are code behind the pixel shader (ending.h); sRGB is a matter of formats
// (formats.h).
#pragma once

#include "frontend/direct3d9/states.h"
#include "raster/state.h"
#include "texture/sampler.h"

namespace tessera::direct3d9 {

struct RasterStates {
  raster::BlendState blend;
  raster::RasterizerState rasterizer;
  raster::DepthStencilAlphaState depth_stencil;
  std::array<float, 4> blend_color{};
  uint8_t stencil_reference = 0;
  uint32_t sample_mask = ~0u;
};
// `is_transformed`: vertices come with their place on the screen; they are not clipped in z without a depth test.
RasterStates raster_states(const States& states, bool is_transformed);

// `lowest_level`: the texture's own limit. Without a mip filter that level alone is sampled, by the view.
texture::Sampler sampler_of(const SamplerStates& states, uint32_t lowest_level);

}  // namespace tessera::direct3d9
