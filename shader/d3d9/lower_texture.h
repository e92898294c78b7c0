// shader/d3d9/lower_texture.h: one sample of a texture, as all texture instructions make it.
#pragma once

#include "shader/d3d9/lowering.h"

namespace tessera::d3d9 {

struct Sampling {
  ir::TextureKind kind = ir::TextureKind::Sample;
  Vec4 coords;
  Value lod;                               // a level or a bias, by kind
  std::array<Value, 3> ddx, ddy;           // SampleGrad
};

Vec4 sample(Lowering& l, uint32_t sampler, const Sampling& s);
bool is_cube(Lowering& l, uint32_t sampler);
Vec4 divided(Lowering& l, Vec4 coords, Value by);   // x, y and z

}  // namespace tessera::d3d9
