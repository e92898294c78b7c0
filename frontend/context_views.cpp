// Viewports and scissors of a Context.
#include <fmt/format.h>

#include "frontend/context_impl.h"

namespace tessera {
namespace {

Status check_index(uint32_t index) {
  if (index < raster::kMaxViewports) return Done{};
  return error(fmt::format("index: expected less than {}, found {}", raster::kMaxViewports, index));
}

raster::Viewport viewport_of(const ViewportRect& r, bool halfz) {
  const float z_scale = halfz ? r.far_depth - r.near_depth : (r.far_depth - r.near_depth) * 0.5f;
  const float z_translate = halfz ? r.near_depth : (r.near_depth + r.far_depth) * 0.5f;
  return {{r.width * 0.5f, -r.height * 0.5f, z_scale}, {r.x + r.width * 0.5f, r.y + r.height * 0.5f, z_translate}};
}

}  // namespace

void Context::set_viewport(const raster::Viewport& viewport) { impl_->views.fill({.viewport = viewport}); }

void Context::set_viewport_rect(float x, float y, float width, float height, float near_depth, float far_depth) {
  impl_->views.fill({.rect = ViewportRect{x, y, width, height, near_depth, far_depth}});
}

void Context::unset_viewport() { impl_->views.fill({}); }

Status Context::set_viewport_at(uint32_t index, const raster::Viewport& viewport) {
  if (Status s = check_index(index); !s) return s;
  impl_->views[index] = {.viewport = viewport};
  return Done{};
}

Status Context::set_viewport_rect_at(uint32_t index, float x, float y, float width, float height, float near_depth,
                                  float far_depth) {
  if (Status s = check_index(index); !s) return s;
  impl_->views[index] = {.rect = ViewportRect{x, y, width, height, near_depth, far_depth}};
  return Done{};
}

void Context::set_scissor(const raster::IRect& rect) { impl_->scissors.fill(rect); }

Status Context::set_scissor_at(uint32_t index, const raster::IRect& rect) {
  if (Status s = check_index(index); !s) return s;
  impl_->scissors[index] = rect;
  return Done{};
}

void Context::Impl::prepare_viewports(const raster::Framebuffer& target) {
  const ViewportRect whole{0, 0, static_cast<float>(target.width), static_cast<float>(target.height), 0, 1};
  const bool halfz = pipeline_desc.rasterizer.clip_halfz;
  const auto viewport_at = [&](uint32_t i) {
    return views[i].viewport ? *views[i].viewport : viewport_of(views[i].rect.value_or(whole), halfz);
  };
  call.viewport = viewport_at(0);
  call.scissor = scissors[0];
  call.viewports = nullptr;
  if (pipeline->viewport_word == ~0u) return;
  auto all = std::make_shared<raster::ViewportArray>();
  for (uint32_t i = 0; i < raster::kMaxViewports; ++i) all->viewport[i] = viewport_at(i);
  all->scissor = scissors;
  call.viewports = std::move(all);
}

}  // namespace tessera
