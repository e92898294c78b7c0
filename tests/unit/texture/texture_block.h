// tests/unit/texture/texture_block.h: textures with known texels, and one texture operation on 64 lanes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>

#include "core/resource.h"
#include "texture/view.h"

namespace tessera::tests {

// Operands and results of a block; every array is a slot.
struct TextureBlock {
  alignas(64) uint32_t coord[4][64] = {};
  alignas(64) uint32_t ref[64] = {}, lod[64] = {};
  alignas(64) uint32_t ddx[3][64] = {}, ddy[3][64] = {}, offset[3][64] = {};
  alignas(64) uint32_t out[4][64] = {};
  bool has_ref = false, has_lod = false, has_offset = false;

  void set(uint32_t operand, uint32_t lane, float value);
  float result(uint32_t channel, uint32_t lane) const;
  SampleArgs args(const ir::TextureOp& op, uint64_t exec = ~0ull);
  void run(const texture::BoundTexture& texture, const ir::TextureOp& op, uint64_t exec = ~0ull);
};

// With levels down to a single texel unless their number is given.
ResourceDesc desc_of(ResourceKind kind, Format format, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
                     uint32_t levels = 0);

// Of a compressed format; any bits are a block.
std::shared_ptr<Resource> random_blocks(const ResourceDesc& desc, std::mt19937& random);
// Random bytes; floats in [-4, 4], depths in [0, 1].
std::shared_ptr<Resource> random_texture(const ResourceDesc& desc, std::mt19937& random);
// Every texel of level n is n in all channels; for float formats.
std::shared_ptr<Resource> numbered_levels(const ResourceDesc& desc);

}  // namespace tessera::tests
