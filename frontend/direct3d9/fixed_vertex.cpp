#include "frontend/direct3d9/fixed_vertex.h"

#include "frontend/direct3d9/constants.h"
#include "shader/d3d9/lower.h"

namespace tessera::direct3d9 {
namespace {

using d3d9::Usage;
using ir::Op;
using ir::Semantic;
using ir::Value;
using Vec4 = std::array<Value, 4>;

class FixedVertexWriter {
 public:
  explicit FixedVertexWriter(const FixedVertex& state) : state_(state), b_(ir::Stage::Vertex) {}

  ir::Program run() {
    state_.is_transformed ? write_screen_position() : write_position();
    if (state_.passes_all) write_all_usages();
    else write_colors_and_coordinates();
    if (state_.has_fog) b_.output(Semantic::Fog, 0, 0, fog());
    return b_.finish();
  }

 private:
  const FixedVertex::Attribute* find(Usage usage, uint32_t index) const {
    for (const FixedVertex::Attribute& a : state_.attributes)
      if (a.usage == usage && a.index == index) return &a;
    return nullptr;
  }

  Vec4 read(const FixedVertex::Attribute& a) {
    Vec4 out;
    const auto number = static_cast<uint16_t>(&a - state_.attributes.data());
    for (uint8_t c = 0; c < 4; ++c) out[c] = b_.input({.index = number, .component = c});
    return out;
  }

  Vec4 attribute(Usage usage, uint32_t index, const std::array<float, 4>& otherwise) {
    if (const FixedVertex::Attribute* const a = find(usage, index)) return read(*a);
    return {b_.f32(otherwise[0]), b_.f32(otherwise[1]), b_.f32(otherwise[2]), b_.f32(otherwise[3])};
  }

  // Four words from `place` on times the vector: a row of the transposed matrix.
  Value row(uint32_t place, const Vec4& v) {
    Value sum = b_.op(Op::FMul, {b_.constant(kStateConstants, place), v[0]});
    for (uint32_t c = 1; c < 4; ++c) sum = b_.op(Op::FFma, {b_.constant(kStateConstants, place + c), v[c], sum});
    return sum;
  }

  void write_position() {
    const Vec4 position = attribute(Usage::Position, 0, {0, 0, 0, 1});
    for (uint32_t c = 0; c < 4; ++c) {
      b_.output(Semantic::Position, 0, c, row(vertex_place::kClipFromObj + 4 * c, position));
      b_.output(Semantic::ClipVertex, 0, c, row(vertex_place::kWorldFromObj + 4 * c, position));
    }
  }

  // x, y, depth and 1/w on the screen, as a place in clip space that the viewport of the whole target leads there.
  void write_screen_position() {
    const Vec4 place = attribute(Usage::PositionT, 0, {0, 0, 0, 1});
    const Value has_no_w = b_.op(Op::FEq, {place[3], b_.f32(0)});
    const Value w = b_.op(Op::Select, {has_no_w, b_.f32(1), b_.op(Op::FRcp, {place[3]})});
    const auto scaled = [&](uint32_t c) { return b_.op(Op::FMul, {place[c], b_.constant(kStateConstants, vertex_place::kPixelSize + c)}); };
    const auto range = [&](uint32_t word) { return b_.constant(kStateConstants, vertex_place::kDepthRange + word); };
    const Value depth = b_.op(Op::FMul, {b_.op(Op::FSub, {place[2], range(0)}), range(1)});
    const Vec4 ndc = {b_.op(Op::FSub, {scaled(0), b_.f32(1)}), b_.op(Op::FSub, {b_.f32(1), scaled(1)}), depth, b_.f32(1)};
    for (uint32_t c = 0; c < 4; ++c) b_.output(Semantic::Position, 0, c, c == 3 ? w : b_.op(Op::FMul, {ndc[c], w}));
  }

  void write(d3d9::SemanticName name, const Vec4& value) {
    for (uint32_t c = 0; c < 4; ++c) b_.output(name.name, name.index, c, value[c]);
  }

  void write_color(uint32_t index, const std::array<float, 4>& otherwise) {
    Vec4 color = attribute(Usage::Color, index, otherwise);
    for (Value& c : color) c = b_.op(Op::FSat, {c});
    write(d3d9::semantic_of(Usage::Color, index), color);
  }

  void write_colors_and_coordinates() {
    write_color(0, {1, 1, 1, 1});
    write_color(1, {0, 0, 0, 0});
    for (uint32_t t = 0; t < kStages; ++t)
      if (const FixedVertex::Attribute* const a = find(Usage::Texcoord, state_.coordinate[t]))
        write(d3d9::semantic_of(Usage::Texcoord, t), coordinate(*a, t));
  }

  // A matrix sees 1 behind the components that there are, so that its next row moves them.
  Vec4 coordinate(const FixedVertex::Attribute& a, uint32_t t) {
    Vec4 in = read(a);
    if (state_.transformed[t] == 0) return in;
    for (uint32_t c = a.components; c < 4; ++c) in[c] = b_.f32(c == a.components ? 1.0f : 0.0f);
    Vec4 out;
    for (uint32_t c = 0; c < 4; ++c)
      out[c] = c < state_.transformed[t] ? row(vertex_place::kTexture + 16 * t + 4 * c, in) : b_.f32(c == 3 ? 1.0f : 0.0f);
    return out;
  }

  void write_all_usages() {
    for (const FixedVertex::Attribute& a : state_.attributes)
      if (a.usage != Usage::PositionT) write(d3d9::semantic_of(a.usage, a.index), read(a));
    if (!find(Usage::Color, 0)) write_color(0, {1, 1, 1, 1});
  }

  Value fog() {
    if (state_.is_transformed || state_.fog == FogFormula::None)
      return b_.op(Op::FSat, {attribute(Usage::Color, 1, {0, 0, 0, 0})[3]});
    const Vec4 position = attribute(Usage::Position, 0, {0, 0, 0, 1});
    Value distance = b_.op(Op::FAbs, {row(vertex_place::kEyeFromObj + 8, position)});
    if (state_.fog_by_range) {
      Value square = b_.op(Op::FMul, {distance, distance});
      for (uint32_t c = 0; c < 2; ++c) {
        const Value x = row(vertex_place::kEyeFromObj + 4 * c, position);
        square = b_.op(Op::FFma, {x, x, square});
      }
      distance = b_.op(Op::FSqrt, {square});
    }
    return fog_factor(b_, state_.fog, vertex_place::kFog, distance);
  }

  const FixedVertex& state_;
  ir::Builder b_;
};

}  // namespace

ir::Program fixed_vertex_program(const FixedVertex& state) { return FixedVertexWriter(state).run(); }

}  // namespace tessera::direct3d9
