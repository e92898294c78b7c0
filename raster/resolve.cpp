#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/resolve.cpp"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/simd.h"
#include "raster/resolve.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// The mean of each byte over 2^log2 planes: sums of up to 16 bytes fit half a word.
void mean_of_bytes(const std::byte* planes, size_t sample_bytes, int log2, size_t bytes, std::byte* out) {
  const U32x low_bytes = splat(0x00ff00ffu), low_bit = splat(0x00010001u);
  const U32x almost_half = splat(0x00010001u * ((1u << log2 >> 1) - 1));
  const auto mean = [&](U32x sum) {   // halves to even: one more where the quotient is odd
    const U32x rounded = sum + almost_half + (hn::ShiftRightSame(sum, log2) & low_bit);
    return hn::ShiftRightSame(rounded, log2) & low_bytes;
  };
  for (size_t i = 0; i < bytes; i += 4 * kLanes) {
    U32x even = hn::Zero(u32), odd = hn::Zero(u32);
    for (size_t s = 0; s < size_t{1} << log2; ++s) {
      const U32x texels = load(reinterpret_cast<const uint32_t*>(planes + s * sample_bytes + i));
      even = even + (texels & low_bytes);
      odd = odd + (hn::ShiftRight<8>(texels) & low_bytes);
    }
    store(mean(even) | hn::ShiftLeft<8>(mean(odd)), reinterpret_cast<uint32_t*>(out + i));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {
namespace {

bool is_bytes(const FormatInfo& format) {
  return format.space == ColorSpace::Linear && !format.is_depth_or_stencil() &&
         std::all_of(std::begin(format.field), std::end(format.field), [](const FormatField& f) {
           return f.kind == FieldKind::None || (f.kind == FieldKind::Unorm && f.bits == 8);
         });
}

// Sums of neighbours until one is left.
float mean_of(double* samples, uint32_t count) {
  for (uint32_t left = count; left > 1; left /= 2)
    for (uint32_t i = 0; i < left / 2; ++i) samples[i] = samples[2 * i] + samples[2 * i + 1];
  return static_cast<float>(samples[0] / count);
}

void mean_of_texels(Format format, const std::byte* planes, size_t sample_bytes, uint32_t samples, std::byte* out) {
  const uint32_t texel_bytes = format_info(format).block_bytes;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    double channel[4][kMaxSamples];
    for (uint32_t s = 0; s < samples; ++s) {
      const Texel texel = unpack_texel(format, planes + s * sample_bytes + lane * texel_bytes);
      for (uint32_t c = 0; c < 4; ++c) channel[c][s] = double{std::bit_cast<float>(texel.word[c])};
    }
    Texel mean;
    for (uint32_t c = 0; c < 4; ++c) mean.word[c] = std::bit_cast<uint32_t>(mean_of(channel[c], samples));
    pack_texel(format, mean, out + lane * texel_bytes);
  }
}

// The resolved lanes of a block; `lanes` is its place in sample 0's plane.
void resolve_lanes(const ColorPlane& plane, const std::byte* lanes, uint32_t samples, SimdTarget simd,
                   std::byte* out) {
  const size_t bytes = size_t{64} * plane.surface.texel_bytes;
  const FormatInfo& format = format_info(plane.format);
  if (format.is_pure_integer()) std::memcpy(out, lanes, bytes);
  else if (is_bytes(format))
    TESSERA_DISPATCH(mean_of_bytes, simd)(lanes, plane.sample_bytes, std::countr_zero(samples), bytes, out);
  else mean_of_texels(plane.format, lanes, plane.sample_bytes, samples, out);
}

void resolve_color(TilePlanes& planes, uint32_t target, const TileSurface& to, SimdTarget simd) {
  const StoreKernels& kernels = store_kernels(simd);
  const ColorPlane& plane = planes.color(target);
  const size_t block_bytes = size_t{64} * plane.surface.texel_bytes;
  const int32_t in_row = planes.blocks_in_row();
  alignas(64) std::byte row[8 * 64 * kMaxTexelBytes];
  for (int32_t y = 0; 8 * y < to.height; ++y) {
    const int32_t count = (to.width + 7) / 8;
    for (int32_t x = 0; x < count; ++x) {
      const int32_t block = y * in_row + x;
      std::byte* lanes = row + static_cast<size_t>(x) * block_bytes;
      if (plane.blocks.cleared >> block & 1) {
        kernels.fill_lanes(lanes, plane.surface.texel_bytes, plane.clear_texel);   // the mean of equal samples
      } else {
        planes.ready_color(target, block);
        resolve_lanes(plane, plane.texels + static_cast<size_t>(block) * block_bytes, planes.samples(), simd, lanes);
      }
    }
    if (to.width == 8 * in_row && to.height >= 8 * y + 8) {
      kernels.store_row(to, 8 * y, count, row);
    } else {
      for (int32_t x = 0; x < count; ++x)
        kernels.store_block(to, 8 * x, 8 * y, row + static_cast<size_t>(x) * block_bytes);
    }
  }
}

void resolve_depth(TilePlanes& planes, const TileSurface& to, SimdTarget simd) {
  const DepthPlane& z = planes.depth();
  for (int32_t y = 0; 8 * y < to.height; ++y) {
    for (int32_t x = 0; 8 * x < to.width; ++x) {
      const int32_t block = y * planes.blocks_in_row() + x;
      planes.ready_depth(block, false);
      alignas(64) std::byte texels[64 * 8];
      for (int32_t lane = 64 * block; lane < 64 * block + 64; ++lane)
        join_texel(z.layout, z.keys[lane], z.rest ? z.rest[lane] : 0,
                   texels + static_cast<uint32_t>(lane % 64) * z.layout.texel_bytes);
      store_kernels(simd).store_block(to, 8 * x, 8 * y, texels);
    }
  }
}

}  // namespace

void resolve_tile(TilePlanes& planes, const ResolveCommand& command, SimdTarget simd) {
  const IRect& pixels = planes.pixels();
  const TileSurface to =
      tile_surface(command.to, planes.layer(), pixels.x0, pixels.y0, pixels.x1 - pixels.x0, pixels.y1 - pixels.y0);
  if (command.depth) resolve_depth(planes, to, simd);
  else resolve_color(planes, command.color_target, to, simd);
  store_kernels(simd).finish();
}

}  // namespace tessera::raster
#endif
