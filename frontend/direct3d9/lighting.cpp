#include "frontend/direct3d9/lighting.h"

#include "frontend/direct3d9/constants.h"

namespace tessera::direct3d9 {
namespace {

using ir::Op;
using ir::Value;
using Vec3 = std::array<Value, 3>;
using Vec4 = std::array<Value, 4>;
using Source = Lighting::Source;

Value dot(ir::Builder& b, const Vec3& v, const Vec3& w) {
  Value sum = b.op(Op::FMul, {v[0], w[0]});
  for (size_t c = 1; c < 3; ++c) sum = b.op(Op::FFma, {v[c], w[c], sum});
  return sum;
}

class LightingWriter {
 public:
  LightingWriter(ir::Builder& b, const Lighting& lighting, const LitVertex& vertex)
      : b_(b), lighting_(lighting), vertex_(vertex) {
    for (Vec3* sum : {&ambient_, &diffuse_, &specular_}) sum->fill(b_.f32(0));
  }

  LitColors run() {
    for (uint32_t n = 0; n < kMaxLights; ++n)
      if (lighting_.lights[n] != LightType::Off) add(n);
    const Vec4 of_ambient = color(lighting_.ambient, light_place::kMaterialAmbient),
               of_diffuse = color(lighting_.diffuse, light_place::kMaterialDiffuse),
               of_specular = color(lighting_.specular, light_place::kMaterialSpecular),
               of_emissive = color(lighting_.emissive, light_place::kMaterialEmissive);
    LitColors out;
    for (uint32_t c = 0; c < 3; ++c) {
      const Value all = b_.op(Op::FAdd, {constant(light_place::kGlobalAmbient + c), ambient_[c]});
      const Value undirected = b_.op(Op::FFma, {of_ambient[c], all, of_emissive[c]});
      const Value sum = b_.op(Op::FFma, {of_diffuse[c], diffuse_[c], undirected});
      out.diffuse[c] = b_.op(Op::FSat, {sum});
      out.specular[c] = b_.op(Op::FSat, {b_.op(Op::FMul, {of_specular[c], specular_[c]})});
    }
    out.diffuse[3] = b_.op(Op::FSat, {of_diffuse[3]});
    out.specular[3] = b_.op(Op::FSat, {of_specular[3]});
    return out;
  }

 private:
  Value constant(uint32_t place) { return b_.constant(kStateConstants, place); }
  Value of_light(uint32_t light, uint32_t word) {
    return constant(light_place::kLights + light * light_place::kWords + word);
  }
  Vec3 vector_of(uint32_t light, uint32_t word) {
    return {of_light(light, word), of_light(light, word + 1), of_light(light, word + 2)};
  }

  Vec4 color(Source source, uint32_t material) {
    if (source == Source::Color1) return vertex_.color1;
    if (source == Source::Color2) return vertex_.color2;
    return {constant(material), constant(material + 1), constant(material + 2), constant(material + 3)};
  }

  void add(uint32_t n) {
    const bool is_directional = lighting_.lights[n] == LightType::Directional;
    Vec3 toward = vector_of(n, light_place::kTowardLight);
    Value strength = b_.f32(1);
    if (!is_directional) {
      const Vec3 axis = toward, place = vector_of(n, light_place::kPosition);
      for (uint32_t c = 0; c < 3; ++c) toward[c] = b_.op(Op::FSub, {place[c], vertex_.position[c]});
      const Value square = dot(b_, toward, toward);
      toward = normalized(b_, toward);
      strength = attenuation(n, square);
      if (lighting_.lights[n] == LightType::Spot)
        strength = b_.op(Op::FMul, {strength, spot(n, dot(b_, axis, toward))});
    }
    const Value facing = dot(b_, vertex_.normal, toward);
    const Value lit = b_.op(Op::FMul, {b_.op(Op::FMax, {facing, b_.f32(0)}), strength});
    accumulate(ambient_, n, light_place::kAmbient, strength);
    accumulate(diffuse_, n, light_place::kDiffuse, lit);
    if (lighting_.has_specular)
      accumulate(specular_, n, light_place::kSpecular, b_.op(Op::FMul, {highlight(toward, facing), strength}));
  }

  void accumulate(Vec3& sum, uint32_t light, uint32_t word, Value strength) {
    for (uint32_t c = 0; c < 3; ++c) sum[c] = b_.op(Op::FFma, {of_light(light, word + c), strength, sum[c]});
  }

  Value attenuation(uint32_t n, Value square) {
    const Value distance = b_.op(Op::FSqrt, {square});
    const Vec3 a = vector_of(n, light_place::kAttenuation);
    const Value divisor = b_.op(Op::FFma, {a[2], square, b_.op(Op::FFma, {a[1], distance, a[0]})});
    const Value is_near = b_.op(Op::FGe, {of_light(n, light_place::kRange), distance});
    return b_.op(Op::Select, {is_near, b_.op(Op::FRcp, {divisor}), b_.f32(0)});
  }

  Value spot(uint32_t n, Value rho) {
    const Value outer = of_light(n, light_place::kOuterCosine);
    const Value between = b_.op(Op::FMul, {b_.op(Op::FSub, {rho, outer}), of_light(n, light_place::kConeScale)});
    const Value share = b_.op(Op::FPow, {b_.op(Op::FSat, {between}), of_light(n, light_place::kFalloff)});
    return b_.op(Op::Select, {b_.op(Op::FLt, {outer, rho}), share, b_.f32(0)});
  }

  Value highlight(const Vec3& toward, Value facing) {
    Vec3 half = {b_.f32(0), b_.f32(0), b_.f32(-1)};
    if (lighting_.has_local_viewer) {
      half = normalized(b_, vertex_.position);
      for (Value& c : half) c = b_.op(Op::FNeg, {c});
    }
    for (size_t c = 0; c < 3; ++c) half[c] = b_.op(Op::FAdd, {half[c], toward[c]});
    const Value cosine = dot(b_, vertex_.normal, normalized(b_, half));
    const Value power = b_.op(Op::FPow, {b_.op(Op::FMax, {cosine, b_.f32(0)}), constant(light_place::kPower)});
    const auto is_positive = [&](Value v) { return b_.op(Op::FLt, {b_.f32(0), v}); };
    return b_.op(Op::Select, {b_.op(Op::And, {is_positive(facing), is_positive(cosine)}), power, b_.f32(0)});
  }

  ir::Builder& b_;
  const Lighting& lighting_;
  const LitVertex& vertex_;
  Vec3 ambient_, diffuse_, specular_;
};

}  // namespace

Vec3 normalized(ir::Builder& b, const Vec3& v) {
  const Value scale = b.op(Op::FRsq, {dot(b, v, v)});
  Vec3 out;
  for (size_t c = 0; c < 3; ++c) out[c] = b.op(Op::FMulZ, {v[c], scale});
  return out;
}

LitColors light_vertex(ir::Builder& b, const Lighting& lighting, const LitVertex& vertex) {
  return LightingWriter(b, lighting, vertex).run();
}

}  // namespace tessera::direct3d9
