#include "frontend/direct3d9/fixed_vertex.h"

#include "frontend/direct3d9/constants.h"
#include "shader/d3d9/lower.h"

namespace tessera::direct3d9 {
namespace {

using d3d9::Usage;
using ir::Op;
using ir::Semantic;
using ir::Value;
using Vec3 = std::array<Value, 3>;
using Vec4 = std::array<Value, 4>;

Value limited_size(ir::Builder& b, Value size) {
  const auto limit = [&](uint32_t n) { return b.constant(kStateConstants, vertex_place::kPoint + n); };
  return b.op(Op::FMax, {b.op(Op::FMin, {size, limit(2)}), limit(1)});
}

class FixedVertexWriter {
 public:
  explicit FixedVertexWriter(const FixedVertex& state) : state_(state), b_(ir::Stage::Vertex) {}

  ir::Program run() {
    state_.is_transformed ? write_screen_position() : write_position();
    if (state_.passes_all) write_all_usages();
    else write_colors_and_coordinates();
    if (state_.has_fog) b_.output(Semantic::Fog, 0, 0, fog());
    if (state_.has_point_size) b_.output(Semantic::PointSize, 0, 0, point_size());
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
    if (state_.lighting) {
      const LitColors lit = light_vertex(b_, *state_.lighting, lit_vertex());
      write(d3d9::semantic_of(Usage::Color, 0), lit.diffuse);
      write(d3d9::semantic_of(Usage::Color, 1), lit.specular);
    } else {
      write_color(0, {1, 1, 1, 1});
      write_color(1, {0, 0, 0, 0});
    }
    for (uint32_t t = 0; t < kStages; ++t) {
      const FixedVertex::Attribute* const a = find(Usage::Texcoord, state_.coordinate[t]);
      if (state_.generated[t] != FixedVertex::Generated::No) write_coordinate(t, generated(state_.generated[t]));
      else if (a) write_coordinate(t, coordinate(*a, t));
    }
  }

  // ---- what the camera sees ----

  Vec3 eye_position() {
    const Vec4 position = attribute(Usage::Position, 0, {0, 0, 0, 1});
    Vec3 out;
    for (uint32_t c = 0; c < 3; ++c) out[c] = row(vertex_place::kEyeFromObj + 4 * c, position);
    return out;
  }

  Vec3 eye_normal() {
    Vec4 normal = attribute(Usage::Normal, 0, {0, 0, 0, 0});
    normal[3] = b_.f32(0);
    Vec3 out;
    for (uint32_t c = 0; c < 3; ++c) out[c] = row(vertex_place::kNormal + 4 * c, normal);
    return state_.normalizes ? normalized(b_, out) : out;
  }

  LitVertex lit_vertex() {
    return {eye_position(), eye_normal(), attribute(Usage::Color, 0, {1, 1, 1, 1}),
            attribute(Usage::Color, 1, {0, 0, 0, 0})};
  }

  // The way from the eye to the vertex, as its surface throws it back.
  Vec3 reflection() {
    const Vec3 way = normalized(b_, eye_position()), normal = eye_normal();
    Value facing = b_.op(Op::FMul, {way[0], normal[0]});
    for (size_t c = 1; c < 3; ++c) facing = b_.op(Op::FFma, {way[c], normal[c], facing});
    const Value twice = b_.op(Op::FMul, {b_.f32(-2), facing});
    Vec3 out;
    for (size_t c = 0; c < 3; ++c) out[c] = b_.op(Op::FFma, {twice, normal[c], way[c]});
    return out;
  }

  Vec4 generated(FixedVertex::Generated from) {
    using Generated = FixedVertex::Generated;
    const Vec3 v = from == Generated::Normal     ? eye_normal()
                   : from == Generated::Position ? eye_position()
                                                 : reflection();
    if (from != Generated::SphereMap) return {v[0], v[1], v[2], b_.f32(1)};
    const Value toward_viewer = b_.op(Op::FSub, {v[2], b_.f32(1)});
    Value square = b_.op(Op::FMul, {v[0], v[0]});
    for (const Value& c : {v[1], toward_viewer}) square = b_.op(Op::FFma, {c, c, square});
    const Value scale = b_.op(Op::FMul, {b_.f32(0.5f), b_.op(Op::FRsq, {square})});
    const auto half_based = [&](Value c) { return b_.op(Op::FFma, {c, scale, b_.f32(0.5f)}); };
    return {half_based(v[0]), half_based(v[1]), b_.f32(0), b_.f32(1)};
  }

  // Given by the vertex or not, within the limits.
  Value point_size() {
    const auto word = [&](uint32_t n) { return b_.constant(kStateConstants, vertex_place::kPoint + n); };
    const FixedVertex::Attribute* const a = find(Usage::PSize, 0);
    Value size = a ? read(*a)[0] : word(0);
    if (state_.scales_points) {
      const Vec3 v = eye_position();
      Value square = b_.op(Op::FMul, {v[0], v[0]});
      for (size_t c = 1; c < 3; ++c) square = b_.op(Op::FFma, {v[c], v[c], square});
      const Value near_sum = b_.op(Op::FFma, {word(4), b_.op(Op::FSqrt, {square}), word(3)});
      const Value sum = b_.op(Op::FFma, {word(5), square, near_sum});
      size = b_.op(Op::FMul, {b_.op(Op::FMul, {word(6), size}), b_.op(Op::FRsq, {sum})});
    }
    return limited_size(b_, size);
  }

  void write_coordinate(uint32_t t, const Vec4& value) {
    write(d3d9::semantic_of(Usage::Texcoord, t), state_.transformed[t] == 0 ? value : by_matrix(value, t));
  }

  // A matrix sees 1 behind the components that there are, so that its next row moves them.
  Vec4 coordinate(const FixedVertex::Attribute& a, uint32_t t) {
    Vec4 in = read(a);
    if (state_.transformed[t] == 0) return in;
    for (uint32_t c = a.components; c < 4; ++c) in[c] = b_.f32(c == a.components ? 1.0f : 0.0f);
    return in;
  }

  Vec4 by_matrix(const Vec4& in, uint32_t t) {
    Vec4 out;
    for (uint32_t c = 0; c < 4; ++c)
      out[c] = c < state_.transformed[t] ? row(vertex_place::kTexture + 16 * t + 4 * c, in)
                                         : b_.f32(c == 3 ? 1.0f : 0.0f);
    return out;
  }

  void write_all_usages() {
    for (const FixedVertex::Attribute& a : state_.attributes)
      if (a.usage != Usage::PositionT && a.usage != Usage::PSize) write(d3d9::semantic_of(a.usage, a.index), read(a));
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

ir::Program point_size_limits() {
  ir::Builder b(ir::Stage::Vertex);
  b.output(Semantic::PointSize, 0, 0, limited_size(b, b.input({.semantic = Semantic::PointSize})));
  return b.finish();
}

}  // namespace tessera::direct3d9
