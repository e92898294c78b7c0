#include "random_state.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tessera::tests {

using namespace texture;

namespace {

// The formats with code of their own, which half of the textures have; the others have any format.
constexpr Format kCommon[] = {Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_UNORM,   Format::B8G8R8X8_UNORM,
                              Format::R8_UNORM,           Format::R8G8_UNORM,       Format::A8_UNORM,
                              Format::L8A8_UNORM,         Format::R8G8B8A8_SRGB,    Format::R32_FLOAT,
                              Format::R16G16B16A16_FLOAT, Format::Z24_UNORM_S8_UINT};

std::vector<Format> formats_of_size(uint32_t bytes) {  // 0: any size
  std::vector<Format> formats;
  for (size_t n = 1; n < all_formats().size(); ++n)
    if (!all_formats()[n].is_compressed && (bytes == 0 || all_formats()[n].block_bytes == bytes))
      formats.push_back(static_cast<Format>(n));
  return formats;
}

bool has_floats(Format format) {
  for (const FormatField& f : format_info(format).field)
    if (f.kind == FieldKind::Float || f.kind == FieldKind::SharedExp) return true;
  return false;
}

constexpr ResourceKind kKinds[] = {ResourceKind::Tex1D,      ResourceKind::Tex2D,    ResourceKind::Tex3D,
                                   ResourceKind::Cube,       ResourceKind::Rect,     ResourceKind::Tex1DArray,
                                   ResourceKind::Tex2DArray, ResourceKind::CubeArray};

// A random range of layers, of a multiple of `unit`.
void pick_layers(View& view, uint32_t available, uint32_t unit, uint32_t most, std::mt19937& random) {
  const uint32_t count = unit * (1 + below(std::min(most, available / unit), random));
  view.first_layer = below(available - count + 1, random);
  view.last_layer = view.first_layer + count - 1;
}

// The same texels as another kind.
void reinterpret_kind(View& view, std::mt19937& random) {
  const ResourceDesc& desc = view.storage->desc();
  const bool is_square = desc.width == desc.height;
  switch (desc.kind) {
    case ResourceKind::Tex1D:
    case ResourceKind::Tex1DArray:
      view.kind = below(2, random) ? ResourceKind::Tex1D : ResourceKind::Tex1DArray;
      return pick_layers(view, desc.layers, 1, view.kind == ResourceKind::Tex1D ? 1 : desc.layers, random);
    case ResourceKind::Tex3D:
      view.kind = below(2, random) ? ResourceKind::Tex2D : ResourceKind::Tex2DArray;
      view.last_level = view.first_level;
      return pick_layers(view, view.storage->level(view.first_level).depth, 1,
                         view.kind == ResourceKind::Tex2D ? 1 : ~0u, random);
    default:
      break;
  }
  const ResourceKind kinds[] = {ResourceKind::Tex2D, ResourceKind::Tex2DArray, ResourceKind::Rect, ResourceKind::Cube,
                                ResourceKind::CubeArray};
  view.kind = pick(kinds, random);
  if (is_cube(view.kind) && (!is_square || desc.layers < 6)) view.kind = ResourceKind::Tex2DArray;
  if (view.kind == ResourceKind::Rect) view.last_level = view.first_level;
  const bool one =
      view.kind == ResourceKind::Tex2D || view.kind == ResourceKind::Rect || view.kind == ResourceKind::Cube;
  pick_layers(view, desc.layers, is_cube(view.kind) ? 6 : 1, one ? 1 : ~0u, random);
}

}  // namespace

bool is_cube(ResourceKind kind) { return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray; }

ResourceDesc random_desc(std::mt19937& random) {
  ResourceDesc desc;
  desc.kind = pick(kKinds, random);
  static const std::vector<Format> any = formats_of_size(0);
  desc.format = below(2, random) ? pick(kCommon, random) : any[below(static_cast<uint32_t>(any.size()), random)];
  const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 32};
  const bool is_line = desc.kind == ResourceKind::Tex1D || desc.kind == ResourceKind::Tex1DArray;
  desc.width = pick(sizes, random);
  desc.height = is_line ? 1 : is_cube(desc.kind) ? desc.width : pick(sizes, random);
  if (desc.kind == ResourceKind::Tex3D) desc.depth = pick(sizes, random);
  if (desc.kind == ResourceKind::Tex1DArray || desc.kind == ResourceKind::Tex2DArray)
    desc.layers = 1 + below(4, random);
  if (is_cube(desc.kind)) desc.layers = desc.kind == ResourceKind::Cube ? 6 : 12;
  const auto most = static_cast<uint32_t>(std::bit_width(std::max({desc.width, desc.height, desc.depth})));
  desc.levels = desc.kind == ResourceKind::Rect ? 1 : 1 + below(most, random);
  return desc;
}

View random_view(const std::shared_ptr<Resource>& resource, std::mt19937& random) {
  View view = whole_view(resource->storage());
  view.first_level = below(view.last_level + 1, random);
  view.last_level = view.first_level + below(view.last_level - view.first_level + 1, random);
  if (below(3, random) == 0) reinterpret_kind(view, random);
  // Any bits are a number in every format without floats.
  const std::vector<Format> alike = formats_of_size(format_info(view.format).block_bytes);
  const Format other = alike[below(static_cast<uint32_t>(alike.size()), random)];
  if (below(3, random) == 0 && !has_floats(other)) view.format = other;
  for (Swizzle& s : view.swizzle)
    if (below(3, random) == 0) s = static_cast<Swizzle>(below(6, random));
  return view;
}

Sampler random_sampler(const View& view, std::mt19937& random) {
  Sampler s;
  const bool in_texels = view.kind == ResourceKind::Rect;
  for (Wrap* wrap : {&s.wrap_s, &s.wrap_t, &s.wrap_r}) {
    do *wrap = static_cast<Wrap>(below(8, random));
    while (in_texels && (*wrap == Wrap::Repeat || *wrap == Wrap::MirrorRepeat));
  }
  s.unnormalized = in_texels;
  s.min_filter = static_cast<Filter>(below(2, random));
  s.mag_filter = static_cast<Filter>(below(2, random));
  s.mip_filter = static_cast<MipFilter>(below(3, random));
  s.seamless_cube = below(4, random) != 0;
  s.level_rule = static_cast<LevelRule>(below(8, random) == 0);
  s.lod_bias = static_cast<float>(static_cast<int>(below(17, random)) - 8) / 4;
  s.min_lod = below(2, random) ? 0.0f : static_cast<float>(below(12, random)) / 4;
  s.max_lod = below(2, random) ? 1000.0f : static_cast<float>(below(24, random)) / 4;
  for (uint32_t& word : s.border) word = std::bit_cast<uint32_t>(static_cast<float>(below(9, random)) / 4 - 0.5f);
  s.compare = format_has_depth(view.format) && below(2, random);
  s.compare_func = static_cast<Compare>(below(8, random));
  if (below(4, random) == 0) s.reduction = below(2, random) ? Reduction::Min : Reduction::Max;
  return s;
}

}  // namespace tessera::tests
