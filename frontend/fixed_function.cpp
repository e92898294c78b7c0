#include "frontend/fixed_function.h"

#include <optional>

#include "combiners/key.h"
#include "combiners/program.h"
#include "frontend/device.h"

namespace tessera {
namespace {

using combiners::BaseFormat;
using combiners::Shape;

std::optional<Shape> shape_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::Tex1D: return Shape::Tex1D;
    case ResourceKind::Tex2D: return Shape::Tex2D;
    case ResourceKind::Tex3D: return Shape::Tex3D;
    case ResourceKind::Cube: return Shape::Cube;
    case ResourceKind::Rect: return Shape::Rect;
    default: return std::nullopt;
  }
}

}  // namespace

BaseFormat base_format(Format format, std::span<const Swizzle, 4> swizzle, bool compares) {
  const FormatInfo& info = format_info(format);
  if (info.is_depth_or_stencil()) return compares ? BaseFormat::DepthCompared : BaseFormat::Depth;
  Swizzle from[4];
  for (size_t c = 0; c < 4; ++c) {
    const Swizzle s = swizzle[c];
    from[c] = s <= Swizzle::W ? info.swizzle[static_cast<size_t>(s)] : s;
  }
  const bool is_gray = from[0] == from[1] && from[1] == from[2];
  if (is_gray && from[0] == Swizzle::Zero && from[3] <= Swizzle::W) return BaseFormat::Alpha;
  if (!is_gray || from[0] > Swizzle::W) return from[3] == Swizzle::One ? BaseFormat::Rgb : BaseFormat::Rgba;
  if (from[3] == Swizzle::One) return BaseFormat::Luminance;
  return from[3] == from[0] ? BaseFormat::Intensity : BaseFormat::LuminanceAlpha;
}

Status complete_unit(combiners::TextureUnit& unit, const TextureView& view, const texture::Sampler& sampler) {
  if (!view.resource) return error("the unit is enabled, and no texture is set");
  const std::optional<Shape> shape = shape_of(view.kind.value_or(view.resource->desc().kind));
  if (!shape) return error("fixed-function units read 1D, 2D, 3D, cube and rectangle textures; another kind is set");
  const Format format = view.format == Format::NONE ? view.resource->desc().format : view.format;
  if (format_info(format).is_pure_integer()) return error("fixed-function units read no integer textures");
  unit.shape = *shape;
  unit.format = base_format(format, view.swizzle, sampler.compare);
  return Done{};
}

const LinkedPrograms& FixedFunctionCache::get(const LinkedPrograms& shaders, const combiners::FragmentState& state) {
  const combiners::FragmentState key = combiners::code_key(state);
  auto& bucket = by_hash_[combiners::hash_of(key)];
  for (const auto& entry : bucket)
    if (entry->shaders.vertex == shaders.vertex && entry->shaders.fragment == shaders.fragment && entry->key == key)
      return entry->made;
  const auto make = [this](ir::Program program) {
    return make_executable(executor_, std::make_shared<const ir::Program>(std::move(program)), simd_);
  };
  const ir::Program& vertex = shaders.vertex->program();
  const combiners::VertexOutputs outputs = combiners::outputs_of(vertex);
  ir::Program fragment = shaders.fragment
                             ? combiners::fragment_program_after(shaders.fragment->program(), key, outputs)
                             : combiners::fragment_program(key, outputs);
  LinkedPrograms made = {shaders.vertex, make(std::move(fragment))};
  if (key.fog.enabled && key.fog.per_vertex) made.vertex = make(combiners::vertex_program_with_fog(vertex, key));
  ++count_;
  return bucket.emplace_back(std::make_unique<Entry>(Entry{shaders, key, std::move(made)}))->made;
}

}  // namespace tessera
