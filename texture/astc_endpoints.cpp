#include "texture/astc_endpoints.h"

#include "texture/block_codec.h"

namespace tessera::texture::astc {
namespace {

struct Color { int32_t r, g, b, a; };

Color blue_contract(const Color& c) { return {(c.r + c.b) >> 1, (c.g + c.b) >> 1, c.b, c.a}; }

void store(const Color& first, const Color& second, Endpoints& out) {
  const int32_t from[2][4] = {{first.r, first.g, first.b, first.a}, {second.r, second.g, second.b, second.a}};
  for (uint32_t c = 0; c < 4; ++c) out.first[c] = clamp_to_byte(from[0][c]), out.second[c] = clamp_to_byte(from[1][c]);
}

// A base and an offset, which lends its second highest bit to the base's highest.
struct Pair { int32_t base, offset; };
Pair base_and_offset(int32_t base, int32_t offset) {
  return {base >> 1 | (offset & 0x80), sign_extend(static_cast<uint32_t>(offset >> 1 & 0x3f), 6)};
}

// Two colours given directly. Where the second is darker they are swapped, and their blue is taken out of red and
// green.
void direct(const uint8_t* v, int32_t a0, int32_t a1, Endpoints& out) {
  const Color first{v[0], v[2], v[4], a0}, second{v[1], v[3], v[5], a1};
  if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) return store(first, second, out);
  store(blue_contract(second), blue_contract(first), out);
}

void base_plus_offset(const uint8_t* v, const Pair& alpha, Endpoints& out) {
  const Pair r = base_and_offset(v[0], v[1]), g = base_and_offset(v[2], v[3]), b = base_and_offset(v[4], v[5]);
  const Color base{r.base, g.base, b.base, alpha.base};
  const Color sum{r.base + r.offset, g.base + g.offset, b.base + b.offset, alpha.base + alpha.offset};
  if (r.offset + g.offset + b.offset >= 0) return store(base, sum, out);
  store(blue_contract(sum), blue_contract(base), out);
}

void base_times_scale(const uint8_t* v, int32_t a0, int32_t a1, Endpoints& out) {
  store({v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, a0}, {v[0], v[1], v[2], a1}, out);
}

void luminance(int32_t l0, int32_t l1, int32_t a0, int32_t a1, Endpoints& out) {
  store({l0, l0, l0, a0}, {l1, l1, l1, a1}, out);
}

}  // namespace

bool decode_endpoints(uint32_t mode, const uint8_t* v, Endpoints& out) {
  switch (mode) {
    case 0: luminance(v[0], v[1], 255, 255, out); return true;
    case 1: {
      const int32_t base = v[0] >> 2 | (v[1] & 0xc0);
      luminance(base, base + (v[1] & 0x3f), 255, 255, out);
      return true;
    }
    case 4: luminance(v[0], v[1], v[2], v[3], out); return true;
    case 5: {
      const Pair l = base_and_offset(v[0], v[1]), a = base_and_offset(v[2], v[3]);
      luminance(l.base, l.base + l.offset, a.base, a.base + a.offset, out);
      return true;
    }
    case 6: base_times_scale(v, 255, 255, out); return true;
    case 8: direct(v, 255, 255, out); return true;
    case 9: base_plus_offset(v, {255, 0}, out); return true;
    case 10: base_times_scale(v, v[4], v[5], out); return true;
    case 12: direct(v, v[6], v[7], out); return true;
    case 13: base_plus_offset(v, base_and_offset(v[6], v[7]), out); return true;
    default: return false;   // 2, 3, 7, 11, 14, 15
  }
}

}  // namespace tessera::texture::astc
