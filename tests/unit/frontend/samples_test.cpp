// Images of several samples a pixel through the C++ API: resolves, per-sample contents, interpolation by location.
#include "frontend/device.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/scalar.h"

using namespace tessera;

namespace {

constexpr std::string_view kVertex =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: END\n";

struct Vertex { float x, y, z, w, r, g, b, a; };

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();

  ResourceRef image(Format format, uint32_t samples, uint32_t width = 70, uint32_t height = 70) {
    return device->create_image({.format = format, .width = width, .height = height, .samples = samples}).value();
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  void use_vertices(std::span<const Vertex> vertices) {
    const ResourceRef buffer = device->create_buffer(std::as_bytes(vertices)).value();
    const raster::VertexElement elements[] = {{.offset_bytes = 0}, {.offset_bytes = 16}};
    REQUIRE(c.set_vertex_elements(elements));
    REQUIRE(c.set_vertex_buffer(0, buffer, sizeof(Vertex)));
    use(ir::Stage::Vertex, kVertex);
  }
  // A triangle in perspective whose edges cross many pixels, its colour varying.
  void use_triangle() {
    const Vertex v[] = {{-0.9f, -0.8f, 0.1f, 1, 0.9f, 0.1f, 0.3f, 1},
                        {1.5f, -0.7f, 0.9f, 2, 0.2f, 0.8f, 0.1f, 0.5f},
                        {0.1f, 0.6f, 0.2f, 0.7f, 0.1f, 0.4f, 1, 0.2f}};
    use_vertices(v);
  }
  void use_color(std::string_view location = "") {
    use(ir::Stage::Fragment, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE" + std::string(location) +
                                 "\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n");
  }
  std::vector<Texel> sample(const ResourceRef& from, uint32_t s) { return c.read_texels(from, 0, 0, s).value(); }
};

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }

double channel(const Texel& t, size_t i) { return static_cast<double>(std::bit_cast<float>(t.word[i])); }

}  // namespace

TEST_CASE_METHOD(Fixture, "a resolve gives the mean of the samples in the format's own rounding", "[samples]") {
  constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM, Format::R8_UNORM, Format::R8G8B8A8_SRGB,
                                 Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT, Format::B5G6R5_UNORM,
                                 Format::R10G10B10A2_UNORM, Format::R8G8B8A8_SNORM};
  use_triangle();
  use_color();
  for (const Format format : kFormats) {
    for (const uint32_t samples : {2u, 4u, 8u, 16u}) {
      CAPTURE(format_info(format).name, samples);
      const ResourceRef many = image(format, samples), one = image(format, 1);
      REQUIRE(c.set_color_target(0, {many}));
      REQUIRE(c.clear_color({0.25f, 0.75f, 0.1f, 1}));
      REQUIRE(c.draw({.count = 3}));
      REQUIRE(c.resolve({many}, {one}));
      const std::vector<Texel> got = c.read_texels(one).value();
      std::vector<std::vector<Texel>> all;
      for (uint32_t s = 0; s < samples; ++s) all.push_back(sample(many, s));
      bool any_edge = false;
      for (size_t i = 0; i < got.size(); ++i) {
        Texel mean;
        for (size_t k = 0; k < 4; ++k) {
          double sum = 0;   // exact enough: every sum of these formats' samples fits a double
          for (uint32_t s = 0; s < samples; ++s) sum += channel(all[s][i], k);
          mean.word[k] = scalar::bits_of(static_cast<float>(sum / samples));
          any_edge = any_edge || all[0][i].word[k] != all[samples - 1][i].word[k];
        }
        if (format == Format::R8G8B8A8_UNORM || format == Format::R8_UNORM) {
          // Exact on the stored integers, halves to even.
          for (size_t k = 0; k < 4; ++k) {
            uint32_t sum = 0;
            for (uint32_t s = 0; s < samples; ++s)
              sum += static_cast<uint32_t>(std::lround(channel(all[s][i], k) * 255));
            const uint32_t quotient = sum / samples, rest = sum % samples;
            const uint32_t up = 2 * rest > samples || (2 * rest == samples && (quotient & 1)) ? 1 : 0;
            REQUIRE(static_cast<uint32_t>(std::lround(channel(got[i], k) * 255)) == quotient + up);
          }
          continue;
        }
        std::byte packed[16];
        pack_texel(format, mean, packed);
        const Texel expected = unpack_texel(format, packed);
        for (size_t k = 0; k < 4; ++k) REQUIRE(got[i].word[k] == expected.word[k]);
      }
      CHECK(any_edge);
    }
  }
}

TEST_CASE_METHOD(Fixture, "integers and depth resolve to sample 0", "[samples]") {
  use_triangle();
  use(ir::Stage::Fragment,
      "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nIMM[0] UINT32 {7, 7, 7, 7}\n"
      "0: UADD OUT[0], SV[0].xxxx, IMM[0]\n1: END\n");
  const ResourceRef many = image(Format::R32_UINT, 4), one = image(Format::R32_UINT, 1);
  const ResourceRef depth = image(Format::Z24_UNORM_S8_UINT, 4), depth_one = image(Format::Z24_UNORM_S8_UINT, 1);
  REQUIRE(c.set_color_target(0, {many}));
  REQUIRE(c.set_depth_target({depth}));
  c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
  REQUIRE(c.clear_color({1, 1, 1, 1}));
  REQUIRE(c.clear_depth(1));
  REQUIRE(c.draw({.count = 3}));
  REQUIRE(c.resolve({many}, {one}));
  REQUIRE(c.resolve({depth}, {depth_one}));
  const std::vector<Texel> got = c.read_texels(one).value(), first = sample(many, 0), last = sample(many, 3);
  const std::vector<Texel> got_depth = c.read_texels(depth_one).value(), first_depth = sample(depth, 0);
  uint32_t covered = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    REQUIRE(got[i].word[0] == first[i].word[0]);
    REQUIRE(got_depth[i].word[0] == first_depth[i].word[0]);
    if (first[i].word[0] == 7 && last[i].word[0] == 10) ++covered;
  }
  CHECK(covered > 500);
}

TEST_CASE_METHOD(Fixture, "a resolve takes what was drawn before it, and nothing of what comes after", "[samples]") {
  use_triangle();
  use(ir::Stage::Fragment, "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n0: MOV OUT[0], CONST[0]\n1: END\n");
  const Vertex whole[] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
  use_vertices(whole);
  const ResourceRef many = image(Format::R8G8B8A8_UNORM, 4), first = image(Format::R8G8B8A8_UNORM, 1),
                    second = image(Format::R8G8B8A8_UNORM, 1);
  REQUIRE(c.set_color_target(0, {many}));
  const auto draw = [&](float r, float g, float b) {
    const float values[] = {r, g, b, 1};
    REQUIRE(c.set_constants(ir::Stage::Fragment, 0, std::span<const float>(values)));
    REQUIRE(c.draw({.count = 3}));
  };
  draw(1, 0, 0);
  REQUIRE(c.resolve({many}, {first}));
  draw(0, 1, 0);                         // covers every tile, so that the red triangle is dropped if nobody reads it
  REQUIRE(c.resolve({many}, {second}));
  draw(0, 0, 1);
  CHECK(c.read_image(first).value().texel(5, 5)[0] == 255);
  CHECK(c.read_image(second).value().texel(5, 5)[1] == 255);
  CHECK(c.read_image(many).value().texel(5, 5)[2] == 255);   // resolved to be read
}

TEST_CASE_METHOD(Fixture, "a texture that a draw reads is what it was before a later resolve", "[samples]") {
  const Vertex whole[] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
  use_vertices(whole);
  use(ir::Stage::Fragment,
      "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n"
      "0: TEX OUT[0], IMM[0], SAMP[0], 2D\n1: END\n");
  const ResourceRef many = image(Format::R8G8B8A8_UNORM, 4), single = image(Format::R8G8B8A8_UNORM, 1);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {single}));
  REQUIRE(c.set_color_target(0, {many}));
  REQUIRE(c.clear_color({1, 1, 1, 1}));
  REQUIRE(c.draw({.count = 3}));         // reads zeros
  REQUIRE(c.resolve({many}, {single}));  // zeros
  REQUIRE(c.clear_color({1, 0, 0, 1}));
  REQUIRE(c.resolve({many}, {single}));
  REQUIRE(c.draw({.count = 3}));         // reads red
  CHECK(c.read_image(many).value().texel(3, 3)[0] == 255);
  CHECK(c.read_image(single).value().texel(3, 3)[0] == 255);
}

TEST_CASE_METHOD(Fixture, "a varying interpolated at a sample or an offset is the one that is declared there",
                 "[samples]") {
  use_triangle();
  for (const uint32_t samples : {2u, 4u, 8u, 16u}) {
    CAPTURE(samples);
    const ResourceRef declared = image(Format::R32G32B32A32_FLOAT, samples);
    const auto draw_into = [&](const ResourceRef& target) {
      REQUIRE(c.set_color_target(0, {target}));
      REQUIRE(c.clear_color({0, 0, 0, 0}));
      REQUIRE(c.draw({.count = 3}));
    };
    use_color(", SAMPLE");
    draw_into(declared);
    const auto is_same = [&](std::string_view fragment) {
      const ResourceRef asked = image(Format::R32G32B32A32_FLOAT, samples);
      use(ir::Stage::Fragment, fragment);
      draw_into(asked);
      for (uint32_t s = 0; s < samples; ++s) {
        const std::vector<Texel> a = sample(declared, s), b = sample(asked, s);
        for (size_t i = 0; i < a.size(); ++i)
          for (size_t k = 0; k < 4; ++k) REQUIRE(a[i].word[k] == b[i].word[k]);
      }
    };
    is_same("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\n"
            "0: INTERP_SAMPLE OUT[0], IN[0], SV[0].xxxx\n1: END\n");
    is_same("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SV[0], SAMPLEPOS\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
            "IMM[0] FLT32 {-0.5, -0.5, 0.0, 0.0}\n0: ADD TEMP[0].xy, SV[0].xyyy, IMM[0].xyyy\n"
            "1: INTERP_OFFSET OUT[0], IN[0], TEMP[0].xyyy\n2: END\n");
    // Each pixel asks twice by address, once for the varying and once beyond it, which is 0.
    is_same("FRAG\nDCL IN[0], ARRAY(1), GENERIC[0], PERSPECTIVE\nDCL IN[1], POSITION, LINEAR\n"
            "DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nDCL ADDR[0]\n"
            "IMM[0] FLT32 {-0.5, -0.5, 0.0, 0.0}\nIMM[1] INT32 {1, 7, 0, 0}\n"
            "F2I TEMP[0].x, IN[1]\n0: AND TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
            "1: UMUL TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n"
            "2: XOR TEMP[0].y, TEMP[0].xxxx, IMM[1].yyyy\n3: UARL ADDR[0].xy, TEMP[0].xyyy\n"
            "4: INTERP_SAMPLE TEMP[1], IN[ADDR[0].x], SV[0].xxxx\n"
            "5: ADD TEMP[2].xy, SV[1].xyyy, IMM[0].xyyy\n"
            "6: INTERP_OFFSET TEMP[2], IN[ADDR[0].y](1), TEMP[2].xyyy\n"
            "7: OR OUT[0], TEMP[1], TEMP[2]\n8: END\n");
  }
}

TEST_CASE_METHOD(Fixture, "INTERP_CENTROID gives what a CENTROID input does, and without samples the centre",
                 "[samples]") {
  use_triangle();
  for (const uint32_t samples : {1u, 4u}) {
    const ResourceRef declared = image(Format::R32G32B32A32_FLOAT, samples),
                      asked = image(Format::R32G32B32A32_FLOAT, samples);
    for (const ResourceRef& target : {declared, asked}) {
      if (target == asked)
        use(ir::Stage::Fragment, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                 "0: INTERP_CENTROID OUT[0], IN[0]\n1: END\n");
      else use_color(", CENTROID");
      REQUIRE(c.set_color_target(0, {target}));
      REQUIRE(c.clear_color({0, 0, 0, 0}));
      REQUIRE(c.draw({.count = 3}));
    }
    for (uint32_t s = 0; s < samples; ++s) {
      const std::vector<Texel> a = sample(declared, s), b = sample(asked, s);
      for (size_t i = 0; i < a.size(); ++i)
        for (size_t k = 0; k < 4; ++k) REQUIRE(a[i].word[k] == b[i].word[k]);
    }
  }
}

TEST_CASE_METHOD(Fixture, "coverage after the depth test is what passed it; before, all that is covered", "[samples]") {
  const ResourceRef target = image(Format::R32G32B32A32_FLOAT, 4), depth = image(Format::Z32_FLOAT, 4);
  REQUIRE(c.set_color_target(0, {target}));
  REQUIRE(c.set_depth_target({depth}));
  c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true, .depth_func = raster::Compare::Less});
  for (const bool post_depth : {false, true}) {
    REQUIRE(c.clear_color({0, 0, 0, 0}));
    REQUIRE(c.clear_depth(1));
    use_triangle();
    use_color();
    REQUIRE(c.draw({.count = 3}));
    const Vertex whole[] = {{-1, -1, 0.95f, 1}, {3, -1, 0.95f, 1}, {-1, 3, 0.95f, 1}};
    use_vertices(whole);
    use(ir::Stage::Fragment, std::string("FRAG\n") + (post_depth ? "PROPERTY FS_POST_DEPTH_COVERAGE 1\n" : "") +
                                 "DCL SV[0], SAMPLEMASK\nDCL OUT[0], COLOR\n0: U2F OUT[0], SV[0].xxxx\n1: END\n");
    std::vector<std::vector<Texel>> before;
    for (uint32_t s = 0; s < 4; ++s) before.push_back(sample(depth, s));
    REQUIRE(c.draw({.count = 3}));
    uint32_t partial = 0;
    for (uint32_t s = 0; s < 4; ++s) {
      const std::vector<Texel> got = sample(target, s);
      for (size_t i = 0; i < got.size(); ++i) {
        uint32_t passed = 0;
        for (uint32_t k = 0; k < 4; ++k)
          if (channel(before[k][i], 0) == 1) passed |= 1u << k;
        if (!(passed >> s & 1)) continue;
        if (passed != 15) ++partial;
        REQUIRE(channel(got[i], 0) == (post_depth ? passed : 15));
      }
    }
    CHECK(partial > 20);
  }
}

TEST_CASE_METHOD(Fixture, "without multisampling programs see one sample, and write all of them", "[samples]") {
  const ResourceRef target = image(Format::R32G32B32A32_FLOAT, GENERATE(1u, 4u));
  REQUIRE(c.set_color_target(0, {target}));
  REQUIRE(c.clear_color({7, 7, 7, 7}));
  c.set_rasterizer({.multisample = false});
  const Vertex whole[] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
  use_vertices(whole);
  use(ir::Stage::Fragment, "FRAG\nDCL SV[0], SAMPLEMASK\nDCL SV[1], SAMPLEID\nDCL OUT[0], COLOR\nDCL OUT[1], SAMPLEMASK\n"
                           "IMM[0] UINT32 {0, 0, 0, 0}\n0: U2F OUT[0].x, SV[0].xxxx\n1: U2F OUT[0].yzw, SV[1].xxxx\n"
                           "2: MOV OUT[1].x, IMM[0].xxxx\n3: END\n");
  REQUIRE(c.draw({.count = 3}));
  for (uint32_t s = 0; s < target->desc().samples; ++s)
    for (const Texel& t : sample(target, s)) {
      REQUIRE(channel(t, 0) == 1);
      REQUIRE(channel(t, 1) == 0);
    }
}

TEST_CASE_METHOD(Fixture, "min_samples shades once a sample", "[samples]") {
  use_triangle();
  use_color();
  const ResourceRef target = image(Format::R8G8B8A8_UNORM, 4);
  REQUIRE(c.set_color_target(0, {target}));
  const auto fragments = [&](uint32_t min_samples) {
    c.set_min_samples(min_samples);
    c.renderer().reset_counters();
    REQUIRE(c.draw({.count = 3}));
    REQUIRE(c.flush());
    CHECK(c.renderer().counters().samples_passed > c.renderer().counters().fragments / 2);
    return std::pair{c.renderer().counters().fragments, c.renderer().counters().samples_passed};
  };
  const auto [pixels, samples] = fragments(1);
  const auto [shaded, same_samples] = fragments(4);
  CHECK(pixels < samples);
  CHECK(shaded == samples);
  CHECK(same_samples == samples);
}

TEST_CASE_METHOD(Fixture, "a wrong resolve names what is wrong and changes nothing", "[samples]") {
  const ResourceRef many = image(Format::R8G8B8A8_UNORM, 4), one = image(Format::R8G8B8A8_UNORM, 1);
  CHECK(text_of(c.resolve({}, {one})).find("from.resource") != std::string::npos);
  CHECK(text_of(c.resolve({many}, {})).find("to.resource") != std::string::npos);
  CHECK(text_of(c.resolve({one}, {one})).find("one sample") != std::string::npos);
  CHECK(text_of(c.resolve({many}, {many})).find("samples") != std::string::npos);
  CHECK(text_of(c.resolve({many}, {image(Format::B8G8R8A8_UNORM, 1)})).find("format") != std::string::npos);
  CHECK(text_of(c.resolve({many}, {image(Format::R8G8B8A8_UNORM, 1, 69, 70)})).find("resolve.to") != std::string::npos);
  CHECK_FALSE(c.read_texels(many, 0, 0, 4));
  CHECK_FALSE(c.write_texels(many, 0, {}, {}));
  CHECK_FALSE(device->create_image({.levels = 2, .samples = 4}));
  CHECK_FALSE(device->create_image({.samples = 3}));
  CHECK_FALSE(device->create_image({.samples = 32}));
}
