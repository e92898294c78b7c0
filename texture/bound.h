// texture/bound.h: a view and a sampler made ready for sampling; what the block functions of texture/ read.
// In:     bind.cpp fills it once a draw; afterwards it never changes, so threads share it.
// Range:  levels and layers count from the view's first; at most 4 GiB a level (check_view sees to it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "texture/cold.h"
#include "texture/view.h"

namespace tessera::texture {

// The wrap modes with the fast repeat of power-of-two sizes told apart.
enum class AxisMode : uint8_t {
  RepeatPow2,
  Repeat,
  Clamp,
  ClampToEdge,
  ClampToBorder,
  MirrorRepeat,
  MirrorClamp,
  MirrorClampToEdge,
  MirrorClampToBorder
};

// One dimension of one level.
struct Axis {
  AxisMode mode = AxisMode::ClampToEdge;
  int32_t size_texels = 1, last_texel = 0;
  float scale = 1;        // coordinate to texels: the size, or 1 where coordinates are in texels already
  float scale_fx8 = 256;  // coordinate to 1/256 texels
  float stop_low_texels = 0, stop_high_texels = 0;  // where a mode that does not repeat stops linear filters
};

struct LevelImage {
  const uint8_t* texels = nullptr;  // first texel of the view's first layer
  Axis axis[3];                     // s, t, r; dimensions that the view lacks have size 1
  uint32_t row_texels = 1;
  uint32_t slice_texels = 1;   // from one layer, face or depth slice to the next, over all of its sample planes
  uint32_t sample_texels = 1;  // from one sample plane to the next
  uint32_t cold_texels = 0;    // the first so many are not in memory (cold.h)
  const ColdBlocks* cold = nullptr;
};

// Which code filters. Bytes: texels of up to four 8-bit unorm fields, as integers. The others filter floats: three common
// kinds of texels with code of their own, and everything else through `decode`.
enum class TexelClass : uint8_t { Bytes1, Bytes2, Bytes4, Srgb4, Halves4, Word, Decoded };

// What a block function may take for granted; all but Any exclude texel offsets and the border.
enum class Shape : uint8_t {
  Any,
  Repeat2D,     // one slice, sizes of powers of two that repeat
  SeamlessCube  // one cube
};

class BoundTexture;
// Decodes the texels of one vector of lanes; word n of their colours goes to out[n * lanes ...].
using DecodeFn = void (*)(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out);
using BlockFn = void (*)(const BoundTexture& texture, const SampleArgs& args);

class BoundTexture {
 public:
  View view;  // keeps the texels alive; storage is null in a null texture
  Sampler sampler;
  LevelImage levels[16];
  std::vector<ColdBlocks> cold;  // of the first levels, as many as lack texels
  uint32_t level_count = 0;  // 0: a null texture
  uint32_t layer_count = 1;  // array layers; cubes in a cube array
  uint32_t sample_count = 1;
  const FormatInfo* format = nullptr;
  uint8_t dimensions = 2;  // filtered ones: a cube has 2
  bool is_cube = false, is_array = false, is_integer = false;
  bool has_slices = false;        // an array or a cube: each slice_texels further
  bool compares = false;          // shadow targets compare with the reference
  bool clamps_reference = false;  // fixed-point depth
  uint8_t compared_word = 0;      // the colour word that is compared

  TexelClass texel_class = TexelClass::Decoded;
  Shape shape = Shape::Any;
  // Result c of the operation is colour word select[c] of the texel; 4: zero, 5: one. A comparison has its own.
  uint8_t select[4] = {0, 1, 2, 3}, select_compared[4] = {0, 0, 0, 5};
  float border[4] = {};     // in the order of the texel's colour words, clamped to the format's range
  bool may_border = false;  // a wrap mode of a filtered dimension can give the border
  bool seamless = false;

  // What level selection needs.
  float lod_bias = 0, min_lod = 0, max_lod = 0;
  float magnify_limit = 0;  // up to this lambda the texture is magnified
  uint32_t last_mip = 0;    // the last level that mip mapping reaches; 0 without mip mapping
  bool mip_linear = false, min_linear = false, mag_linear = false;
  bool d3d9_levels = false;        // LevelRule::Direct3d9
  bool needs_lod = true;  // false: always level 0 with fixed_linear
  bool fixed_linear = false;
  float max_probes = 1;  // of anisotropic filtering

  bool may_be_cold() const { return !cold.empty(); }

  DecodeFn decode = nullptr;
  BlockFn sample = nullptr;  // all kinds that filter; the first for operations without texel offsets
  BlockFn sample_with_offsets = nullptr;
  BlockFn fetch = nullptr, gather = nullptr, query_lod = nullptr;
};

// The operand that names a level names a sample.
inline bool names_samples(const BoundTexture& texture, const ir::TextureOp& op) {
  return texture.sample_count > 1 || op.target == ir::TextureTarget::Tex2DMsaa ||
         op.target == ir::TextureTarget::Tex2DArrayMsaa;
}

}  // namespace tessera::texture
