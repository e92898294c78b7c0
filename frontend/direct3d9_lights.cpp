// frontend/direct3d9_lights.cpp: what the code of fixed-function lighting and of points reads: lights, the material and
// normals as the camera sees them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "frontend/direct3d9/constants.h"
#include "frontend/direct3d9.h"
#include "frontend/trigonometry.h"

namespace tessera {
namespace {

using direct3d9::Light;
using direct3d9::Place3;
using direct3d9::RenderState;
namespace light_place = direct3d9::light_place;
namespace vertex_place = direct3d9::vertex_place;

template <size_t n>
void put_words(std::vector<uint32_t>& words, uint32_t place, const std::array<float, n>& values) {
  for (size_t k = 0; k < n; ++k) words[place + k] = std::bit_cast<uint32_t>(values[k]);
}
void put_words(std::vector<uint32_t>& words, uint32_t place, float value) {
  words[place] = std::bit_cast<uint32_t>(value);
}

// v M, of a place (w = 1) or a direction (w = 0).
Place3 transformed(const Place3& v, float w, const Matrix3d9& m) {
  Place3 out;
  for (size_t c = 0; c < 3; ++c)
    out[c] = static_cast<float>(double{v[0]} * m[c] + double{v[1]} * m[4 + c] + double{v[2]} * m[8 + c] +
                                double{w} * m[12 + c]);
  return out;
}

Place3 against(const Place3& direction) {
  double square = 0;
  for (const float c : direction) square += double{c} * c;
  const double scale = square > 0 ? -1 / std::sqrt(square) : 0;
  Place3 out;
  for (size_t c = 0; c < 3; ++c) out[c] = static_cast<float>(direction[c] * scale);
  return out;
}

double cosine(double radians) { return cos_turns(radians / (2 * std::numbers::pi)); }

void put_light(std::vector<uint32_t>& words, uint32_t place, const Light& light, const Matrix3d9& view) {
  put_words(words, place + light_place::kDiffuse, light.diffuse);
  put_words(words, place + light_place::kAmbient, light.ambient);
  put_words(words, place + light_place::kSpecular, light.specular);
  put_words(words, place + light_place::kPosition, transformed(light.position, 1, view));
  put_words(words, place + light_place::kTowardLight, against(transformed(light.direction, 0, view)));
  put_words(words, place + light_place::kRange, light.range);
  put_words(words, place + light_place::kFalloff, light.falloff);
  put_words(words, place + light_place::kAttenuation, light.attenuation);
  const double inner = cosine(light.theta / 2.0), outer = cosine(light.phi / 2.0);
  put_words(words, place + light_place::kOuterCosine, static_cast<float>(outer));
  put_words(words, place + light_place::kConeScale, static_cast<float>(1 / (inner - outer)));
}

// Normals go through the inverse transpose: cofactors over the determinant. Without an inverse they become 0.
void put_normal_matrix(std::vector<uint32_t>& words, const Matrix3d9& m) {
  const auto at = [&](size_t row, size_t column) { return double{m[row % 3 * 4 + column % 3]}; };
  const auto cofactor = [&](size_t r, size_t c) {
    return at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1);
  };
  double determinant = 0;
  for (size_t c = 0; c < 3; ++c) determinant += at(0, c) * cofactor(0, c);
  for (uint32_t column = 0; column < 3; ++column)
    for (uint32_t row = 0; row < 3; ++row)
      put_words(words, vertex_place::kNormal + 4 * column + row,
          determinant == 0 ? 0.0f : static_cast<float>(cofactor(row, column) / determinant));
}

}  // namespace

void Direct3d9::fill_points(std::vector<uint32_t>& words) const {
  constexpr RenderState kStates[] = {RenderState::PointSize,   RenderState::PointSizeMin, RenderState::PointSizeMax,
                                     RenderState::PointScaleA, RenderState::PointScaleB,  RenderState::PointScaleC};
  for (uint32_t k = 0; k < std::size(kStates); ++k) words[vertex_place::kPoint + k] = states[kStates[k]];
  put_words(words, vertex_place::kPoint + 6, viewport_ ? viewport_->height : static_cast<float>(target_size().height));
}

void Direct3d9::fill_lighting(const Matrix3d9& eye_from_obj, std::vector<uint32_t>& words) const {
  put_normal_matrix(words, eye_from_obj);
  put_words(words, light_place::kMaterialDiffuse, material.diffuse);
  put_words(words, light_place::kMaterialAmbient, material.ambient);
  put_words(words, light_place::kMaterialSpecular, material.specular);
  put_words(words, light_place::kMaterialEmissive, material.emissive);
  put_words(words, light_place::kPower, material.power);
  const std::array<float, 4> ambient = direct3d9::color_of(states[RenderState::Ambient]);
  put_words(words, light_place::kGlobalAmbient, std::array{ambient[0], ambient[1], ambient[2]});
  for (uint32_t n = 0; n < lights.size(); ++n)
    put_light(words, light_place::kLights + n * light_place::kWords, lights[n], view);
}

// A source that the vertices do not have is the material.
direct3d9::Lighting Direct3d9::describe_lighting() const {
  using Source = direct3d9::Lighting::Source;
  direct3d9::Lighting out;
  const auto has_color = [&](uint8_t index) {
    return std::ranges::any_of(declaration_, [&](const DeclaredElement& e) {
      return e.usage == VertexUsage{d3d9::Usage::Color, index};
    });
  };
  const auto source = [&](RenderState state) {
    const auto named = static_cast<Source>(states[state]);
    if (!states[RenderState::ColorVertex] || named == Source::Material) return Source::Material;
    return has_color(named == Source::Color1 ? 0 : 1) ? named : Source::Material;
  };
  for (size_t n = 0; n < lights.size(); ++n) out.lights[n] = lights[n].type;
  out.diffuse = source(RenderState::DiffuseMaterialSource);
  out.ambient = source(RenderState::AmbientMaterialSource);
  out.specular = source(RenderState::SpecularMaterialSource);
  out.emissive = source(RenderState::EmissiveMaterialSource);
  out.has_specular = states[RenderState::SpecularEnable] != 0;
  out.has_local_viewer = states[RenderState::LocalViewer] != 0;
  return out;
}

}  // namespace tessera
