// Points, lines and polygons drawn as such, through the C++ API.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "frontend/device.h"
#include "raster/samples.h"

using namespace tessera;

namespace {

constexpr uint32_t kSize_px = 64;

constexpr std::string_view kVertex =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\n"
    "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: END\n";
constexpr std::string_view kColor =
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n";

struct Vertex { float x, y, z, w, r, g, b, a; };

// In pixels, y down; the depth is that of the window.
Vertex at(float x, float y, float z = 0.5f, std::array<float, 4> color = {1, 1, 1, 1}) {
  return {x / 32 - 1, 1 - y / 32, 2 * z - 1, 1, color[0], color[1], color[2], color[3]};
}

struct Fixture {
  std::unique_ptr<Device> device;
  ResourceRef target, depth;
  raster::RasterizerState state;

  explicit Fixture(raster::RendererOptions options = {.threads = 2}) {
    device = std::move(Device::create({.raster = options}).value());
    target = image(Format::R32G32B32A32_FLOAT);
    REQUIRE(c().set_color_target(0, {target}));
    use(ir::Stage::Vertex, kVertex);
    use(ir::Stage::Fragment, kColor);
    REQUIRE(c().clear_color({0, 0, 0, 0}));
  }
  Context& c() { return device->context(); }

  ResourceRef image(Format format, uint32_t samples = 1) {
    return device->create_image({.format = format, .width = kSize_px, .height = kSize_px, .samples = samples}).value();
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c().set_shader(*shader));
  }
  void use_depth(Format format) {
    depth = image(format);
    REQUIRE(c().set_depth_target({depth}));
    REQUIRE(c().clear_depth(1));
    raster::DepthStencilAlphaState dsa;
    dsa.depth_test = dsa.depth_write = true;
    dsa.depth_func = raster::Compare::Always;
    c().set_depth_stencil_alpha(dsa);
  }
  Status try_draw(raster::Primitive primitive, std::span<const Vertex> vertices) {
    const ResourceRef buffer = device->create_buffer(std::as_bytes(vertices)).value();
    const raster::VertexElement elements[] = {{.offset_bytes = 0}, {.offset_bytes = 16}};
    REQUIRE(c().set_vertex_elements(elements));
    REQUIRE(c().set_vertex_buffer(0, buffer, sizeof(Vertex)));
    c().set_rasterizer(state);
    return c().draw({.primitive = primitive, .count = uint32_t(vertices.size())});
  }
  void draw(raster::Primitive primitive, std::span<const Vertex> vertices) {
    const Status status = try_draw(primitive, vertices);
    if (!status) FAIL(status.diags().front().text);
  }
  void clear() { REQUIRE(c().clear_color({0, 0, 0, 0})); }

  std::vector<Texel> texels() { return c().read_texels(target).value(); }
  float channel(uint32_t x, uint32_t y, size_t i) { return std::bit_cast<float>(texels()[y * kSize_px + x].word[i]); }
  // Pixels that hold something.
  std::set<uint32_t> drawn() {
    std::set<uint32_t> pixels;
    const std::vector<Texel> all = texels();
    for (uint32_t i = 0; i < all.size(); ++i)
      if (all[i].word[3] != 0) pixels.insert(i);
    return pixels;
  }
  std::set<uint32_t> drawn_by(raster::Primitive primitive, std::span<const Vertex> vertices) {
    clear();
    draw(primitive, vertices);
    return drawn();
  }
};

using raster::FillMode;
using raster::Primitive;

}  // namespace

TEST_CASE_METHOD(Fixture, "in a point, the point coordinate runs from 0 to 1 from either corner", "[primitives]") {
  use(ir::Stage::Fragment,
      "FRAG\nDCL IN[0], PCOORD, LINEAR\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n");
  state.point_quad = true;
  state.point_size = 16;
  for (const bool lower : {false, true}) {
    state.sprite_coord_lower_left = lower;
    clear();
    draw(Primitive::Points, std::array{at(20.25f, 30.5f)});
    for (const auto& [x, y] : {std::pair{13u, 23u}, {20u, 30u}, {27u, 37u}}) {
      CAPTURE(lower, x, y);
      const float s = (float(x) + 0.5f - 20.25f) / 16 + 0.5f, t = (float(y) + 0.5f - 30.5f) / 16 + 0.5f;
      CHECK(channel(x, y, 0) == s);
      CHECK(channel(x, y, 1) == (lower ? 1 - t : t));
      CHECK(channel(x, y, 2) == 0);
      CHECK(channel(x, y, 3) == 1);
    }
  }
  clear();
  draw(Primitive::Lines, std::array{at(2, 10.5f), at(60, 10.5f)});
  CHECK(channel(30, 10, 0) == 0);                          // no point, no place in it
  CHECK(channel(30, 10, 3) == 1);
}

TEST_CASE_METHOD(Fixture, "the replacement mask says which inputs become the place in the point", "[primitives]") {
  use(ir::Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[3]\n"
      "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2], IN[1]\n3: END\n");
  use(ir::Stage::Fragment,
      "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\n"
      "0: MOV OUT[0].xy, IN[0]\n1: MOV OUT[0].zw, IN[1].xxxy\n2: END\n");
  state.point_quad = true;
  state.point_size = 8;
  const Vertex v = at(16, 16, 0.5f, {3, 4, 5, 6});
  for (const uint32_t mask : {0u, 1u, 8u, 9u}) {
    state.sprite_coord_enable = mask;
    clear();
    draw(Primitive::Points, std::array{v});
    const float s = 0.5f + 1.5f / 8, t = 0.5f + 0.5f / 8;
    CAPTURE(mask);
    CHECK(channel(17, 16, 0) == (mask & 1 ? s : 3));
    CHECK(channel(17, 16, 1) == (mask & 1 ? t : 4));
    CHECK(channel(17, 16, 2) == (mask & 8 ? s : 3));
    CHECK(channel(17, 16, 3) == (mask & 8 ? t : 4));
  }
  clear();
  draw(Primitive::Lines, std::array{at(2, 10.5f, 0.5f, {3, 4, 5, 6}), at(60, 10.5f, 0.5f, {3, 4, 5, 6})});
  CHECK(channel(30, 10, 0) == 3);                          // in a line nothing is replaced
}

TEST_CASE_METHOD(Fixture, "the vertex program gives each point its size", "[primitives]") {
  use(ir::Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], PSIZE\n"
      "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2].x, IN[1].xxxx\n3: END\n");
  state.point_size = 2;
  const std::array points = {at(10, 10, 0.5f, {4, 0, 0, 1}), at(30, 30, 0.5f, {6, 0, 0, 1}),
                             at(50, 50, 0.5f, {0, 0, 0, 1})};
  CHECK(drawn_by(Primitive::Points, points).size() == 3 * 4);
  state.point_size_per_vertex = true;
  CHECK(drawn_by(Primitive::Points, points).size() == 16 + 36 + 1);     // at least one pixel
}

TEST_CASE_METHOD(Fixture, "a point goes with its centre, unless only planes clip it", "[primitives]") {
  state.point_size = 8;
  c().set_viewport_rect(16, 16, 32, 32);
  const std::array inside = {Vertex{0.99f, 0, 0, 1, 1, 1, 1, 1}}, beyond = {Vertex{1.01f, 0, 0, 1, 1, 1, 1, 1}};
  CHECK(drawn_by(Primitive::Points, inside).size() == 64);          // beyond the viewport, too
  CHECK(drawn_by(Primitive::Points, beyond).empty());
  state.point_tri_clip = true;
  CHECK(drawn_by(Primitive::Points, beyond).size() == 64);
  CHECK(drawn_by(Primitive::Points, std::array{Vertex{0, 0, 1.5f, 1, 1, 1, 1, 1}}).empty());   // beyond far
}

TEST_CASE_METHOD(Fixture, "polygons as lines draw their own outline, without the edges that cut them", "[primitives]") {
  const std::array corners = {at(5.5f, 6.5f), at(50.5f, 9.5f), at(44.5f, 55.5f), at(9.5f, 40.5f)};
  const std::array strip = {corners[0], corners[1], corners[3], corners[2]};
  const std::set<uint32_t> outline = drawn_by(Primitive::LineLoop, corners);
  state.fill_front = state.fill_back = FillMode::Line;
  for (const bool first : {false, true}) {
    state.provoking_first = first;
    CHECK(drawn_by(Primitive::Quads, corners) == outline);
    CHECK(drawn_by(Primitive::Polygon, corners) == outline);
    CHECK(drawn_by(Primitive::QuadStrip, strip).size() >= outline.size());   // an edge is drawn the other way round
  }
  CHECK(drawn_by(Primitive::TriangleFan, corners).size() > outline.size() + 20);    // its triangles are polygons
  state.fill_front = state.fill_back = FillMode::Point;
  state.point_size = 1;
  CHECK(drawn_by(Primitive::Polygon, corners).size() == 4);
  CHECK(drawn_by(Primitive::Quads, corners).size() == 4);
}

TEST_CASE_METHOD(Fixture, "edge flags leave out edges of separate polygons", "[primitives]") {
  use(ir::Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], EDGEFLAG\n"
      "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2].x, IN[1].xxxx\n3: END\n");
  state.fill_front = state.fill_back = FillMode::Line;
  const auto flagged = [&](std::array<float, 4> flags) {
    std::array v = {at(5.5f, 6.5f), at(50.5f, 9.5f), at(44.5f, 55.5f), at(9.5f, 40.5f)};
    for (size_t i = 0; i < 4; ++i) v[i].r = flags[i];
    return v;
  };
  const auto v = flagged({1, 0, 1, 0});
  std::set<uint32_t> two_sides = drawn_by(Primitive::Lines, v);
  CHECK(drawn_by(Primitive::Quads, v) == two_sides);
  CHECK(drawn_by(Primitive::Polygon, v) == two_sides);
  CHECK(drawn_by(Primitive::QuadStrip, v).size() > two_sides.size() + 20);      // strips have all edges
  CHECK(drawn_by(Primitive::Polygon, flagged({0, 0, 0, 0})).empty());
}

TEST_CASE_METHOD(Fixture, "each side of a polygon is drawn as its own mode says", "[primitives]") {
  const std::array clockwise = {at(10.5f, 10.5f), at(40.5f, 10.5f), at(10.5f, 40.5f)};
  const std::array counter = {clockwise[0], clockwise[2], clockwise[1]};
  state.fill_front = FillMode::Fill;                       // front is counter-clockwise
  state.fill_back = FillMode::Point;
  CHECK(drawn_by(Primitive::Triangles, counter).size() > 400);
  CHECK(drawn_by(Primitive::Triangles, clockwise).size() == 3);
  state.cull = raster::CullFace::Back;
  CHECK(drawn_by(Primitive::Triangles, clockwise).empty());
  state.cull = raster::CullFace::FrontAndBack;
  CHECK(drawn_by(Primitive::Triangles, counter).empty());
  CHECK(drawn_by(Primitive::Points, clockwise).size() == 3);      // points and lines have no face to cull
  CHECK(drawn_by(Primitive::LineStrip, clockwise).size() > 50);
}

TEST_CASE_METHOD(Fixture, "back faces take the back colour where the state says so", "[primitives]") {
  use(ir::Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\n"
      "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2], IN[1].zyxw\n3: END\n");
  const std::array color = {0.25f, 0.5f, 0.75f, 1.0f};
  const std::array front = {
      at(0.5f, 0.5f, 0.5f, color), at(0.5f, 63.5f, 0.5f, color), at(63.5f, 0.5f, 0.5f, color)};
  const std::array back = {front[0], front[2], front[1]};
  for (const bool flat : {false, true}) {
    for (const FillMode mode : {FillMode::Fill, FillMode::Line}) {
      state.flat_shade = flat;
      state.fill_front = state.fill_back = mode;
      state.light_two_side = true;
      CAPTURE(flat, int(mode));
      clear();
      draw(Primitive::Triangles, front);
      CHECK(channel(0, 20, 0) == 0.25f);
      clear();
      draw(Primitive::Triangles, back);
      CHECK(channel(0, 20, 0) == 0.75f);
      CHECK(channel(0, 20, 1) == 0.5f);
      state.light_two_side = false;
      clear();
      draw(Primitive::Triangles, back);
      CHECK(channel(0, 20, 0) == 0.25f);
    }
  }
}

TEST_CASE_METHOD(Fixture, "the offset of a polygon follows its slope and the depth format, however it is drawn",
                 "[primitives]") {
  // z rises by 1/128 a pixel in x and 1/256 in y: the slope is the larger one.
  const auto z = [](float x, float y) { return 0.125f + x / 128 + y / 256; };
  const auto corner = [&](float x, float y) { return at(x, y, z(x, y)); };
  const std::array triangle = {corner(8.5f, 8.5f), corner(40.5f, 8.5f), corner(8.5f, 40.5f)};
  const double slope = 1.0 / 128, largest = double(z(40.5f, 8.5f));
  const struct { Format format; double resolution, error; } formats[] = {
      {Format::Z16_UNORM, std::ldexp(1.0, -16), 1.0 / 65535},
      {Format::Z24_UNORM_S8_UINT, std::ldexp(1.0, -24), 1.0 / 16777215},
      {Format::Z32_FLOAT, std::ldexp(1.0, std::ilogb(largest) - 23), 1e-7}};
  const struct { float units, scale, clamp; } offsets[] = {
      {16, 0, 0}, {0, 2, 0}, {-3, 1.5f, 0}, {0, 4, 0.01f}, {0, -4, -0.01f}};
  for (const auto& f : formats) {
    use_depth(f.format);
    for (const auto& o : offsets) {
      double expected = slope * o.scale + f.resolution * o.units;
      if (o.clamp > 0) expected = std::min(expected, double(o.clamp));
      if (o.clamp < 0) expected = std::max(expected, double(o.clamp));
      for (const FillMode mode : {FillMode::Fill, FillMode::Line, FillMode::Point}) {
        state = {};
        state.fill_front = state.fill_back = mode;
        state.offset_units = o.units, state.offset_scale = o.scale, state.offset_clamp = o.clamp;
        for (const bool on : {false, true}) {
          state.offset_fill = on && mode == FillMode::Fill;
          state.offset_line = on && mode == FillMode::Line;
          state.offset_point = on && mode == FillMode::Point;
          REQUIRE(c().clear_depth(1));
          draw(Primitive::Triangles, triangle);
          // The pixel of vertex 0: a corner, part of the left edge, and a point of its own.
          const double got = double(std::bit_cast<float>(c().read_texels(depth).value()[8 * kSize_px + 8].word[0]));
          CAPTURE(int(f.format), int(mode), on, o.units, o.scale, o.clamp, got);
          CHECK(std::fabs(got - (double(z(8.5f, 8.5f)) + (on ? expected : 0))) <= f.error);
        }
      }
    }
  }
}

TEST_CASE_METHOD(Fixture, "flat colours are those of the provoking vertex of every primitive", "[primitives]") {
  // Vertex i has colour i + 1; the numbers are those of OpenGL 4.6 (compatibility), table 13.2, from 1.
  const struct {
    Primitive primitive;
    uint32_t count;
    std::set<int> first, last;
  } cases[] = {
      {Primitive::Points, 3, {1, 2, 3}, {1, 2, 3}},
      {Primitive::Lines, 4, {1, 3}, {2, 4}},
      {Primitive::LineStrip, 4, {1, 2, 3}, {2, 3, 4}},
      {Primitive::LineLoop, 4, {1, 2, 3, 4}, {1, 2, 3, 4}},
      {Primitive::Triangles, 6, {1, 4}, {3, 6}},
      {Primitive::TriangleStrip, 5, {1, 2, 3}, {3, 4, 5}},
      {Primitive::TriangleFan, 5, {2, 3, 4}, {3, 4, 5}},
      {Primitive::Quads, 8, {1, 5}, {4, 8}},
      {Primitive::QuadStrip, 6, {1, 3}, {4, 6}},
      {Primitive::Polygon, 6, {1}, {1}},
      {Primitive::LinesAdjacency, 8, {2, 6}, {3, 7}},
      {Primitive::LineStripAdjacency, 6, {2, 3, 4}, {3, 4, 5}},
      {Primitive::TrianglesAdjacency, 12, {1, 7}, {5, 11}},
      {Primitive::TriangleStripAdjacency, 10, {1, 3, 5}, {5, 7, 9}},
  };
  state.flat_shade = true;
  for (const auto& test : cases) {
    for (const bool first : {false, true}) {
      for (const FillMode mode : {FillMode::Fill, FillMode::Line}) {
        state.provoking_first = first;
        state.fill_front = state.fill_back = mode;
        // Corners far apart, on a curve, so that primitives overlap little and every one shows.
        std::vector<Vertex> vertices;
        for (uint32_t i = 0; i < test.count; ++i) {
          const float angle = float(i) / float(test.count) * 6.0f, zigzag = i & 1 ? 14.0f : 29.0f;
          vertices.push_back(at(32 + zigzag * std::cos(angle), 32 + zigzag * std::sin(angle), 0.5f,
                                {float(i + 1), 0, 0, 1}));
        }
        clear();
        draw(test.primitive, vertices);
        std::set<int> colors;
        for (const Texel& t : texels())
          if (t.word[3] != 0) colors.insert(int(std::bit_cast<float>(t.word[0])));
        CAPTURE(int(test.primitive), first, int(mode));
        CHECK(colors == (first ? test.first : test.last));
      }
    }
  }
}

TEST_CASE_METHOD(Fixture, "smooth primitives multiply alpha by coverage, before the alpha test", "[primitives]") {
  const std::array ends = {at(10, 20), at(50, 20)};        // a rectangle of 40 x 1.5 pixels around y = 20
  state.line_smooth = true;
  state.line_width = 1.5f;
  draw(Primitive::Lines, ends);
  CHECK(channel(30, 19, 3) == 0.75f);
  CHECK(channel(30, 20, 3) == 0.75f);
  CHECK(channel(30, 21, 3) == 0);
  CHECK(channel(30, 19, 0) == 1);                          // colour stays
  CHECK(drawn().size() == 80);

  raster::DepthStencilAlphaState dsa;
  dsa.alpha_test = true;
  dsa.alpha_func = raster::Compare::Greater;
  dsa.alpha_ref = 0.8f;
  c().set_depth_stencil_alpha(dsa);
  CHECK(drawn_by(Primitive::Lines, ends).empty());
  c().set_depth_stencil_alpha({});

  state.poly_smooth = true;
  const std::array rectangle = {at(10.25f, 10.5f), at(20.25f, 10.5f), at(10.25f, 30.5f)};
  clear();
  draw(Primitive::Triangles, rectangle);
  CHECK(channel(10, 15, 3) == 0.75f);
  CHECK(channel(12, 10, 3) == 0.5f);
  CHECK(channel(12, 15, 3) == 1);

  state.point_smooth = true;
  state.point_size = 16;
  clear();
  draw(Primitive::Points, std::array{at(32, 32)});
  double area = 0;
  for (const Texel& t : texels()) area += double(std::bit_cast<float>(t.word[3]));
  CHECK(std::fabs(area - 3.14159 * 64) < 2);
}

TEST_CASE_METHOD(Fixture, "lines, points and stippled polygons cover the samples inside of them", "[primitives]") {
  constexpr uint32_t kSamples = 4;
  target = image(Format::R32G32B32A32_FLOAT, kSamples);
  REQUIRE(c().set_color_target(0, {target}));
  const raster::SamplePattern& pattern = raster::sample_pattern(kSamples, true);
  // A sample's place in pixels; whether it is covered.
  const auto check = [&](auto inside) {
    for (uint32_t s = 0; s < kSamples; ++s) {
      const std::vector<Texel> texels = c().read_texels(target, 0, 0, s).value();
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < texels.size(); ++i) {
        const double x = i % kSize_px + 0.5 + pattern.x_fx8(s) / 256.0;
        const double y = i / kSize_px + 0.5 + pattern.y_fx8(s) / 256.0;
        wrong += (texels[i].word[3] != 0) != inside(x, y);
      }
      CAPTURE(s);
      CHECK(wrong == 0);
    }
  };
  state.line_width = 2.5f;
  clear();
  draw(Primitive::Lines, std::array{at(10.25f, 20), at(50.5f, 20)});
  check([](double x, double y) { return x >= 10.25 && x < 50.5 && y >= 18.75 && y < 21.25; });
  state.point_size = 9;
  clear();
  draw(Primitive::Points, std::array{at(30.25f, 33.5f)});
  check([](double x, double y) { return (x - 30.25) * (x - 30.25) + (y - 33.5) * (y - 33.5) <= 20.25; });
  state.point_quad = true;
  clear();
  draw(Primitive::Points, std::array{at(30.25f, 33.5f)});
  check([](double x, double y) { return x >= 25.75 && x < 34.75 && y >= 29 && y < 38; });
  raster::StipplePattern stipple{};
  for (uint32_t row = 0; row < 32; ++row) stipple[row] = row % 4 == 1 ? 0xff00ff00 : 0x0000000f;
  c().set_polygon_stipple(stipple);
  state.poly_stipple = true;
  clear();
  draw(Primitive::Quads, std::array{at(3, 3), at(3, 61), at(61, 61), at(61, 3)});
  check([&](double x, double y) {
    const bool shown = stipple[size_t(y) % 32] >> (31 - size_t(x) % 32) & 1;
    return shown && x >= 3 && x < 61 && y >= 3 && y < 61;
  });
  // All samples at the centre: smooth again, alpha the same in all of a pixel's samples.
  state = {};
  state.multisample = false;
  state.line_smooth = true;
  clear();
  draw(Primitive::Lines, std::array{at(10, 20), at(50, 20)});
  for (uint32_t s = 0; s < kSamples; ++s)
    CHECK(std::bit_cast<float>(c().read_texels(target, 0, 0, s).value()[20 * kSize_px + 30].word[3]) == 0.5f);
}

TEST_CASE_METHOD(Fixture, "coverage comes after the fixed-function stages", "[primitives]") {
  // The environment of unit 0 gives a constant alpha, whatever covers the pixel; coverage scales that.
  combiners::FragmentState fixed;
  fixed.units[0].enabled = true;
  fixed.units[0].environment.mode = combiners::EnvMode::Replace;
  const ResourceRef texel = device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = 1, .height = 1}).value();
  const std::array<float, 4> color = {0.25f, 0.5f, 0.75f, 0.5f};
  REQUIRE(c().write_texels(texel, 0, {}, std::as_bytes(std::span(color))));
  REQUIRE(c().set_texture(ir::Stage::Fragment, 0, {.resource = texel}));
  c().unset_fragment_shader();
  REQUIRE(c().set_fixed_function(fixed));
  state.line_smooth = true;
  state.line_width = 1.5f;
  draw(Primitive::Lines, std::array{at(10, 20), at(50, 20)});
  CHECK(channel(30, 19, 0) == 0.25f);
  CHECK(channel(30, 19, 3) == 0.5f * 0.75f);
}

TEST_CASE_METHOD(Fixture, "a line is cut by planes, and its values go on", "[primitives]") {
  const std::array whole = {at(4, 20.5f, 0.5f, {0, 0, 0, 1}), at(60, 20.5f, 0.5f, {56, 0, 0, 1})};
  draw(Primitive::Lines, whole);
  CHECK(drawn().size() == 56);
  CHECK(channel(30, 20, 0) == Approx(26.5));
  // Far at x = 32, in a line that goes deeper.
  const std::array deeper = {at(4, 20.5f, 0.5f, {0, 0, 0, 1}), at(60, 20.5f, 1.5f, {56, 0, 0, 1})};
  clear();
  draw(Primitive::Lines, deeper);
  CHECK(drawn().size() == 28);
  CHECK(channel(30, 20, 0) == Approx(26.5));
  state.depth_clip = false;
  CHECK(drawn_by(Primitive::Lines, deeper).size() == 56);
  // The plane x >= 0 in clip space.
  std::array<raster::ClipPlane, raster::kMaxClipPlanes> planes{};
  planes[0] = {1, 0, 0, 0};
  c().set_clip_planes(planes);
  clear();
  draw(Primitive::Lines, whole);
  CHECK(drawn().size() == 28);
  CHECK(channel(40, 20, 0) == Approx(36.5));
  CHECK(drawn_by(Primitive::Points, whole).size() == 1);
}

TEST_CASE_METHOD(Fixture, "a polygon drawn as lines gains the edge along a plane that cuts it", "[primitives]") {
  const std::array quad = {at(10.5f, 10.5f), at(50.5f, 10.5f), at(50.5f, 40.5f), at(10.5f, 40.5f)};
  state.fill_front = state.fill_back = FillMode::Line;
  std::array<raster::ClipPlane, raster::kMaxClipPlanes> planes{};
  planes[0] = {-1, 0, 0, 0.015625f};               // x <= 32.5 px
  c().set_clip_planes(planes);
  state.clip_plane_enable = 1;
  std::set<uint32_t> expected;
  for (uint32_t y = 10; y <= 40; ++y) expected.insert({y * kSize_px + 10, y * kSize_px + 32});
  for (uint32_t x = 10; x <= 32; ++x) expected.insert({10 * kSize_px + x, 40 * kSize_px + x});
  CHECK(drawn_by(Primitive::Quads, quad) == expected);
  // None along near: that one is no plane of the user's.
  planes[0] = {};
  c().set_clip_planes(planes);
  state.clip_plane_enable = 0;
  const std::array leaning = {at(10.5f, 10.5f, 0.5f), at(50.5f, 10.5f, -0.5f), at(50.5f, 40.5f, -0.5f), at(10.5f, 40.5f, 0.5f)};
  const std::set<uint32_t> open = drawn_by(Primitive::Quads, leaning);
  CHECK(open.contains(25 * kSize_px + 10));
  CHECK_FALSE(open.contains(25 * kSize_px + 30));
  CHECK(open.contains(10 * kSize_px + 29));
}

TEST_CASE("a stippled strip is the same however its work is cut", "[primitives]") {
  std::vector<Vertex> strip;
  for (int i = 0; i < 3000; ++i) {
    const float turn = float(i) * 0.37f, reach = 8 + float(i % 211) / 10;
    strip.push_back(at(32 + reach * std::cos(turn), 32 + reach * std::sin(turn)));
  }
  std::set<uint32_t> reference;
  for (const uint64_t budget_bytes : {256u << 20, 64u << 10}) {
    Fixture f({.threads = 3, .binning_budget_bytes = budget_bytes});
    f.state.line_stipple = true;
    f.state.line_stipple_factor = 7;
    f.state.line_stipple_pattern = 0x00a5;
    const std::set<uint32_t> pixels = f.drawn_by(Primitive::LineStrip, strip);
    if (reference.empty()) reference = pixels;
    CHECK(pixels.size() > 500);
    CHECK(pixels == reference);
  }
}

TEST_CASE_METHOD(Fixture, "wrong state of points and lines is named, and nothing is drawn", "[primitives]") {
  const struct {
    const char* field;
    void (*damage)(raster::RasterizerState&);
  } cases[] = {
      {"rasterizer.point_size", [](raster::RasterizerState& r) { r.point_size = -1; }},
      {"rasterizer.line_width", [](raster::RasterizerState& r) { r.line_width = std::nanf(""); }},
      {"rasterizer.line_stipple_factor", [](raster::RasterizerState& r) { r.line_stipple_factor = 300; }},
      {"rasterizer.fill_back", [](raster::RasterizerState& r) { r.fill_back = FillMode(7); }},
  };
  for (const auto& test : cases) {
    state = {};
    test.damage(state);
    const Status status = try_draw(Primitive::LineStrip, std::array{at(3, 3), at(40, 30)});
    REQUIRE_FALSE(status);
    CHECK(status.diags().front().text.find(test.field) == 0);
    CHECK(drawn().empty());
  }
}
