#include "frontend/direct3d9/ending.h"

#include <array>

#include "frontend/direct3d9/constants.h"

namespace tessera::direct3d9 {
namespace {

using ir::Op;
using ir::Semantic;
using ir::Value;
using texture::Compare;

// Where the alpha fails: kept is what compares as the function says.
Value fails(ir::Builder& b, Compare func, Value a, Value reference) {
  switch (func) {
    case Compare::Never: return b.u32(~0u);
    case Compare::Less: return b.op(Op::FGe, {a, reference});
    case Compare::Equal: return b.op(Op::FNe, {a, reference});
    case Compare::Lequal: return b.op(Op::FLt, {reference, a});
    case Compare::Greater: return b.op(Op::FGe, {reference, a});
    case Compare::NotEqual: return b.op(Op::FEq, {a, reference});
    case Compare::Gequal: return b.op(Op::FLt, {a, reference});
    case Compare::Always: break;
  }
  return b.u32(0);
}

void test_alpha(ir::Builder& b, Compare func, Value alpha) {
  const Value byte_v = b.op(Op::FRound, {b.op(Op::FMul, {b.op(Op::FSat, {alpha}), b.f32(255)})});
  b.kill_if(fails(b, func, byte_v, b.constant(kStateConstants, pixel_place::kAlphaReference)));
}

Value factor_of(ir::Builder& b, const Ending& ending) {
  if (ending.fog == Ending::FogFrom::Vertices)
    return b.op(Op::FSat, {b.input({.semantic = Semantic::Fog, .component = ending.fog_component})});
  const bool reads_depth = ending.fog == Ending::FogFrom::Depth;
  Value distance = b.input({.semantic = Semantic::Position, .component = static_cast<uint8_t>(reads_depth ? 2 : 3)});
  if (!reads_depth) distance = b.op(Op::FRcp, {distance});
  return fog_factor(b, ending.formula, pixel_place::kFog, distance);
}

}  // namespace

ir::Program ending_program(const Ending& ending) {
  ir::Builder b(ir::Stage::Fragment);
  std::array<Value, 4> color;
  for (uint8_t c = 0; c < 4; ++c) color[c] = b.input({.semantic = Semantic::Color, .component = c});
  if (ending.tests_alpha) test_alpha(b, ending.alpha_func, color[3]);
  if (ending.fog != Ending::FogFrom::None) {
    const Value factor = factor_of(b, ending), rest = b.op(Op::FSub, {b.f32(1), factor});
    for (uint32_t c = 0; c < 3; ++c) {
      const Value fog_v = b.op(Op::FMul, {rest, b.constant(kStateConstants, pixel_place::kFogColor + c)});
      color[c] = b.op(Op::FFma, {factor, b.op(Op::FSat, {color[c]}), fog_v});
    }
  }
  for (uint32_t c = 0; c < 4; ++c) b.output(Semantic::Color, 0, c, color[c]);
  return b.finish();
}

}  // namespace tessera::direct3d9
