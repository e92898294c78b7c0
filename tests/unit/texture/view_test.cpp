// What can be sampled and what is refused, by name; views of other kinds, levels and layers; null textures.
#include <bit>
#include <cmath>
#include <functional>

#include <catch2/catch.hpp>

#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;

std::shared_ptr<Resource> make(ResourceKind kind, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
                               uint32_t levels, Format format = Format::R8G8B8A8_UNORM) {
  return Resource::create(desc_of(kind, format, width, height, depth, layers, levels)).value();
}

View changed(const std::shared_ptr<Resource>& resource, const std::function<void(View&)>& change) {
  View view = whole_view(resource->storage());
  change(view);
  return view;
}

Sampler changed(const std::function<void(Sampler&)>& change) {
  Sampler sampler;
  change(sampler);
  return sampler;
}

// Texel (0, 0) of every slice of every level is 10 * level + slice.
void number_slices(Resource& resource) {
  Storage& storage = resource.storage_for_write(true);
  for (uint32_t level = 0; level < resource.desc().levels; ++level)
    for (uint32_t slice = 0; slice < storage.level(level).slices; ++slice)
      *reinterpret_cast<float*>(storage.slice(level, slice)) = static_cast<float>(10 * level + slice);
}

float first_texel(const View& view, float layer = 0) {
  TextureBlock block;
  for (uint32_t lane = 0; lane < 64; ++lane) block.set(3, lane, layer);
  Sampler sampler;
  sampler.min_filter = sampler.mag_filter = Filter::Nearest;
  block.run(*bind_texture(view, sampler, best_simd_target()), {});
  return block.result(0, 5);
}

}  // namespace

TEST_CASE("a view that cannot be sampled is refused with the reason, and samples as nothing", "[texture][view]") {
  const auto image = make(ResourceKind::Tex2D, 8, 8, 1, 1, 4), array = make(ResourceKind::Tex2DArray, 8, 8, 1, 8, 1);
  const auto wide = make(ResourceKind::Tex2DArray, 8, 4, 1, 6, 1), volume = make(ResourceKind::Tex3D, 8, 8, 8, 1, 4);
  const auto buffer = make(ResourceKind::Buffer, 64, 1, 1, 1, 1, Format::R8_UINT),
             line = make(ResourceKind::Tex1D, 8, 1, 1, 1, 1);
  const auto many =
      Resource::create({.kind = ResourceKind::Tex2DArray, .width = 8, .height = 8, .layers = 6, .samples = 4}).value();
  const struct {
    View view;
    const char* reason;
  } cases[] = {{View{}, "no resource"},
               {changed(image, [](View& v) { v.last_level = 4; }), "levels 0 to 4"},
               {changed(image,
                        [](View& v) {
                          v.first_level = 3;
                          v.last_level = 2;
                        }),
                "levels 3 to 2"},
               {changed(image, [](View& v) { v.format = Format::R8_UNORM; }), "bytes"},
               {changed(image, [](View& v) { v.format = Format::NONE; }), "NONE"},
               {changed(image, [](View& v) { v.format = static_cast<Format>(60000); }), "does not exist"},
               {changed(image, [](View& v) { v.kind = static_cast<ResourceKind>(77); }), "does not exist"},
               {changed(image, [](View& v) { v.swizzle[2] = static_cast<Swizzle>(9); }), "swizzle"},
               {changed(image, [](View& v) { v.kind = ResourceKind::Tex3D; }), "kind"},
               {changed(image, [](View& v) { v.kind = ResourceKind::Buffer; }), "kind"},
               {changed(image, [](View& v) { v.kind = ResourceKind::Rect; }), "a rectangle has one level, found 4"},
               {changed(many, [](View& v) { v.kind = ResourceKind::Cube; }), "4 samples seen as a cube"},
               {changed(image, [](View& v) { v.last_layer = 1; }), "layers 0 to 1"},
               {changed(array, [](View& v) { v.kind = ResourceKind::Tex2D; }), "without layers"},
               {changed(array, [](View& v) { v.kind = ResourceKind::Cube; }), "8 layers"},
               {changed(array, [](View& v) { v.kind = ResourceKind::CubeArray; }), "multiple of 6"},
               {changed(array,
                        [](View& v) {
                          v.first_layer = 7;
                          v.last_layer = 8;
                        }),
                "layers 7 to 8"},
               {changed(array,
                        [](View& v) {
                          v.first_layer = 5;
                          v.last_layer = 4;
                        }),
                "layers 5 to 4"},
               {changed(wide, [](View& v) { v.kind = ResourceKind::Cube; }), "squares"},
               {changed(volume,
                        [](View& v) {
                          v.kind = ResourceKind::Tex2DArray;
                          v.last_layer = 3;
                        }),
                "one level"},
               {changed(volume,
                        [](View& v) {
                          v.kind = ResourceKind::Tex2D;
                          v.first_level = v.last_level = 1;
                          v.first_layer = v.last_layer = 4;
                        }),
                "layers 4 to 4 of 4"},
               {changed(volume,
                        [](View& v) {
                          v.kind = ResourceKind::Cube;
                          v.last_layer = 5;
                        }),
                "kind"},
               {changed(line, [](View& v) { v.kind = ResourceKind::Tex2D; }), "kind"},
               {changed(buffer, [](View& v) { v.format = Format::R32G32B32A32_FLOAT; }), "elements 0 to 63"},
               {changed(buffer, [](View& v) { v.last_layer = 64; }), "elements 0 to 64"}};
  for (const auto& c : cases) {
    CAPTURE(c.reason);
    const Status status = check_view(c.view);
    REQUIRE(!status.ok());
    CHECK(format_diags(status.diags(), "").find(c.reason) != std::string::npos);
    TextureBlock block;
    block.run(*bind_texture(c.view, {}, best_simd_target()), {});
    for (uint32_t channel = 0; channel < 4; ++channel) CHECK(block.result(channel, 63) == (channel == 3 ? 1.0f : 0.0f));
  }
}

TEST_CASE("a sampler that makes no sense is refused with the reason", "[texture][view]") {
  const struct {
    Sampler sampler;
    const char* reason;
  } cases[] = {{changed([](Sampler& s) { s.wrap_t = static_cast<Wrap>(8); }), "wrap mode"},
               {changed([](Sampler& s) { s.unnormalized = true; }), "cannot repeat"},
               {changed([](Sampler& s) { s.min_filter = static_cast<Filter>(2); }), "filter"},
               {changed([](Sampler& s) { s.mip_filter = static_cast<MipFilter>(3); }), "mip filter"},
               {changed([](Sampler& s) { s.compare_func = static_cast<Compare>(8); }), "comparison"},
               {changed([](Sampler& s) { s.reduction = static_cast<Reduction>(3); }), "reduction"},
               {changed([](Sampler& s) { s.max_anisotropy = 0; }), "max_anisotropy is 0"},
               {changed([](Sampler& s) { s.max_anisotropy = 17; }), "max_anisotropy is 17"},
               {changed([](Sampler& s) { s.lod_bias = NAN; }), "not a number"},
               {changed([](Sampler& s) { s.max_lod = NAN; }), "not a number"}};
  CHECK(check_sampler({}).ok());
  for (const auto& c : cases) {
    CAPTURE(c.reason);
    const Status status = check_sampler(c.sampler);
    REQUIRE(!status.ok());
    CHECK(format_diags(status.diags(), "").find(c.reason) != std::string::npos);
  }
}

TEST_CASE("views pick levels, layers, cubes and slices of other kinds", "[texture][view]") {
  const auto array = make(ResourceKind::Tex2DArray, 8, 8, 1, 9, 3, Format::R32_FLOAT);
  const auto volume = make(ResourceKind::Tex3D, 4, 4, 4, 1, 2, Format::R32_FLOAT);
  number_slices(*array);
  number_slices(*volume);
  CHECK(first_texel(changed(array, [](View& v) {
          v.kind = ResourceKind::Tex2D;
          v.first_level = 2;
          v.first_layer = v.last_layer = 7;
        })) == 27);
  CHECK(first_texel(changed(array,
                            [](View& v) {
                              v.first_level = 1;
                              v.first_layer = 3;
                              v.last_layer = 5;
                            }),
                    1) == 14);
  CHECK(first_texel(changed(array,
                            [](View& v) {
                              v.first_layer = 3;
                              v.last_layer = 5;
                            }),
                    99) == 5);
  CHECK(first_texel(changed(array, [](View& v) {
          v.kind = ResourceKind::Cube;
          v.first_layer = 2;
          v.last_layer = 7;
        })) >= 2);
  CHECK(first_texel(changed(volume, [](View& v) {
          v.kind = ResourceKind::Tex2D;
          v.last_level = 0;
          v.first_layer = v.last_layer = 3;
        })) == 3);
  CHECK(first_texel(changed(volume,
                            [](View& v) {
                              v.kind = ResourceKind::Tex2DArray;
                              v.first_level = 1;
                              v.first_layer = 0;
                              v.last_layer = 1;
                            }),
                    1) == 11);
}

TEST_CASE("a view reads its bytes as another format of the same size and swizzles them", "[texture][view]") {
  const auto image = make(ResourceKind::Tex2D, 1, 1, 1, 1, 1);
  const uint8_t texel[4] = {255, 0, 51, 102};
  std::copy_n(reinterpret_cast<const std::byte*>(texel), 4, image->storage_for_write(false).data());
  TextureBlock block;
  View view = changed(image, [](View& v) {
    v.format = Format::B8G8R8A8_UNORM;
    v.swizzle[0] = Swizzle::One;
    v.swizzle[1] = Swizzle::Z;
    v.swizzle[2] = Swizzle::Z;
    v.swizzle[3] = Swizzle::Zero;
  });
  REQUIRE(check_view(view).ok());
  Sampler sampler;
  sampler.min_filter = sampler.mag_filter = Filter::Nearest;
  block.run(*bind_texture(view, sampler, best_simd_target()), {});
  CHECK(block.result(0, 9) == 1.0f);
  CHECK(block.result(1, 9) == 1.0f);
  CHECK(block.result(2, 9) == 1.0f);
  CHECK(block.result(3, 9) == 0.0f);
  view.format = Format::R8G8B8A8_UNORM;
  block.run(*bind_texture(view, sampler, best_simd_target()), {});
  CHECK(block.result(1, 9) == 0.2f);
}

TEST_CASE("an instruction reads views of its own kind only, and the reason names both", "[texture][view]") {
  using T = ir::TextureTarget;
  struct Kind {
    ResourceDesc desc;
    T plain, shadow;
  };
  const ResourceDesc any{.kind = ResourceKind::Tex1D, .width = 4};
  const auto desc = [&](ResourceKind kind, uint32_t height, uint32_t layers, uint32_t samples = 1) {
    ResourceDesc d = any;
    d.kind = kind, d.height = height, d.layers = layers, d.samples = samples;
    return d;
  };
  ResourceDesc buffer = desc(ResourceKind::Buffer, 1, 1);
  buffer.format = Format::R8_UINT;
  const Kind kinds[] = {{buffer, T::Buffer, T::Buffer},
                        {any, T::Tex1D, T::Shadow1D},
                        {desc(ResourceKind::Tex2D, 4, 1), T::Tex2D, T::Shadow2D},
                        {desc(ResourceKind::Tex3D, 4, 1), T::Tex3D, T::Tex3D},
                        {desc(ResourceKind::Cube, 4, 6), T::Cube, T::ShadowCube},
                        {desc(ResourceKind::Rect, 4, 1), T::Rect, T::ShadowRect},
                        {desc(ResourceKind::Tex1DArray, 1, 2), T::Tex1DArray, T::Shadow1DArray},
                        {desc(ResourceKind::Tex2DArray, 4, 2), T::Tex2DArray, T::Shadow2DArray},
                        {desc(ResourceKind::CubeArray, 4, 12), T::CubeArray, T::ShadowCubeArray},
                        {desc(ResourceKind::Tex2D, 4, 1, 4), T::Tex2DMsaa, T::Tex2DMsaa},
                        {desc(ResourceKind::Tex2DArray, 4, 2, 4), T::Tex2DArrayMsaa, T::Tex2DArrayMsaa}};
  for (const Kind& stored : kinds) {
    const auto resource = Resource::create(stored.desc).value();
    const View view = whole_view(resource->storage());
    CHECK(check_target(view, T::Unknown).ok());
    for (const Kind& read : kinds) {
      // One sample can be read as if it were of many.
      const bool agree = stored.desc.kind == read.desc.kind && stored.desc.samples <= read.desc.samples;
      CAPTURE(static_cast<int>(stored.desc.kind), static_cast<int>(read.plain), stored.desc.samples);
      CHECK(check_target(view, read.plain).ok() == agree);
      CHECK(check_target(view, read.shadow).ok() == agree);
    }
  }
  const auto many = Resource::create(desc(ResourceKind::Tex2D, 4, 1, 4)).value();
  CHECK(check_target(whole_view(many->storage()), T::Tex2D).diags().front().text ==
        "the shader samples Tex2D, the view is 2D of 4 samples");
}

TEST_CASE("buffers and images of several samples are fetched only: sampling them gives what a null view gives",
          "[texture][view]") {
  ResourceDesc desc{.width = 4, .height = 4, .samples = 4};
  const auto many = Resource::create(desc).value();
  desc = {.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 64};
  const auto buffer = Resource::create(desc).value();
  for (const auto& resource : {many, buffer})
    for (ir::TextureKind kind : {ir::TextureKind::Sample, ir::TextureKind::SampleLod, ir::TextureKind::Gather}) {
      TextureBlock block;
      ir::TextureOp op;
      op.kind = kind;
      block.run(*bind_texture(whole_view(resource->storage()), {}, best_simd_target()), op);
      for (uint32_t c = 0; c < 4; ++c) CHECK(block.result(c, 17) == (c == 3 ? 1.0f : 0.0f));
    }
}

TEST_CASE("a border is limited to what the format can hold", "[texture][view]") {
  const struct {
    Format format;
    uint32_t given, expected;
  } cases[] = {{Format::R8_UINT, 300, 255},
               {Format::R8_SINT, 300, 127},
               {Format::R8_SINT, static_cast<uint32_t>(-300), static_cast<uint32_t>(-128)},
               {Format::R16_UINT, ~0u, 0xffff},
               {Format::R32_UINT, ~0u, ~0u},
               {Format::R32_SINT, 0x80000000u, 0x80000000u},
               {Format::R8_UNORM, std::bit_cast<uint32_t>(2.5f), std::bit_cast<uint32_t>(1.0f)},
               {Format::R8_UNORM, std::bit_cast<uint32_t>(-2.5f), 0},
               {Format::R8_SNORM, std::bit_cast<uint32_t>(-2.5f), std::bit_cast<uint32_t>(-1.0f)},
               {Format::R32_FLOAT, std::bit_cast<uint32_t>(-2.5f), std::bit_cast<uint32_t>(-2.5f)}};
  for (const auto& c : cases) {
    const auto image = make(ResourceKind::Tex2D, 4, 4, 1, 1, 1, c.format);
    Sampler sampler;
    sampler.wrap_s = Wrap::ClampToBorder;
    sampler.min_filter = sampler.mag_filter = Filter::Nearest;
    sampler.border[0] = c.given;
    TextureBlock block;
    for (uint32_t lane = 0; lane < 64; ++lane) block.set(0, lane, -1.0f);
    block.run(*bind_texture(whole_view(image->storage()), sampler, best_simd_target()), {});
    CAPTURE(format_info(c.format).name, c.given);
    CHECK(block.out[0][33] == c.expected);
  }
}

}  // namespace tessera::tests
