// Clears of a Context's targets.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/scalar.h"
#include "frontend/context_impl.h"

namespace tessera {
namespace {

// For integer formats the numbers are truncated and saturate.
Texel clear_value(const std::array<float, 4>& color, Format format) {
  Texel texel;
  const FormatInfo& info = format_info(format);
  for (size_t i = 0; i < 4; ++i) {
    if (!info.is_pure_integer()) texel.word[i] = std::bit_cast<uint32_t>(color[i]);
    else if (info.field[0].kind == FieldKind::Uint) texel.word[i] = scalar::to_uint(color[i]);
    else texel.word[i] = static_cast<uint32_t>(scalar::to_int(color[i]));
  }
  return texel;
}

// A clear of nothing yet, inside the region.
Result<raster::ClearCommand> begin_clear(const raster::Framebuffer& target, const ClearRegion& region) {
  const raster::IRect whole{0, 0, static_cast<int32_t>(target.width), static_cast<int32_t>(target.height)};
  if (region.first_layer >= target.layers)
    return error(fmt::format("region.first_layer: expected less than {}, found {}", target.layers, region.first_layer));
  const uint32_t most = target.layers - region.first_layer, layers = region.layers.value_or(most);
  if (layers > most) return error(fmt::format("region.layers: expected at most {}, found {}", most, layers));
  if (region.color_mask > 15)
    return error(fmt::format("region.color_mask: expected at most 15, found {}", region.color_mask));
  return raster::ClearCommand{.rect = region.rect.value_or(whole), .first_layer = region.first_layer, .layers = layers,
                              .color_mask = region.color_mask, .stencil_mask = region.stencil_mask};
}

}  // namespace

Status Context::clear_color(const std::array<float, 4>& color, const ClearRegion& region) {
  Result<raster::Framebuffer> target = impl_->framebuffer();
  if (!target) return target.diags();
  Result<raster::ClearCommand> clear = begin_clear(*target, region);
  if (!clear) return clear.diags();
  for (uint32_t i = 0; i < target->color_count; ++i) {
    if (!target->color[i].storage) continue;
    clear->color_targets |= 1u << i;
    clear->color[i] = clear_value(color, target->color[i].format);
  }
  return impl_->when_allowed([&] { return impl_->renderer.clear(*target, *clear); });
}

Status Context::clear_color(uint32_t index, const Texel& color, const ClearRegion& region) {
  Result<raster::Framebuffer> target = impl_->framebuffer();
  if (!target) return target.diags();
  if (index >= target->color_count || !target->color[index].storage)
    return error(fmt::format("target: no colour target {} is set", index));
  Result<raster::ClearCommand> clear = begin_clear(*target, region);
  if (!clear) return clear.diags();
  clear->color_targets = 1u << index;
  clear->color[index] = color;
  return impl_->when_allowed([&] { return impl_->renderer.clear(*target, *clear); });
}

Status Context::clear_depth_stencil(std::optional<float> depth, std::optional<uint8_t> stencil,
                                    const ClearRegion& region) {
  Result<raster::Framebuffer> target = impl_->framebuffer();
  if (!target) return target.diags();
  const raster::Surface& surface = target->depth_stencil;
  if (depth && (!surface.storage || !format_has_depth(surface.format))) return error("depth: the target has none");
  if (depth && !(*depth >= 0 && *depth <= 1)) return error(fmt::format("depth: expected 0 to 1, found {}", *depth));
  if (stencil && (!surface.storage || !format_has_stencil(surface.format)))
    return error("stencil: the target has none");
  Result<raster::ClearCommand> clear = begin_clear(*target, region);
  if (!clear) return clear.diags();
  clear->depth = depth.has_value();
  clear->depth_value = depth.value_or(1);
  clear->stencil = stencil.has_value();
  clear->stencil_value = stencil.value_or(0);
  return impl_->when_allowed([&] { return impl_->renderer.clear(*target, *clear); });
}

Status Context::clear_depth(float depth, const ClearRegion& region) { return clear_depth_stencil(depth, {}, region); }

Status Context::clear_stencil(uint8_t stencil, const ClearRegion& region) {
  return clear_depth_stencil({}, stencil, region);
}

}  // namespace tessera
