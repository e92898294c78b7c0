#include "texture/view.h"

#include <fmt/format.h>

namespace tessera::texture {
namespace {

bool is_array(ResourceKind kind) {
  return kind == ResourceKind::Tex1DArray || kind == ResourceKind::Tex2DArray || kind == ResourceKind::CubeArray;
}
bool is_cube(ResourceKind kind) { return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray; }

// Kinds whose slices lie in memory alike; a view may name any kind of its storage's family.
enum class Family : uint8_t { Buffer, Lines, Images, Volume };
Family family_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::Buffer: return Family::Buffer;
    case ResourceKind::Tex1D:
    case ResourceKind::Tex1DArray: return Family::Lines;
    case ResourceKind::Tex3D: return Family::Volume;
    default: return Family::Images;
  }
}

// Slices of a volume can be seen as images.
bool kinds_agree(ResourceKind storage, ResourceKind view) {
  if (family_of(storage) == family_of(view)) return true;
  return storage == ResourceKind::Tex3D && (view == ResourceKind::Tex2D || view == ResourceKind::Tex2DArray);
}

class Reasons {
 public:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> text, Args&&... args) {
    if (!holds) diags_.push_back(error(fmt::format(text, std::forward<Args>(args)...)));
  }
  bool empty() const { return diags_.empty(); }
  Status status() const {
    if (diags_.empty()) return Done{};
    return diags_;
  }

 private:
  std::vector<Diag> diags_;
};

void check_format(const View& view, Reasons& reasons) {
  const ResourceDesc& desc = view.storage->desc();
  const FormatInfo &own = format_info(view.format), &stored = format_info(desc.format);
  reasons.require(view.format != Format::NONE, "view: format NONE cannot be sampled");
  reasons.require(!own.is_compressed && !stored.is_compressed, "view: compressed format {} is not supported", own.name);
  if (desc.kind != ResourceKind::Buffer)
    reasons.require(own.block_bytes == stored.block_bytes,
                    "view: format {} has {} bytes a texel, the resource's {} has {}", own.name, own.block_bytes,
                    stored.name, stored.block_bytes);
}

void check_levels(const View& view, Reasons& reasons) {
  const uint32_t levels = view.storage->desc().levels;
  reasons.require(view.first_level <= view.last_level && view.last_level < levels,
                  "view: levels {} to {} of a resource with {}", view.first_level, view.last_level, levels);
}

void check_elements(const View& view, Reasons& reasons) {
  const uint64_t elements = view.storage->desc().width / format_info(view.format).block_bytes;
  reasons.require(view.first_layer <= view.last_layer && view.last_layer < elements,
                  "view: elements {} to {} of a buffer with {}", view.first_layer, view.last_layer, elements);
  reasons.require(view.last_layer - view.first_layer < 1u << 31, "view: more than 2^31 elements");
}

void check_layers(const View& view, Reasons& reasons) {
  const ResourceDesc& desc = view.storage->desc();
  const bool of_volume = desc.kind == ResourceKind::Tex3D;
  if (view.kind == ResourceKind::Tex3D) return;
  const uint32_t available = of_volume ? view.storage->level(view.last_level).depth : desc.layers;
  reasons.require(view.first_layer <= view.last_layer && view.last_layer < available, "view: layers {} to {} of {}",
                  view.first_layer, view.last_layer, available);
  const uint32_t count = view.last_layer - view.first_layer + 1;
  if (view.kind == ResourceKind::Cube) reasons.require(count == 6, "view: a cube of {} layers, expected 6", count);
  if (view.kind == ResourceKind::CubeArray)
    reasons.require(count % 6 == 0, "view: a cube array of {} layers, expected a multiple of 6", count);
  if (is_cube(view.kind))
    reasons.require(desc.width == desc.height, "view: a cube of {} x {} faces, expected squares", desc.width,
                    desc.height);
  if (!is_array(view.kind) && !is_cube(view.kind))
    reasons.require(count == 1, "view: {} layers in a kind without layers", count);
  if (of_volume)
    reasons.require(view.first_level == view.last_level, "view: slices of a volume have one level, found {}",
                    view.last_level - view.first_level + 1);
  const LevelLayout& level = view.storage->level(view.first_level);
  reasons.require(uint64_t{level.width} * level.height * count * desc.samples <= uint64_t{1} << 32,
                  "view: more than 2^32 texels in a level");
}

}  // namespace

View whole_view(const std::shared_ptr<const Storage>& storage) {
  View view;
  view.storage = storage;
  if (!storage) return view;
  const ResourceDesc& desc = storage->desc();
  view.format = desc.format;
  view.kind = desc.kind;
  view.last_level = desc.levels - 1;
  view.last_layer =
      (desc.kind == ResourceKind::Buffer ? desc.width / format_info(desc.format).block_bytes : desc.layers) - 1;
  return view;
}

Status check_view(const View& view) {
  Reasons reasons;
  if (!view.storage) return error("view: no resource");
  reasons.require(view.kind <= ResourceKind::CubeArray, "view: kind {} does not exist", static_cast<int>(view.kind));
  reasons.require(static_cast<size_t>(view.format) < all_formats().size(), "view: format {} does not exist",
                  static_cast<int>(view.format));
  for (Swizzle s : view.swizzle)
    reasons.require(s <= Swizzle::One, "view: swizzle {} does not exist", static_cast<int>(s));
  if (!reasons.empty()) return reasons.status();

  const ResourceDesc& desc = view.storage->desc();
  reasons.require(kinds_agree(desc.kind, view.kind), "view: kind {} of a resource of kind {}",
                  static_cast<int>(view.kind), static_cast<int>(desc.kind));
  check_format(view, reasons);
  check_levels(view, reasons);
  if (!reasons.empty()) return reasons.status();
  if (view.kind == ResourceKind::Buffer)
    check_elements(view, reasons);
  else
    check_layers(view, reasons);
  return reasons.status();
}

Status check_sampler(const Sampler& sampler) {
  Reasons reasons;
  for (Wrap wrap : {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r}) {
    reasons.require(wrap <= Wrap::MirrorClampToBorder, "sampler: wrap mode {} does not exist", static_cast<int>(wrap));
    reasons.require(!sampler.unnormalized || (wrap != Wrap::Repeat && wrap != Wrap::MirrorRepeat),
                    "sampler: coordinates in texels cannot repeat");
  }
  reasons.require(sampler.min_filter <= Filter::Linear && sampler.mag_filter <= Filter::Linear,
                  "sampler: unknown filter");
  reasons.require(sampler.mip_filter <= MipFilter::None, "sampler: mip filter {} does not exist",
                  static_cast<int>(sampler.mip_filter));
  reasons.require(sampler.compare_func <= Compare::Always, "sampler: comparison {} does not exist",
                  static_cast<int>(sampler.compare_func));
  reasons.require(sampler.reduction <= Reduction::Max, "sampler: reduction {} does not exist",
                  static_cast<int>(sampler.reduction));
  reasons.require(sampler.max_anisotropy >= 1 && sampler.max_anisotropy <= 16,
                  "sampler: max_anisotropy is {}, expected 1 to 16", sampler.max_anisotropy);
  reasons.require(
      sampler.lod_bias == sampler.lod_bias && sampler.min_lod == sampler.min_lod && sampler.max_lod == sampler.max_lod,
      "sampler: a level of detail is not a number");
  return reasons.status();
}

}  // namespace tessera::texture
