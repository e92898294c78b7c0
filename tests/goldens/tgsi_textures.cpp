#include "tests/goldens/tgsi_textures.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/resource.h"

namespace tessera::goldens {
namespace {

struct TargetName { const char* name; ResourceKind kind; };
constexpr TargetName kTargets[] = {
    {"BUFFER", ResourceKind::Buffer}, {"1D", ResourceKind::Tex1D}, {"2D", ResourceKind::Tex2D}, {"3D", ResourceKind::Tex3D},
    {"CUBE", ResourceKind::Cube}, {"RECT", ResourceKind::Rect}, {"1D_ARRAY", ResourceKind::Tex1DArray},
    {"2D_ARRAY", ResourceKind::Tex2DArray}, {"CUBEARRAY", ResourceKind::CubeArray}, {"SHADOW1D", ResourceKind::Tex1D},
    {"SHADOW2D", ResourceKind::Tex2D}, {"SHADOWRECT", ResourceKind::Rect}, {"SHADOWCUBE", ResourceKind::Cube},
    {"SHADOW1D_ARRAY", ResourceKind::Tex1DArray}, {"SHADOW2D_ARRAY", ResourceKind::Tex2DArray},
    {"SHADOWCUBEARRAY", ResourceKind::CubeArray}, {"2D_MSAA", ResourceKind::Tex2D}, {"2D_ARRAY_MSAA", ResourceKind::Tex2DArray}};

ResourceKind kind_of(const std::string& target) {
  for (const TargetName& t : kTargets)
    if (target == t.name) return t.kind;
  throw BadRecord(fmt::format("textures: '{}' is no target", target));
}

constexpr uint32_t kTexel_bytes = 16;

ResourceDesc resource_desc(const TextureDesc& t) {
  ResourceDesc d;
  d.kind = kind_of(t.target);
  d.format = t.is_shadow ? Format::Z32_FLOAT : t.is_uint ? Format::R32G32B32A32_UINT : Format::R32G32B32A32_FLOAT;
  d.width = t.width;
  d.height = t.height;
  d.levels = t.levels;
  d.samples = t.samples;
  if (d.kind == ResourceKind::Buffer) {
    d.format = Format::R8_UINT;
    d.width = t.width * kTexel_bytes;
  }
  (d.kind == ResourceKind::Tex3D ? d.depth : d.layers) = t.depth;
  return d;
}

// Texel (x, y, z, level) holds those four numbers; depth is 0.75 where their sum is odd, else 0.25.
void fill_texel(const TextureDesc& t, const uint32_t place[4], std::byte* out) {
  if (t.is_shadow) {
    const float depth = (place[0] + place[1] + place[2] + place[3]) & 1 ? 0.75f : 0.25f;
    std::memcpy(out, &depth, sizeof depth);
    return;
  }
  uint32_t words[4];
  for (int i = 0; i < 4; ++i) words[i] = t.is_uint ? place[i] : std::bit_cast<uint32_t>(static_cast<float>(place[i]));
  std::memcpy(out, words, sizeof words);
}

void fill(const TextureDesc& t, Storage& storage) {
  const bool buffer = storage.desc().kind == ResourceKind::Buffer;
  const uint32_t texel_bytes = t.is_shadow ? 4 : kTexel_bytes;
  for (uint32_t level = 0; level < t.levels; ++level) {
    const LevelLayout& layout = storage.level(level);
    const uint32_t width = buffer ? t.width : layout.width;
    for (uint32_t slice = 0; slice < layout.slices; ++slice)
      for (uint32_t sample = 0; sample < t.samples; ++sample)
        for (uint32_t y = 0; y < layout.height; ++y)
          for (uint32_t x = 0; x < width; ++x) {
            const uint32_t place[4] = {x, y, slice, t.samples > 1 ? sample : level};
            fill_texel(t, place, storage.slice(level, slice, sample) + y * layout.row_bytes + x * texel_bytes);
          }
  }
}

}  // namespace

Result<std::shared_ptr<const texture::BoundTexture>> make_texture(const TextureDesc& t, SimdTarget simd) {
  const ResourceDesc desc = resource_desc(t);
  const auto resource = Resource::create(desc);
  if (!resource) return resource.diags();
  fill(t, (*resource)->storage_for_write(false));
  texture::View view = texture::whole_view((*resource)->storage());
  if (desc.kind == ResourceKind::Buffer) {
    view.format = t.is_uint ? Format::R32G32B32A32_UINT : Format::R32G32B32A32_FLOAT;
    view.last_layer = t.width - 1;
  }
  if (const Status ok = texture::check_view(view); !ok) return ok.diags();
  texture::Sampler sampler;
  sampler.wrap_s = sampler.wrap_t = sampler.wrap_r = texture::Wrap::ClampToEdge;
  sampler.min_filter = sampler.mag_filter = texture::Filter::Nearest;
  sampler.mip_filter = texture::MipFilter::Nearest;
  sampler.compare = t.is_shadow;
  sampler.unnormalized = desc.kind == ResourceKind::Rect;
  if (const Status ok = texture::check_sampler(sampler); !ok) return ok.diags();
  return texture::bind_texture(view, sampler, simd);
}

}  // namespace tessera::goldens
