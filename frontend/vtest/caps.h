// frontend/vtest/caps.h: what the server offers. The client derives version, extensions and limits of OpenGL from these
// fields alone, so what is not offered here is never asked for. Source: virgl_hw.h, struct virgl_caps_v2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "frontend/vtest/formats.h"

namespace tessera::vtest {

inline constexpr uint32_t kStages = 6;   // vertex, fragment, geometry, tessellation control and evaluation, compute

// The reply to GET_CAPS2; its first kCapsV1Bytes are the reply to GET_CAPS. Little-endian words without padding.
struct Caps {
  uint32_t max_version = 2;
  FormatMask sampler{}, render{}, depth_stencil{}, vertex_buffer{};
  uint32_t bset = 0;
  uint32_t glsl_level = 0;
  uint32_t max_texture_array_layers = 0;
  uint32_t max_streamout_buffers = 0;
  uint32_t max_dual_source_render_targets = 0;
  uint32_t max_render_targets = 0;
  uint32_t max_samples = 0;
  uint32_t prim_mask = 0;
  uint32_t max_tbo_size = 0;
  uint32_t max_uniform_blocks = 0;
  uint32_t max_viewports = 0;
  uint32_t max_texture_gather_components = 0;

  float min_aliased_point_size = 1, max_aliased_point_size = 1;
  float min_smooth_point_size = 1, max_smooth_point_size = 1;
  float min_aliased_line_width = 1, max_aliased_line_width = 1;
  float min_smooth_line_width = 1, max_smooth_line_width = 1;
  float max_texture_lod_bias = 0;
  uint32_t max_geom_output_vertices = 0, max_geom_total_output_components = 0;
  uint32_t max_vertex_outputs = 0, max_vertex_attribs = 0;
  uint32_t max_shader_patch_varyings = 0;
  int32_t min_texel_offset = 0, max_texel_offset = 0;
  int32_t min_texture_gather_offset = 0, max_texture_gather_offset = 0;
  uint32_t texture_buffer_offset_alignment = 0;
  uint32_t uniform_buffer_offset_alignment = 0;
  uint32_t shader_buffer_offset_alignment = 0;
  uint32_t capability_bits = 0;
  uint32_t sample_locations[8] = {};
  uint32_t max_vertex_attrib_stride = 0;
  uint32_t max_shader_buffer_frag_compute = 0, max_shader_buffer_other_stages = 0;
  uint32_t max_shader_image_frag_compute = 0, max_shader_image_other_stages = 0;
  uint32_t max_image_samples = 0;
  uint32_t max_compute_work_group_invocations = 0;
  uint32_t max_compute_shared_memory_size = 0;
  uint32_t max_compute_grid_size[3] = {}, max_compute_block_size[3] = {};
  uint32_t max_texture_2d_size = 0, max_texture_3d_size = 0, max_texture_cube_size = 0;
  uint32_t max_combined_shader_buffers = 0;
  uint32_t max_atomic_counters[kStages] = {}, max_atomic_counter_buffers[kStages] = {};
  uint32_t max_combined_atomic_counters = 0, max_combined_atomic_counter_buffers = 0;
  uint32_t host_feature_check_version = 0;
  FormatMask supported_readback_formats{}, scanout{};
  uint32_t capability_bits_v2 = 0;
  uint32_t max_video_memory = 0;
  char renderer[64] = {};
  float max_anisotropy = 1;
  uint32_t max_shader_sampler_views = 0;
  FormatMask supported_multisample_formats{};
  uint32_t max_const_buffer_size[kStages] = {};
  uint32_t num_video_caps = 0;
  uint32_t video_caps[32][4] = {};
  uint32_t max_uniform_block_size = 0;
};
static_assert(sizeof(Caps) == 1376 && offsetof(Caps, bset) == 260 && offsetof(Caps, capability_bits) == 392 &&
              offsetof(Caps, renderer) == 696 && offsetof(Caps, max_uniform_block_size) == 1372);

inline constexpr size_t kCapsV1Bytes = 308;

Caps make_caps();

}  // namespace tessera::vtest
