// ATI fragment shaders: the lowering against the evaluator, single cases worked by hand, and what the builder refuses.
#include <catch2/catch.hpp>

#include "combiners/ati_build.h"
#include "combiners/check.h"
#include "tests/support/combiners_run.h"
#include "tests/support/random.h"
#include "tests/support/random_setup.h"

using namespace tessera::combiners;
using namespace tessera::tests;
using Kind = Violation::Kind;

namespace {

constexpr AtiArgument arg(AtiSource source, AtiReplicate replicate = AtiReplicate::None, uint8_t modifiers = 0) {
  return {source, replicate, modifiers};
}

AtiInstruction instr(AtiOp op, std::array<AtiArgument, 3> args, uint8_t modifiers = 0, uint8_t mask = 7, uint8_t target = 0) {
  return {false, op, target, mask, modifiers, args};
}

constexpr AtiArgument c0 = arg(AtiSource::Con0), c1 = arg(AtiSource::Con1), c2 = arg(AtiSource::Con2), c3 = arg(AtiSource::Con3);

// One pass with the builder's instructions on three constants.
Color run(const AtiBuilder& builder, const std::array<Color, 3>& constants, const Fragment& fragment = {}) {
  FragmentState state;
  state.ati = builder.shader();
  state.ati.enabled = true;
  for (size_t k = 0; k < 3; ++k) state.ati.constants[k] = constants[k];
  REQUIRE(check(state));
  const Color lowered = run_lowered(state, {&fragment, 1})[0];
  CHECK(lowered == evaluate(state, fragment));
  return lowered;
}

Color run_color(const AtiInstruction& instruction, const std::array<Color, 3>& constants, const Fragment& fragment = {}) {
  AtiBuilder builder;
  REQUIRE_FALSE(builder.color(instruction));
  return run(builder, constants, fragment);
}

void check_refused(const std::optional<Violation>& violation, Kind kind) {
  REQUIRE(violation);
  CHECK(violation->kind == kind);
}

constexpr AtiRoute pass_of(AtiCoordinate from, AtiSwizzle swizzle = AtiSwizzle::Str) { return {AtiRoute::Kind::Pass, from, swizzle}; }
constexpr AtiRoute sample_at(AtiCoordinate from, AtiSwizzle swizzle = AtiSwizzle::Str) { return {AtiRoute::Kind::Sample, from, swizzle}; }

}  // namespace

TEST_CASE("a lowered ATI fragment shader gives what the evaluator gives", "[combiners][ati]") {
  CAPTURE(seed());
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(200); ++i) {
    FragmentState state = random_setup(random);
    state.combiners.enabled = false;
    state.ati = random_ati(random);
    for (TextureUnit& unit : state.units) unit.shape = Shape::Tex3D;      // all three coordinates count
    REQUIRE(check(state));
    std::vector<Fragment> fragments;
    for (size_t k = 0; k < 64; ++k) {
      fragments.push_back(random_fragment(random));
      fragments.back().sample = [](uint32_t unit, const std::array<float, 3>& at) {
        return Color{at[0] + static_cast<float>(unit), at[1] * 0.5f, at[2] - 0.25f, at[0] * at[1]};
      };
    }
    const std::vector<Color> lowered = run_lowered(state, fragments);
    for (size_t k = 0; k < fragments.size(); ++k) {
      INFO("round " << i << ", fragment " << k);
      REQUIRE(lowered[k] == evaluate(state, fragments[k]));
    }
  }
}

TEST_CASE("each operation of ATI_fragment_shader computes its formula", "[combiners][ati]") {
  const std::array<Color, 3> k = {{{0.5f, 0.25f, 1, 0.5f}, {0.5f, 1, 0.25f, 0.25f}, {0.5f, 0.75f, 0.125f, 1}}};
  const AtiArgument zero = arg(AtiSource::Zero), one = arg(AtiSource::One);
  CHECK(run_color(instr(AtiOp::Mov, {c0}), k) == Color{0.5f, 0.25f, 1, 0});
  CHECK(run_color(instr(AtiOp::Add, {c0, c1}), k) == Color{1, 1, 1, 0});                  // 1.25 is clamped at the end
  CHECK(run_color(instr(AtiOp::Mul, {c0, c1}), k) == Color{0.25f, 0.25f, 0.25f, 0});
  CHECK(run_color(instr(AtiOp::Sub, {c0, c1}), k) == Color{0, 0, 0.75f, 0});
  CHECK(run_color(instr(AtiOp::Dot3, {c0, c1}), k) == Color{0.75f, 0.75f, 0.75f, 0});
  CHECK(run_color(instr(AtiOp::Dot4, {c0, c1}), k) == Color{0.875f, 0.875f, 0.875f, 0});
  CHECK(run_color(instr(AtiOp::Mad, {c0, c1, zero}), k) == Color{0.25f, 0.25f, 0.25f, 0});
  CHECK(run_color(instr(AtiOp::Lerp, {c0, c1, one}), k) == Color{0.75f, 1, 0.25f, 0});
  const AtiArgument third = arg(AtiSource::Primary);
  const Fragment f{.primary = {0.5f, 0.5625f, 0.125f, 0}};
  CHECK(run_color(instr(AtiOp::Cnd, {c0, c1, third}), k, f) == Color{0.5f, 0.25f, 0.25f, 0});   // 0.5 is not above 0.5
  CHECK(run_color(instr(AtiOp::Cnd0, {c0, c1, arg(AtiSource::Zero)}), k) == Color{0.5f, 0.25f, 1, 0});
  CHECK(run_color(instr(AtiOp::Cnd0, {c0, c1, arg(AtiSource::One, AtiReplicate::None, ati_arg::Negate)}), k) == Color{0.5f, 1, 0.25f, 0});
  // 0.5 * 0.5 + 0.25 * 1 + the third argument's blue
  CHECK(run_color(instr(AtiOp::Dot2Add, {c0, c1, third}), k, f) == Color{0.625f, 0.625f, 0.625f, 0});
}

TEST_CASE("an argument's modifiers complement, bias, double and negate in this order", "[combiners][ati]") {
  const std::array<Color, 3> k = {{{0.125f, 0, 0, 0}, {}, {}}};
  const auto with = [&](uint8_t modifiers) {
    return run_color(instr(AtiOp::Mad, {arg(AtiSource::Con0, AtiReplicate::Red, modifiers), arg(AtiSource::One), arg(AtiSource::One)}, ati_dst::Half), k)[0];
  };
  CHECK(with(0) == 0.5625f);                                              // (s + 1) / 2
  CHECK(with(ati_arg::Complement) == 0.9375f);
  CHECK(with(ati_arg::Bias) == 0.3125f);
  CHECK(with(ati_arg::Double) == 0.625f);
  CHECK(with(ati_arg::Negate) == 0.4375f);
  CHECK(with(ati_arg::Bias | ati_arg::Double) == 0.125f);
  CHECK(with(ati_arg::All) == 0.125f);                                    // -(2 ((1 - 0.125) - 0.5)) = -0.75
}

TEST_CASE("results are scaled, then clamped to [0,1], or kept within [-8,8]", "[combiners][ati]") {
  const std::array<Color, 3> k = {{{0.25f, 1, 0, 0}, {0.0625f, 0, 0, 0}, {}}};
  const auto scaled = [&](uint8_t modifiers) { return run_color(instr(AtiOp::Mov, {arg(AtiSource::Con1, AtiReplicate::Red)}, modifiers), k)[0]; };
  CHECK(scaled(ati_dst::Double) == 0.125f);
  CHECK(scaled(ati_dst::Quadruple) == 0.25f);
  CHECK(scaled(ati_dst::Eightfold) == 0.5f);
  CHECK(scaled(ati_dst::Half) == 0.03125f);
  CHECK(scaled(ati_dst::Quarter) == 0.015625f);
  CHECK(scaled(ati_dst::Eighth) == 0.0078125f);
  // 8 * (1 + 1) stays 8; times 1/8 it is 1, times 1/16 of 1 it would be 0.5 without the range
  AtiBuilder builder;
  REQUIRE_FALSE(builder.color(instr(AtiOp::Add, {arg(AtiSource::One), arg(AtiSource::One)}, ati_dst::Eightfold)));
  REQUIRE_FALSE(builder.color(instr(AtiOp::Mul, {arg(AtiSource::Reg0), arg(AtiSource::Con1, AtiReplicate::Red)})));
  CHECK(run(builder, k)[0] == 0.5f);
  AtiBuilder saturated;
  REQUIRE_FALSE(saturated.color(instr(AtiOp::Add, {arg(AtiSource::One), arg(AtiSource::One)}, ati_dst::Eightfold | ati_dst::Saturate)));
  REQUIRE_FALSE(saturated.color(instr(AtiOp::Mul, {arg(AtiSource::Reg0), arg(AtiSource::Con1, AtiReplicate::Red)})));
  CHECK(run(saturated, k)[0] == 0.0625f);
}

TEST_CASE("the halves of a pair do not see each other, and a mask keeps what it leaves out", "[combiners][ati]") {
  const std::array<Color, 3> k = {{{0.25f, 0.5f, 0.75f, 1}, {1, 1, 1, 0.125f}, {}}};
  AtiBuilder builder;
  REQUIRE_FALSE(builder.color(instr(AtiOp::Mov, {c0})));
  REQUIRE_FALSE(builder.alpha(instr(AtiOp::Mov, {c1})));
  REQUIRE_FALSE(builder.color(instr(AtiOp::Mov, {arg(AtiSource::Reg0, AtiReplicate::Alpha)}, 0, 2)));   // green only
  REQUIRE_FALSE(builder.alpha(instr(AtiOp::Mov, {arg(AtiSource::Reg0, AtiReplicate::Green)})));
  CHECK(run(builder, k) == Color{0.25f, 0.125f, 0.75f, 0.5f});
}

TEST_CASE("a dot product in alpha takes the colour instruction's value", "[combiners][ati]") {
  const std::array<Color, 3> k = {{{0.5f, 0.25f, 1, 0.5f}, {0.5f, 1, 0.25f, 0.25f}, {}}};
  AtiBuilder builder;
  REQUIRE_FALSE(builder.color(instr(AtiOp::Dot3, {c0, c1}, ati_dst::Half)));
  REQUIRE_FALSE(builder.alpha(instr(AtiOp::Dot3, {arg(AtiSource::Zero), arg(AtiSource::Zero)})));
  CHECK(run(builder, k) == Color{0.375f, 0.375f, 0.375f, 0.75f});
}

TEST_CASE("the second pass samples where the first one computed", "[combiners][ati]") {
  AtiBuilder builder;
  REQUIRE_FALSE(builder.route(1, pass_of(AtiCoordinate::Texture3, AtiSwizzle::StqDq)));
  REQUIRE_FALSE(builder.color(instr(AtiOp::Add, {arg(AtiSource::Reg1), c0}, 0, 7, 2)));
  REQUIRE_FALSE(builder.route(0, sample_at(AtiCoordinate::Reg2)));
  REQUIRE_FALSE(builder.route(2, pass_of(AtiCoordinate::Reg2)));
  REQUIRE_FALSE(builder.color(instr(AtiOp::Mul, {arg(AtiSource::Reg0), arg(AtiSource::Reg2, AtiReplicate::Blue)})));
  FragmentState state;
  state.ati = builder.shader();
  state.ati.enabled = true;
  state.ati.constants[0] = {0.25f, 0.5f, 0, 0};
  state.units[0].enabled = true;
  Fragment f;
  f.coords[3] = {1, 0.5f, 9, 2};                            // s/q 0.5, t/q 0.25, 1/q 0.5
  f.sample = [](uint32_t unit, const std::array<float, 3>& at) { return unit == 0 ? Color{at[0], at[1], 1, 1} : Color{}; };
  CHECK(run_lowered(state, {&f, 1})[0] == Color{0.375f, 0.375f, 0.5f, 1});
  CHECK(evaluate(state, f) == Color{0.375f, 0.375f, 0.5f, 1});
}

TEST_CASE("what an ATI fragment shader may not do is refused and changes nothing", "[combiners][ati]") {
  AtiBuilder b;
  const auto refused = [&](const std::optional<Violation>& violation, Kind kind, const AtiFragmentShader& before) {
    check_refused(violation, kind);
    CHECK(b.shader() == before);
  };
  REQUIRE_FALSE(b.route(0, sample_at(AtiCoordinate::Texture0)));
  const AtiFragmentShader routed = b.shader();
  refused(b.route(0, pass_of(AtiCoordinate::Texture1)), Kind::Operation, routed);                  // twice
  refused(b.route(1, pass_of(AtiCoordinate::Reg0)), Kind::Operation, routed);                      // register in pass one
  refused(b.route(1, sample_at(AtiCoordinate::Texture0, AtiSwizzle::Stq)), Kind::Operation, routed);   // r and q mixed
  refused(b.route(6, pass_of(AtiCoordinate::Texture1)), Kind::Enum, routed);
  refused(b.alpha(instr(AtiOp::Dot3, {c0, c1})), Kind::Operation, routed);                         // no colour before
  refused(b.color(instr(AtiOp::Mad, {c0, c1, c2})), Kind::Operation, routed);                      // three constants
  refused(b.color(instr(AtiOp::Mov, {c0}, ati_dst::Double | ati_dst::Half)), Kind::Enum, routed);
  refused(b.color(instr(AtiOp::Mov, {arg(AtiSource::Secondary, AtiReplicate::Alpha)})), Kind::Operation, routed);
  refused(b.alpha(instr(AtiOp::Mov, {arg(AtiSource::Secondary)})), Kind::Operation, routed);
  refused(b.color(instr(AtiOp::Dot4, {c0, arg(AtiSource::Secondary)})), Kind::Operation, routed);
  REQUIRE_FALSE(b.color(instr(AtiOp::Mad, {c0, c1, c0})));                                         // two different ones
  REQUIRE_FALSE(b.color(instr(AtiOp::Dot4, {c0, c1})));
  const AtiFragmentShader dot = b.shader();
  refused(b.alpha(instr(AtiOp::Mov, {c3})), Kind::Operation, dot);                                 // not DOT4 after DOT4
  refused(b.alpha(instr(AtiOp::Dot3, {c0, c1})), Kind::Operation, dot);
  for (int k = 0; k < 6; ++k) REQUIRE_FALSE(b.color(instr(AtiOp::Mov, {c0})));
  const AtiFragmentShader full = b.shader();
  refused(b.color(instr(AtiOp::Mov, {c0})), Kind::Operation, full);
  REQUIRE_FALSE(b.alpha(instr(AtiOp::Mov, {c0})));                                                 // the eighth pair's other half
  REQUIRE_FALSE(b.route(0, pass_of(AtiCoordinate::Reg0)));
  const AtiFragmentShader second = b.shader();
  refused(b.route(1, pass_of(AtiCoordinate::Reg0, AtiSwizzle::Stq)), Kind::Operation, second);     // a register has no q
  REQUIRE_FALSE(b.color(instr(AtiOp::Mov, {c0})));
  const AtiFragmentShader done = b.shader();
  refused(b.route(1, pass_of(AtiCoordinate::Reg0)), Kind::Operation, done);                        // third pass
  CHECK_FALSE(b.end());
}

TEST_CASE("an interpolated colour in the first of two passes is found at the end", "[combiners][ati]") {
  AtiBuilder b;
  REQUIRE_FALSE(b.color(instr(AtiOp::Mov, {arg(AtiSource::Primary)})));
  CHECK_FALSE(b.end());                                      // one pass: legal
  REQUIRE_FALSE(b.route(0, pass_of(AtiCoordinate::Reg0)));
  check_refused(b.end(), Kind::Operation);
}
