// BC7 (BPTC, RGBA).
#include <algorithm>
#include <bit>

#include "texture/block_codec.h"
#include "texture/bptc_tables.h"

namespace tessera::texture {
namespace {

// Bits of a field: of the whole block, a channel and endpoint, an endpoint, a subset, or a texel.
struct Mode {
  uint8_t subsets, partition, rotation, index_selection, color, alpha, endpoint_p, shared_p, index, second_index;
};
constexpr Mode kModes[8] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                            {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                            {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                            {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

class Reader {
 public:
  Reader(const BlockBits& bits, uint32_t at) : bits_(bits), at_(at) {}
  uint32_t take(uint32_t count) {
    at_ += count;
    return bits_.get(at_ - count, count);
  }

 private:
  const BlockBits& bits_;
  uint32_t at_;
};

struct Endpoints { uint8_t channel[6][4]; };   // by endpoint; r, g, b, a

// The fields of each channel, then the bits that go below them, then replication to eight bits.
Endpoints read_endpoints(const Mode& mode, Reader& reader) {
  const uint32_t count = 2u * mode.subsets;
  uint32_t value[6][4] = {};
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t e = 0; e < count; ++e) value[e][c] = reader.take(c < 3 ? mode.color : mode.alpha);
  uint32_t p[6] = {};
  if (mode.endpoint_p)
    for (uint32_t e = 0; e < count; ++e) p[e] = reader.take(1);
  if (mode.shared_p)
    for (uint32_t s = 0; s < mode.subsets; ++s) p[2 * s] = p[2 * s + 1] = reader.take(1);

  const uint32_t p_bits = mode.endpoint_p | mode.shared_p;
  Endpoints endpoints{};
  for (uint32_t e = 0; e < count; ++e)
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t stored = c < 3 ? mode.color : mode.alpha, bits = stored + p_bits;
      const uint32_t high = (value[e][c] << p_bits | (p_bits ? p[e] : 0)) << (8 - bits);
      endpoints.channel[e][c] = static_cast<uint8_t>(stored == 0 ? 255 : high | high >> bits);
    }
  return endpoints;
}

void read_indices(const Partition& partition, uint32_t bits, Reader& reader, uint8_t index[16]) {
  for (uint32_t i = 0; i < 16; ++i)
    index[i] = static_cast<uint8_t>(reader.take(bits - (partition.is_anchor(i) ? 1 : 0)));
}

uint8_t interpolate(const Endpoints& endpoints, uint32_t subset, uint32_t channel, uint32_t bits, uint32_t index) {
  return static_cast<uint8_t>(bptc_interpolate(endpoints.channel[2 * subset][channel],
                                               endpoints.channel[2 * subset + 1][channel],
                                               kBptcWeights[bits - 2][index]));
}

}  // namespace

void decode_bc7(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  std::fill_n(texel, 16, Rgba8{0, 0, 0, 0});
  if (block[0] != 0) {   // reserved: zeros
    const uint32_t mode_number = static_cast<uint32_t>(std::countr_zero(block[0]));
    const Mode& mode = kModes[mode_number];
    const BlockBits bits = BlockBits::of(block);
    Reader reader(bits, mode_number + 1);
    const Partition partition{mode.subsets, reader.take(mode.partition)};
    const uint32_t rotation = reader.take(mode.rotation), selection = reader.take(mode.index_selection);
    const Endpoints endpoints = read_endpoints(mode, reader);
    uint8_t indices[2][16] = {};
    read_indices(partition, mode.index, reader, indices[0]);
    if (mode.second_index) read_indices(partition, mode.second_index, reader, indices[1]);
    const uint32_t index_bits[2] = {mode.index, mode.second_index};
    const uint32_t color_set = selection, alpha_set = mode.second_index && !selection ? 1 : 0;
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t subset = partition.subset(i);
      uint8_t value[4];
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t set = c < 3 ? color_set : alpha_set;
        value[c] = interpolate(endpoints, subset, c, index_bits[set], indices[set][i]);
      }
      if (rotation) std::swap(value[3], value[rotation - 1]);
      texel[i] = {value[0], value[1], value[2], value[3]};
    }
  }
  std::memcpy(texels, texel, sizeof texel);
}

}  // namespace tessera::texture
