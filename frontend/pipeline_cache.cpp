#include "frontend/pipeline_cache.h"

#include <algorithm>

#include "core/hash.h"

namespace tessera {
namespace {

using raster::PipelineDesc;

// Shaders are unique by content (Device keeps one for each text), so their addresses stand for them.
uint64_t hash_desc(const PipelineDesc& d) {
  Hasher h;
  h.add(reinterpret_cast<uintptr_t>(d.vertex.get())).add(reinterpret_cast<uintptr_t>(d.fragment.get()));
  for (const auto* stage : {&d.geometry.control, &d.geometry.evaluation, &d.geometry.geometry})
    h.add(reinterpret_cast<uintptr_t>(stage->get()));
  for (const raster::VertexElement& e : d.elements)
    h.add_value(e.offset_bytes).add_value(e.buffer).add_value(e.instance_divisor).add_value(e.format);
  for (const raster::TargetBlend& t : d.blend.target)
    h.add_value(t.enabled).add_value(t.rgb_equation).add_value(t.rgb_src).add_value(t.rgb_dst).add_value(t.alpha_src)
        .add_value(t.alpha_dst).add_value(t.color_mask);
  h.add_value(d.blend.advanced);
  h.add_value(d.rasterizer.cull).add_value(d.rasterizer.front_ccw).add_value(d.rasterizer.flat_shade);
  const raster::DepthStencilAlphaState& dsa = d.depth_stencil_alpha;
  h.add_value(dsa.depth_test).add_value(dsa.depth_write).add_value(dsa.depth_func).add_value(dsa.alpha_test);
  for (const Format format : d.color_formats) h.add_value(format);
  return h.add_value(d.depth_format).value();
}

bool same(const PipelineDesc& a, const PipelineDesc& b) {
  return a.vertex == b.vertex && a.fragment == b.fragment && a.geometry == b.geometry &&
         a.stream_output == b.stream_output && a.elements == b.elements && a.blend == b.blend &&
         a.rasterizer == b.rasterizer && a.depth_stencil_alpha == b.depth_stencil_alpha &&
         a.color_formats == b.color_formats && a.color_count == b.color_count && a.depth_format == b.depth_format &&
         a.samples == b.samples && a.min_samples == b.min_samples;
}

}  // namespace

Result<std::shared_ptr<const raster::Pipeline>> PipelineCache::get(const PipelineDesc& desc) {
  auto& bucket = by_hash_[hash_desc(desc)];
  for (const auto& pipeline : bucket)
    if (same(pipeline->desc, desc)) return pipeline;
  Result<std::shared_ptr<const raster::Pipeline>> made = raster::make_pipeline(desc);
  if (!made) return made;
  bucket.push_back(*made);
  ++count_;
  return made;
}

}  // namespace tessera
