#include "frontend/vtest/caps.h"

#include <cstring>
#include <string_view>

#include "core/sample_pattern.h"
#include "raster/state.h"
#include "shader/dispatch.h"

namespace tessera::vtest {
namespace {

// Bits of Caps::bset.
enum Feature : uint32_t {
  kIndependentBlendEnable = 0, kIndependentBlendFunc = 1, kCubeMapArray = 2, kStencilExport = 3, kConditionalRender = 4,
  kStartInstance = 5, kPrimitiveRestart = 6, kInstanceId = 8, kSeamlessCubeMap = 10, kOcclusionQuery = 11,
  kTimerQuery = 12, kStreamoutPauseResume = 13, kTextureMultisample = 14, kFragmentCoordConventions = 15,
  kDepthClipDisable = 16, kSeamlessPerTexture = 17, kMirrorClamp = 21, kTextureQueryLod = 22, kFp64 = 23,
  kTessellation = 24, kIndirectDraw = 25, kSampleShading = 26, kCull = 27, kConditionalRenderInverted = 28,
  kDerivativeControl = 29, kPolygonOffsetClamp = 30, kOverflowQuery = 31
};
// Bits of Caps::capability_bits.
enum Capability : uint32_t {
  kTgsiInvariant = 0, kTextureView = 1, kSetMinSamples = 2, kCopyImage = 3, kTgsiPrecise = 4, kTxqs = 5,
  kMemoryBarrier = 6, kComputeShader = 7, kFbNoAttach = 8, kTextureBarrier = 12, kQueryBufferObject = 16,
  kBindCommandArgs = 20, kMultiDrawIndirect = 21, kIndirectParams = 22,
  kRobustBufferAccess = 9, kTgsiComponents = 13, kSrgbWriteControl = 15, kTransfer = 17, kMixedColorFormats = 18,
  kTransformFeedback3 = 23, kIndirectInputAddress = 25, kCopyTransfer = 26, kClipHalfz = 27, kClearTexture = 30
};

template <class... Bits>
constexpr uint32_t bits(Bits... bit) {
  return (0u | ... | (1u << bit));
}

// One byte a sample, first sample in the low byte: x in the high nibble, y in the low one, in sixteenths.
void fill_sample_locations(uint32_t (&words)[8]) {
  const struct { uint32_t samples, word; } parts[] = {{2, 0}, {4, 1}, {8, 2}, {16, 4}};
  for (const auto& part : parts)
    for (uint32_t s = 0; s < part.samples; ++s) {
      const SampleOffset from_centre = sample_offset(part.samples, s);
      const uint32_t x = static_cast<uint32_t>(from_centre.x_fx4 + 8), y = static_cast<uint32_t>(from_centre.y_fx4 + 8);
      words[part.word + s / 4] |= (x << 4 | y) << s % 4 * 8;
    }
}

void fill_memory_limits(Caps& c) {
  c.shader_buffer_offset_alignment = 16;
  c.max_shader_buffer_frag_compute = c.max_shader_buffer_other_stages = 16;
  c.max_shader_image_frag_compute = c.max_shader_image_other_stages = 8;
  c.max_combined_shader_buffers = 80;
  c.max_compute_work_group_invocations = kMaxGroupSize;
  c.max_compute_shared_memory_size = 32768;
  for (uint32_t& size : c.max_compute_grid_size) size = kMaxGridGroups;
  c.max_compute_block_size[0] = c.max_compute_block_size[1] = kMaxGroupSize;
  c.max_compute_block_size[2] = kMaxGroupDepth;
}

void fill_limits(Caps& c) {
  c.glsl_level = 430;
  c.max_texture_array_layers = 2048;
  c.max_streamout_buffers = 4;
  c.max_geom_output_vertices = 1024;
  c.max_geom_total_output_components = 1024;
  c.max_shader_patch_varyings = 32;
  c.max_dual_source_render_targets = 1;
  c.max_render_targets = 8;
  c.max_samples = 4;
  c.max_tbo_size = 1u << 27;
  c.max_uniform_blocks = 15;
  c.max_viewports = raster::kMaxViewports;
  c.max_aliased_point_size = c.max_smooth_point_size = 255;
  c.max_aliased_line_width = c.max_smooth_line_width = 255;
  c.max_texture_gather_components = 4;
  c.max_texture_lod_bias = 16;
  c.max_vertex_outputs = 32;
  c.max_vertex_attribs = 16;
  c.min_texel_offset = c.min_texture_gather_offset = -8;
  c.max_texel_offset = c.max_texture_gather_offset = 7;
  c.texture_buffer_offset_alignment = 16;
  c.uniform_buffer_offset_alignment = 16;
  c.max_vertex_attrib_stride = 2048;
  c.max_texture_2d_size = 16384;
  c.max_texture_3d_size = 2048;
  c.max_texture_cube_size = 16384;
  c.max_anisotropy = 16;
  c.max_shader_sampler_views = 32;
  for (uint32_t& size : c.max_const_buffer_size) size = 65536;
  c.max_uniform_block_size = 65536;
}

}  // namespace

Caps make_caps() {
  Caps c;
  c.sampler = c.supported_readback_formats = c.scanout = mask_of(FormatUse::Sample);
  c.render = mask_of(FormatUse::Draw);
  c.depth_stencil = depth_stencil_mask();
  c.vertex_buffer[3] = 0x10000000;   // R11G11B10_FLOAT: the only one that the client looks for
  const FormatMask depth = depth_mask();
  for (uint32_t w = 0; w < kFormatMaskWords; ++w) c.supported_multisample_formats[w] = c.render[w] | depth[w];
  c.supported_multisample_formats[0] |= 1;   // framebuffers without attachments
  c.bset = bits(kIndependentBlendEnable, kIndependentBlendFunc, kCubeMapArray, kStencilExport, kConditionalRender,
                kStartInstance, kPrimitiveRestart, kInstanceId, kSeamlessCubeMap, kOcclusionQuery, kTimerQuery,
                kStreamoutPauseResume, kTextureMultisample, kFragmentCoordConventions, kDepthClipDisable,
                kSeamlessPerTexture, kMirrorClamp, kTextureQueryLod, kFp64, kTessellation, kIndirectDraw, kSampleShading,
                kCull, kConditionalRenderInverted, kDerivativeControl, kPolygonOffsetClamp, kOverflowQuery);
  c.capability_bits = bits(kTgsiInvariant, kTextureView, kSetMinSamples, kCopyImage, kTgsiPrecise, kTxqs, kMemoryBarrier,
                           kComputeShader, kFbNoAttach, kRobustBufferAccess, kTextureBarrier, kTgsiComponents,
                           kSrgbWriteControl, kQueryBufferObject, kTransfer, kMixedColorFormats, kBindCommandArgs,
                           kMultiDrawIndirect, kIndirectParams, kTransformFeedback3, kIndirectInputAddress, kCopyTransfer,
                           kClipHalfz, kClearTexture);
  c.prim_mask = 0x7e7f;   // all but quads and strips of them, which the client takes apart whatever is claimed
  c.host_feature_check_version = 14;
  fill_limits(c);
  fill_memory_limits(c);
  fill_sample_locations(c.sample_locations);
  constexpr std::string_view name = "Tessera " TESSERA_VERSION;
  static_assert(name.size() < 52);
  std::memcpy(c.renderer, name.data(), name.size());
  return c;
}

}  // namespace tessera::vtest
