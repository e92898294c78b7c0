#include "texture/view.h"

#include <fmt/format.h>

#include "shader/names.h"
#include "texture/kind.h"

namespace tessera::texture {
namespace {

// Slices of a volume can be seen as images.
bool kinds_agree(ResourceKind storage, ResourceKind view) {
  const KindFamily stored = kind_facts(storage).family, seen = kind_facts(view).family;
  if (stored == seen) return true;
  return stored == KindFamily::Volume && (view == ResourceKind::Tex2D || view == ResourceKind::Tex2DArray);
}

// The kind of view that an instruction's target reads, and whether it may have several samples.
struct TargetNeeds {
  ResourceKind kind;
  bool multisampled = false;
};

constexpr TargetNeeds kTargetNeeds[] = {   // indexed by ir::TextureTarget, up to Unknown
    {ResourceKind::Buffer},     {ResourceKind::Tex1D},      {ResourceKind::Tex2D},       {ResourceKind::Tex3D},
    {ResourceKind::Cube},       {ResourceKind::Rect},       {ResourceKind::Tex1DArray},  {ResourceKind::Tex2DArray},
    {ResourceKind::CubeArray},  {ResourceKind::Tex1D},      {ResourceKind::Tex2D},       {ResourceKind::Rect},
    {ResourceKind::Cube},       {ResourceKind::Tex1DArray}, {ResourceKind::Tex2DArray},  {ResourceKind::CubeArray},
    {ResourceKind::Tex2D, true}, {ResourceKind::Tex2DArray, true}};
static_assert(std::size(kTargetNeeds) == static_cast<size_t>(ir::TextureTarget::Unknown));

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
  if (own.is_compressed || stored.is_compressed)
    reasons.require(own.block_width == stored.block_width && own.block_height == stored.block_height,
                    "view: format {} has blocks of {} x {}, the resource's {} of {} x {}", own.name, own.block_width,
                    own.block_height, stored.name, stored.block_width, stored.block_height);
  reasons.require(own.is_compressed == stored.is_compressed, "view: formats {} and {} do not agree in having blocks",
                  own.name, stored.name);
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
  const KindFacts& kind = kind_facts(view.kind);
  const bool of_volume = desc.kind == ResourceKind::Tex3D;
  if (view.kind == ResourceKind::Tex3D) return;
  const uint32_t available = of_volume ? view.storage->level(view.last_level).depth : desc.layers;
  reasons.require(view.first_layer <= view.last_layer && view.last_layer < available, "view: layers {} to {} of {}",
                  view.first_layer, view.last_layer, available);
  const uint32_t count = view.last_layer - view.first_layer + 1;
  if (view.kind == ResourceKind::Cube) reasons.require(count == 6, "view: a cube of {} layers, expected 6", count);
  if (view.kind == ResourceKind::CubeArray)
    reasons.require(count % 6 == 0, "view: a cube array of {} layers, expected a multiple of 6", count);
  if (kind.is_cube)
    reasons.require(desc.width == desc.height, "view: a cube of {} x {} faces, expected squares", desc.width,
                    desc.height);
  if (!kind.is_array && !kind.is_cube) reasons.require(count == 1, "view: {} layers in a kind without layers", count);
  if (of_volume || view.kind == ResourceKind::Rect)
    reasons.require(view.first_level == view.last_level, "view: {} has one level, found {}",
                    of_volume ? "a slice of a volume" : kind.name, view.last_level - view.first_level + 1);
  reasons.require(desc.samples == 1 || view.kind == ResourceKind::Tex2D || view.kind == ResourceKind::Tex2DArray,
                  "view: {} samples seen as {}, expected 2D or a 2D array", desc.samples, kind.name);
}

// Addresses within a level are 32 bits. Compressed images are sampled decoded.
void check_size(const View& view, Reasons& reasons) {
  const LevelLayout& level = view.storage->level(view.first_level);
  const FormatInfo& format = format_info(view.format);
  const uint64_t slices = view.kind == ResourceKind::Tex3D ? level.depth : view.last_layer - view.first_layer + 1;
  const uint64_t slice_bytes = format.is_compressed
                                   ? uint64_t{level.width} * level.height * format_info(format.decoded).block_bytes
                                   : level.slice_bytes;
  reasons.require(slices * view.storage->desc().samples * slice_bytes <= uint64_t{1} << 32,
                  "view: more than 4 GiB in a level");
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
  reasons.require(kinds_agree(desc.kind, view.kind), "view: its kind is {}, the resource's {}",
                  kind_facts(view.kind).name, kind_facts(desc.kind).name);
  check_format(view, reasons);
  check_levels(view, reasons);
  if (!reasons.empty()) return reasons.status();
  if (view.kind == ResourceKind::Buffer) {
    check_elements(view, reasons);
    return reasons.status();
  }
  check_layers(view, reasons);
  if (reasons.empty()) check_size(view, reasons);
  return reasons.status();
}

std::optional<ResourceKind> kind_of_target(ir::TextureTarget target) {
  if (target >= ir::TextureTarget::Unknown) return std::nullopt;
  return kTargetNeeds[static_cast<size_t>(target)].kind;
}

Status check_target(const View& view, ir::TextureTarget target) {
  if (target >= ir::TextureTarget::Unknown) return Done{};
  const TargetNeeds& needs = kTargetNeeds[static_cast<size_t>(target)];
  const uint32_t samples = view.storage->desc().samples;
  if (view.kind == needs.kind && (samples == 1 || needs.multisampled)) return Done{};
  return error(fmt::format("the shader samples {}, the view is {}{}", ir::name_of(target), kind_facts(view.kind).name,
                           samples > 1 ? fmt::format(" of {} samples", samples) : ""));
}

Status check_sampler(const Sampler& sampler) {
  Reasons reasons;
  for (Wrap wrap : {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r})
    reasons.require(wrap <= Wrap::MirrorClampToBorder, "sampler: wrap mode {} does not exist", static_cast<int>(wrap));
  for (Wrap wrap : {sampler.wrap_s, sampler.wrap_t})   // images alone have coordinates in texels
    reasons.require(!sampler.unnormalized || (wrap != Wrap::Repeat && wrap != Wrap::MirrorRepeat),
                    "sampler: coordinates in texels cannot repeat");
  reasons.require(sampler.min_filter <= Filter::Linear && sampler.mag_filter <= Filter::Linear,
                  "sampler: unknown filter");
  reasons.require(sampler.mip_filter <= MipFilter::None, "sampler: mip filter {} does not exist",
                  static_cast<int>(sampler.mip_filter));
  reasons.require(sampler.compare_func <= Compare::Always, "sampler: comparison {} does not exist",
                  static_cast<int>(sampler.compare_func));
  reasons.require(sampler.level_rule <= LevelRule::Direct3d9, "sampler: level rule {} does not exist",
                  static_cast<int>(sampler.level_rule));
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
