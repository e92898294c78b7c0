// Texels that decoded copies leave out: every operation gives with them what it gives on all texels decoded.
#include <bit>
#include <cmath>
#include <cstring>
#include <thread>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "texture/bound.h"
#include "texture/decompress.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

// The same view of an image whose texels are all in memory.
View decoded_view(const View& view) {
  View plain = view;
  plain.storage = decompress_whole(*view.storage, view.format);
  plain.format = format_info(view.format).decoded;
  return plain;
}

Sampler random_sampler(std::mt19937& random) {
  Sampler s;
  const auto pick = [&](auto most) { return static_cast<decltype(most)>(random() % (static_cast<uint32_t>(most) + 1)); };
  s.wrap_s = pick(Wrap::MirrorClampToBorder);
  s.wrap_t = random() % 2 ? s.wrap_s : pick(Wrap::MirrorClampToBorder);
  s.wrap_r = pick(Wrap::MirrorClampToBorder);
  s.min_filter = pick(Filter::Linear);
  s.mag_filter = pick(Filter::Linear);
  s.mip_filter = pick(MipFilter::None);
  s.reduction = random() % 4 ? Reduction::Average : pick(Reduction::Max);
  s.max_anisotropy = random() % 3 ? 1 : 8;
  s.seamless_cube = random() % 2;
  for (uint32_t& word : s.border) word = std::bit_cast<uint32_t>(static_cast<float>(random() % 5) / 4);
  return s;
}

// Filtered coordinates lie about a point of each quad, near enough to read any level from the first one on.
void fill_coordinates(TextureBlock& block, bool are_integers, uint32_t layers, std::mt19937& random) {
  block.has_lod = are_integers;
  const auto fraction = [&] { return static_cast<float>(random() % 8192) / 4096.0f - 1; };
  float centre[3] = {}, reach = 0;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    if (lane % 4 == 0) {
      for (float& c : centre) c = fraction();
      reach = std::ldexp(1.0f, -static_cast<int>(random() % 9));
    }
    for (uint32_t c = 0; c < 3; ++c) {
      block.coord[c][lane] = static_cast<uint32_t>(random()) % 40;
      if (!are_integers) block.set(c, lane, centre[c] + reach * fraction());
    }
    const auto layer = static_cast<uint32_t>(random()) % layers;
    block.coord[3][lane] = are_integers ? layer : std::bit_cast<uint32_t>(static_cast<float>(layer));
    block.lod[lane] = 0;
  }
}

ResourceDesc random_desc(Format format, std::mt19937& random) {
  ResourceDesc desc{.format = format, .width = 32, .height = 32};
  switch (random() % 7) {
    case 0: desc.levels = 6; break;
    case 1: desc.width = 37, desc.height = 21; break;
    case 2: desc.kind = ResourceKind::Cube, desc.layers = 6, desc.levels = 3; break;
    case 3: desc.kind = ResourceKind::Tex2DArray, desc.layers = 3; break;
    case 5: desc.width = 12, desc.height = 3, desc.levels = 4; break;   // levels beyond the first lack texels
    case 4: desc.kind = ResourceKind::CubeArray, desc.layers = 12, desc.levels = 2; break;
    default: desc.kind = ResourceKind::Tex3D, desc.depth = 5; break;
  }
  if (!Resource::check(desc).ok()) desc = {.format = format, .width = 32, .height = 32};
  return desc;
}

}  // namespace

TEST_CASE("sampling, fetching and gathering see the texels that are left out", "[texture][blocks][random]") {
  std::mt19937 random(seed());
  uint32_t with_cold_texels = 0, with_cold_levels = 0;
  for (size_t n = 0; n < all_formats().size(); ++n) {
    if (!all_formats()[n].is_compressed) continue;
    for (uint32_t round = 0; round < rounds(12); ++round) {
      const auto resource = random_blocks(random_desc(static_cast<Format>(n), random), random);
      View view = whole_view(resource->storage());
      if (view.kind == ResourceKind::Tex2DArray) view.first_layer = random() % 2;
      const Sampler sampler = random_sampler(random);
      ir::TextureOp op;
      op.kind = round % 3 == 0 ? TextureKind::Fetch : round % 3 == 1 ? TextureKind::Sample : TextureKind::Gather;
      const bool is_cube = view.kind == ResourceKind::Cube || view.kind == ResourceKind::CubeArray;
      if (is_cube && op.kind == TextureKind::Fetch) op.kind = TextureKind::Sample;
      if (view.kind == ResourceKind::Tex3D && op.kind == TextureKind::Gather) op.kind = TextureKind::Fetch;
      for (SimdTarget simd : available_simd_targets()) {
        TextureBlock block, expected;
        fill_coordinates(block, op.kind == TextureKind::Fetch, view.last_layer - view.first_layer + 1, random);
        expected = block;
        const auto bound = bind_texture(view, sampler, simd), whole = bind_texture(decoded_view(view), sampler, simd);
        with_cold_texels += bound->may_be_cold();
        with_cold_levels += bound->cold.size() > 1;
        block.run(*bound, op);
        expected.run(*whole, op);
        CAPTURE(all_formats()[n].name, view.kind, op.kind, seed(), round);
        CHECK(std::memcmp(block.out, expected.out, sizeof block.out) == 0);
      }
    }
  }
  CHECK(with_cold_texels > 0);
  CHECK(with_cold_levels > 0);
}

TEST_CASE("blocks that a thread keeps are never those of another image", "[texture][blocks]") {
  std::mt19937 random(seed());
  ir::TextureOp fetch;
  fetch.kind = TextureKind::Fetch;
  TextureBlock block;
  fill_coordinates(block, true, 1, random);
  for (uint32_t lane = 0; lane < 64; ++lane) block.coord[0][lane] %= 16, block.coord[1][lane] %= 4;
  for (int round = 0; round < 200; ++round) {   // each at the memory of the one before
    const auto resource = random_blocks({.format = Format::BPTC_RGBA_UNORM, .width = 16, .height = 16}, random);
    const View view = whole_view(resource->storage());
    TextureBlock expected = block;
    block.run(*bind_texture(view, {}, best_simd_target()), fetch);
    expected.run(*bind_texture(decoded_view(view), {}, best_simd_target()), fetch);
    REQUIRE(std::memcmp(block.out, expected.out, sizeof block.out) == 0);
  }
}

TEST_CASE("blocks that a thread keeps are not those from before a part was rewritten", "[texture][blocks]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  const auto resource = random_blocks({.format = Format::BPTC_RGBA_UNORM, .width = 32, .height = 32}, random);
  DecodedCopies copies;
  ir::TextureOp fetch;
  fetch.kind = TextureKind::Fetch;
  TextureBlock block;
  block.has_lod = true;
  for (uint32_t lane = 0; lane < 64; ++lane) block.coord[0][lane] = lane % 8 * 2, block.coord[1][lane] = lane / 8;
  for (int round = 0; round < 50; ++round) {
    copies.forget(*resource->storage());
    std::byte* rewritten = resource->storage_for_write(true).slice(0, 0) + 16 * (random() % 4);   // of the first row
    for (int i = 0; i < 16; ++i) rewritten[i] = static_cast<std::byte>(random());
    View view = whole_view(resource->storage());
    TextureBlock expected = block;
    expected.run(*bind_texture(decoded_view(view), {}, best_simd_target()), fetch);
    view.decoded = copies.get(resource->storage(), view.format);
    const auto bound = bind_texture(view, {}, best_simd_target());
    REQUIRE(bound->may_be_cold());
    block.run(*bound, fetch);
    REQUIRE(std::memcmp(block.out, expected.out, sizeof block.out) == 0);
  }
}

TEST_CASE("views that begin at different layers share what a thread keeps", "[texture][blocks]") {
  std::mt19937 random(seed());
  const auto resource = random_blocks(
      {.kind = ResourceKind::Tex2DArray, .format = Format::RGTC1_UNORM, .width = 16, .height = 16, .layers = 8}, random);
  View view = whole_view(resource->storage());
  view.decoded = decompress(*resource->storage(), view.format);
  ir::TextureOp fetch;
  fetch.kind = TextureKind::Fetch;
  for (uint32_t first = 0; first < 8; ++first) {
    view.first_layer = first;
    TextureBlock block;
    fill_coordinates(block, true, 8 - first, random);
    TextureBlock expected = block;
    block.run(*bind_texture(view, {}, best_simd_target()), fetch);
    expected.run(*bind_texture(decoded_view(view), {}, best_simd_target()), fetch);
    CAPTURE(first, seed());
    CHECK(std::memcmp(block.out, expected.out, sizeof block.out) == 0);
  }
}

TEST_CASE("threads that read one image at once get the same texels", "[texture][blocks]") {
  std::mt19937 random(seed());
  const auto resource = random_blocks({.format = Format::ASTC_4x4, .width = 64, .height = 64}, random);
  const View view = whole_view(resource->storage());
  const auto bound = bind_texture(view, {}, best_simd_target());
  TextureBlock given, expected;
  fill_coordinates(given, false, 1, random);
  expected = given;
  expected.run(*bind_texture(decoded_view(view), {}, best_simd_target()), {});
  std::vector<TextureBlock> blocks(4, given);
  std::vector<std::thread> threads;
  for (TextureBlock& block : blocks)
    threads.emplace_back([&block, &bound] {
      for (int round = 0; round < 20; ++round) block.run(*bound, {});
    });
  for (std::thread& t : threads) t.join();
  for (const TextureBlock& block : blocks) CHECK(std::memcmp(block.out, expected.out, sizeof block.out) == 0);
}

}  // namespace tessera::tests
