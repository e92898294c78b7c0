#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "frontend/scene_parser.h"

using namespace tessera;
using namespace tessera::scene;

namespace {

Scene parse(std::string_view text) {
  Result<Scene> scene = parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "test.scene", text));
  return std::move(*scene);
}

template <class T>
const T& command(const Scene& scene, size_t index) { return std::get<T>(scene.commands.at(index).action); }

}  // namespace

TEST_CASE("a scene without a target draws into 256 x 256 texels of RGBA8") {
  const Scene scene = parse("[test]\nclear color 0 0 0 1\n");
  const Target& target = scene.targets.at("");
  CHECK(target.width == 256);
  CHECK(target.height == 256);
  CHECK(target.color_count == 1);
  CHECK(target.color[0] == Format::R8G8B8A8_UNORM);
  CHECK(target.depth == Format::NONE);
}

TEST_CASE("samples and what is done with them are given in target and state") {
  const Scene scene = parse(
      "[target]\nsamples 8\n[target flat]\n[state]\nalpha_to_coverage dither\nalpha_to_one on\nmultisample off\n"
      "min_samples 2\nsample_mask 0x5\n[test]\nresolve main flat\n");
  CHECK(scene.targets.at("").samples == 8);
  CHECK(scene.targets.at("flat").samples == 1);
  const State& state = scene.states.at("");
  CHECK(state.blend.alpha_to_coverage);
  CHECK(state.blend.alpha_to_coverage_dither);
  CHECK(state.blend.alpha_to_one);
  CHECK_FALSE(state.rasterizer.multisample);
  CHECK(state.min_samples == 2);
  CHECK(state.sample_mask == 5);
  CHECK(command<Resolve>(scene, 0).to == "flat");
}

TEST_CASE("sections may come in any order, with comments, commas and Windows line ends") {
  const Scene scene =
      parse("# first\r\n[test] # header\r\nclear color 0, 0.5, 1, 1 # behind\r\n\r\n[target]\r\nsize 4 5\r\n");
  CHECK(scene.targets.at("").height == 5);
  CHECK(command<ClearColor>(scene, 0).color == Numbers4{0, 0.5, 1, 1});
}

TEST_CASE("a byte order mark and a last line without an end are accepted") {
  CHECK(parse("\xef\xbb\xbf[test]\nclear color 0 0 0 1").commands.size() == 1);
}

TEST_CASE("vertex rows are packed by their formats, hexadecimal gives the bits of floats") {
  const Scene scene = parse(
      "[vertex data]\n0/r32g32_float 1/r8g8b8a8_unorm 2/r16_sint\n-1 0x3f800000  1 0 0.5 1  -7\n[test]\ndraw triangles "
      "0 1\n");
  const VertexTable& table = *scene.geometries.at("").vertices;
  REQUIRE(table.stride_bytes == 16);
  REQUIRE(table.row_count == 1);
  const auto word = [&](size_t at) {
    uint32_t w;
    std::memcpy(&w, &table.bytes[at], 4);
    return w;
  };
  CHECK(word(0) == 0xbf800000);
  CHECK(word(4) == 0x3f800000);
  CHECK(word(8) == 0xff8000ff);
  CHECK((word(12) & 0xffff) == 0xfff9);
}

TEST_CASE("a shader section is kept as it is, with the line it begins at") {
  const Scene scene =
      parse("[fragment shader tgsi 2007 glow]\nFRAG1.1\n# not a scene comment\nEND\n[test]\nclear color 0 0 0 0\n");
  const ShaderText& shader = scene.fragment_shaders.at("glow");
  CHECK(shader.dialect == Dialect::Tgsi2007);
  CHECK(shader.text == "FRAG1.1\n# not a scene comment\nEND\n");
  CHECK(shader.loc.line == 1);
}

TEST_CASE("a matrix fills four registers with its rows") {
  const Scene scene =
      parse("[constants]\nvertex 4: translate(1, 2, 3) * scale(2, 2, 2)\n[test]\nclear color 0 0 0 0\n");
  const ConstantBlock& block = scene.constants.at("").at(0);
  CHECK(block.first_word == 16);
  const float expected[16] = {2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3, 0, 0, 0, 1};
  REQUIRE(block.words.size() == 16);
  for (size_t i = 0; i < 16; ++i) CHECK(std::bit_cast<float>(block.words[i]) == expected[i]);
}

TEST_CASE("constants name buffers, registers and integers") {
  const Scene scene = parse("[constants]\nfragment 3[7]: int -1 0x10 7\n[test]\nclear color 0 0 0 0\n");
  const ConstantBlock& block = scene.constants.at("").at(0);
  CHECK(block.stage == ir::Stage::Fragment);
  CHECK(block.buffer == 3);
  CHECK(block.first_word == 28);
  CHECK(block.words == std::vector<uint32_t>{0xffffffff, 0x10, 7});
}

TEST_CASE("a state line without an index holds for all targets, with one for that target alone") {
  const Scene scene =
      parse("[state]\nblend one one\nblend[2] src_alpha zero\ncolor_mask[1] rb\n[test]\nclear color 0 0 0 0\n");
  const raster::BlendState& blend = scene.states.at("").blend;
  CHECK(blend.independent);
  CHECK(blend.target[0].rgb_src == raster::BlendFactor::One);
  CHECK(blend.target[2].rgb_src == raster::BlendFactor::SrcAlpha);
  CHECK(blend.target[1].color_mask == 5);
  CHECK(blend.target[1].enabled);
  CHECK(blend.target[2].color_mask == 15);
}

TEST_CASE("the state of points, lines and polygons is taken over as it is written") {
  const Scene scene = parse(
      "[state]\nfill line point\npolygon_stipple 1 2 3\npoint_size 4.5\npoint_quad on\nsprite_coord 0x5 lower_left\n"
      "line_width 2.5\nline_stipple 3 0x0f3f\nline_last_pixel on\nline_smooth on\noffset 1 2 0 line point\n"
      "point_clip sides\n[state shader]\npoint_size shader\n[test]\nclear color 0 0 0 0\n");
  const State& state = scene.states.at("");
  const raster::RasterizerState& r = state.rasterizer;
  CHECK(r.fill_front == raster::FillMode::Line);
  CHECK(r.fill_back == raster::FillMode::Point);
  CHECK(r.poly_stipple);
  for (size_t row = 0; row < 32; ++row) CHECK(state.polygon_stipple[row] == row % 3 + 1);
  CHECK(r.point_size == 4.5f);
  CHECK(r.point_quad);
  CHECK(r.sprite_coord_enable == 5);
  CHECK(r.sprite_coord_lower_left);
  CHECK(r.line_width == 2.5f);
  CHECK(r.line_stipple);
  CHECK(r.line_stipple_factor == 3);
  CHECK(r.line_stipple_pattern == 0x0f3f);
  CHECK(r.line_last_pixel);
  CHECK(r.line_smooth);
  CHECK_FALSE(r.offset_fill);
  CHECK(r.offset_line);
  CHECK(r.offset_point);
  CHECK(r.point_tri_clip);
  CHECK(scene.states.at("shader").rasterizer.point_size_per_vertex);
}

TEST_CASE("set changes one line of the state in use, use state begins again from the defaults") {
  const Scene scene = parse("[state]\ncull back\n[state flat]\nflat on\n[test]\nset depth_test less\nuse state flat\n");
  const State& set = command<SetState>(scene, 0).state;
  CHECK(set.rasterizer.cull == raster::CullFace::Back);
  CHECK(set.depth_stencil_alpha.depth_test);
  const State& used = command<SetState>(scene, 1).state;
  CHECK(used.rasterizer.cull == raster::CullFace::None);
  CHECK(used.rasterizer.flat_shade);
}

TEST_CASE("draws take ranges, instances, and a base vertex") {
  const Scene scene = parse(
      "[vertex data]\n0/r32_float\n1\n2\n3\n4\n5\n[instance data]\n1/r32_float\n9\n9\n9\n[indices]\nbits 16\n0 1 2 "
      "restart\n"
      "[test]\ndraw triangles\nset restart on\ndraw indexed triangle_strip 0 4 base 2 instances 2 first 1\n");
  const Draw& all = command<Draw>(scene, 0);
  CHECK(all.all);
  const Draw& indexed = command<Draw>(scene, 2);
  CHECK(indexed.info.indexed);
  CHECK(indexed.info.count == 4);
  CHECK(indexed.info.base_vertex == 2);
  CHECK(indexed.info.instance_count == 2);
  CHECK(indexed.info.start_instance == 1);
  CHECK(scene.geometries.at("").indices == std::vector<uint32_t>{0, 1, 2, 0xffff});
}

TEST_CASE("every error of a scene is reported, in the order of its text") {
  const Result<Scene> scene = parse_scene(
      "[target]\nsize 0 1\ncolor 0 nosuch\n[state]\ncull sideways\n[nosuch]\n[test]\nclear color 0 0 0 1\n");
  REQUIRE_FALSE(scene);
  std::vector<uint32_t> lines;
  for (const Diag& d : scene.diags()) lines.push_back(d.loc.line);
  CHECK(lines == std::vector<uint32_t>{2, 3, 5, 6});
}

TEST_CASE("any prefix of a scene, and any scene with one byte changed, is parsed without harm") {
  const std::string text =
      "[target]\nsize 8 8\ndepth z32_float\n[texture 0]\ncube\nface +x checker 8 8 2 1 1 1 1 0 0 0 1\n[sampler "
      "0]\nwrap repeat clamp\n"
      "[vertex data]\n0/r32g32_float 1/r8g8b8a8_unorm\n0 0 1 1 1 1\n[indices]\n0 0 0\n[constants]\nvertex 0: "
      "perspective(60, 1, 1, 2) * (2)\n"
      "[state]\nblend one one\nstencil both always 1 255 255\n[test]\nclear color 0 0 0 1\ndraw indexed "
      "triangles\nprobe 1 1 0 0 0 1 tolerance 0.1\n";
  for (size_t length = 0; length <= text.size(); ++length)
    static_cast<void>(parse_scene(std::string_view(text).substr(0, length)).ok());
  std::string changed = text;
  for (size_t i = 0; i < text.size(); ++i)
    for (const char c : {'[', ']', '(', '-', '9', ' ', '\n', '\0', '\xff'}) {
      changed[i] = c;
      static_cast<void>(parse_scene(changed).ok());
      changed[i] = text[i];
    }
}
