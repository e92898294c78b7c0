// Operands that no program should give: any bits as coordinates, layers, references, levels, derivatives and offsets,
// for every operation on every kind of view. Nothing outside the texture is read (the address sanitizer sees to that),
// and every instruction set gives the same bits.
#include <bit>
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "random_state.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

uint32_t random_word(std::mt19937& random) {
  const float odd[] = {0.0f, -0.0f,    1.0f,      -1.0f, 0.5f, 1e-45f, 3.4e38f, -3.4e38f,
                       8e9f, INFINITY, -INFINITY, NAN,   6.0f, 16384,  2e9f,    -2e9f};
  switch (below(4, random)) {
    case 0:
      return static_cast<uint32_t>(random());
    case 1:
      return std::bit_cast<uint32_t>(pick(odd, random));
    case 2:
      return below(40, random) - 8;  // a sensible integer
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(random()) / 1073741824.0f - 2);
  }
}

template <size_t N>
void fill(uint32_t (&slots)[N][64], std::mt19937& random) {
  for (auto& slot : slots)
    for (uint32_t& word : slot) word = random_word(random);
}

void fill(TextureBlock& block, std::mt19937& random) {
  fill(block.coord, random);
  fill(block.ddx, random);
  fill(block.ddy, random);
  fill(block.offset, random);
  for (uint32_t& word : block.ref) word = random_word(random);
  for (uint32_t& word : block.lod) word = random_word(random);
  block.has_ref = below(2, random);
  block.has_lod = below(4, random);
}

ir::TextureOp random_operation(const View& view, std::mt19937& random) {
  ir::TextureOp op;
  const TextureKind kinds[] = {TextureKind::Sample,     TextureKind::SampleBias, TextureKind::SampleLod,
                               TextureKind::SampleGrad, TextureKind::Fetch,      TextureKind::Gather,
                               TextureKind::QuerySize,  TextureKind::QueryLod,   TextureKind::QuerySamples};
  op.kind = pick(kinds, random);
  op.component = static_cast<uint8_t>(below(4, random));
  if (is_cube(view.kind)) return op;  // cubes take no offsets
  op.offset_count = op.kind == TextureKind::Gather ? static_cast<uint8_t>(below(2, random) * 4)
                                                   : static_cast<uint8_t>(below(2, random));
  for (auto& set : op.offset)
    for (int8_t& offset : set) offset = static_cast<int8_t>(random());
  return op;
}

View random_buffer_view(std::mt19937& random) {
  const ResourceDesc desc{.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 1 + below(400, random)};
  View view = whole_view(random_texture(desc, random)->storage());
  view.first_layer = below(view.last_layer + 1, random);
  return view;
}

View random_multisampled_view(std::mt19937& random) {
  const ResourceDesc desc{.kind = below(2, random) ? ResourceKind::Tex2D : ResourceKind::Tex2DArray,
                          .width = 1 + below(9, random),
                          .height = 1 + below(9, random),
                          .samples = 4};
  return whole_view(random_texture(desc, random)->storage());
}

}  // namespace

TEST_CASE("any operands give the same defined results on every instruction set", "[texture][bad input]") {
  std::mt19937 random(seed());
  for (uint32_t round = 0; round < rounds(4000); ++round) {
    View view = below(16, random) == 0   ? random_buffer_view(random)
                : below(16, random) == 0 ? random_multisampled_view(random)
                                         : random_view(random_texture(random_desc(random), random), random);
    Sampler sampler = random_sampler(view, random);
    sampler.max_anisotropy = static_cast<uint8_t>(1 + below(16, random));
    sampler.reduction = static_cast<Reduction>(below(5, random) == 0 ? 1 + below(2, random) : 0);
    for (float* limit : {&sampler.lod_bias, &sampler.min_lod, &sampler.max_lod})
      if (below(4, random) == 0) *limit = below(2, random) ? INFINITY : -3.4e38f;
    REQUIRE(check_view(view).ok());
    REQUIRE(check_sampler(sampler).ok());
    const ir::TextureOp op = random_operation(view, random);
    TextureBlock block;
    fill(block, random);
    if (op.kind == TextureKind::Gather && op.offset_count == 0 && !is_cube(view.kind))
      block.has_offset = below(2, random);
    CAPTURE(seed(), round, static_cast<int>(op.kind), static_cast<int>(view.kind), format_info(view.format).name,
            static_cast<int>(sampler.max_anisotropy));
    std::optional<TextureBlock> first;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(view, sampler, simd), op);
      if (first) REQUIRE(std::memcmp(first->out, block.out, sizeof block.out) == 0);
      first = block;
    }
  }
}

TEST_CASE("a texture takes at most 1.1 times its texels, from 64 x 64 on", "[texture][memory]") {
  for (const ResourceKind kind :
       {ResourceKind::Tex2D, ResourceKind::Tex3D, ResourceKind::Cube, ResourceKind::Tex2DArray})
    for (const Format format : {Format::R8_UNORM, Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT})
      for (const uint32_t size : {64u, 100u, 257u}) {
        ResourceDesc desc{.kind = kind, .format = format, .width = size, .height = size};
        desc.levels = static_cast<uint32_t>(std::bit_width(size));
        if (kind == ResourceKind::Tex3D) desc.depth = 16;
        if (kind == ResourceKind::Cube) desc.layers = 6;
        if (kind == ResourceKind::Tex2DArray) desc.layers = 5;
        const auto resource = Resource::create(desc).value();
        const Storage& storage = *resource->storage();
        size_t texels = 0;
        for (uint32_t n = 0; n < desc.levels; ++n)
          texels += size_t{storage.level(n).width} * storage.level(n).height * storage.level(n).slices;
        const size_t bytes = texels * format_info(format).block_bytes;
        CAPTURE(static_cast<int>(kind), format_info(format).name, size, bytes);
        CHECK(static_cast<double>(storage.size_bytes() + kReadSlack_bytes) <= 1.1 * static_cast<double>(bytes));
      }
}

}  // namespace tessera::tests
