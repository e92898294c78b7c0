// Copies between resources: regions bit by bit, blits, and fills.
#include <fmt/format.h>

#include "frontend/vtest/command_stream.h"
#include "frontend/vtest/formats.h"

namespace tessera::vtest {
namespace {

// Nine words: resource, level, format, x, y, z and signed width, height, depth.
Result<BlitImage> read_blit_image(Words d, const ClientResource& resource) {
  if (!resource.resource || resource.is_buffer()) return error("resource: no image, or one that could not be made");
  const std::optional<Format> format = format_from_number(d[2]);
  if (!format) return error(fmt::format("format: {} is none", d[2]));
  BlitImage image{.resource = resource.resource, .level = d[1], .box = {}, .format = *format};
  int32_t begin[3], end[3];
  for (size_t i = 0; i < 3; ++i) {
    begin[i] = d.as_int(3 + i);
    if (__builtin_add_overflow(begin[i], d.as_int(6 + i), &end[i])) return error("box: too large");
  }
  image.box = {begin[0], begin[1], end[0], end[1], begin[2], end[2]};
  return image;
}

// By the render condition, which draws and clears ask for themselves.
Result<bool> is_allowed(Session& session, const SubContext& sub) {
  if (!sub.condition) return true;
  const Result<uint64_t> value = session.context.query_result(sub.condition->query);
  if (!value) return value.diags();
  return (*value != 0) != sub.is_condition_inverted;
}

raster::IRect read_rect(Words d, size_t i) {
  return {static_cast<int32_t>(d.field(i, 0, 16)), static_cast<int32_t>(d.field(i, 16, 16)),
          static_cast<int32_t>(d.field(i + 1, 0, 16)), static_cast<int32_t>(d.field(i + 1, 16, 16))};
}

}  // namespace

Status CommandStream::copy_region(Words d) {
  const Result<ClientResourceRef> to = session_.resources.find(d[1]);
  if (!to) return to.diags();
  const Result<ClientResourceRef> from = session_.resources.find(d[6]);
  if (!from) return from.diags();
  const Result<Box> box = read_box(d.from(8), **from, d[7]);
  if (!box) return box.diags();
  if (!(*to)->resource) return error("destination: could not be made");
  if ((*to)->is_buffer() != (*from)->is_buffer()) return error("destination: expected a buffer where the source is one");
  ++(*to)->writes;
  if ((*to)->is_buffer())
    return session_.context.copy_buffer((*from)->resource, box->x, (*to)->resource, d[3], box->width);
  return session_.context.copy_texels((*from)->resource, d[7], *box, (*to)->resource, d[2], d[3], d[4], d[5]);
}

Status CommandStream::blit(Words d) {
  constexpr uint32_t kColorMask = 15, kDepth = 4, kStencil = 5, kLinear = 8, kScissor = 10, kConditional = 11;
  if (d.bit(1, kConditional) && session_.current != nullptr) {
    const Result<bool> allowed = is_allowed(session_, *session_.current);
    if (!allowed) return allowed.diags();
    if (!*allowed) return Done{};
  }
  const Result<ClientResourceRef> to = session_.resources.find(d[4]);
  if (!to) return to.diags();
  const Result<ClientResourceRef> from = session_.resources.find(d[13]);
  if (!from) return from.diags();
  const Result<BlitImage> target = read_blit_image(d.from(4), **to);
  if (!target) return target.diags();
  const Result<BlitImage> source = read_blit_image(d.from(13), **from);
  if (!source) return source.diags();
  Blit blit{.from = *source, .to = *target, .filter = d.bit(1, kLinear) ? BlitFilter::Linear : BlitFilter::Nearest};
  if (const uint32_t colors = d[1] & kColorMask; colors != 0 && colors != kColorMask)
    return error(fmt::format("mask: expected all channels or none, found {}", colors));
  if (!(d[1] & kColorMask)) {
    blit.depth = d.bit(1, kDepth), blit.stencil = d.bit(1, kStencil);
    blit.filter = BlitFilter::Nearest;
  }
  if (d.bit(1, kScissor)) blit.scissor = read_rect(d, 2);
  ++(*to)->writes;
  return session_.context.blit(blit);
}

Status CommandStream::clear_texture(Words d) {
  const Result<ClientResourceRef> resource = session_.resources.find(d[1]);
  if (!resource) return resource.diags();
  const Result<Box> box = read_box(d.from(3), **resource, d[2]);
  if (!box) return box.diags();
  if ((*resource)->is_buffer()) return error("resource: expected an image");
  const size_t texel_bytes = format_info((*resource)->desc.format).block_bytes;
  const std::span<const std::byte> texel = std::as_bytes(d.from(9).span()).first(texel_bytes);
  ++(*resource)->writes;
  return session_.context.fill_texels((*resource)->resource, d[2], *box, texel);
}

}  // namespace tessera::vtest
