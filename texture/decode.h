// texture/decode.h: the code that turns a format's texels into floats (or integer words), a vector of lanes at a time.
// In:     any uncompressed format. Out: what core's unpack_texel gives, to the bit.
#pragma once

#include "core/simd_target.h"
#include "texture/bound.h"

namespace tessera::texture {

// How a format is decoded: texels.h has a type for each but Any, which goes texel by texel.
enum class DecodeKind : uint8_t { Words1, Words2, Words4, Halves2, Halves4, Srgb4, SharedExponent, Fields, Any };

struct Decoder {
  DecodeFn decode = nullptr;
  DecodeKind kind = DecodeKind::Any;  // Any: colour word n is channel n; else it is the format's field n
};
Decoder choose_decoder(const FormatInfo& format, SimdTarget simd);

}  // namespace tessera::texture
