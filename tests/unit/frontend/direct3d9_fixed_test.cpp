// Fixed function of Direct3D 9 against the formulas of its documentation: lights, generated coordinates, stages that
// move coordinates, points and lines. One point fills the target, so a picture is one vertex.
#include "frontend/direct3d9.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "frontend/direct3d9/formats.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::tests;
using direct3d9::Light;
using direct3d9::LightType;
using direct3d9::RenderState;
using direct3d9::StageState;

namespace {

constexpr uint32_t kSize = 8;
using Vec4 = std::array<float, 4>;
using Vec3d = std::array<double, 3>;

struct Vertex {
  float position[3] = {0, 0, 0.5f}, normal[3] = {0, 0, -1};
  Vec4 color1 = {1, 1, 1, 1}, color2 = {0, 0, 0, 0};
  float texcoord[2] = {0, 0}, size = 4;
};

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& context = device->context();
  Direct3d9 d3d{*device};
  ResourceRef target = device->create_image(
      {.format = Format::R32G32B32A32_FLOAT, .width = kSize, .height = kSize}).value();
  bool has_normal = true, has_colors = true, has_size = false;

  Fixture() {
    set(RenderState::ZEnable, 0);
    set(RenderState::CullMode, 1);
    set_float(RenderState::PointSize, 32);
    REQUIRE(d3d.set_color_target(0, {target}));
    REQUIRE(context.set_color_target(0, {target}));
  }
  void set(RenderState state, uint32_t value) { d3d.states.render[static_cast<size_t>(state)] = value; }
  void set_float(RenderState state, float value) { set(state, std::bit_cast<uint32_t>(value)); }
  void set(uint32_t stage, StageState state, uint32_t value) {
    d3d.states.stages[stage].values[static_cast<size_t>(state)] = value;
  }
  void set_float(uint32_t stage, StageState state, float value) { set(stage, state, std::bit_cast<uint32_t>(value)); }
  void use(ir::Stage stage, const std::string& text) {
    const Result<D3d9ShaderRef> shader = Direct3d9::create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(d3d.set_shader(*shader));
  }
  void show_color(uint32_t index) {
    use(ir::Stage::Fragment, "ps_2_0\ndcl v" + std::to_string(index) + "\nmov oC0, v" + std::to_string(index) + "\n");
  }
  void show_coordinate() { use(ir::Stage::Fragment, "ps_2_0\ndcl t0\nmov oC0, t0\n"); }

  Status draw(std::span<const Vertex> vertices, raster::Primitive primitive = raster::Primitive::Points) {
    const ResourceRef buffer = device->create_buffer(std::as_bytes(vertices)).value();
    REQUIRE(context.set_vertex_buffer(0, buffer, sizeof(Vertex)));
    std::vector<DeclaredElement> elements = {
        {{d3d9::Usage::Position, 0}, {.offset_bytes = 0, .format = Format::R32G32B32_FLOAT}},
        {{d3d9::Usage::Texcoord, 0}, {.offset_bytes = offsetof(Vertex, texcoord), .format = Format::R32G32_FLOAT}}};
    if (has_normal)
      elements.push_back({{d3d9::Usage::Normal, 0}, {.offset_bytes = 12, .format = Format::R32G32B32_FLOAT}});
    for (uint8_t k = 0; k < 2 && has_colors; ++k)
      elements.push_back(
          {{d3d9::Usage::Color, k}, {.offset_bytes = 24u + 16u * k, .format = Format::R32G32B32A32_FLOAT}});
    if (has_size)
      elements.push_back(
          {{d3d9::Usage::PSize, 0}, {.offset_bytes = offsetof(Vertex, size), .format = Format::R32_FLOAT}});
    d3d.set_declaration(elements);
    REQUIRE(context.clear_color({-1, -1, -1, -1}));
    return d3d.draw({.primitive = primitive, .count = static_cast<uint32_t>(vertices.size())});
  }
  std::vector<Vec4> picture(std::span<const Vertex> vertices, raster::Primitive primitive = raster::Primitive::Points) {
    const Status drawn = draw(vertices, primitive);
    if (!drawn) FAIL(drawn.diags().front().text);
    const std::vector<Texel> texels = context.read_texels(target).value();
    std::vector<Vec4> out;
    for (const Texel& t : texels) out.push_back(std::bit_cast<Vec4>(t.word));
    return out;
  }
  Vec4 pixel(const Vertex& v) { return picture({&v, 1})[3 * kSize + 4]; }
  static uint32_t covered(const std::vector<Vec4>& picture) {
    return static_cast<uint32_t>(std::ranges::count_if(picture, [](const Vec4& c) { return c[0] != -1; }));
  }
};

void check_near(const Vec4& got, const Vec4& expected, float tolerance = 2e-5f) {
  CAPTURE(got, expected);
  for (size_t c = 0; c < 4; ++c) CHECK(std::abs(got[c] - expected[c]) <= tolerance);
}

// ---- the documentation's formulas, in double -----------------------------------------------------------------------

Vec3d times(const Vec3d& v, double w, const Matrix3d9& m) {
  Vec3d out;
  for (size_t c = 0; c < 3; ++c) out[c] = v[0] * m[c] + v[1] * m[4 + c] + v[2] * m[8 + c] + w * m[12 + c];
  return out;
}
double dot(const Vec3d& a, const Vec3d& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3d unit(const Vec3d& v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}
Vec3d minus(const Vec3d& a, const Vec3d& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3d wide(const auto& v) { return {double{v[0]}, double{v[1]}, double{v[2]}}; }

struct Colors { Vec3d diffuse{}, specular{}; };

// N, P: normal and place that the camera sees.
Colors lit_by(const Light& light, const Matrix3d9& view, const Vec3d& n, const Vec3d& p, double power, bool local,
              Vec3d& ambient) {
  Vec3d l = unit(times(wide(light.direction), 0, view));
  for (double& c : l) c = -c;
  double strength = 1;
  if (light.type != LightType::Directional) {
    const Vec3d axis = l, way = minus(times(wide(light.position), 1, view), p);
    const double d = std::sqrt(dot(way, way));
    l = unit(way);
    const std::array<float, 3>& a = light.attenuation;
    strength = d > light.range ? 0 : 1 / (a[0] + a[1] * d + a[2] * d * d);
    if (light.type == LightType::Spot) {
      const double rho = dot(axis, l), inner = std::cos(light.theta / 2.0), outer = std::cos(light.phi / 2.0);
      strength *= rho > inner ? 1 : rho <= outer ? 0 : std::pow((rho - outer) / (inner - outer), light.falloff);
    }
  }
  const Vec3d viewer = local ? unit({-p[0], -p[1], -p[2]}) : Vec3d{0, 0, -1};
  const Vec3d h = unit({viewer[0] + l[0], viewer[1] + l[1], viewer[2] + l[2]});
  const double facing = std::max(dot(n, l), 0.0);
  const double shine = facing > 0 && dot(n, h) > 0 ? std::pow(dot(n, h), power) : 0;
  Colors out;
  for (size_t c = 0; c < 3; ++c) {
    ambient[c] += light.ambient[c] * strength;
    out.diffuse[c] = light.diffuse[c] * facing * strength;
    out.specular[c] = light.specular[c] * shine * strength;
  }
  return out;
}

float limited(double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); }

}  // namespace

TEST_CASE_METHOD(Fixture, "a vertex has the colours that lights and material give it", "[d3d9]") {
  set(RenderState::NormalizeNormals, 1);
  set(RenderState::SpecularEnable, 1);
  set(RenderState::DiffuseMaterialSource, 0);
  set(RenderState::SpecularMaterialSource, 0);
  set(RenderState::Ambient, 0xff204060);
  std::mt19937 random(seed());
  CAPTURE(seed());
  const auto real = [&](double low, double high) {
    return static_cast<float>(low + (high - low) * static_cast<double>(random() % 65537) / 65536);
  };
  const auto color = [&] { return Vec4{real(0, 1), real(0, 1), real(0, 1), real(0, 1)}; };
  const auto place = [&](double size) {
    return std::array<float, 3>{real(-size, size), real(-size, size), real(-size, size)};
  };
  for (uint32_t round = 0; round < rounds(60); ++round) {
    CAPTURE(round);
    const bool local = round % 2;
    set(RenderState::LocalViewer, local);
    for (Matrix3d9* m : {&d3d.world, &d3d.view}) {
      *m = kIdentity3d9;
      for (const size_t k : {0u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u, 12u, 13u, 14u}) (*m)[k] += real(-0.4, 0.4);
    }
    d3d.material = {color(), color(), color(), color(), real(1, 12)};
    for (float& c : d3d.material.emissive) c *= 0.2f;
    for (uint32_t n = 0; n < 8; ++n) {
      Light& light = d3d.lights[n] = {};
      if (n >= round % 4 + 1) continue;
      light = {static_cast<LightType>(1 + random() % 3), color(), color(), color(), place(3), place(1), real(1, 8),
               real(0.5, 2), {real(0.5, 1), real(0, 0.3), real(0, 0.3)}, real(0.4, 1), real(1.2, 3)};
      for (Vec4* c : {&light.diffuse, &light.ambient})
        for (float& v : *c) v *= 0.4f;
    }
    Vertex v;
    std::ranges::copy(place(1), v.position);
    std::ranges::copy(place(1), v.normal);

    const Vec3d world = times(wide(v.position), 1, d3d.world), eye = times(world, 1, d3d.view);
    // The normal stands on what its two neighbours become.
    const Vec3d n = wide(v.normal), helper = std::abs(n[0]) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const auto cross = [](const Vec3d& a, const Vec3d& b) {
      return Vec3d{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    };
    const Vec3d s = cross(n, helper), t = cross(n, s);
    const auto seen = [&](const Vec3d& d) { return times(times(d, 0, d3d.world), 0, d3d.view); };
    Vec3d normal = unit(cross(seen(s), seen(t)));
    if (dot(normal, seen(n)) < 0)
      for (double& c : normal) c = -c;
    d3d.projection = kIdentity3d9;
    for (size_t c = 0; c < 3; ++c) d3d.projection[12 + c] = static_cast<float>((c == 2 ? 0.5 : 0) - eye[c]);

    Vec3d ambient = {0x20 / 255.0, 0x40 / 255.0, 0x60 / 255.0}, diffuse{}, specular{};
    for (const Light& light : d3d.lights) {
      if (light.type == LightType::Off) continue;
      const Colors one = lit_by(light, d3d.view, normal, eye, d3d.material.power, local, ambient);
      for (size_t c = 0; c < 3; ++c) diffuse[c] += one.diffuse[c], specular[c] += one.specular[c];
    }
    const direct3d9::Material& m = d3d.material;
    Vec4 of_diffuse, of_specular;
    for (size_t c = 0; c < 3; ++c) {
      of_diffuse[c] = limited(m.emissive[c] + m.ambient[c] * ambient[c] + m.diffuse[c] * diffuse[c]);
      of_specular[c] = limited(m.specular[c] * specular[c]);
    }
    of_diffuse[3] = m.diffuse[3], of_specular[3] = m.specular[3];
    show_color(0);
    check_near(pixel(v), of_diffuse);
    show_color(1);
    check_near(pixel(v), of_specular);
  }
}

TEST_CASE_METHOD(Fixture, "colours of the material or of the vertex count, as the sources say", "[d3d9]") {
  d3d.lights[0] = {.type = LightType::Directional};        // along z, white; the surface faces it
  d3d.material.diffuse = {0.5f, 0.25f, 0.125f, 0.75f};
  const Vertex v{.color1 = {0.1f, 0.2f, 0.3f, 0.4f}, .color2 = {0.6f, 0.7f, 0.8f, 0.9f}};
  show_color(0);
  check_near(pixel(v), v.color1);                          // by default
  set(RenderState::DiffuseMaterialSource, 2);
  check_near(pixel(v), v.color2);
  set(RenderState::ColorVertex, 0);
  check_near(pixel(v), d3d.material.diffuse);
  set(RenderState::ColorVertex, 1);
  has_colors = false;
  check_near(pixel(v), d3d.material.diffuse);              // there is none in the vertex
  has_colors = true;
  set(RenderState::DiffuseMaterialSource, 0);
  set(RenderState::EmissiveMaterialSource, 1);
  check_near(pixel(v), {0.6f, 0.45f, 0.425f, 0.75f});
  has_normal = false;
  check_near(pixel(v), {0.1f, 0.2f, 0.3f, 0.75f});         // faces nothing
  set(RenderState::Lighting, 0);
  check_near(pixel(v), v.color1);
}

TEST_CASE_METHOD(Fixture, "coordinates come from what the camera sees", "[d3d9]") {
  set(RenderState::Lighting, 0);
  set(RenderState::NormalizeNormals, 1);
  show_coordinate();
  d3d.view[12] = 1, d3d.view[14] = 2;                      // to (1, 2, 4)
  d3d.projection[12] = -1, d3d.projection[13] = -2, d3d.projection[14] = -3.5f;
  Vertex v{.position = {0, 2, 2}, .normal = {0, 3, -4}};
  const auto from = [&](uint32_t kind) { set(0, StageState::TexCoordIndex, kind << 16); };
  from(1);
  check_near(pixel(v), {0, 0.6f, -0.8f, 1});
  from(2);
  check_near(pixel(v), {1, 2, 4, 1});
  // R = I - 2 (N.I) N with I = (1, 2, 4) / sqrt 21, N.I = -2 / sqrt 21.
  const float root = std::sqrt(21.0f);
  const Vec4 r = {1 / root, 4.4f / root, 0.8f / root, 1};
  from(3);
  check_near(pixel(v), r);
  from(4);
  const float m = 2 * std::sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] - 1) * (r[2] - 1));
  check_near(pixel(v), {r[0] / m + 0.5f, r[1] / m + 0.5f, 0, 1});
  // Through the texture matrix, of which three rows count.
  from(2);
  set(0, StageState::TextureTransformFlags, 3);
  d3d.texture_matrix[0] = {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 10, 20, 30, 0};
  check_near(pixel(v), {12, 26, 46, 1});
  set(0, StageState::TexCoordIndex, 5u << 16);
  const Status refused = draw({&v, 1});
  REQUIRE_FALSE(refused);
  CHECK(refused.diags().front().text == "stage 0: texcoordindex: 0x50000 names no coordinates");
}

TEST_CASE_METHOD(Fixture, "a stage moves the coordinate of the next one, and scales what it samples", "[d3d9]") {
  set(RenderState::Lighting, 0);
  const auto texture = [&](Format format, uint32_t width, const auto& texels) {
    const ResourceRef image = device->create_image({.format = format, .width = width, .height = width}).value();
    REQUIRE(context.write_texels(image, 0, {.width = width, .height = width}, std::as_bytes(std::span(texels))));
    return image;
  };
  // Texel (x, y) of the second texture is (x, y, 4) / 4.
  std::array<Vec4, 16> places;
  for (uint32_t i = 0; i < 16; ++i) places[i] = {static_cast<float>(i % 4) / 4, static_cast<float>(i / 4) / 4, 1, 1};
  REQUIRE(d3d.set_texture(1, {texture(Format::R32G32B32A32_FLOAT, 4, places)}));
  // du = 1, dv = -1, luminance 51 / 255.
  const std::array<uint8_t, 4> bump = {127, 129, 51, 0};
  const auto named = direct3d9::texture_format("X8L8V8U8");
  REQUIRE(named);
  REQUIRE(d3d.set_texture(0, {.resource = texture(named->format, 1, bump), .swizzle = named->swizzle}));
  set(0, StageState::ColorOp, 22);
  set(0, StageState::AlphaOp, 1);
  set(1, StageState::ColorOp, 2);                          // the texture
  set(1, StageState::ColorArg1, 2);
  set(1, StageState::TexCoordIndex, 0);
  const Vertex v{.texcoord = {0.125f, 0.625f}};            // texel (0, 2)
  check_near(pixel(v), {0, 0.5f, 1, 1});
  set_float(0, StageState::BumpEnvMat00, 0.5f);            // u + 0.5 du
  check_near(pixel(v), {0.5f, 0.5f, 1, 1});
  set_float(0, StageState::BumpEnvMat10, 0.25f);           // + 0.25 dv
  check_near(pixel(v), {0.25f, 0.5f, 1, 1});
  set_float(0, StageState::BumpEnvMat01, -0.25f);          // v - 0.25 du
  set_float(0, StageState::BumpEnvMat11, 0.25f);           // + 0.25 dv
  check_near(pixel(v), {0.25f, 0, 1, 1});
  set(0, StageState::ColorOp, 23);
  set_float(0, StageState::BumpEnvLScale, 2);
  set_float(0, StageState::BumpEnvLOffset, 0.1f);          // 2 * 0.2 + 0.1
  check_near(pixel(v), {0.125f, 0, 0.5f, 1});
  set_float(0, StageState::BumpEnvLScale, 20);             // at most 1
  check_near(pixel(v), {0.25f, 0, 1, 1});
}

TEST_CASE_METHOD(Fixture, "operations of stages that add and multiply by an alpha", "[d3d9]") {
  set(RenderState::Lighting, 0);
  const ResourceRef image =
      device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = 1, .height = 1}).value();
  const Vec4 texel = {0.25f, 0.5f, 0.125f, 0.25f};         // argument 1; 2: the diffuse colour
  REQUIRE(context.write_texels(image, 0, {}, std::as_bytes(std::span(texel))));
  REQUIRE(d3d.set_texture(0, {image}));
  const Vertex v{.color1 = {0.5f, 0.25f, 0.75f, 1}};
  const auto red_of = [&](uint32_t op) {
    set(0, StageState::ColorOp, op);
    return pixel(v)[0];
  };
  set(0, StageState::ColorArg2, 0);
  CHECK(red_of(15) == 0.625f);                             // 0.25 + 0.5 (1 - 0.25)
  CHECK(red_of(18) == 0.375f);                             // 0.25 + 0.25 * 0.5
  CHECK(red_of(19) == 0.375f);                             // 0.25 * 0.5 + 0.25
  CHECK(red_of(20) == 0.625f);                             // (1 - 0.25) 0.5 + 0.25
  CHECK(pixel(v)[2] == 0.6875f);                           // (1 - 0.25) 0.75 + 0.125
  CHECK(red_of(21) == 0.625f);                             // (1 - 0.25) 0.5 + 0.25
  CHECK(pixel(v)[2] == 0.90625f);                          // (1 - 0.125) 0.75 + 0.25
  set(0, StageState::ColorOp, 17);
  CHECK(draw({&v, 1}).diags().front().text == "stage 0: colorop: 17 is none of its values");
}

TEST_CASE_METHOD(Fixture, "points are squares of a size that states, vertices and the distance give", "[d3d9]") {
  set(RenderState::Lighting, 0);
  const Vertex v;                                          // in the middle; its own size is 4
  const auto side = [&] { return std::sqrt(static_cast<double>(covered(picture({&v, 1})))); };
  set_float(RenderState::PointSize, 6);
  CHECK(side() == 6);
  has_size = true;
  CHECK(side() == 4);
  set_float(RenderState::PointSizeMax, 2);
  CHECK(side() == 2);
  set_float(RenderState::PointSizeMax, 64);
  set_float(RenderState::PointSizeMin, 8);
  CHECK(side() == 8);
  set_float(RenderState::PointSizeMin, 1);
  // The viewport's height times the size, 32, over the root of a + b d + c d^2 at d = 0.5.
  set(RenderState::PointScaleEnable, 1);
  set_float(RenderState::PointScaleA, 4);
  set_float(RenderState::PointScaleB, 4);
  set_float(RenderState::PointScaleC, 40);                 // 4 + 2 + 10 = 16
  CHECK(side() == 8);
  set_float(RenderState::PointScaleA, 52);                 // 64
  CHECK(side() == 4);
  // A vertex shader's own size is limited, not scaled.
  use(ir::Stage::Vertex, "vs_1_1\ndef c0, 6, 0, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oPts, c0.x\n");
  CHECK(side() == 6);
  set_float(RenderState::PointSizeMax, 2);
  CHECK(side() == 2);
  use(ir::Stage::Vertex, "vs_1_1\ndcl_position v0\nmov oPos, v0\n");
  set_float(RenderState::PointSizeMax, 64);
  set_float(RenderState::PointSize, 8);
  CHECK(side() == 8);
}

TEST_CASE_METHOD(Fixture, "point sprites have coordinates of their own", "[d3d9]") {
  set(RenderState::Lighting, 0);
  set_float(RenderState::PointSize, 8);
  show_coordinate();
  const Vertex v{.texcoord = {0.25f, 0.75f}};
  check_near(picture({&v, 1})[2 * kSize + 5], {0.25f, 0.75f, 0, 1}, 0);
  set(RenderState::PointSpriteEnable, 1);
  const std::vector<Vec4> sprite = picture({&v, 1});
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {      // pixels lie at whole numbers, the point's corner at 0
      CHECK(std::abs(sprite[y * kSize + x][0] - static_cast<float>(x) / 8) < 1e-6f);
      CHECK(std::abs(sprite[y * kSize + x][1] - static_cast<float>(y) / 8) < 1e-6f);
    }
}

TEST_CASE_METHOD(Fixture, "lines go from pixel to pixel; the last one is drawn where the state says so", "[d3d9]") {
  set(RenderState::Lighting, 0);
  // Pixel (x, y) is at clip x = x / 4 - 1, y = 1 - y / 4.
  const auto at = [](int x, int y) {
    return Vertex{.position = {static_cast<float>(x) / 4 - 1, 1 - static_cast<float>(y) / 4, 0.5f}};
  };
  const Vertex corners[] = {at(1, 1), at(5, 1), at(5, 6)};
  const auto is_drawn = [](const std::vector<Vec4>& p, int x, int y) {
    return p[static_cast<size_t>(y) * kSize + static_cast<size_t>(x)][0] != -1;
  };
  std::vector<Vec4> strip = picture(corners, raster::Primitive::LineStrip);
  for (int x = 1; x < 5; ++x) CHECK(is_drawn(strip, x, 1));
  for (int y = 1; y < 6; ++y) CHECK(is_drawn(strip, 5, y));
  CHECK(is_drawn(strip, 5, 6));
  CHECK(covered(strip) == 10);
  set(RenderState::LastPixel, 0);
  strip = picture(corners, raster::Primitive::LineStrip);
  CHECK_FALSE(is_drawn(strip, 5, 6));
  CHECK(covered(strip) == 9);
  const std::vector<Vec4> list = picture(std::span(corners).first(2), raster::Primitive::Lines);
  CHECK(covered(list) == 4);
  set(RenderState::FillMode, 2);
  const Vertex triangle[] = {at(1, 1), at(6, 1), at(1, 6)};
  const std::vector<Vec4> wire = picture(triangle, raster::Primitive::Triangles);
  CHECK(is_drawn(wire, 3, 1));
  CHECK_FALSE(is_drawn(wire, 2, 2));
}

TEST_CASE_METHOD(Fixture, "a bias of depth is added as it is, and the slope of a triangle times its scale", "[d3d9]") {
  const Format format = GENERATE(Format::Z32_FLOAT, Format::Z24_UNORM_S8_UINT, Format::Z16_UNORM);
  const ResourceRef depth = device->create_image({.format = format, .width = kSize, .height = kSize}).value();
  REQUIRE(d3d.set_depth_target({depth}));
  set(RenderState::Lighting, 0);
  set(RenderState::ZEnable, 1);
  set(RenderState::ZFunc, 8);
  // Depth is 1/4 at the left edge and gains 1/64 a pixel to the right.
  const Vertex triangle[] = {{.position = {-1, 1, 0.25f}}, {.position = {3, 1, 0.5f}}, {.position = {-1, -3, 0.25f}}};
  const auto depth_at = [&](uint32_t x) {
    picture(triangle, raster::Primitive::Triangles);
    return static_cast<double>(std::bit_cast<float>(context.read_texels(depth).value()[3 * kSize + x].word[0]));
  };
  const auto is = [&](double expected) { return Approx(expected).margin(format == Format::Z16_UNORM ? 1e-5 : 1e-6); };
  CHECK(depth_at(4) == is(0.25 + 4 / 64.0));
  set_float(RenderState::DepthBias, 0.125f);
  CHECK(depth_at(4) == is(0.375 + 4 / 64.0));
  set_float(RenderState::SlopeScaleDepthBias, -8);
  CHECK(depth_at(5) == is(0.25 + 5 / 64.0));
  set_float(RenderState::DepthBias, 0);
  CHECK(depth_at(6) == is(0.125 + 6 / 64.0));
}

TEST_CASE("textures of a Direct3D 9 scene have its formats, and its lights are parsed", "[d3d9]") {
  const std::string scene_text =
      "[target]\nsize 8 8\ncolor 0 r32g32b32a32_float\n[texture 0]\nformat R16F\nsolid 1 1 0.25 0.5 0.75 0.5\n"
      "[vertex data]\nposition/float3 normal/float3\n-1 -1 0.5  0 0 -1\n-1 3 0.5  0 0 -1\n3 -1 0.5  0 0 -1\n"
      "[pixel shader d3d9]\nps_2_0\ndcl v0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\n"
      "[state]\nzenable off\ncullmode none\nambient 00ff0000\n"
      "material diffuse 0.5 0.5 0.5 1 ambient 0.25 1 1 1 power 3\n"
      "light 2 directional direction 0 0 2 diffuse 1 0.5 0.25 1\n"
      "light 1 point position 0 0 0 attenuation 1 0 0 range 4\n"
      "light 1 off\n[test]\nuse texture 0 0\nclear color 0 0 0 0\ndraw triangles\n"
      "probe 3 3 0.1875 0.25 0.125 1\n";
  const Result<scene::Scene> scene = scene::parse_scene(scene_text);
  if (!scene) FAIL(format_diags(scene.diags(), "scene", scene_text));
  const auto device = std::move(Device::create({}).value());
  const auto result = scene::run_scene(*device, *scene, "");
  if (!result) FAIL(format_diags(result.diags(), "scene", scene_text));
  REQUIRE(result->probes.size() == 1);
  CAPTURE(result->probes[0].text);
  CHECK(result->probes[0].passed);

  const auto error = [](const std::string& line) {
    const std::string before = "[vertex shader d3d9]\nvs_1_1\ndcl_position v0\nmov oPos, v0\n[state]\n";
    const auto parsed = scene::parse_scene(before + line + "\n[test]\ndraw rect -1 -1 2 2\n");
    return parsed ? "" : parsed.diags().front().text;
  };
  CHECK(error("material shine 1") == "expected diffuse, ambient, specular, emissive or power, found 'shine'");
  CHECK(error("light 8 point").starts_with("the number of a light"));
  CHECK(error("light 0 sun").find("off, point, spot, directional") != std::string::npos);
  CHECK(error("light 0 point colour 1 1 1 1").starts_with("expected diffuse, ambient,"));
  CHECK(error("texture_matrix 9 translate(1, 0, 0)") != "");
}

TEST_CASE("Direct3D 9's names of formats lay texels out as it does", "[d3d9]") {
  for (const auto& [name, format] : {std::pair{"DXT1", Format::DXT1_RGBA}, std::pair{"DXT3", Format::DXT3_RGBA},
                                     std::pair{"DXT5", Format::DXT5_RGBA}, std::pair{"R8G8B8", Format::B8G8R8_UNORM}}) {
    const auto found = direct3d9::texture_format(name);
    REQUIRE(found);
    CHECK(found->format == format);
  }
  // R3G3B2: red in the highest bits.
  const uint8_t red[] = {0xe0};
  const Texel texel = unpack_texel(direct3d9::texture_format("R3G3B2")->format, std::as_bytes(std::span(red)).data());
  CHECK(std::bit_cast<Vec4>(texel.word) == Vec4{1, 0, 0, 1});
  CHECK_FALSE(direct3d9::texture_format("dxt1"));
}
