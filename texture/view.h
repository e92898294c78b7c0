// texture/view.h: what is sampled: a resource's storage seen through a format, a target, levels, layers, a swizzle.
#pragma once

#include <cstdint>
#include <memory>

#include "core/resource.h"
#include "core/simd_target.h"
#include "shader/executor.h"
#include "texture/sampler.h"

namespace tessera::texture {

struct Decoded;

struct View {
  std::shared_ptr<const Storage> storage;
  Format format = Format::R8G8B8A8_UNORM;
  ResourceKind kind = ResourceKind::Tex2D;      // target reinterpretation: a layer of an array as 2D, and so on
  uint32_t first_level = 0, last_level = 0;
  uint32_t first_layer = 0, last_layer = 0;     // faces count as layers; buffers: first and last element
  Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
  // Of a compressed image: its decoded copy (decompress.h); where it is null, bind_texture makes one.
  std::shared_ptr<const Decoded> decoded;
};

// The whole of `resource` as it is: every level and layer, its own format.
View whole_view(const std::shared_ptr<const Storage>& storage);
// Empty when the view can be sampled; else the reasons (levels, layers, format class, kind).
Status check_view(const View& view);
Status check_sampler(const Sampler& sampler);
// Empty when an instruction with this target can read the view, which has passed check_view.
Status check_target(const View& view, ir::TextureTarget target);

// A view and a sampler made ready for sampling: level pointers, converted border, chosen code. Made once a draw and
// held by it; what Bindings::textures points to. A null view, and a view or sampler that its check refuses, samples as
// (0, 0, 0, 1).
class BoundTexture;
std::shared_ptr<const BoundTexture> bind_texture(const View& view, const Sampler& sampler, SimdTarget simd);
// Services::sample.
void sample_block(const void* bound_texture, const SampleArgs& args);

}  // namespace tessera::texture
