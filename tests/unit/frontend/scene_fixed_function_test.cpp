// Sections of fixed-function state: what they make, what they refuse, and where the error is.
#include <catch2/catch.hpp>

#include "frontend/scene_parser.h"
#include "tests/support/fixed_function_text.h"
#include "tests/support/random.h"
#include "tests/support/random_setup.h"

using namespace tessera;
using namespace tessera::combiners;
using namespace tessera::tests;

namespace {

FragmentState read(const std::string& section) {
  const Result<FragmentState> state = read_scene_section(section);
  if (!state) FAIL(format_diags(state.diags(), "scene", section));
  return *state;
}

struct Broken {
  const char* section;
  SourceLoc loc;
  const char* text;             // part of the message
};

constexpr Broken kBroken[] = {
    {"[register combiners]\nrgb spare0 = texture0 * one\n", {2, 5}, "'stage' comes first"},
    {"[register combiners]\nstage\nrgb spare0 = texture9 * one\n", {3, 14}, "found 'texture9'"},
    {"[register combiners]\nstage\nrgb spare0 = expnd(texture0) * one\n", {3, 14}, "unsigned_invert"},
    {"[register combiners]\nstage\nrgb spare0 = expand(texture0 * one\n", {3, 14}, "')'"},
    {"[register combiners]\nstage\nrgb spare0 = texture0.blue * one\n", {3, 14}, "not blue"},
    {"[register combiners]\nstage\nalpha spare0 = one * texture0.rgb\n", {3, 22}, "alpha or blue"},
    {"[register combiners]\nstage\nrgb spare0 = fog.alpha * one\n", {3, 14}, "final combiner only"},
    {"[register combiners]\nstage\nrgb zero = one * one\n", {3, 5}, "cannot be written"},
    {"[register combiners]\nstage\nalpha spare0 = one dot one\n", {3, 7}, "no dot products"},
    {"[register combiners]\nstage\nrgb spare0 = one * one\nrgb spare0 = sum\n", {4, 5}, "different registers"},
    {"[register combiners]\nstage\nrgb scale 4 bias -0.5\n", {3, 5}, "scale of 1 or 2"},
    {"[register combiners]\nstage\nrgb scale 3\n", {3, 11}, "found '3'"},
    {"[register combiners]\nstage\nrgb spare0 = one + one\n", {3, 18}, "'*' or 'dot'"},
    {"[register combiners]\nstage\nrgb spare0 = one * one\nrgb spare1 = one * one\nrgb texture0 = one * one\n", {5, 16}, "two products"},
    {"[register combiners]\nfinal a spare0_plus_secondary\n", {2, 9}, "A cannot read"},
    {"[register combiners]\nfinal b expand(spare0)\n", {2, 9}, "unsigned mappings only"},
    {"[register combiners]\nfinal alpha = spare0.rgb\n", {2, 15}, "G reads alpha or blue"},
    {"[register combiners]\nfinal h one\n", {2, 7}, "found 'h'"},
    {"[register combiners]\nconst0 1 2 0 1\n", {2, 10}, "0 to 1"},
    {"[register combiners]\nstages 9\n", {2, 8}, ""},
    {"[register combiners]\nunits 0 8\n", {2, 9}, ""},
    {"[register combiners]\nfog exp -1\n", {2, 9}, "not below 0"},
    {"[register combiners]\nfog thick\n", {2, 5}, "linear, exp, exp2, factor"},
    {"[texture environment]\nunit 0 modulat\n", {2, 8}, "modulate, replace"},
    {"[texture environment]\nunit 0 modulate\nunit 0 add\n", {3, 6}, "given before"},
    {"[texture environment]\nunit 0 combine\nalpha dot3_rgb texture previous\n", {3, 7}, "no dot products"},
    {"[texture environment]\nunit 0 combine\nalpha modulate texture.rgb\n", {3, 16}, "alpha's operands"},
    {"[texture environment]\nunit 0 combine\nrgb modulate texture 2-previous\n", {3, 22}, "found '2-previous'"},
    {"[texture environment]\nunit 0 combine\nrgb modulate texture previous scale 3\n", {3, 5}, "1, 2 or 4"},
    {"[texture environment]\nrgb modulate texture previous\n", {2, 5}, "'unit' comes first"},
    {"[ati fragment shader]\nr0 = sample t0\nr0 = pass t1\n", {3, 1}, "has a route"},
    {"[ati fragment shader]\nr0 = sample r1\n", {2, 1}, "second pass only"},
    {"[ati fragment shader]\nrgb r0 = mad c0 c1 c2\n", {2, 1}, "two different constants"},
    {"[ati fragment shader]\nrgb r0 = mov c0 2x 4x\n", {2, 1}, "one scale"},
    {"[ati fragment shader]\nrgb c0 = mov c1\n", {2, 5}, "only registers"},
    {"[ati fragment shader]\nrgb r0 = mov c1.half\n", {2, 14}, "found 'half'"},
    {"[ati fragment shader]\nxyz r0 = mov c1\n", {2, 1}, "channels of rgb"},
    {"[ati fragment shader]\na r0 = dot3 r0 r1\n", {2, 1}, "directly"},
    {"[ati fragment shader]\nrgb r0 = mov primary\nr0 = pass r0\n", {3, 1}, "last pass only"},
};

}  // namespace

TEST_CASE("an illegal set-up in a scene is an error with its line and column") {
  for (const Broken& broken : kBroken) {
    INFO(broken.section);
    const Result<FragmentState> state = read_scene_section(broken.section);
    REQUIRE_FALSE(state);
    const Diag& diag = state.diags().front();
    CHECK(diag.loc.line == broken.loc.line);
    CHECK(diag.loc.column == broken.loc.column);
    CHECK_THAT(diag.text, Catch::Contains(broken.text));
  }
}

TEST_CASE("every legal set-up can be written in a scene and is read back as it was") {
  CAPTURE(seed());
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(200); ++i) {
    FragmentState state = random_setup(random);
    if (i % 3 == 0) {
      state.combiners.enabled = false;
      state.ati = random_ati(random);
      for (TextureUnit& unit : state.units) unit.enabled = false;
      for (const AtiPass& pass : state.ati.passes)
        for (size_t r = 0; r < kAtiRegisters; ++r)
          if (pass.routes[r].kind == AtiRoute::Kind::Sample) state.units[r].enabled = true;
    }
    const std::string section = scene_section(state);
    INFO(section);
    FragmentState back = read(section);
    for (size_t u = 0; u < kTextureUnits; ++u) back.units[u].format = state.units[u].format;
    CHECK(same_effect(back, state));
  }
}

TEST_CASE("a combiner section says in a few lines what the calls say in many") {
  const FragmentState state = read(
      "[register combiners]\n"
      "const0 0.5 0.25 0 1\n"
      "stage\n"
      "rgb spare0 = expand(texture0) dot expand(primary)    # N.L\n"
      "alpha discard = texture1.blue * one\n"
      "alpha spare0 = sum\n"
      "alpha scale 2\n"
      "stage\n"
      "rgb discard = spare0 * texture2\n"
      "rgb discard = const0 * one\n"
      "rgb spare0 = mux\n"
      "const1 1 1 1 1\n"
      "final rgb = spare0\n");
  const RegisterCombiners& c = state.combiners;
  CHECK(c.enabled);
  CHECK(c.stage_count == 2);
  CHECK(c.per_stage_constants);
  CHECK(c.constants[0] == Color{0.5f, 0.25f, 0, 1});
  CHECK(c.stages[1].constants[1] == Color{1, 1, 1, 1});
  CHECK(c.stages[0].rgb.in[0] == Input{Register::Texture0, Mapping::ExpandNormal, Usage::Rgb});
  CHECK(c.stages[0].rgb.out == GeneralOutput{Register::Spare0, Register::Discard, Register::Discard, Scale::One, Bias::None, true, false, false});
  CHECK(c.stages[0].alpha.in[0] == Input{Register::Texture1, Mapping::UnsignedIdentity, Usage::Blue});
  CHECK(c.stages[0].alpha.in[1] == Input{Register::Zero, Mapping::UnsignedInvert, Usage::Alpha});
  CHECK(c.stages[0].alpha.out.scale == Scale::Two);
  CHECK(c.stages[1].rgb.out.mux);
  CHECK(c.stages[1].alpha.out.sum == Register::Discard);           // a portion without lines writes nothing
  CHECK(c.final_combiner.in[3] == Input{Register::Spare0, Mapping::UnsignedIdentity, Usage::Rgb});
  CHECK(c.final_combiner.in[0].source == Register::Zero);
  CHECK(state.units[0].enabled);
  CHECK(state.units[1].enabled);
  CHECK(state.units[2].enabled);
  CHECK_FALSE(state.units[3].enabled);
}

TEST_CASE("an empty combiner section is the extension's initial state") {
  RegisterCombiners initial;
  initial.enabled = true;
  CHECK(read("[register combiners]\n").combiners == initial);
}
