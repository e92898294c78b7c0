#include "texture/block_codec.h"

#include <iterator>

#include "core/check.h"

namespace tessera::texture {
namespace {

constexpr BlockCodecInfo kCodecs[] = {   // indexed by BlockCodec
    {},
    {decode_bc1},
    {decode_bc1_opaque},
    {decode_bc2},
    {decode_bc3},
    {decode_bc4_unorm, ValueRange::ZeroToOne},
    {decode_bc4_snorm, ValueRange::MinusOneToOne},
    {decode_bc5_unorm, ValueRange::ZeroToOne},
    {decode_bc5_snorm, ValueRange::MinusOneToOne},
    {decode_bc6_unsigned},
    {decode_bc6_signed},
    {decode_bc7},
    {decode_etc2},   // ETC1 is a subset of ETC2
    {decode_etc2},
    {decode_etc2_punch},
    {decode_etc2_alpha},
    {decode_eac_r, ValueRange::ZeroToOne},
    {decode_eac_r_signed, ValueRange::MinusOneToOne},
    {decode_eac_rg, ValueRange::ZeroToOne},
    {decode_eac_rg_signed, ValueRange::MinusOneToOne},
    {decode_astc_linear, ValueRange::ZeroToOne},
    {decode_astc_srgb},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_pair},
    {decode_bits},
    {decode_derived_blue, ValueRange::MinusOneToOne}};
static_assert(std::size(kCodecs) == static_cast<size_t>(BlockCodec::DerivedBlue) + 1);

}  // namespace

const BlockCodecInfo& block_codec(BlockCodec codec) {
  TESSERA_CHECK(codec != BlockCodec::None);
  return kCodecs[static_cast<size_t>(codec)];
}

}  // namespace tessera::texture
