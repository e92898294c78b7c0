#include "frontend/tool/bench_rows.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "frontend/direct3d9.h"
#include "frontend/tool/bench_data.h"
#include "frontend/tool/bench_shaders.h"

namespace tessera::bench {
namespace {

using raster::BlendFactor;
using raster::Primitive;

// ---- shared preparation ------------------------------------------------------------------------------------

void use_shaders(Scene& s, std::string_view vertex, std::string_view fragment) {
  s.note(s.context.set_shader(s.take(s.device.create_shader(ir::Stage::Vertex, vertex))));
  s.note(s.context.set_shader(s.take(s.device.create_shader(ir::Stage::Fragment, fragment))));
}

void test_depth(Scene& s) {
  s.context.set_depth_stencil_alpha({.depth_test = true, .depth_write = true, .depth_func = raster::Compare::Less});
}

void blend_over(Scene& s) {
  raster::BlendState blend;
  blend.target[0] = {.enabled = true,
                     .rgb_src = BlendFactor::SrcAlpha,
                     .rgb_dst = BlendFactor::InvSrcAlpha,
                     .alpha_src = BlendFactor::SrcAlpha,
                     .alpha_dst = BlendFactor::InvSrcAlpha};
  s.context.set_blend(blend);
}

// Clip space z is 0..w; both faces are culled or none.
void use_rasterizer(Scene& s, raster::CullFace cull, bool scissor = false) {
  s.context.set_rasterizer({.clip_halfz = true, .cull = cull, .scissor = scissor});
}

struct LayerConstants {
  float first_z, z_step, texture_scale, tilt;
};

void set_layer_constants(Scene& s, const LayerConstants& c) {
  const std::array<float, 4> values = {c.first_z, c.z_step, c.texture_scale, c.tilt};
  s.note(s.context.set_constants(ir::Stage::Vertex, 0, std::span<const float>(values)));
}

void draw_layers(Scene& s, uint32_t count, std::string_view fragment, const LayerConstants& constants) {
  use_shaders(s, kFullScreenVertex, fragment);
  use_rasterizer(s, raster::CullFace::None);
  s.draw = [count, constants](Scene& scene) {
    set_layer_constants(scene, constants);
    scene.note(scene.context.draw({.primitive = Primitive::Triangles, .count = 3, .instance_count = count}));
  };
}

void use_texture(Scene& s, const texture::Sampler& sampler, uint32_t unit = 0) {
  const ResourceRef image = s.take(s.device.create_image({.format = Format::R8G8B8A8_UNORM,
                                                          .width = kTextureSize_px,
                                                          .height = kTextureSize_px,
                                                          .levels = kTextureLevels}));
  const auto levels = make_texture_levels();
  for (uint32_t level = 0; level < kTextureLevels; ++level) {
    const uint32_t size_px = kTextureSize_px >> level;
    s.note(s.context.write_texels(image, level, {.width = size_px, .height = size_px}, std::as_bytes(std::span(levels[level]))));
  }
  s.note(s.context.set_texture(ir::Stage::Fragment, unit, {.resource = image}));
  s.note(s.context.set_sampler(ir::Stage::Fragment, unit, sampler));
}

texture::Sampler one_level(texture::Filter filter) {
  return {.min_filter = filter, .mag_filter = filter, .mip_filter = texture::MipFilter::Nearest, .max_lod = 0};
}
texture::Sampler trilinear() { return {.mip_filter = texture::MipFilter::Linear}; }

void use_cube(Scene& s, uint32_t unit = 0) {
  const ResourceRef image = s.take(s.device.create_image({.kind = ResourceKind::Cube,
                                                          .format = Format::R8G8B8A8_UNORM,
                                                          .width = kCubeSize_px,
                                                          .height = kCubeSize_px,
                                                          .layers = 6}));
  const auto faces = make_cube_faces();
  s.note(s.context.write_texels(image, 0, {.width = kCubeSize_px, .height = kCubeSize_px, .depth = 6}, std::as_bytes(std::span(faces))));
  s.note(s.context.set_texture(ir::Stage::Fragment, unit, {.resource = image}));
  s.note(s.context.set_sampler(ir::Stage::Fragment, unit, one_level(texture::Filter::Linear)));
}

using Matrix = std::array<float, 16>;   // column after column
constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
// 45 degrees, 16:9, near 1, far 20, eye at z = 9; 2.41421356 = 1 / tan(22.5 degrees).
constexpr float kFocal = 2.41421356f;
constexpr Matrix kKnotView = {kFocal / (16.0f / 9), 0, 0, 0, 0, kFocal, 0, 0, 0, 0, -20.0f / 19, -1, 0, 0, 20.0f / 19 * 9 - 20.0f / 19, 9};

void draw_mesh(Scene& s, const Mesh& mesh, std::string_view vertex, std::string_view fragment, raster::CullFace cull,
               const Matrix& clip_from_obj) {
  use_shaders(s, vertex, fragment);
  use_rasterizer(s, cull);
  test_depth(s);
  const ResourceRef vertices = s.take(s.device.create_buffer(std::as_bytes(std::span(mesh.vertices))));
  const ResourceRef indices = s.take(s.device.create_buffer(std::as_bytes(std::span(mesh.indices))));
  const std::array<raster::VertexElement, 3> elements = {{{.offset_bytes = 0, .format = Format::R32G32B32_FLOAT},
                                                          {.offset_bytes = 12, .format = Format::R32G32B32_FLOAT},
                                                          {.offset_bytes = 24, .format = Format::R32G32_FLOAT}}};
  s.note(s.context.set_vertex_elements(elements));
  s.note(s.context.set_vertex_buffer(0, vertices, sizeof(MeshVertex)));
  s.note(s.context.set_index_buffer(indices, 4));
  s.note(s.context.set_constants(ir::Stage::Vertex, 0, std::span<const float>(clip_from_obj)));
  const auto count = static_cast<uint32_t>(mesh.indices.size());
  s.draw = [count](Scene& scene) {
    scene.note(scene.context.draw({.primitive = Primitive::Triangles, .count = count, .indexed = true}));
  };
}

// ---- the rows ----------------------------------------------------------------------------------------------

constexpr LayerConstants kPlain = {0.5f, 0, 1, 0}, kNearer = {0.9f, -0.05f, 1, 0}, kFarther = {0.1f, 0.05f, 1, 0};
constexpr LayerConstants kScaled = {0.5f, 0, 1.37f, 0}, kTilted = {0.5f, 0, 4, 3};

void fill_flat(Scene& s) { draw_layers(s, 16, kFlatFragment, kPlain); }

void fill_gouraud_z(Scene& s) {
  draw_layers(s, 16, kGouraudFragment, kNearer);
  test_depth(s);
}

void zfail(Scene& s) {
  draw_layers(s, 16, kGouraudFragment, kFarther);
  test_depth(s);
}

void blend(Scene& s) {
  draw_layers(s, 16, kGouraudFragment, kPlain);
  blend_over(s);
}

void tex_bilinear(Scene& s) {
  draw_layers(s, 8, kTextureFragment, kScaled);
  use_texture(s, one_level(texture::Filter::Linear));
}

void tex_trilinear(Scene& s) {
  draw_layers(s, 8, kTextureFragment, kTilted);
  use_texture(s, trilinear());
}

void tex_nearest(Scene& s) {
  draw_layers(s, 8, kTextureFragment, kScaled);
  use_texture(s, one_level(texture::Filter::Nearest));
}

void tex_aniso8(Scene& s) {
  draw_layers(s, 2, kTextureFragment, kTilted);
  texture::Sampler sampler = trilinear();
  sampler.max_anisotropy = 8;
  use_texture(s, sampler);
}

void tex_cube(Scene& s) {
  draw_layers(s, 4, kCubeFragment, kPlain);
  use_cube(s);
}

void discard(Scene& s) {
  draw_layers(s, 8, kDiscardFragment, {0.9f, -0.05f, 1.37f, 0});
  use_texture(s, one_level(texture::Filter::Linear));
  test_depth(s);
}

// Bump mapping with a normal map, a decal and a cube map that normalizes the direction to the light.
void draw_bumps(Scene& s) {
  s.note(s.context.set_shader(s.take(s.device.create_shader(ir::Stage::Vertex, kBumpVertex))));
  use_rasterizer(s, raster::CullFace::None);
  use_texture(s, one_level(texture::Filter::Linear), 0);
  use_texture(s, one_level(texture::Filter::Linear), 1);
  use_cube(s, 2);
  s.draw = [](Scene& scene) {
    scene.note(scene.context.draw({.primitive = Primitive::Triangles, .count = 3, .instance_count = 4}));
  };
}

void tgsi_bump(Scene& s) {
  draw_bumps(s);
  s.note(s.context.set_shader(s.take(s.device.create_shader(ir::Stage::Fragment, kBumpFragment))));
}

void combiners_bump(Scene& s) {
  draw_bumps(s);
  s.note(s.context.set_fixed_function(bump_combiners()));
}

void phong(Scene& s) { draw_layers(s, 4, kPhongFragment, kPlain); }

void phong_ps30(Scene& s) {
  constexpr std::array<float, 6> kTriangle = {0, 0, 2, 0, 0, 2};
  std::vector<float> vertices;
  for (int layer = 0; layer < 4; ++layer) vertices.insert(vertices.end(), kTriangle.begin(), kTriangle.end());
  const auto d3d = std::make_shared<Direct3d9>(s.device);
  s.note(d3d->set_color_target(0, {s.color()}));
  const ResourceDesc& size = s.color()->desc();
  s.note(d3d->set_depth_target({s.take(s.device.create_image({.format = Format::Z32_FLOAT, .width = size.width, .height = size.height}))}));
  s.note(d3d->set_shader(s.take(Direct3d9::create_shader(ir::Stage::Vertex, kPhongVertexD3d9))));
  s.note(d3d->set_shader(s.take(Direct3d9::create_shader(ir::Stage::Fragment, kPhongFragmentD3d9))));
  d3d->set_declaration({{{d3d9::Usage::Position, 0}, {.format = Format::R32G32_FLOAT}}});
  d3d->states.render[static_cast<size_t>(direct3d9::RenderState::CullMode)] = 1;
  d3d->states.render[static_cast<size_t>(direct3d9::RenderState::ZEnable)] = 0;
  s.note(s.context.set_vertex_buffer(0, s.take(s.device.create_buffer(std::as_bytes(std::span(vertices)))), 2 * sizeof(float)));
  s.draw = [d3d](Scene& scene) {
    scene.note(d3d->draw({.primitive = Primitive::Triangles, .count = 12}));
  };
}

void mandel(Scene& s) { draw_layers(s, 1, kMandelbrotFragment, kPlain); }

void tris_1m(Scene& s) { draw_mesh(s, make_grid(1000, 500), kMeshVertex, kGouraudFragment, raster::CullFace::None, kIdentity); }

void tris_62k(Scene& s) { draw_mesh(s, make_grid(250, 125), kMeshVertex, kGouraudFragment, raster::CullFace::None, kIdentity); }

void tris_culled(Scene& s) {
  draw_mesh(s, make_grid(1000, 500), kMeshVertex, kGouraudFragment, raster::CullFace::FrontAndBack, kIdentity);
}

void mesh_knot(Scene& s) {
  draw_mesh(s, make_knot(), kMeshVertex, kMeshFragment, raster::CullFace::None, kKnotView);
  use_texture(s, trilinear());
}

void vertex_heavy(Scene& s) {
  draw_mesh(s, make_grid(1000, 500), kHeavyVertex, kGouraudFragment, raster::CullFace::FrontAndBack, kIdentity);
}

// Each draw has its own constants and a scissor of 4 x 3 pixels.
void draws_10k(Scene& s) {
  use_shaders(s, kFullScreenVertex, kFlatFragment);
  use_rasterizer(s, raster::CullFace::None, true);
  s.draw = [](Scene& scene) {
    for (int32_t i = 0; i < 10000; ++i) {
      const int32_t x = i % 100 * 19, y = i / 100 * 10;
      scene.context.set_scissor({x, y, x + 4, y + 3});
      set_layer_constants(scene, {0.5f, 0, float(i), 0});
      scene.note(scene.context.draw({.primitive = Primitive::Triangles, .count = 3}));
    }
  };
}

// Each frame compiles a fragment shader that was never seen before.
void compile(Scene& s) {
  draw_layers(s, 1, kFlatFragment, kPlain);
  use_texture(s, one_level(texture::Filter::Linear));
  blend_over(s);
  s.draw = [draw = s.draw, variant = std::make_shared<float>(0.0f)](Scene& scene) {
    *variant += 1;
    scene.note(scene.context.set_shader(scene.take(scene.device.create_shader(ir::Stage::Fragment, variant_fragment(*variant)))));
    draw(scene);
  };
}

constexpr uint32_t kSaxpyElements = 16u << 20;

// y = a * x + y; fails where the first run does not give that.
void compute_saxpy(Scene& s) {
  constexpr float kA = 0.5f, kX = 3, kY = 7;
  const auto buffer_of = [&](float value) {
    const std::vector<float> values(kSaxpyElements, value);
    return s.take(s.device.create_buffer(std::as_bytes(std::span(values))));
  };
  const ResourceRef x = buffer_of(kX), y = buffer_of(kY);
  const std::array<float, 1> a = {kA};
  s.note(s.context.set_shader(s.take(s.device.create_shader(ir::Stage::Compute, kSaxpy))));
  s.note(s.context.set_constants(ir::Stage::Compute, 0, std::span<const float>(a)));
  s.note(s.context.set_memory(ir::Stage::Compute, ir::MemorySpace::Buffer, 0, {.resource = x, .read_only = true}));
  s.note(s.context.set_memory(ir::Stage::Compute, ir::MemorySpace::Buffer, 1, {.resource = y}));
  s.draw = [](Scene& scene) { scene.note(scene.context.dispatch({.groups = {kSaxpyElements / 4 / 256, 1, 1}})); };
  s.draw(s);
  const auto bytes = s.take(s.context.read_bytes(y));
  for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
    float found;
    std::memcpy(&found, bytes.data() + at, sizeof found);
    if (found != kA * kX + kY) return s.note(error("compute-saxpy: the first run gives other values than y = a * x + y"));
  }
}

// Eight stages that no cache has seen before are lowered and compiled in each frame.
void combiners_compile(Scene& s) {
  draw_bumps(s);
  uint32_t variant = 0;
  s.draw = [variant](Scene& scene) mutable {
    scene.note(scene.context.set_fixed_function(variant_combiners(variant++)));
    scene.note(scene.context.draw({.primitive = Primitive::Triangles, .count = 3}));
  };
}

constexpr uint64_t kPixels = 1920 * 1080;
constexpr double kMpix = kPixels / 1e6;

constexpr ExpectedWork layers(uint64_t count, uint64_t shaded_layers) {
  return {.draws = 1, .primitives = count, .vertices_min = 3, .fragments_min = shaded_layers * kPixels, .fragments_max = shaded_layers * kPixels};
}
constexpr ExpectedWork layers(uint64_t count) { return layers(count, count); }

// A grid is displaced by up to 0.3 of a quad, so at the border it covers not quite all pixels, and inside some twice.
constexpr ExpectedWork grid(uint64_t columns, uint64_t rows) {
  return {.draws = 1, .primitives = columns * rows * 2, .vertices_min = (columns + 1) * (rows + 1),
          .fragments_min = kPixels * 95 / 100, .fragments_max = kPixels * 105 / 100};
}
constexpr ExpectedWork culled_grid(uint64_t columns, uint64_t rows) {
  return {.draws = 1, .primitives = columns * rows * 2, .culled = columns * rows * 2, .vertices_min = (columns + 1) * (rows + 1)};
}

constexpr Row kRows[] = {
    {"clear", kMpix, "Mpix/s", {}, [](Scene&) {}},
    {"fill-flat", 16 * kMpix, "Mpix/s", layers(16), fill_flat},
    {"fill-gouraud-z", 16 * kMpix, "Mpix/s", layers(16), fill_gouraud_z},
    {"zfail", 16 * kMpix, "Mpix/s", layers(16, 1), zfail},
    {"blend", 16 * kMpix, "Mpix/s", layers(16), blend},
    {"tex-bilinear", 8 * kMpix, "Mpix/s", layers(8), tex_bilinear},
    {"tex-trilinear", 8 * kMpix, "Mpix/s", layers(8), tex_trilinear},
    {"tex-nearest", 8 * kMpix, "Mpix/s", layers(8), tex_nearest},
    {"tex-aniso8", 2 * kMpix, "Mpix/s", layers(2), tex_aniso8},
    {"tex-cube", 4 * kMpix, "Mpix/s", layers(4), tex_cube},
    {"discard", 8 * kMpix, "Mpix/s", layers(8), discard},
    {"phong", 4 * kMpix, "Mpix/s", layers(4), phong},
    {"phong-ps30", 4 * kMpix, "Mpix/s", layers(4), phong_ps30},
    {"combiners-bump", 4 * kMpix, "Mpix/s", layers(4), combiners_bump},
    {"tgsi-bump", 4 * kMpix, "Mpix/s", layers(4), tgsi_bump},
    {"mandel", kMpix, "Mpix/s", layers(1), mandel},
    {"tris-1M", 1.0, "Mtri/s", grid(1000, 500), tris_1m},
    {"tris-62k", 0.0625, "Mtri/s", grid(250, 125), tris_62k},
    {"tris-culled", 1.0, "Mtri/s", culled_grid(1000, 500), tris_culled},
    {"mesh-knot", 0.2304, "Mtri/s",
     {.draws = 1, .primitives = 230400, .vertices_min = 1201 * 97, .fragments_min = kPixels / 10, .fragments_max = 2 * kPixels}, mesh_knot},
    {.name = "mesh-msaa4", .work = 0.2304, .unit = "Mtri/s",
     .expected = {.draws = 1, .primitives = 230400, .vertices_min = 1201 * 97, .fragments_min = kPixels / 10,
                  .fragments_max = 2 * kPixels},
     .prepare = mesh_knot, .samples = 4},
    {"draws-10k", 10.0, "kdraws/s",
     {.draws = 10000, .primitives = 10000, .vertices_min = 30000, .fragments_min = 120000, .fragments_max = 120000}, draws_10k},
    {"vertex-heavy", 501501 / 1e6, "Mvert/s", culled_grid(1000, 500), vertex_heavy},
    {.name = "compile", .work = 1, .unit = "shaders/s",
     .expected = {.draws = 1, .primitives = 1, .vertices_min = 3, .fragments_min = 64 * 64, .fragments_max = 64 * 64},
     .prepare = compile, .width = 64, .height = 64, .fixed_frames = 30},
    {.name = "combiners-compile", .work = 1, .unit = "setups/s",
     .expected = {.draws = 1, .primitives = 1, .vertices_min = 3, .fragments_min = 8 * 8, .fragments_max = 8 * 8},
     .prepare = combiners_compile, .width = 8, .height = 8, .fixed_frames = 200},
    {.name = "fill-hidden", .work = 16 * kMpix, .unit = "Mpix/s",
     .expected = {.draws = 1, .primitives = 16, .vertices_min = 3, .fragments_min = kPixels, .fragments_max = 16 * kPixels},
     .prepare = fill_flat, .drop_hidden = true},
    {.name = "compute-saxpy", .work = kSaxpyElements / 1e6, .unit = "Melem/s", .prepare = compute_saxpy, .width = 64, .height = 64,
     .moved_bytes = uint64_t{kSaxpyElements} * 12},
};

}  // namespace

Scene::Scene(Device& owner, uint32_t width, uint32_t height, uint32_t samples)
    : device(owner), context(owner.context()) {
  ResourceDesc desc{.format = Format::R8G8B8A8_UNORM, .width = width, .height = height, .samples = samples};
  color_ = resolved_ = take(device.create_image(desc));
  note(context.set_color_target(0, {color_}));
  desc.format = Format::Z32_FLOAT;
  note(context.set_depth_target({take(device.create_image(desc))}));
  desc.format = Format::R8G8B8A8_UNORM;
  desc.samples = 1;
  if (samples > 1) resolved_ = take(device.create_image(desc));
  // Clip space y points down, as in the window.
  context.set_viewport({.scale = {float(width) / 2, float(height) / 2, 1}, .translate = {float(width) / 2, float(height) / 2, 0}});
}

void Scene::note(const Status& status) {
  if (failure_.ok() && !status.ok()) failure_ = status;
}

Status Scene::run_frame() {
  note(context.clear_color({0.1f, 0.2f, 0.3f, 1.0f}));
  note(context.clear_depth(1.0f));
  draw(*this);
  if (resolved_ != color_) note(context.resolve({color_}, {resolved_}));
  note(context.flush());
  return failure_;
}

std::span<const Row> rows() { return kRows; }

}  // namespace tessera::bench
