#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "core/hash.h"
#include "raster/renderer.h"
#include "tests/support/random.h"
#include "tests/unit/raster/draw_call.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::tests;

namespace {

uint32_t pixel(const Framebuffer& target, uint32_t x, uint32_t y) {
  uint32_t word;
  std::memcpy(&word, target.color[0].storage->data() + (size_t{y} * target.width + x) * 4, 4);
  return word;
}

std::vector<std::byte> bytes(const Framebuffer& target) {
  const Storage& s = *target.color[0].storage;
  return {s.data(), s.data() + s.size_bytes()};
}

ClearCommand clear_all(const Framebuffer& target) {
  ClearCommand clear;
  clear.rect = {0, 0, int32_t(target.width), int32_t(target.height)};
  clear.color_targets = 1;
  clear.color[0] = {{0, 0, 0, 0x3f800000}};
  clear.depth = target.depth_stencil.storage != nullptr;
  return clear;
}

PipelineDesc depth_pipeline_desc(const Framebuffer& target) {
  PipelineDesc desc = color_pipeline_desc(target);
  desc.depth_stencil_alpha.depth_test = desc.depth_stencil_alpha.depth_write = true;
  return desc;
}

// Triangles of all sizes, some beyond the near plane and the guard band, over one another and blended.
std::vector<Vertex> random_scene(uint32_t triangles, std::mt19937& random) {
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<Vertex> vertices;
  for (uint32_t t = 0; t < triangles; ++t) {
    const float reach = std::array{0.02f, 0.2f, 2.0f, 60.0f}[random() % 16 % 7 % 4];
    const float x = unit(random), y = unit(random), w = 1.5f + unit(random);
    for (int c = 0; c < 3; ++c) {
      const float corner_w = w + unit(random) * 0.4f;
      vertices.push_back({{(x + unit(random) * reach) * w, (y + unit(random) * reach) * w, unit(random) * 1.2f, corner_w},
                          {unit(random), unit(random), unit(random), 0.5f}});
    }
  }
  return vertices;
}

struct Scene {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

// Renders with some draws and clears; returns the colour bytes.
std::vector<std::byte> render(const RendererOptions& options, const Scene& scene, Counters* counters = nullptr) {
  const Framebuffer target = target_of(300, 200, Format::Z32_FLOAT);
  Renderer renderer(options);
  PipelineDesc desc = depth_pipeline_desc(target);
  const auto opaque = make_pipeline(desc).value();
  desc.blend.target[0] = {true, BlendEquation::Add, BlendEquation::Add, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha,
                          BlendFactor::One, BlendFactor::Zero, 15};
  desc.depth_stencil_alpha.depth_write = false;
  const auto blended = make_pipeline(desc).value();
  REQUIRE(renderer.clear(target, clear_all(target)).ok());
  DrawCall call = draw_of(target, opaque, scene.vertices);
  set_indices(call, scene.indices);
  REQUIRE(renderer.draw(target, call).ok());
  ClearCommand partial = clear_all(target);
  partial.rect = {50, -10, 120, 90};
  REQUIRE(renderer.clear(target, partial).ok());
  call.pipeline = blended;
  call.info.start = 30;
  call.info.count -= 30;
  REQUIRE(renderer.draw(target, call).ok());
  REQUIRE(renderer.flush().ok());
  if (counters) *counters = renderer.counters();
  return bytes(target);
}

}  // namespace

TEST_CASE("a triangle is drawn where it lies, in its colour", "[renderer]") {
  const Framebuffer target = target_of(16, 16);
  Renderer renderer({});
  const std::vector<Vertex> vertices = {{{-1, 1, 0, 1}, {1, 0, 0, 1}}, {{1, 1, 0, 1}, {1, 0, 0, 1}},
                                        {{-1, -1, 0, 1}, {1, 0, 0, 1}}};
  REQUIRE(renderer.clear(target, clear_all(target)).ok());
  REQUIRE(renderer.draw(target, draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), vertices)).ok());
  CHECK(renderer.writes_pending(target.color[0].storage.get()));
  REQUIRE(renderer.flush().ok());
  CHECK_FALSE(renderer.writes_pending(target.color[0].storage.get()));
  // The diagonal runs through the centres of pixels with x + y == 15: a right edge, which owns none of them.
  for (uint32_t y = 0; y < 16; ++y) {
    for (uint32_t x = 0; x < 16; ++x) {
      CAPTURE(x, y);
      REQUIRE(pixel(target, x, y) == (x + y < 15 ? 0xff0000ffu : 0xff000000u));
    }
  }
  const Counters& c = renderer.counters();
  CHECK(c.draws == 1);
  CHECK(c.vertices == 3);
  CHECK(c.triangles_binned == 1);
  CHECK(c.fragments == 120);
}

TEST_CASE("the image does not depend on threads, tiles, their order, the target or the budget", "[renderer]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  Scene scene{random_scene(3000, random), {}};
  for (uint32_t i = 0; i < scene.vertices.size(); ++i) scene.indices.push_back(i);
  Counters reference_counters;
  RendererOptions options;
  options.threads = 1;
  const std::vector<std::byte> reference = render(options, scene, &reference_counters);

  for (const uint32_t threads : {2u, 3u, 7u}) {
    RendererOptions o = options;
    o.threads = threads;
    Counters counters;
    CAPTURE(threads);
    CHECK(render(o, scene, &counters) == reference);
    CHECK(counters.vertices == reference_counters.vertices);
    CHECK(counters.primitives == reference_counters.primitives);
    CHECK(counters.primitives_clipped == reference_counters.primitives_clipped);
    CHECK(counters.primitives_culled == reference_counters.primitives_culled);
    CHECK(counters.fragments == reference_counters.fragments);
    CHECK(counters.flushes == reference_counters.flushes);
  }
  for (const SimdTarget simd : available_simd_targets()) {
    RendererOptions o = options;
    o.simd = simd;
    CHECK(render(o, scene) == reference);
  }
  for (const int32_t tile : {64, 32, 16}) {
    RendererOptions o = options;
    o.tile_size_px = tile;
    o.threads = 2;
    o.shuffle_tiles = 11;
    CHECK(render(o, scene) == reference);
  }
  for (const uint64_t budget : {uint64_t{0}, uint64_t{100000}, uint64_t{1} << 20}) {
    RendererOptions o = options;
    o.binning_budget_bytes = budget;
    Counters counters;
    CAPTURE(budget);
    CHECK(render(o, scene, &counters) == reference);
    CHECK(counters.flushes > reference_counters.flushes);
    CHECK(counters.primitives == reference_counters.primitives);
  }
}

TEST_CASE("triangles that meet cover every pixel once, also where they are clipped", "[renderer]") {
  // A fan around a random point over the whole target and far beyond it, added up: every pixel is hit exactly once.
  std::mt19937 random(tests::seed(8));
  CAPTURE(tests::seed(8));
  for (uint32_t round = 0; round < tests::rounds(20); ++round) {
    const Framebuffer target = target_of(200, 150);
    PipelineDesc desc = color_pipeline_desc(target);
    desc.blend.target[0] = {true, BlendEquation::Add, BlendEquation::Add, BlendFactor::One, BlendFactor::One,
                            BlendFactor::One, BlendFactor::Zero, 15};
    desc.rasterizer.bottom_edge_rule = round & 1;
    const auto pipeline = make_pipeline(desc).value();
    std::uniform_real_distribution<float> unit(-1, 1);
    const Vec4 color = {1 / 255.0f, 0, 0, 1};
    const float reach = std::array{1.5f, 50.0f, 900.0f}[round % 3];
    std::vector<Vertex> vertices = {{{unit(random), unit(random), 0, 1}, color}};
    for (int i = 0; i <= 16; ++i) {
      // The rim: a square of half width `reach`, walked around; w varies, so that planes cut at odd places.
      const int side = i / 4 % 4;
      const float along = float(i % 4) / 2 - 1;
      const float corner[4][2] = {{along, -1}, {1, along}, {-along, 1}, {-1, -along}};
      const float w = 1 + 0.5f * float(i % 3 == 1);
      vertices.push_back({{corner[side][0] * reach * w, corner[side][1] * reach * w, 0, w}, color});
    }
    vertices.back() = vertices[1];
    Renderer renderer({});
    REQUIRE(renderer.clear(target, clear_all(target)).ok());
    DrawCall call = draw_of(target, pipeline, vertices);
    call.info.primitive = Primitive::TriangleFan;
    REQUIRE(renderer.draw(target, call).ok());
    REQUIRE(renderer.flush().ok());
    uint32_t wrong = 0;
    for (uint32_t y = 0; y < target.height; ++y) {
      for (uint32_t x = 0; x < target.width; ++x) wrong += (pixel(target, x, y) & 0xff) != 1;
    }
    CAPTURE(round, reach);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a mesh behind and before the viewer is cut without cracks", "[renderer]") {
  // A plane under the viewer, a grid of quads through w = 0: every pixel below the horizon is hit once.
  const Framebuffer target = target_of(256, 256);
  PipelineDesc desc = color_pipeline_desc(target);
  desc.blend.target[0] = {true, BlendEquation::Add, BlendEquation::Add, BlendFactor::One, BlendFactor::One,
                          BlendFactor::One, BlendFactor::Zero, 15};
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
  const uint32_t cells = 24;
  for (uint32_t j = 0; j <= cells; ++j) {
    for (uint32_t i = 0; i <= cells; ++i) {
      const float x = float(i) * 1000.0f / cells - 500 + 0.37f, depth = float(j) * 1000.0f / cells - 500 + 0.11f;
      const float near = 0.05f, far = 600;
      const float z = (depth * (far + near) - 2 * far * near) / (far - near);
      vertices.push_back({{x, -1, z, depth}, {1 / 255.0f, 0, 0, 1}});
    }
  }
  for (uint32_t j = 0; j < cells; ++j) {
    for (uint32_t i = 0; i < cells; ++i) {
      const uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      indices.insert(indices.end(), {a, b, c, b, d, c});
    }
  }
  Renderer renderer({});
  REQUIRE(renderer.clear(target, clear_all(target)).ok());
  DrawCall call = draw_of(target, make_pipeline(desc).value(), vertices);
  set_indices(call, indices);
  REQUIRE(renderer.draw(target, call).ok());
  REQUIRE(renderer.flush().ok());
  CHECK(renderer.counters().primitives_clipped > 0);
  uint32_t twice = 0, missing = 0;
  for (uint32_t y = 0; y < 256; ++y) {
    for (uint32_t x = 0; x < 256; ++x) {
      const uint32_t hits = pixel(target, x, y) & 0xff;
      twice += hits > 1;
      if (y >= 130) missing += hits == 0;
      if (y < 128) CHECK(hits == 0);
    }
  }
  CHECK(twice == 0);
  CHECK(missing == 0);
}

namespace {

// A vertex shader whose loop never ends, as far as the caller can tell.
class EndlessShader : public Executable {
 public:
  EndlessShader() {
    program_ = std::make_shared<ir::Program>(copy_vertex_shader(1)->program());
    slot_count_ = 8;
    for (uint32_t i = 0; i < 8; ++i) output_slots_.push_back(i);
  }
  void run_uniform(const Bindings&, std::span<uint32_t>) const override {}
  void load_uniforms(std::span<const uint32_t>, uint32_t*) const override {}
  BlockResult run(uint32_t*, const BlockArgs& args) const override { return {0, args.budget != 0}; }
};

}  // namespace

TEST_CASE("a draw over its instruction budget fails the flush by number; the next frame is whole", "[renderer]") {
  const Framebuffer target = target_of(8, 8);
  RendererOptions options;
  options.instruction_budget = 1000;
  Renderer renderer(options);
  PipelineDesc desc = color_pipeline_desc(target);
  const std::vector<Vertex> vertices = {{{-1, 1, 0, 1}}, {{3, 1, 0, 1}}, {{-1, -3, 0, 1}}};
  const DrawCall good = draw_of(target, make_pipeline(desc).value(), vertices);
  desc.vertex = std::make_shared<EndlessShader>();
  DrawCall bad = good;
  bad.pipeline = make_pipeline(desc).value();
  REQUIRE(renderer.draw(target, good).ok());
  REQUIRE(renderer.draw(target, bad).ok());
  REQUIRE(renderer.draw(target, good).ok());
  const Status status = renderer.flush();
  REQUIRE_FALSE(status.ok());
  CHECK(status.diags().front().text.find("draw 2:") == 0);

  REQUIRE(renderer.clear(target, clear_all(target)).ok());
  REQUIRE(renderer.draw(target, good).ok());
  REQUIRE(renderer.flush().ok());
  for (uint32_t y = 0; y < 8; ++y) {
    for (uint32_t x = 0; x < 8; ++x) CHECK(pixel(target, x, y) == 0xffffffffu);
  }
}

TEST_CASE("invalid calls record nothing", "[renderer]") {
  const Framebuffer target = target_of(8, 8);
  Renderer renderer({});
  DrawCall call = draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), std::vector<Vertex>(3));
  call.info.primitive = Primitive::Patches;
  CHECK_FALSE(renderer.draw(target, call).ok());
  ClearCommand clear = clear_all(target);
  clear.color_targets = 2;
  CHECK_FALSE(renderer.clear(target, clear).ok());
  Framebuffer bad = target;
  bad.samples = 3;
  CHECK_FALSE(renderer.clear(bad, clear_all(target)).ok());
  CHECK_FALSE(renderer.writes_pending(target.color[0].storage.get()));
  CHECK(renderer.counters().draws == 0);
  CHECK(renderer.flush().ok());
}

TEST_CASE("work with another framebuffer ends the frame before it", "[renderer]") {
  const Framebuffer first = target_of(8, 8), second = target_of(8, 8);
  Renderer renderer({});
  REQUIRE(renderer.clear(first, clear_all(first)).ok());
  CHECK(renderer.writes_pending(first.color[0].storage.get()));
  CHECK_FALSE(renderer.writes_pending(second.color[0].storage.get()));
  REQUIRE(renderer.clear(second, clear_all(second)).ok());
  CHECK_FALSE(renderer.writes_pending(first.color[0].storage.get()));
  CHECK(renderer.writes_pending(second.color[0].storage.get()));
  CHECK(pixel(first, 3, 3) == 0xff000000u);
}

TEST_CASE("after a flush the renderer holds no storage", "[renderer]") {
  const Framebuffer target = target_of(8, 8);
  Renderer renderer({});
  DrawCall call = draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), std::vector<Vertex>(3));
  const auto vertices = call.vertex_buffers[0].storage;
  const long before_target = target.color[0].storage.use_count(), before = vertices.use_count();
  REQUIRE(renderer.draw(target, call).ok());
  CHECK(vertices.use_count() > before);
  REQUIRE(renderer.flush().ok());
  CHECK(vertices.use_count() == before);
  CHECK(target.color[0].storage.use_count() == before_target);
}

TEST_CASE("a draw of nothing and a discarding rasterizer draw nothing", "[renderer]") {
  const Framebuffer target = target_of(8, 8);
  Renderer renderer({});
  PipelineDesc desc = color_pipeline_desc(target);
  desc.rasterizer.discard = true;
  const std::vector<Vertex> vertices = {{{-1, 1, 0, 1}}, {{3, 1, 0, 1}}, {{-1, -3, 0, 1}}};
  REQUIRE(renderer.draw(target, draw_of(target, make_pipeline(desc).value(), vertices)).ok());
  desc.rasterizer.discard = false;
  DrawCall call = draw_of(target, make_pipeline(desc).value(), vertices);
  call.info.count = 0;
  REQUIRE(renderer.draw(target, call).ok());
  call.info.count = 3;
  call.info.instance_count = 0;
  REQUIRE(renderer.draw(target, call).ok());
  REQUIRE(renderer.flush().ok());
  CHECK(pixel(target, 0, 0) == 0);
  CHECK(renderer.counters().draws == 3);
}
