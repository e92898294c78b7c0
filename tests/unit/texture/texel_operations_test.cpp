// Operations that do not filter: fetch, gather and queries, to the bit.
#include <bit>
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "spec_sampler.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

uint32_t below(uint32_t n, std::mt19937& random) { return static_cast<uint32_t>(random() % n); }

Texel texel_at(const Storage& storage, uint32_t level, uint32_t slice, uint32_t x, uint32_t y, uint32_t sample = 0) {
  const LevelLayout& l = storage.level(level);
  return unpack_texel(storage.desc().format, storage.slice(level, slice, sample) + y * l.row_bytes +
                                                 size_t{x} * format_info(storage.desc().format).block_bytes);
}

std::array<uint32_t, 4> results(const TextureBlock& block, uint32_t lane) {
  return {block.out[0][lane], block.out[1][lane], block.out[2][lane], block.out[3][lane]};
}

// No format is left out but those without a value of their own.
std::vector<Format> all_plain_formats() {
  std::vector<Format> formats;
  for (size_t n = 1; n < all_formats().size(); ++n)
    if (!all_formats()[n].is_compressed) formats.push_back(static_cast<Format>(n));
  return formats;
}

}  // namespace

TEST_CASE("fetch gives the unpacked texel of every format, and zeros outside", "[texture][fetch]") {
  std::mt19937 random(seed());
  for (Format format : all_plain_formats()) {
    const auto resource = random_texture(desc_of(ResourceKind::Tex2DArray, format, 7, 5, 1, 3, 3), random);
    const Storage& storage = *resource->storage();
    TextureBlock block;
    block.has_lod = true;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      block.coord[0][lane] = below(9, random) - 1;
      block.coord[1][lane] = below(7, random) - 1;
      block.coord[3][lane] = below(5, random) - 1;
      block.lod[lane] = below(5, random) - 1;
    }
    ir::TextureOp op;
    op.kind = TextureKind::Fetch;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(whole_view(resource->storage()), {}, simd), op);
      for (uint32_t lane = 0; lane < 64; ++lane) {
        const uint32_t level = block.lod[lane], x = block.coord[0][lane], y = block.coord[1][lane],
                       layer = block.coord[3][lane];
        std::array<uint32_t, 4> expected{};
        if (level < 3 && layer < 3 && x < storage.level(level).width && y < storage.level(level).height)
          expected = std::to_array(texel_at(storage, level, layer, x, y).word);
        CAPTURE(seed(), format_info(format).name, lane, level, x, y, layer);
        if (results(block, lane) != expected) CHECK(results(block, lane) == expected);
      }
    }
  }
}

TEST_CASE("fetch adds its constant offset and reaches into buffers, volumes and samples", "[texture][fetch]") {
  std::mt19937 random(seed());
  ir::TextureOp op;
  op.kind = TextureKind::Fetch;
  TextureBlock block;
  SECTION("a range of a buffer, seen as two-word elements") {
    const auto buffer = random_texture(desc_of(ResourceKind::Buffer, Format::R8_UINT, 160, 1, 1, 1, 1), random);
    View view = whole_view(buffer->storage());
    view.format = Format::R32G32_UINT;
    view.first_layer = 3;
    view.last_layer = 12;
    REQUIRE(check_view(view).ok());
    for (uint32_t lane = 0; lane < 64; ++lane) block.coord[0][lane] = lane - 4;
    block.run(*bind_texture(view, {}, best_simd_target()), op);
    const auto* words = reinterpret_cast<const uint32_t*>(buffer->storage()->data());
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const bool inside = lane >= 4 && lane < 14;
      CHECK(block.out[0][lane] == (inside ? words[2 * (lane - 1)] : 0));
      CHECK(block.out[1][lane] == (inside ? words[2 * (lane - 1) + 1] : 0));
      CHECK(block.out[3][lane] == (inside ? 1 : 0));
    }
  }
  SECTION("a volume with an offset") {
    const auto volume = random_texture(desc_of(ResourceKind::Tex3D, Format::R8G8B8A8_UNORM, 6, 5, 4, 1, 1), random);
    op.offset_count = 1;
    op.offset[0][0] = -2;
    op.offset[0][1] = 1;
    op.offset[0][2] = 3;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      block.coord[0][lane] = lane % 8;
      block.coord[1][lane] = lane / 8;
      block.coord[2][lane] = lane % 3 - 3;
    }
    block.run(*bind_texture(whole_view(volume->storage()), {}, best_simd_target()), op);
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const uint32_t x = lane % 8 - 2, y = lane / 8 + 1, z = lane % 3;
      const std::array<uint32_t, 4> expected =
          x < 6 && y < 5 ? std::to_array(texel_at(*volume->storage(), 0, z, x, y).word) : std::array<uint32_t, 4>{};
      CHECK(results(block, lane) == expected);
    }
  }
  SECTION("samples of a multisampled array") {
    ResourceDesc desc = desc_of(ResourceKind::Tex2DArray, Format::R8G8B8A8_UNORM, 4, 4, 1, 2, 1);
    desc.samples = 4;
    const auto image = random_texture(desc, random);
    block.has_lod = true;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      block.coord[0][lane] = lane % 4;
      block.coord[1][lane] = lane / 4 % 4;
      block.coord[3][lane] = lane / 16 % 2;
      block.lod[lane] = lane % 5;
    }
    block.run(*bind_texture(whole_view(image->storage()), {}, best_simd_target()), op);
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const std::array<uint32_t, 4> expected =
          lane % 5 < 4
              ? std::to_array(texel_at(*image->storage(), 0, lane / 16 % 2, lane % 4, lane / 4 % 4, lane % 5).word)
              : std::array<uint32_t, 4>{};
      CHECK(results(block, lane) == expected);
    }
    op.kind = TextureKind::QuerySamples;
    block.run(*bind_texture(whole_view(image->storage()), {}, best_simd_target()), op);
    CHECK(results(block, 0) == std::array<uint32_t, 4>{4, 0, 0, 0});
  }
}

namespace {

struct GatherCase {
  View view;
  Sampler sampler;
  ir::TextureOp op;
  TextureBlock block;
  uint32_t form = 0;  // offsets: 0 none, 1 one constant, 2 four constants, 3 words a lane
};

GatherCase random_gather(std::mt19937& random) {
  const Format formats[] = {Format::R8G8B8A8_UNORM, Format::R8G8_UNORM,    Format::R32G32B32A32_FLOAT,
                            Format::R8G8B8A8_UINT,  Format::B8G8R8A8_SRGB, Format::Z32_FLOAT};
  const ResourceKind kinds[] = {ResourceKind::Tex2D, ResourceKind::Tex2DArray, ResourceKind::Rect, ResourceKind::Cube,
                                ResourceKind::CubeArray};
  GatherCase c;
  const ResourceKind kind = kinds[below(5, random)];
  const bool cube = kind == ResourceKind::Cube || kind == ResourceKind::CubeArray;
  const uint32_t width = 1 + below(9, random), height = cube ? width : 1 + below(9, random);
  const uint32_t layers = kind == ResourceKind::Cube         ? 6
                          : kind == ResourceKind::CubeArray  ? 12
                          : kind == ResourceKind::Tex2DArray ? 3
                                                             : 1;
  c.view = whole_view(
      random_texture(desc_of(kind, formats[below(6, random)], width, height, 1, layers, 1), random)->storage());
  for (Swizzle& s : c.view.swizzle)
    if (below(4, random) == 0) s = static_cast<Swizzle>(below(6, random));
  const bool integer = format_info(c.view.format).is_pure_integer();
  c.sampler.min_filter = c.sampler.mag_filter = Filter::Nearest;
  c.sampler.unnormalized = kind == ResourceKind::Rect;
  for (Wrap* wrap : {&c.sampler.wrap_s, &c.sampler.wrap_t}) do
      *wrap = static_cast<Wrap>(below(8, random));
    while (kind == ResourceKind::Rect && (*wrap == Wrap::Repeat || *wrap == Wrap::MirrorRepeat));
  for (uint32_t& word : c.sampler.border) word = integer ? below(256, random) : std::bit_cast<uint32_t>(0.25f);
  c.sampler.seamless_cube = below(2, random);
  c.sampler.compare = c.block.has_ref = c.view.format == Format::Z32_FLOAT && below(2, random);
  c.sampler.compare_func = static_cast<Compare>(below(8, random));
  c.op.kind = TextureKind::Gather;
  c.op.component = static_cast<uint8_t>(below(4, random));
  c.form = cube ? 0 : below(4, random);
  c.op.offset_count = c.form == 1 ? 1 : c.form == 2 ? 4 : 0;
  c.block.has_offset = c.form == 3;
  for (auto& set : c.op.offset)
    for (int8_t& o : set)
      o = c.op.offset_count ? static_cast<int8_t>(static_cast<int>(below(64, random)) - 32) : int8_t{0};
  for (uint32_t lane = 0; lane < 64; ++lane) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      c.block.set(axis, lane,
                  (static_cast<float>(below(257, random)) / 64 - 2) * (c.sampler.unnormalized ? 4.0f : 1.0f));
      c.block.offset[axis][lane] = below(200, random) - 100;
    }
    c.block.set(3, lane, static_cast<float>(below(16, random)) / 4 - 1);
    c.block.ref[lane] = std::bit_cast<uint32_t>(static_cast<float>(below(65, random)) / 64);
    if (cube) c.block.set(below(3, random), lane, 2.0f);
  }
  return c;
}

SpecCoordinates coordinates_of(const GatherCase& c, uint32_t lane) {
  const auto coordinate = [&](uint32_t axis) { return std::bit_cast<float>(c.block.coord[axis][lane]); };
  SpecCoordinates at{coordinate(0), coordinate(1), coordinate(2), coordinate(3), {}, {}};
  if (c.sampler.compare) at.reference = std::bit_cast<float>(c.block.ref[lane]);
  return at;
}

}  // namespace

TEST_CASE("gather takes the four texels of the exact footprint, shifted by constant, lane or four offsets",
          "[texture][gather]") {
  std::mt19937 random(seed());
  for (uint32_t round = 0; round < rounds(600); ++round) {
    GatherCase g = random_gather(random);
    REQUIRE(check_view(g.view).ok());
    const SpecSampler spec(g.view, g.sampler);
    std::optional<TextureBlock> first;
    for (SimdTarget simd : available_simd_targets()) {
      g.block.run(*bind_texture(g.view, g.sampler, simd), g.op);
      if (first) REQUIRE(std::memcmp(first->out, g.block.out, sizeof g.block.out) == 0);
      first = g.block;
    }
    for (uint32_t lane = 0; lane < 64; ++lane)
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t set = g.form == 2 ? c : 0;
        int32_t x = g.form == 3 ? static_cast<int32_t>(g.block.offset[0][lane]) : g.op.offset[set][0];
        int32_t y = g.form == 3 ? static_cast<int32_t>(g.block.offset[1][lane]) : g.op.offset[set][1];
        if (g.form != 2) {
          x += c == 1 || c == 2;
          y += c < 2;
        }
        const SpecCoordinates at = coordinates_of(g, lane);
        const SpecGathered expected = spec.gathered(at, x, y, g.op.component);
        const bool agrees = expected.is_exact
                                ? g.block.out[c][lane] == expected.bits
                                : std::fabs(static_cast<double>(g.block.result(c, lane)) - expected.value) <= 1e-6;
        CAPTURE(seed(), round, lane, c, g.form, format_info(g.view.format).name, static_cast<int>(g.view.kind), at.s,
                at.t, at.r, x, y, static_cast<int>(g.sampler.wrap_s), static_cast<int>(g.sampler.wrap_t),
                g.sampler.seamless_cube, g.sampler.compare, expected.bits, g.block.out[c][lane]);
        if (!agrees) FAIL("another texel");
      }
  }
}

TEST_CASE("queries give sizes of a level, layers and the number of levels", "[texture][query]") {
  ir::TextureOp op;
  op.kind = TextureKind::QuerySize;
  TextureBlock block;
  block.has_lod = true;
  for (uint32_t lane = 0; lane < 64; ++lane) block.lod[lane] = lane;
  const auto ask = [&](const ResourceDesc& desc, uint32_t first_level, uint32_t level) {
    View view = whole_view(Resource::create(desc).value()->storage());
    view.first_level = first_level;
    block.run(*bind_texture(view, {}, best_simd_target()), op);
    return results(block, level);
  };
  using Words = std::array<uint32_t, 4>;
  const Format f = Format::R8_UNORM;
  CHECK(ask(desc_of(ResourceKind::Tex2D, f, 20, 10, 1, 1, 4), 1, 1) == Words{5, 2, 0, 3});
  CHECK(ask(desc_of(ResourceKind::Tex2D, f, 20, 10, 1, 1, 4), 1, 3) == Words{0, 0, 0, 3});
  CHECK(ask(desc_of(ResourceKind::Tex1D, f, 20, 1, 1, 1, 1), 0, 0) == Words{20, 0, 0, 1});
  CHECK(ask(desc_of(ResourceKind::Tex1DArray, f, 20, 1, 1, 7, 1), 0, 0) == Words{20, 7, 0, 1});
  CHECK(ask(desc_of(ResourceKind::Tex2DArray, f, 20, 10, 1, 7, 2), 0, 1) == Words{10, 5, 7, 2});
  CHECK(ask(desc_of(ResourceKind::Tex3D, f, 20, 10, 6, 1, 2), 0, 1) == Words{10, 5, 3, 2});
  CHECK(ask(desc_of(ResourceKind::Cube, f, 16, 16, 1, 6, 1), 0, 0) == Words{16, 16, 0, 1});
  CHECK(ask(desc_of(ResourceKind::CubeArray, f, 16, 16, 1, 12, 1), 0, 0) == Words{16, 16, 2, 1});
  CHECK(ask(desc_of(ResourceKind::Buffer, Format::R8_UINT, 64, 1, 1, 1, 1), 0, 0) == Words{64, 0, 0, 1});
}

}  // namespace tessera::tests
