// texture/astc_endpoints.h: the two colours of a partition of an ASTC block.
// In:     an endpoint mode and its unquantized integers, 2 to 8 of them.
// Source: Khronos Data Format Specification 1.4, chapter ASTC: LDR Endpoint Decoding.
#pragma once

#include <cstdint>

namespace tessera::texture::astc {

struct Endpoints { uint8_t first[4], second[4]; };   // r, g, b, a

// False for the modes of high dynamic range.
bool decode_endpoints(uint32_t mode, const uint8_t* values, Endpoints& endpoints);

}  // namespace tessera::texture::astc
