#include "frontend/direct3d9/fixed_pixel.h"

#include "frontend/direct3d9/constants.h"
#include "shader/builder.h"
#include "shader/d3d9/lower.h"

namespace tessera::direct3d9 {
namespace {

using d3d9::SamplerType;
using ir::Op;
using ir::Semantic;
using ir::Value;
using Rgba = std::array<Value, 4>;

constexpr uint32_t kDiffuse = 0, kTexture = 2, kFactor = 3, kSpecular = 4;   // 1: the result so far
constexpr uint32_t kBump = 22, kBumpLuminance = 23;                      // of StageOp
constexpr uint32_t kComplement = 16, kAlphaReplicate = 32;

class FixedPixelWriter {
 public:
  explicit FixedPixelWriter(const FixedPixel& state) : state_(state), b_(ir::Stage::Fragment) {}

  ir::Program run() {
    diffuse_ = color(0);
    specular_ = color(1);
    current_ = diffuse_;
    for (uint32_t n = 0; n < state_.stages.size(); ++n) stage(state_.stages[n], n);
    for (uint32_t c = 0; c < 4; ++c) {
      const bool adds = state_.adds_specular && c < 3;
      b_.output(Semantic::Color, 0, c, adds ? b_.op(Op::FAdd, {current_[c], specular_[c]}) : current_[c]);
    }
    return b_.finish();
  }

 private:
  struct Arguments { Rgba a0, a1, a2; };
  // A component of a stage's result.
  using Formula = Value (FixedPixelWriter::*)(const Arguments& a, uint32_t c);
  struct Operation {
    uint32_t number;
    Formula formula;
    float scale;
  };
  static const Operation kOperations[22];

  Rgba color(uint16_t index) {
    Rgba out;
    for (uint8_t c = 0; c < 4; ++c)
      out[c] = b_.op(Op::FSat, {b_.input({.semantic = Semantic::Color, .index = index, .component = c,
                                          .interpolation = ir::Interpolation::Color})});
    return out;
  }

  Rgba sampled(const FixedStage& s, uint32_t n) {
    std::array<Value, ir::tex_arg::Count> args;
    const bool is_cube = s.texture == SamplerType::Cube;
    const auto coordinate = [&](uint32_t c) {
      return b_.input(
          {.semantic = Semantic::TexCoord, .index = static_cast<uint16_t>(n), .component = static_cast<uint8_t>(c)});
    };
    for (uint32_t c = 0; c < (is_cube || s.texture == SamplerType::Volume ? 3u : 2u); ++c) {
      args[c] = coordinate(c);
      if (s.divided_by && !is_cube) args[c] = b_.op(Op::FDiv, {args[c], coordinate(s.divided_by)});
    }
    const FixedStage* const before = n > 0 && moves_next(state_.stages[n - 1]) ? &state_.stages[n - 1] : nullptr;
    if (before) move(args, n - 1);
    ir::TextureOp op;
    op.target = is_cube ? ir::TextureTarget::Cube
                        : s.texture == SamplerType::Volume ? ir::TextureTarget::Tex3D : ir::TextureTarget::Tex2D;
    op.binding = static_cast<uint16_t>(b_.texture_binding(n, n));
    Rgba texel;
    b_.texture(op, args, texel.data());
    if (before && before->color.op == kBumpLuminance) brighten(texel, n - 1);
    return texel;
  }

  // ---- a stage whose texel moves the coordinate of the next, and may scale what is sampled there ----

  static bool moves_next(const FixedStage& s) {
    return s.texture && (s.color.op == kBump || s.color.op == kBumpLuminance);
  }
  Value bump_word(uint32_t stage, uint32_t word) { return b_.constant(d3d9::kStageConstants, 8 * stage + word); }

  // (u, v) + (du, dv) M, with the stage's matrix M.
  void move(std::array<Value, ir::tex_arg::Count>& coordinate, uint32_t stage) {
    for (uint32_t c = 0; c < 2; ++c)
      for (uint32_t d = 0; d < 2; ++d)
        coordinate[c] = b_.op(Op::FFma, {bump_texel_[d], bump_word(stage, 2 * d + c), coordinate[c]});
  }

  void brighten(Rgba& texel, uint32_t stage) {
    const Value light = b_.op(Op::FSat, {b_.op(Op::FFma, {bump_texel_[2], bump_word(stage, 4), bump_word(stage, 5)})});
    for (uint32_t c = 0; c < 3; ++c) texel[c] = b_.op(Op::FMul, {texel[c], light});
  }

  static bool reads_texture(const FixedStage::Combine& combine) {
    constexpr uint32_t kSelect1 = 2, kSelect2 = 3, kBlendTexture = 13, kBlendTextureLit = 15;
    if (combine.op == kBlendTexture || combine.op == kBlendTextureLit) return true;
    const auto is_texture = [&](size_t k) { return (combine.arguments[k] & 15) == kTexture; };
    return combine.op == kSelect1   ? is_texture(1)
           : combine.op == kSelect2 ? is_texture(2)
                                    : is_texture(1) || is_texture(2);
  }

  void stage(const FixedStage& s, uint32_t n) {
    constexpr uint32_t kDisable = 1, kDot = 24;
    if (s.texture) texel_ = sampled(s, n);
    if (moves_next(s)) bump_texel_ = texel_;
    const bool has_color = s.texture || !reads_texture(s.color), has_alpha = s.texture || !reads_texture(s.alpha);
    Rgba next = current_;
    for (uint32_t c = 0; c < 3 && has_color; ++c) next[c] = combined(s.color, c);
    if (s.color.op == kDot && has_color) next[3] = next[0];
    else if (s.alpha.op != kDisable && has_alpha) next[3] = combined(s.alpha, 3);
    current_ = next;
  }

  Rgba argument(uint32_t which) {
    Rgba value = (which & 15) == kDiffuse    ? diffuse_
                 : (which & 15) == kTexture  ? texel_
                 : (which & 15) == kSpecular ? specular_
                 : (which & 15) == kFactor   ? factor()
                                             : current_;
    if (which & kComplement)
      for (Value& c : value) c = b_.op(Op::FSub, {b_.f32(1), c});
    if (which & kAlphaReplicate) value.fill(value[3]);
    return value;
  }

  Rgba factor() {
    Rgba out;
    for (uint32_t c = 0; c < 4; ++c) out[c] = b_.constant(kStateConstants, pixel_place::kTextureFactor + c);
    return out;
  }

  Value combined(const FixedStage::Combine& combine, uint32_t c) {
    const Arguments a = {argument(combine.arguments[0]), argument(combine.arguments[1]),
                         argument(combine.arguments[2])};
    for (const Operation& operation : kOperations) {
      if (operation.number != combine.op) continue;
      const Value value = (this->*operation.formula)(a, c);
      return b_.op(Op::FSat, {operation.scale == 1 ? value : b_.op(Op::FMul, {value, b_.f32(operation.scale)})});
    }
    return current_[c];
  }

  Value first(const Arguments& a, uint32_t c) { return a.a1[c]; }
  Value second(const Arguments& a, uint32_t c) { return a.a2[c]; }
  Value product(const Arguments& a, uint32_t c) { return b_.op(Op::FMul, {a.a1[c], a.a2[c]}); }
  Value sum(const Arguments& a, uint32_t c) { return b_.op(Op::FAdd, {a.a1[c], a.a2[c]}); }
  Value signed_sum(const Arguments& a, uint32_t c) { return b_.op(Op::FSub, {sum(a, c), b_.f32(0.5f)}); }
  Value difference(const Arguments& a, uint32_t c) { return b_.op(Op::FSub, {a.a1[c], a.a2[c]}); }
  Value smooth_sum(const Arguments& a, uint32_t c) { return b_.op(Op::FSub, {sum(a, c), product(a, c)}); }
  Value mixed(const Arguments& a, uint32_t c, Value share) {      // share of the first argument
    return b_.op(Op::FFma, {share, difference(a, c), a.a2[c]});
  }
  Value mixed_by_diffuse(const Arguments& a, uint32_t c) { return mixed(a, c, diffuse_[3]); }
  Value mixed_by_texture(const Arguments& a, uint32_t c) { return mixed(a, c, texel_[3]); }
  Value mixed_by_factor(const Arguments& a, uint32_t c) { return mixed(a, c, factor()[3]); }
  Value mixed_by_current(const Arguments& a, uint32_t c) { return mixed(a, c, current_[3]); }
  Value mixed_by_argument(const Arguments& a, uint32_t c) { return mixed(a, c, a.a0[c]); }
  Value inverse(Value v) { return b_.op(Op::FSub, {b_.f32(1), v}); }
  // The first argument is multiplied by the alpha already.
  Value mixed_by_texture_lit(const Arguments& a, uint32_t c) {
    return b_.op(Op::FFma, {a.a2[c], inverse(texel_[3]), a.a1[c]});
  }
  Value alpha_product_sum(const Arguments& a, uint32_t c) { return b_.op(Op::FFma, {a.a1[3], a.a2[c], a.a1[c]}); }
  Value product_alpha_sum(const Arguments& a, uint32_t c) { return b_.op(Op::FFma, {a.a1[c], a.a2[c], a.a1[3]}); }
  Value inverse_alpha_product_sum(const Arguments& a, uint32_t c) {
    return b_.op(Op::FFma, {inverse(a.a1[3]), a.a2[c], a.a1[c]});
  }
  Value inverse_product_alpha_sum(const Arguments& a, uint32_t c) {
    return b_.op(Op::FFma, {inverse(a.a1[c]), a.a2[c], a.a1[3]});
  }
  Value product_sum(const Arguments& a, uint32_t c) { return b_.op(Op::FFma, {a.a1[c], a.a2[c], a.a0[c]}); }
  Value dot(const Arguments& a, uint32_t) {
    Value sum_v = b_.f32(0);
    for (uint32_t c = 0; c < 3; ++c) {
      const Value x = b_.op(Op::FSub, {a.a1[c], b_.f32(0.5f)}), y = b_.op(Op::FSub, {a.a2[c], b_.f32(0.5f)});
      sum_v = b_.op(Op::FFma, {x, y, sum_v});
    }
    return sum_v;
  }

  const FixedPixel& state_;
  ir::Builder b_;
  Rgba diffuse_, specular_, current_, texel_, bump_texel_;
};

const FixedPixelWriter::Operation FixedPixelWriter::kOperations[22] = {
    {2, &FixedPixelWriter::first, 1},
    {3, &FixedPixelWriter::second, 1},
    {4, &FixedPixelWriter::product, 1},
    {5, &FixedPixelWriter::product, 2},
    {6, &FixedPixelWriter::product, 4},
    {7, &FixedPixelWriter::sum, 1},
    {8, &FixedPixelWriter::signed_sum, 1},
    {9, &FixedPixelWriter::signed_sum, 2},
    {10, &FixedPixelWriter::difference, 1},
    {11, &FixedPixelWriter::smooth_sum, 1},
    {12, &FixedPixelWriter::mixed_by_diffuse, 1},
    {13, &FixedPixelWriter::mixed_by_texture, 1},
    {14, &FixedPixelWriter::mixed_by_factor, 1},
    {15, &FixedPixelWriter::mixed_by_texture_lit, 1},
    {16, &FixedPixelWriter::mixed_by_current, 1},
    {18, &FixedPixelWriter::alpha_product_sum, 1},
    {19, &FixedPixelWriter::product_alpha_sum, 1},
    {20, &FixedPixelWriter::inverse_alpha_product_sum, 1},
    {21, &FixedPixelWriter::inverse_product_alpha_sum, 1},
    {24, &FixedPixelWriter::dot, 4},
    {25, &FixedPixelWriter::product_sum, 1},
    {26, &FixedPixelWriter::mixed_by_argument, 1},
};

}  // namespace

ir::Program fixed_pixel_program(const FixedPixel& state) { return FixedPixelWriter(state).run(); }

}  // namespace tessera::direct3d9
