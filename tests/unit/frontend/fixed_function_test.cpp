// Drawing with fixed-function fragment state. Right values: the evaluator, the same maths in TGSI, or worked by hand.
#include "frontend/fixed_function.h"

#include <bit>
#include <catch2/catch.hpp>

#include "combiners/evaluate.h"
#include "frontend/device.h"

using namespace tessera;
using namespace tessera::combiners;

namespace {

// Corners with a colour, a secondary colour, and a coordinate that is also the fog's.
constexpr std::string_view kVertex =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], COLOR[1]\n"
    "DCL OUT[3].xy, TEXCOORD[0]\nDCL OUT[4].x, FOG\n"
    "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2], IN[2]\n3: MOV OUT[3].xy, IN[3].xyyy\n4: MOV OUT[4].x, IN[3].zzzz\n5: END\n";

struct Corner { float position[4], primary[4], secondary[4], coord[4]; };

constexpr uint32_t kSize_px = 16;

// A float target and a triangle over all of it.
struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
  ResourceRef target = device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = kSize_px, .height = kSize_px}).value();
  Corner corners[3] = {{{-1, -1, 0, 1}, {1, 0.5f, 0.25f, 1}, {0.125f, 0.25f, 0.5f, 0}, {0, 0, 0, 0}},
                       {{3, -1, 0, 1}, {0, 0.75f, 0.5f, 0.5f}, {0.5f, 0.25f, 0, 0}, {2, 0, 2, 0}},
                       {{-1, 3, 0, 1}, {0.25f, 0, 1, 0.25f}, {0, 0.5f, 0.25f, 0}, {0, 2, 0, 0}}};

  Fixture() {
    REQUIRE(c.set_color_target(0, {target}));
    use(ir::Stage::Vertex, kVertex);
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  void use(const FragmentState& state) {
    const Status status = c.set_fixed_function(state);
    if (!status) FAIL(status.diags().front().text);
  }
  // One texel of floats, seen through a swizzle.
  void texture(uint32_t unit, const Color& texel, std::array<Swizzle, 4> swizzle = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W}) {
    const ResourceRef image = device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = 1, .height = 1}).value();
    REQUIRE(c.write_texels(image, 0, {}, std::as_bytes(std::span(texel))));
    REQUIRE(c.set_texture(ir::Stage::Fragment, unit, {.resource = image, .swizzle = swizzle}));
    REQUIRE(c.set_sampler(ir::Stage::Fragment, unit, {.min_filter = texture::Filter::Nearest, .mag_filter = texture::Filter::Nearest}));
  }
  Status try_draw() {
    std::array<raster::VertexElement, 4> elements;
    for (uint32_t i = 0; i < 4; ++i) elements[i] = {.offset_bytes = i * 16, .format = Format::R32G32B32A32_FLOAT};
    REQUIRE(c.set_vertex_elements(elements));
    REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(corners))).value(), sizeof(Corner)));
    return c.draw({.count = 3});
  }
  std::vector<Color> draw() {
    REQUIRE(c.clear_color({9, 9, 9, 9}));
    const Status status = try_draw();
    if (!status) FAIL(status.diags().front().text);
    std::vector<Color> colors;
    const Result<std::vector<Texel>> texels = c.read_texels(target);
    for (const Texel& t : texels.value()) {
      Color color;
      for (size_t k = 0; k < 4; ++k) color[k] = std::bit_cast<float>(t.word[k]);
      colors.push_back(color);
    }
    return colors;
  }
  std::string refusal() {
    const Status status = try_draw();
    return status ? "" : status.diags().front().text;
  }
};

FragmentState combiners_on() {
  FragmentState state;
  state.combiners.enabled = true;
  return state;
}

// rgb = A B + C D to spare0 of what a stage reads, alpha = primary's; out as it is.
FragmentState sum_of_products(Input a, Input b, Input c, Input d) {
  FragmentState state = combiners_on();
  state.combiners.stages[0].rgb.in = {a, b, c, d};
  auto& in = state.combiners.final_combiner.in;
  in[0] = in[1] = in[2] = {};
  in[3] = {Register::Spare0, Mapping::UnsignedIdentity, Usage::Rgb};
  return state;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "combiners after a shader that kills and demotes give the bits of the same maths in TGSI") {
  const std::string head =
      "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], COLOR[1], COLOR\nDCL IN[2].xy, TEXCOORD[0], PERSPECTIVE\nDCL OUT[0], COLOR\n";
  const std::string body =                  // leaves what the shader computes in TEMP[0] and TEMP[1]
      "0: MUL TEMP[0], IN[0], IMM[0]\n1: ADD TEMP[1], IN[1], IMM[1]\n2: ADD TEMP[2].xy, IN[2].xyyy, IMM[1].xxxx\n"
      "3: KILL_IF TEMP[2].xxxx\n4: ADD TEMP[2].x, IMM[2].xxxx, -IN[2].yyyy\n5: FSLT TEMP[2].x, TEMP[2].xxxx, IMM[2].yyyy\n"
      "6: UIF TEMP[2].xxxx\n7: DEMOTE\n8: ENDIF\n9: DDX TEMP[2], TEMP[0]\n10: ADD TEMP[0], TEMP[0], TEMP[2]\n";
  const std::string temps =
      "DCL TEMP[0..4]\nIMM[0] FLT32 {0.7, 0.9, 0.8, 0.5}\nIMM[1] FLT32 {-0.1, 0.2, -0.3, 0.4}\nIMM[2] FLT32 {0.8, 0.0, 1.0, -1.0}\n";
  use(sum_of_products({Register::Primary, Mapping::SignedIdentity, Usage::Rgb}, {Register::Secondary, Mapping::SignedIdentity, Usage::Rgb},
                      {Register::Primary, Mapping::SignedIdentity, Usage::Alpha}, {Register::Primary, Mapping::SignedIdentity, Usage::Rgb}));
  use(ir::Stage::Fragment, head + "DCL OUT[1], COLOR[1]\n" + temps + body + "11: MOV OUT[0], TEMP[0]\n12: MOV OUT[1], TEMP[1]\n13: END\n");
  const std::vector<Color> chained = draw();
  c.unset_fixed_function();
  // Registers lie in [-1,1]; the products, their sum and its clamps are single operations; alpha is max(0, primary.a).
  use(ir::Stage::Fragment,
      head + temps + body +
          "11: MIN TEMP[0], TEMP[0], IMM[2].zzzz\n12: MAX TEMP[0], TEMP[0], IMM[2].wwww\n"
          "13: MIN TEMP[1], TEMP[1], IMM[2].zzzz\n14: MAX TEMP[1], TEMP[1], IMM[2].wwww\n"
          "15: MUL TEMP[3].xyz, TEMP[0], TEMP[1]\n16: MUL TEMP[4].xyz, TEMP[0].wwww, TEMP[0]\n17: ADD TEMP[3].xyz, TEMP[3], TEMP[4]\n"
          "18: MIN TEMP[3].xyz, TEMP[3], IMM[2].zzzz\n19: MAX OUT[0].xyz, TEMP[3], IMM[2].yyyy\n20: MAX OUT[0].w, TEMP[0].wwww, IMM[2].yyyy\n21: END\n");
  const std::vector<Color> written = draw();
  size_t drawn = 0;
  for (size_t k = 0; k < chained.size(); ++k) {
    REQUIRE(chained[k] == written[k]);
    drawn += chained[k][3] != 9;
  }
  CHECK(drawn > 20);
  CHECK(drawn < kSize_px * kSize_px - 20);
}

TEST_CASE_METHOD(Fixture, "what a shader does not write reads 0, and its depth passes through") {
  const ResourceRef depth = device->create_image({.format = Format::Z32_FLOAT, .width = kSize_px, .height = kSize_px}).value();
  REQUIRE(c.set_depth_target({depth}));
  REQUIRE(c.clear_depth(1));
  c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
  use(ir::Stage::Fragment, "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nIMM[0] FLT32 {0.5, 0.25, 0.0, 0.0}\n"
                           "0: MOV OUT[0].xy, IMM[0]\n1: MOV OUT[1].z, IMM[0].yyyy\n2: END\n");
  // 1 - secondary (0) times primary: (0.5, 0.25, 0, 0)
  use(sum_of_products({Register::Secondary, Mapping::UnsignedInvert, Usage::Rgb}, {Register::Primary, Mapping::UnsignedIdentity, Usage::Rgb}, {}, {}));
  CHECK(draw()[37] == Color{0.5f, 0.25f, 0, 0});
  CHECK(std::bit_cast<float>(c.read_texels(depth).value()[37].word[0]) == 0.25f);
}

TEST_CASE_METHOD(Fixture, "without a shader the stage starts from interpolated colours and textures") {
  FragmentState state = combiners_on();
  state.units[0].enabled = state.units[3].enabled = true;
  GeneralStage& stage = state.combiners.stages[0];
  stage.rgb.in = {{{Register::Texture0, Mapping::ExpandNormal, Usage::Rgb}, {Register::Texture3, Mapping::ExpandNormal, Usage::Rgb},
                   {Register::Primary, Mapping::UnsignedIdentity, Usage::Rgb}, {Register::Constant0, Mapping::UnsignedIdentity, Usage::Rgb}}};
  stage.rgb.out.ab_dot = true;
  state.combiners.constants[0] = {0.125f, 0.25f, 0.5f, 0};
  texture(0, {0.75f, 0.5f, 0.75f, 1});
  texture(3, {0.75f, 0.5f, 1, 1});
  for (Corner& corner : corners) {                                        // the same everywhere
    std::copy_n(corners[0].primary, 4, corner.primary);
    std::copy_n(corners[0].secondary, 4, corner.secondary);
  }
  Fragment f;
  f.primary = {1, 0.5f, 0.25f, 1};
  f.secondary = {0.125f, 0.25f, 0.5f, 0};
  f.texels[0] = {0.75f, 0.5f, 0.75f, 1};
  f.texels[3] = {0.75f, 0.5f, 1, 1};
  use(state);
  const std::vector<Color> colors = draw();
  for (const Color& color : colors) REQUIRE(color == evaluate(state, f));
  state.combiners.constants[0] = {0.5f, 0.25f, 0.125f, 0};                // a new colour for the next draw
  use(state);
  CHECK(draw()[0] == evaluate(state, f));
}

TEST_CASE_METHOD(Fixture, "texture environments modulate by the base format that the texture's view gives") {
  FragmentState state;
  state.units[0].enabled = true;
  use(state);
  for (Corner& corner : corners) std::copy_n(corners[0].primary, 4, corner.primary);        // 1, 0.5, 0.25, 1
  using enum Swizzle;
  texture(0, {0.5f, 0.75f, 0.25f, 0.125f});
  CHECK(draw()[5] == Color{0.5f, 0.375f, 0.0625f, 0.125f});
  texture(0, {0.5f, 0.75f, 0.25f, 0.125f}, {X, Y, Z, One});               // RGB
  CHECK(draw()[5] == Color{0.5f, 0.375f, 0.0625f, 1});
  texture(0, {0.5f, 0.75f, 0.25f, 0.125f}, {X, X, X, One});               // luminance
  CHECK(draw()[5] == Color{0.5f, 0.25f, 0.125f, 1});
  texture(0, {0.5f, 0.75f, 0.25f, 0.125f}, {X, X, X, X});                 // intensity
  CHECK(draw()[5] == Color{0.5f, 0.25f, 0.125f, 0.5f});
  texture(0, {0.5f, 0.75f, 0.25f, 0.125f}, {Zero, Zero, Zero, W});        // alpha: colour passes on
  CHECK(draw()[5] == Color{1, 0.5f, 0.25f, 0.125f});
}

TEST_CASE_METHOD(Fixture, "fog takes a coordinate, the distance, or the factor of vertices") {
  FragmentState state;
  state.fog = {.enabled = true, .color = {0, 0, 1}, .mode = FogMode::Linear, .source = FogSource::Coordinate, .start = 0, .end = 2};
  for (Corner& corner : corners) {
    const float white[4] = {1, 1, 1, 1};
    std::copy_n(white, 4, corner.primary);
  }
  use(state);
  // The coordinate is 2 at x = 3 in clip space: (x + 0.5) / 16 in pixel x; the factor 1 - that / 2.
  const std::vector<Color> linear = draw();
  CHECK(linear[8][0] == Approx(1 - 8.5 / 16 / 2));
  CHECK(linear[8][2] == 1);
  state.fog.mode = FogMode::Exp2;
  state.fog.density = 1;
  use(state);
  CHECK(draw()[8][0] == fog_factor(state.fog, 8.5f / 16));
  state.fog.per_vertex = true;                                            // e^0 at two corners, e^-4 at the third
  use(state);
  CHECK(draw()[8][0] == Approx(1 + (0.0183156389 - 1) * (8.5 / 16 / 2)));
  state.fog.per_vertex = false;
  state.fog.source = FogSource::Depth;
  state.fog.mode = FogMode::Linear;
  state.fog.end = 8;
  for (Corner& corner : corners)
    for (float& p : corner.position) p *= 2;                              // w = 2
  use(state);
  CHECK(draw()[8][0] == 0.75f);
}

TEST_CASE_METHOD(Fixture, "the alpha test follows the combiners") {
  FragmentState state = combiners_on();
  state.combiners.final_combiner.in[6] = {Register::Constant0, Mapping::UnsignedIdentity, Usage::Alpha};
  state.combiners.constants[0] = {0, 0, 0, 0.25f};
  use(state);
  c.set_depth_stencil_alpha({.alpha_test = true, .alpha_func = raster::Compare::Greater, .alpha_ref = 0.25f});
  CHECK(draw()[0][3] == 9);
  state.combiners.constants[0][3] = 0.5f;
  use(state);
  CHECK(draw()[0][3] == 0.5f);
}

// Direct3D 9 has these stages behind its pixel shaders, too.
TEST_CASE_METHOD(Fixture, "colour sum, fog and the alpha test follow a shader of the draw's own") {
  use(ir::Stage::Fragment,
      "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nIMM[0] FLT32 {0.5, 0.25, 0, 0.75}\n"
      "IMM[1] FLT32 {0.25, 0.25, 0.25, 0}\n0: MOV OUT[0], IMM[0]\n1: MOV OUT[1], IMM[1]\n2: END\n");
  FragmentState state;
  use(state);
  CHECK(draw()[8] == Color{0.5f, 0.25f, 0, 0.75f});
  state.color_sum = true;
  use(state);
  CHECK(draw()[8] == Color{0.75f, 0.5f, 0.25f, 0.75f});
  state.fog = {.enabled = true, .color = {0, 0, 1}, .mode = FogMode::Linear, .source = FogSource::Coordinate, .start = 0, .end = 2};
  use(state);
  const float f = fog_factor(state.fog, 8.5f / 16);                      // the coordinate at pixel 8 of row 0
  const Color fogged = draw()[8];
  CHECK(fogged[0] == Approx(0.75f * f));
  CHECK(fogged[1] == Approx(0.5f * f));
  CHECK(fogged[2] == Approx(0.25f * f + (1 - f)));
  CHECK(fogged[3] == 0.75f);
  c.set_depth_stencil_alpha({.alpha_test = true, .alpha_func = raster::Compare::Less, .alpha_ref = 0.75f});
  CHECK(draw()[8][3] == 9);                                               // nothing is drawn over the clear
}

TEST_CASE_METHOD(Fixture, "an ATI fragment shader samples at computed coordinates") {
  FragmentState state;
  state.ati.enabled = true;
  state.units[1].enabled = true;
  state.ati.passes[0].routes[1] = {AtiRoute::Kind::Sample, AtiCoordinate::Texture0, AtiSwizzle::Str};
  state.ati.passes[0].pair_count = 1;
  state.ati.passes[0].pairs[0].color = {true, AtiOp::Mul, 0, 7, ati_dst::Double, {{{AtiSource::Reg1}, {AtiSource::Con0}}}};
  state.ati.passes[0].pairs[0].alpha = {true, AtiOp::Mov, 0, 7, 0, {{{AtiSource::Primary}}}};
  state.ati.constants[0] = {0.25f, 0.5f, 0.125f, 0};
  texture(1, {0.5f, 0.75f, 1, 1});
  for (Corner& corner : corners) corner.primary[3] = 0.5f;
  use(state);
  CHECK(draw()[11] == Color{0.25f, 0.75f, 0.25f, 0.5f});
}

TEST_CASE_METHOD(Fixture, "a draw that the fixed-function state does not allow is refused with its field") {
  FragmentState state;
  state.units[2].enabled = true;
  use(state);
  CHECK_THAT(refusal(), Catch::StartsWith("fixed_function.units[2]:"));
  texture(2, {1, 1, 1, 1});
  CHECK(refusal().empty());
  use(ir::Stage::Fragment, "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n");
  CHECK_THAT(refusal(), Catch::Contains("colour sum and fog follow a fragment shader"));
  c.unset_fragment_shader();
  CHECK(refusal().empty());
  state.combiners.enabled = true;
  state.combiners.stages[3].rgb.in[0] = {Register::Fog, Mapping::UnsignedIdentity, Usage::Alpha};
  const Status status = c.set_fixed_function(state);
  REQUIRE_FALSE(status);
  CHECK_THAT(status.diags().front().text, Catch::StartsWith("combiners.stages[3].rgb.a:"));
  CHECK(refusal().empty());                                               // what was set before still holds
}

TEST_CASE_METHOD(Fixture, "one setup makes one program, whatever its constants") {
  FixedFunctionCache cache(ExecutorKind::Interpreter, best_simd_target());
  const LinkedPrograms shaders = {device->create_shader(ir::Stage::Vertex, kVertex).value()->executable(), nullptr};
  FragmentState state = combiners_on();
  const LinkedPrograms first = cache.get(shaders, state);
  state.combiners.constants[1] = {1, 1, 1, 1};
  state.combiners.stages[5].rgb.out.mux = true;                           // beyond the stages that run
  state.units[0].environment.mode = EnvMode::Decal;                       // combiners replace environments
  CHECK(cache.get(shaders, state).fragment == first.fragment);
  CHECK(cache.size() == 1);
  state.combiners.stages[0].rgb.out.mux = true;
  CHECK(cache.get(shaders, state).fragment != first.fragment);
  CHECK(first.vertex == shaders.vertex);
}

// Every output of kVertex as it comes.
constexpr std::string_view kPassingGeometry =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], COLOR\nDCL IN[][2], COLOR[1]\n"
    "DCL IN[][3], TEXCOORD[0]\nDCL IN[][4], FOG\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], COLOR[1]\n"
    "DCL OUT[3].xy, TEXCOORD[0]\nDCL OUT[4].x, FOG\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nMOV OUT[2], IN[0][2]\nMOV OUT[3].xy, IN[0][3]\nMOV OUT[4].x, IN[0][4]\n"
    "EMIT IMM[0].xxxx\n"
    "MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\nMOV OUT[2], IN[1][2]\nMOV OUT[3].xy, IN[1][3]\nMOV OUT[4].x, IN[1][4]\n"
    "EMIT IMM[0].xxxx\n"
    "MOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\nMOV OUT[2], IN[2][2]\nMOV OUT[3].xy, IN[2][3]\nMOV OUT[4].x, IN[2][4]\n"
    "EMIT IMM[0].xxxx\nEND\n";

TEST_CASE_METHOD(Fixture, "fixed-function state behind a geometry shader draws what it draws behind a vertex shader") {
  FragmentState state = sum_of_products({Register::Primary, Mapping::UnsignedIdentity, Usage::Rgb},
                                        {Register::Secondary, Mapping::UnsignedIdentity, Usage::Rgb},
                                        {Register::Texture0, Mapping::UnsignedIdentity, Usage::Rgb},
                                        {Register::Primary, Mapping::UnsignedIdentity, Usage::Alpha});
  state.units[0].enabled = true;
  state.fog = {.enabled = true, .color = {0, 0, 1}, .mode = FogMode::Exp2, .source = FogSource::Coordinate};
  state.fog.density = 1;
  texture(0, {0.5f, 0.25f, 0.75f, 1});
  use(state);
  const std::vector<Color> expected = draw();
  CHECK(expected[8] != expected[0]);
  use(ir::Stage::Geometry, kPassingGeometry);
  CHECK(draw() == expected);
  state.fog.per_vertex = true;
  use(state);
  CHECK_THAT(refusal(), Catch::StartsWith("fixed_function.fog.per_vertex: a geometry shader's vertices"));
  REQUIRE(c.unset_shader(ir::Stage::Geometry));
  CHECK(try_draw());
}
