#include "combiners/general.h"

namespace tessera::combiners {
namespace {

// The three results of a component of a portion: A B, C D, and their sum or choice.
struct Results {
  ir::Value ab, cd, third;
};

// (x + bias) * scale, clamped to [-1,1]
ir::Value finish(Lowering& low, ir::Value x, const GeneralOutput& out) {
  if (out.bias == Bias::NegativeHalf) x = low.sub(x, low.number(0.5f));
  switch (out.scale) {
    case Scale::One: break;
    case Scale::Two: x = low.mul(x, low.number(2)); break;
    case Scale::Four: x = low.mul(x, low.number(4)); break;
    case Scale::Half: x = low.mul(x, low.number(0.5f)); break;
  }
  return low.clamp_signed(x);
}

Results combine(Lowering& low, const GeneralOutput& out, ir::Value ab, ir::Value cd, ir::Value takes_cd) {
  return {ab, cd, out.mux ? low.select(takes_cd, cd, ab) : low.add(ab, cd)};
}

void write(Lowering& low, Registers& registers, const GeneralOutput& out, size_t component, const Results& results) {
  const auto put = [&](Register target, ir::Value x) {
    if (target != Register::Discard) registers[target][component] = finish(low, x, out);
  };
  put(out.ab, results.ab);
  put(out.cd, results.cd);
  put(out.sum, results.third);
}

// Per component, or (r + g) + b in all three.
Rgb product(Lowering& low, const Rgb& a, const Rgb& b, bool is_dot) {
  const Rgb p = {low.mul(a[0], b[0]), low.mul(a[1], b[1]), low.mul(a[2], b[2])};
  if (!is_dot) return p;
  const ir::Value dot = low.add(low.add(p[0], p[1]), p[2]);
  return {dot, dot, dot};
}

}  // namespace

void lower_general(Lowering& low, const GeneralStage& stage, Registers& registers) {
  std::array<Rgb, 4> rgb;
  std::array<ir::Value, 4> alpha;
  for (size_t v = 0; v < 4; ++v) {
    rgb[v] = read_rgb(low, registers, stage.rgb.in[v]);
    alpha[v] = read_alpha(low, registers, stage.alpha.in[v]);
  }
  const ir::Value takes_cd = low.is_at_least(registers[Register::Spare0][3], 0.5f);

  const Rgb ab = product(low, rgb[0], rgb[1], stage.rgb.out.ab_dot), cd = product(low, rgb[2], rgb[3], stage.rgb.out.cd_dot);
  for (size_t c = 0; c < 3; ++c) write(low, registers, stage.rgb.out, c, combine(low, stage.rgb.out, ab[c], cd[c], takes_cd));
  const ir::Value alpha_ab = low.mul(alpha[0], alpha[1]), alpha_cd = low.mul(alpha[2], alpha[3]);
  write(low, registers, stage.alpha.out, 3, combine(low, stage.alpha.out, alpha_ab, alpha_cd, takes_cd));
}

}  // namespace tessera::combiners
