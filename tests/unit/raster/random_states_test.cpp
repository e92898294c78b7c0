// Ten thousand draws with everything chosen at random: formats, samples, blending, depth, stencil, masks, culling,
// scissor, primitives, programs, vertices that are no numbers. Nothing may fail but by an error that names a field, and
// the bits may not depend on threads, executor, instruction set or tiles.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/hash.h"
#include "raster/renderer.h"
#include "shader/executor_choice.h"
#include "tests/support/random.h"
#include "tests/unit/raster/copy_shader.h"
#include "tests/unit/raster/tile_scene.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::raster::tests;
using tessera::tests::copy_vertex_shader;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

constexpr uint32_t kGenerics = kMaxColorTargets, kVertexFloats = 4 * (kGenerics + 1), kVertices = 9;

// The programs of one instruction set; all allow every advanced equation.
struct Programs {
  std::shared_ptr<const Executable> vertex;
  std::vector<std::shared_ptr<const Executable>> fragments;
};

Programs make_programs(ExecutorKind executor, SimdTarget simd) {
  constexpr ShaderKind kKinds[] = {ShaderKind::Color,         ShaderKind::Uniform,         ShaderKind::KillBelowHalf,
                                   ShaderKind::WritesDepth,   ShaderKind::WritesStencil,   ShaderKind::ManyTargets,
                                   ShaderKind::TwoSources,    ShaderKind::FaceAndPosition, ShaderKind::WritesSampleMask,
                                   ShaderKind::ReadsCoverage, ShaderKind::ReadsSample};
  Programs programs{copy_vertex_shader(kGenerics), {}};
  for (const ShaderKind kind : kKinds) {
    const TestShader shader = make_shader(kind, simd);
    auto program = std::make_shared<ir::Program>(shader.program->program());
    program->blend_equations = ~0u;
    program->color0_writes_all = kind != ShaderKind::ManyTargets && kind != ShaderKind::TwoSources;
    programs.fragments.push_back(make_executable(executor, program, simd));
  }
  return programs;
}

class Chooser {
 public:
  explicit Chooser(uint32_t seed) : engine_(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  float real(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(engine_); }
  template <class E>
  E any(E last) {
    return static_cast<E>(below(static_cast<uint32_t>(last) + 1));
  }
  float odd() {
    constexpr float kOdd[] = {0,
                              -0.0f,
                              1e-40f,
                              1e30f,
                              -1e30f,
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN()};
    return kOdd[below(8)];
  }

 private:
  std::mt19937 engine_;
};

// All that one combination is; a Renderer of any kind draws it.
struct Combination {
  std::vector<Format> colors;
  Format depth = Format::NONE;
  uint32_t width = 1, height = 1, samples = 1, fragment = 0;
  PipelineDesc desc;  // without programs
  DrawCall call;      // without pipeline and vertices
  std::vector<float> vertices;
  ClearCommand clear;
};

std::vector<Format> formats_to_draw_to() {
  std::vector<Format> formats;
  for (size_t f = 0; f < all_formats().size(); ++f) {
    const FormatInfo& info = all_formats()[f];
    if (info.block_bytes != 0 && !info.is_compressed && !info.is_depth_or_stencil() &&
        info.field[0].kind != FieldKind::SharedExp)
      formats.push_back(static_cast<Format>(f));
  }
  return formats;
}

void choose_target(Chooser& r, Combination& c) {
  static const std::vector<Format> kColors = formats_to_draw_to();
  constexpr Format kDepths[] = {Format::NONE,        Format::Z16_UNORM,         Format::Z24X8_UNORM,
                                Format::X8Z24_UNORM, Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM,
                                Format::Z32_UNORM,   Format::Z32_FLOAT,         Format::Z32_FLOAT_S8X24_UINT,
                                Format::S8_UINT};
  c.width = 1 + r.below(r.one_in(20) ? 90 : 24);
  c.height = 1 + r.below(24);
  c.samples = r.one_in(3) ? 2u << r.below(4) : 1;
  const uint32_t count = r.one_in(4) ? r.below(kMaxColorTargets + 1) : 1;
  uint32_t bytes = 8;
  for (uint32_t i = 0; i < count; ++i) {
    const Format format =
        r.one_in(3) ? Format::R8G8B8A8_UNORM : kColors[r.below(static_cast<uint32_t>(kColors.size()))];
    bytes += format_info(format).block_bytes;
    const bool fits = bytes * c.samples <= 4096 && !r.one_in(10);
    c.colors.push_back(fits ? format : Format::NONE);
  }
  c.depth = kDepths[r.below(10)];
}

void choose_blend(Chooser& r, BlendState& b, size_t targets) {
  b.independent = r.one_in(2);
  b.logic_op_enabled = r.one_in(8);
  b.logic_op = r.any(LogicOp::Set);
  b.dither = r.one_in(6);
  b.alpha_to_coverage = r.one_in(6);
  b.alpha_to_coverage_dither = r.one_in(2);
  b.alpha_to_one = r.one_in(8);
  if (targets <= 1 && r.one_in(4)) b.advanced = r.any(AdvancedEquation::HslLuminosity);
  for (TargetBlend& t : b.target)
    t = {r.one_in(2),
         r.any(BlendEquation::Max),
         r.any(BlendEquation::Max),
         r.any(BlendFactor::InvSrc1Alpha),
         r.any(BlendFactor::InvSrc1Alpha),
         r.any(BlendFactor::InvSrc1Alpha),
         r.any(BlendFactor::InvSrc1Alpha),
         static_cast<uint8_t>(r.one_in(3) ? r.below(16) : 15)};
}

void choose_tests(Chooser& r, DepthStencilAlphaState& s) {
  s.depth_test = r.one_in(2);
  s.depth_write = r.one_in(2);
  s.depth_func = r.any(Compare::Always);
  s.depth_bounds_test = r.one_in(6);
  s.depth_bounds_min = r.real(0, 0.5f);
  s.depth_bounds_max = r.real(0.5f, 1);
  s.alpha_test = r.one_in(5);
  s.alpha_func = r.any(Compare::Always);
  s.alpha_ref = r.real(0, 1);
  for (StencilFace& f : s.stencil)
    f = {r.one_in(3),
         r.any(Compare::Always),
         r.any(StencilOp::Invert),
         r.any(StencilOp::Invert),
         r.any(StencilOp::Invert),
         static_cast<uint8_t>(r.below(256)),
         static_cast<uint8_t>(r.below(256))};
}

void choose_rasterizer(Chooser& r, RasterizerState& s) {
  s.flat_shade = r.one_in(3);
  s.provoking_first = r.one_in(2);
  s.depth_clip = !r.one_in(3);
  s.clip_halfz = r.one_in(2);
  s.discard = r.one_in(50);
  s.front_ccw = r.one_in(2);
  s.cull = r.one_in(2) ? CullFace::None : r.any(CullFace::FrontAndBack);
  s.fill_front = r.one_in(4) ? r.any(FillMode::Point) : FillMode::Fill;
  s.fill_back = r.one_in(4) ? r.any(FillMode::Point) : FillMode::Fill;
  s.scissor = r.one_in(3);
  s.half_pixel_center = !r.one_in(4);
  s.bottom_edge_rule = r.one_in(3);
  s.light_two_side = r.one_in(8);
  s.multisample = !r.one_in(4);
  s.clamp_fragment_color = r.one_in(3);
  s.offset_fill = r.one_in(3);
  s.offset_line = s.offset_point = r.one_in(3);
  s.offset_units = r.real(-4, 4);
  s.offset_scale = r.real(-2, 2);
  s.point_size = r.real(0.5f, 8);
  s.line_width = r.real(0.5f, 8);
}

void choose_vertices(Chooser& r, Combination& c) {
  const bool has_odd = r.one_in(10);
  const float reach = r.one_in(3) ? 0.2f : 1.5f, x = r.real(-1, 1), y = r.real(-1, 1);
  for (uint32_t v = 0; v < kVertices; ++v) {
    const float w = r.one_in(4) ? r.real(-0.5f, 2) : 1;
    const float position[4] = {x + r.real(-reach, reach), y + r.real(-reach, reach), r.real(-1.2f, 1.2f), w};
    for (const float p : position) c.vertices.push_back(has_odd && r.one_in(8) ? r.odd() : p);
    for (uint32_t i = 4; i < kVertexFloats; ++i)
      c.vertices.push_back(has_odd && r.one_in(20) ? r.odd() : r.real(-0.2f, 1.2f));
  }
}

void choose_call(Chooser& r, Combination& c) {
  c.call.viewport.scale[0] = static_cast<float>(c.width) / 2;
  c.call.viewport.scale[1] = (r.one_in(2) ? -1.0f : 1.0f) * static_cast<float>(c.height) / 2;
  c.call.viewport.translate[0] = static_cast<float>(c.width) / 2;
  c.call.viewport.translate[1] = static_cast<float>(c.height) / 2;
  if (r.one_in(4)) c.call.viewport.scale[2] = -0.25f;
  const auto x = static_cast<int32_t>(r.below(c.width)), y = static_cast<int32_t>(r.below(c.height));
  c.call.scissor = {x, y, x + static_cast<int32_t>(r.below(20)), y + static_cast<int32_t>(r.below(20))};
  for (float& k : c.call.blend_color) k = r.real(-0.2f, 1.2f);
  for (uint8_t& ref : c.call.stencil_ref) ref = static_cast<uint8_t>(r.below(256));
  if (r.one_in(4)) c.call.sample_mask = r.below(1u << 16);
  if (r.one_in(6)) c.call.clip_planes[r.below(kMaxClipPlanes)] = {r.real(-1, 1), r.real(-1, 1), 0, r.real(-0.5f, 1)};
  c.call.info.primitive = r.one_in(3) ? r.any(Primitive::Patches) : Primitive::Triangles;
  c.call.info.count = r.one_in(4) ? r.below(kVertices + 1) : kVertices;
  c.call.info.instance_count = r.one_in(8) ? r.below(4) : 1;
}

void choose_clear(Chooser& r, Combination& c) {
  const bool whole = !r.one_in(3);
  c.clear.rect = {0, 0, static_cast<int32_t>(c.width), static_cast<int32_t>(c.height)};
  if (!whole)
    c.clear.rect = {static_cast<int32_t>(r.below(c.width)), 0, static_cast<int32_t>(c.width),
                    static_cast<int32_t>(r.below(c.height) + 1)};
  for (uint32_t i = 0; i < c.colors.size(); ++i) {
    if (c.colors[i] == Format::NONE) continue;
    c.clear.color_targets |= 1u << i;
    for (uint32_t& word : c.clear.color[i].word) word = std::bit_cast<uint32_t>(r.real(0, 1));
  }
  c.clear.color_mask = static_cast<uint8_t>(r.one_in(4) ? r.below(16) : 15);
  c.clear.depth = c.depth != Format::NONE && format_has_depth(c.depth);
  c.clear.stencil = c.depth != Format::NONE && format_has_stencil(c.depth);
  c.clear.depth_value = r.real(0, 1);
  c.clear.stencil_value = static_cast<uint8_t>(r.below(256));
}

Combination choose(Chooser& r, uint32_t fragments) {
  Combination c;
  choose_target(r, c);
  choose_blend(r, c.desc.blend, c.colors.size());
  choose_tests(r, c.desc.depth_stencil_alpha);
  choose_rasterizer(r, c.desc.rasterizer);
  c.desc.color_count = static_cast<uint32_t>(c.colors.size());
  std::copy(c.colors.begin(), c.colors.end(), c.desc.color_formats.begin());
  c.desc.depth_format = c.depth;
  c.desc.samples = c.samples;
  c.desc.min_samples = r.one_in(6) ? 1u << r.below(5) : 1;
  for (uint32_t i = 0; i <= kGenerics; ++i) {
    c.desc.elements.emplace_back();
    c.desc.elements.back().offset_bytes = 16 * i;
  }
  c.fragment = r.below(fragments);
  choose_call(r, c);
  choose_vertices(r, c);
  choose_clear(r, c);
  return c;
}

// ---- drawing ------------------------------------------------------------------------------------------------------

Surface make_surface(const Combination& c, Format format) {
  ResourceDesc desc;
  desc.format = format;
  desc.width = c.width;
  desc.height = c.height;
  desc.samples = c.samples;
  return {std::make_shared<Storage>(desc), format, 0, 0, 0};
}

Framebuffer make_target(const Combination& c) {
  Framebuffer target;
  target.width = c.width;
  target.height = c.height;
  target.samples = c.samples;
  target.color_count = static_cast<uint32_t>(c.colors.size());
  for (uint32_t i = 0; i < c.colors.size(); ++i)
    if (c.colors[i] != Format::NONE) target.color[i] = make_surface(c, c.colors[i]);
  if (c.depth != Format::NONE) target.depth_stencil = make_surface(c, c.depth);
  return target;
}

uint64_t hash_of(const Framebuffer& target) {
  Hasher h;
  const auto add = [&h](const Surface& s) {
    if (s.storage) h.add_bytes(s.storage->data(), s.storage->size_bytes());
  };
  for (const Surface& s : target.color) add(s);
  add(target.depth_stencil);
  return h.value();
}

struct Drawn {
  bool refused = false;
  uint64_t hash = 0;
};

void require_field(const std::vector<Diag>& diags) {
  const std::string& text = diags.front().text;
  CAPTURE(text);
  // What is refused is refused by its field: "rasterizer.fill_front: ...", "info.primitive: ...".
  const size_t colon = text.find(": ");
  REQUIRE(colon != std::string::npos);
  REQUIRE(text.find('.') < colon);
}

Drawn draw(Renderer& renderer, const Programs& programs, const Combination& c) {
  const Framebuffer target = make_target(c);
  REQUIRE(renderer.clear(target, c.clear));
  REQUIRE(renderer.flush());
  const uint64_t before = hash_of(target);
  PipelineDesc desc = c.desc;
  desc.vertex = programs.vertex;
  desc.fragment = programs.fragments[c.fragment];
  const auto pipeline = make_pipeline(std::move(desc));
  if (!pipeline) {
    require_field(pipeline.diags());
    return {true, before};
  }
  DrawCall call = c.call;
  call.pipeline = *pipeline;
  ResourceDesc buffer;
  buffer.kind = ResourceKind::Buffer;
  buffer.format = Format::R8_UINT;
  buffer.width = static_cast<uint32_t>(c.vertices.size() * sizeof(float));
  auto storage = std::make_shared<Storage>(buffer);
  std::memcpy(storage->data(), c.vertices.data(), buffer.width);
  call.vertex_buffers = {{storage, 0, kVertexFloats * sizeof(float)}};
  const Status status = renderer.draw(target, call);
  if (!status) {
    require_field(status.diags());
    REQUIRE(renderer.flush());
    REQUIRE(hash_of(target) == before);
    return {true, before};
  }
  REQUIRE(renderer.draw(target, call));
  REQUIRE(renderer.flush());
  return {false, hash_of(target)};
}

}  // namespace

TEST_CASE("ten thousand random states draw without fault, to the same bits everywhere", "[raster][states]") {
  CAPTURE(seed(51));
  const SimdTarget least = available_simd_targets().front();
  const Programs best_programs = make_programs(ExecutorKind::Jit, best_simd_target()),
                 least_programs = make_programs(ExecutorKind::Interpreter, least);
  RendererOptions options;
  options.threads = 2;
  Renderer usual(options);
  options.threads = 3;
  options.simd = least;
  options.tile_size_px = 16;
  options.shuffle_tiles = 77;
  Renderer other(options);
  uint32_t refused = 0;
  const uint32_t count = rounds(10000);
  for (uint32_t i = 0; i < count; ++i) {
    CAPTURE(i);
    Chooser chooser(seed(51) + i);
    const Combination c = choose(chooser, static_cast<uint32_t>(best_programs.fragments.size()));
    const Drawn drawn = draw(usual, best_programs, c);
    refused += drawn.refused ? 1u : 0u;
    if (i % 5 != 0) continue;
    const Drawn again = draw(other, least_programs, c);
    REQUIRE(again.refused == drawn.refused);
    REQUIRE(again.hash == drawn.hash);
  }
  CAPTURE(refused);
  CHECK(refused < count * 3 / 4);
}
