// texture/decode.h: the code that turns a format's texels into floats (or integer words), a vector of lanes at a time.
// In:     any uncompressed format. Out: what core's unpack_texel gives, to the bit.
#pragma once

#include "core/simd_target.h"
#include "texture/bound.h"

namespace tessera::texture {

// How a format is decoded: 32-bit words as they are, half floats, small fields, sRGB bytes, or texel by texel.
enum class DecodeKind : uint8_t { Words1, Words2, Words3, Words4, Halves1, Halves2, Halves4, Fields, Srgb, Any };

struct Decoder {
  DecodeFn decode = nullptr;
  bool gives_channels = false;   // colour word n is channel n; else the format's field n
};
Decoder choose_decoder(const FormatInfo& format, SimdTarget simd);

}  // namespace tessera::texture
