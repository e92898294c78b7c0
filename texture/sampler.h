// texture/sampler.h: how a view is sampled. A plain value, compared and hashed by content.
#pragma once

#include <cstdint>

namespace tessera::texture {

enum class Wrap : uint8_t {
  Repeat, Clamp, ClampToEdge, ClampToBorder, MirrorRepeat, MirrorClamp, MirrorClampToEdge, MirrorClampToBorder
};
enum class Filter : uint8_t { Nearest, Linear };
enum class MipFilter : uint8_t { Nearest, Linear, None };
enum class Compare : uint8_t { Never, Less, Equal, Lequal, Greater, NotEqual, Gequal, Always };
enum class Reduction : uint8_t { Average, Min, Max };
// Where OpenGL and Direct3D 9 differ in the choice of levels. OpenGL: the limited lambda decides between magnifying and
// minifying, at 1/2 for a linear magnifying and a nearest minifying filter with mip levels; halves go to the finer
// level. Direct3D 9: the sign of lambda decides before min_lod and max_lod; halves go to the coarser level.
enum class LevelRule : uint8_t { OpenGl, Direct3d9 };

struct Sampler {
  Wrap wrap_s = Wrap::Repeat, wrap_t = Wrap::Repeat, wrap_r = Wrap::Repeat;
  Filter min_filter = Filter::Linear, mag_filter = Filter::Linear;
  MipFilter mip_filter = MipFilter::None;
  LevelRule level_rule = LevelRule::OpenGl;
  bool compare = false;
  Compare compare_func = Compare::Lequal;
  Reduction reduction = Reduction::Average;
  bool seamless_cube = true;
  bool unnormalized = false;          // coordinates in texels
  uint8_t max_anisotropy = 1;         // 1: off; up to 16
  float lod_bias = 0, min_lod = 0, max_lod = 1000;
  uint32_t border[4] = {0, 0, 0, 0};  // float bits, or integers for integer views; in the view's channel order
  bool operator==(const Sampler&) const = default;
};

}  // namespace tessera::texture
