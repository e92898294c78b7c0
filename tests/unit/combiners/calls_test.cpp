// The C calls: what they store, convert and refuse. Right values: the tables of the extensions.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "tests/unit/combiners/current.h"

using namespace tessera::combiners;
using tessera::tests::Current;

namespace {

struct IllegalCall {
  const char* text;
  GLenum error;
  std::function<void()> make;
};

void input(GLenum portion, GLenum variable, GLenum source, GLenum mapping, GLenum usage) {
  tsrCombinerInputNV(GL_COMBINER0_NV, portion, variable, source, mapping, usage);
}

void output(GLenum portion, GLenum ab, GLenum cd, GLenum sum, GLenum scale, GLenum bias, GLboolean ab_dot, GLboolean cd_dot) {
  tsrCombinerOutputNV(GL_COMBINER0_NV, portion, ab, cd, sum, scale, bias, ab_dot, cd_dot, GL_FALSE);
}

const GLfloat kColor[4] = {0.1f, 0.2f, 0.3f, 0.4f};
GLint ignored[4];
GLfloat ignored_floats[4];

const IllegalCall kIllegal[] = {
    {"parameter: unknown name", GL_INVALID_ENUM, [] { tsrCombinerParameterfvNV(GL_SPARE0_NV, kColor); }},
    {"parameter: a colour in a scalar form", GL_INVALID_ENUM, [] { tsrCombinerParameterfNV(GL_CONSTANT_COLOR0_NV, 1); }},
    {"parameter: no stages", GL_INVALID_VALUE, [] { tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 0); }},
    {"parameter: 9 stages", GL_INVALID_VALUE, [] { tsrCombinerParameterfNV(GL_NUM_GENERAL_COMBINERS_NV, 9); }},
    {"parameter: NaN stages", GL_INVALID_VALUE, [] { tsrCombinerParameterfNV(GL_NUM_GENERAL_COMBINERS_NV, std::nanf("")); }},
    {"parameter: infinitely many stages", GL_INVALID_VALUE,
     [] { tsrCombinerParameterfNV(GL_NUM_GENERAL_COMBINERS_NV, std::numeric_limits<float>::infinity()); }},
    {"stage parameter: stage", GL_INVALID_ENUM, [] { tsrCombinerStageParameterfvNV(GL_COMBINER7_NV + 1, GL_CONSTANT_COLOR0_NV, kColor); }},
    {"stage parameter: name", GL_INVALID_ENUM, [] { tsrCombinerStageParameterfvNV(GL_COMBINER0_NV, GL_FOG, kColor); }},
    {"input: stage", GL_INVALID_ENUM,
     [] { tsrCombinerInputNV(GL_COMBINER0_NV - 1, GL_RGB, GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: portion", GL_INVALID_ENUM, [] { input(GL_BLUE, GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: variable E", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_E_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: discard", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_DISCARD_NV, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: E times F", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_E_TIMES_F_NV, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: unit 8", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_TEXTURE0 + 8, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: mapping", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_ZERO, GL_SCALE_BY_TWO_NV, GL_RGB); }},
    {"input: usage", GL_INVALID_ENUM, [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_FOG); }},
    {"input: rgb in an alpha portion", GL_INVALID_OPERATION,
     [] { input(GL_ALPHA, GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"input: blue in an rgb portion", GL_INVALID_OPERATION,
     [] { input(GL_RGB, GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_BLUE); }},
    {"input: fog's alpha", GL_INVALID_OPERATION, [] { input(GL_ALPHA, GL_VARIABLE_A_NV, GL_FOG, GL_SIGNED_IDENTITY_NV, GL_ALPHA); }},
    {"output: to zero", GL_INVALID_ENUM, [] { output(GL_RGB, GL_ZERO, GL_DISCARD_NV, GL_SPARE0_NV, GL_NONE, GL_NONE, 0, 0); }},
    {"output: to fog", GL_INVALID_ENUM, [] { output(GL_RGB, GL_FOG, GL_DISCARD_NV, GL_SPARE0_NV, GL_NONE, GL_NONE, 0, 0); }},
    {"output: scale", GL_INVALID_ENUM,
     [] { output(GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_BIAS_BY_NEGATIVE_ONE_HALF_NV, GL_NONE, 0, 0); }},
    {"output: bias", GL_INVALID_ENUM, [] { output(GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_NONE, GL_SCALE_BY_TWO_NV, 0, 0); }},
    {"output: dot product in alpha", GL_INVALID_VALUE,
     [] { output(GL_ALPHA, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_NONE, GL_NONE, 0, 2); }},
    {"output: bias with scale by four", GL_INVALID_OPERATION,
     [] { output(GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_SCALE_BY_FOUR_NV, GL_BIAS_BY_NEGATIVE_ONE_HALF_NV, 0, 0); }},
    {"output: bias with scale by one half", GL_INVALID_OPERATION,
     [] { output(GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_SCALE_BY_ONE_HALF_NV, GL_BIAS_BY_NEGATIVE_ONE_HALF_NV, 0, 0); }},
    {"output: one register twice", GL_INVALID_OPERATION,
     [] { output(GL_RGB, GL_SPARE1_NV, GL_SPARE1_NV, GL_DISCARD_NV, GL_NONE, GL_NONE, 0, 0); }},
    {"final: discard", GL_INVALID_ENUM, [] { tsrFinalCombinerInputNV(GL_VARIABLE_A_NV, GL_DISCARD_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB); }},
    {"final: signed mapping", GL_INVALID_ENUM, [] { tsrFinalCombinerInputNV(GL_VARIABLE_A_NV, GL_ZERO, GL_SIGNED_IDENTITY_NV, GL_RGB); }},
    {"final: E times F in E", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_E_NV, GL_E_TIMES_F_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB); }},
    {"final: the sum in A", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_A_NV, GL_SPARE0_PLUS_SECONDARY_COLOR_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB); }},
    {"final: the sum in G", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_G_NV, GL_SPARE0_PLUS_SECONDARY_COLOR_NV, GL_UNSIGNED_IDENTITY_NV, GL_ALPHA); }},
    {"final: G with rgb", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_G_NV, GL_SPARE0_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB); }},
    {"final: B with blue", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_B_NV, GL_SPARE0_NV, GL_UNSIGNED_IDENTITY_NV, GL_BLUE); }},
    {"final: alpha of the product", GL_INVALID_OPERATION,
     [] { tsrFinalCombinerInputNV(GL_VARIABLE_B_NV, GL_E_TIMES_F_NV, GL_UNSIGNED_IDENTITY_NV, GL_ALPHA); }},
    {"query: variable E of a stage", GL_INVALID_ENUM,
     [] { tsrGetCombinerInputParameterivNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_E_NV, GL_COMBINER_INPUT_NV, ignored); }},
    {"query: output name", GL_INVALID_ENUM,
     [] { tsrGetCombinerOutputParameterfvNV(GL_COMBINER0_NV, GL_RGB, GL_COMBINER_INPUT_NV, ignored_floats); }},
    {"query: final name", GL_INVALID_ENUM, [] { tsrGetFinalCombinerInputParameterivNV(GL_VARIABLE_G_NV, GL_COMBINER_SCALE_NV, ignored); }},
    {"query: stage constant", GL_INVALID_ENUM,
     [] { tsrGetCombinerStageParameterfvNV(GL_COMBINER0_NV, GL_NUM_GENERAL_COMBINERS_NV, ignored_floats); }},
    {"query: basic name", GL_INVALID_ENUM, [] { tsrGetIntegerv(GL_SPARE0_NV, ignored); }},
    {"enable: name", GL_INVALID_ENUM, [] { tsrEnable(GL_SPARE0_NV); }},
    {"active texture: unit 8", GL_INVALID_ENUM, [] { tsrActiveTexture(GL_TEXTURE0 + 8); }},
    {"texenv: target", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE, GL_TEXTURE_ENV_MODE, GL_ADD); }},
    {"texenv: name", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_SOURCE3_RGB_NV + 1, GL_ZERO); }},
    {"texenv: a colour in a scalar form", GL_INVALID_ENUM, [] { tsrTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 1); }},
    {"texenv: mode", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_INTERPOLATE); }},
    {"texenv: mode no token", GL_INVALID_ENUM, [] { tsrTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, -1e30f); }},
    {"texenv: function", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_DECAL); }},
    {"texenv: dot product in alpha", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_DOT3_RGB); }},
    {"texenv: source", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_PRIMARY_COLOR_NV); }},
    {"texenv: operand", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_OPERAND2_RGB, GL_ZERO); }},
    {"texenv: colour operand in alpha", GL_INVALID_ENUM, [] { tsrTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_ALPHA, GL_SRC_COLOR); }},
    {"texenv: scale by three", GL_INVALID_VALUE, [] { tsrTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 3); }},
    {"texenv: alpha scale by 1.5", GL_INVALID_VALUE, [] { tsrTexEnvf(GL_TEXTURE_ENV, GL_ALPHA_SCALE, 1.5f); }},
};

}  // namespace

TEST_CASE("every illegal call gives its error and changes nothing", "[combiners]") {
  for (const IllegalCall& call : kIllegal) {
    Current current;
    const FragmentState before = current.state();
    INFO(call.text);
    call.make();
    CHECK(tsrGetError() == call.error);
    CHECK(current.state() == before);
    CHECK(tsrGetError() == GL_NO_ERROR);
  }
}

TEST_CASE("the first error stays until it is read", "[combiners]") {
  const Current current;
  tsrEnable(GL_SPARE0_NV);
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 0);
  CHECK(tsrGetError() == GL_INVALID_ENUM);
  CHECK(tsrGetError() == GL_NO_ERROR);
}

TEST_CASE("a refused query leaves its result alone", "[combiners]") {
  const Current current;
  GLint value = 77;
  tsrGetIntegerv(GL_SPARE0_NV, &value);
  tsrGetCombinerInputParameterivNV(GL_COMBINER7_NV + 1, GL_RGB, GL_VARIABLE_A_NV, GL_COMBINER_INPUT_NV, &value);
  CHECK(value == 77);
}

TEST_CASE("calls without a current object do nothing and say so", "[combiners]") {
  tsrMakeCombinersCurrent(nullptr);
  GLint value = 77;
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 2);
  CHECK(tsrGetError() == GL_INVALID_OPERATION);
  tsrGetIntegerv(GL_NUM_GENERAL_COMBINERS_NV, &value);
  CHECK(tsrGetError() == GL_INVALID_OPERATION);
  CHECK(tsrIsEnabled(GL_FOG) == GL_FALSE);
  CHECK(tsrGetError() == GL_INVALID_OPERATION);
  CHECK(tsrGetError() == GL_NO_ERROR);
  CHECK(value == 77);
}

TEST_CASE("each thread has its own current object", "[combiners]") {
  Current current;
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 5);
  GLenum error = GL_NO_ERROR;
  std::thread([&error] {
    tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 2);
    error = tsrGetError();
  }).join();
  CHECK(error == GL_INVALID_OPERATION);
  CHECK(tsrGetError() == GL_NO_ERROR);
  CHECK(current.state().combiners.stage_count == 5);
}

TEST_CASE("numbers of stages round to nearest even, and 8 is legal", "[combiners]") {
  Current current;
  const std::pair<float, uint32_t> cases[] = {{1.4f, 1}, {1.5f, 2}, {2.5f, 2}, {7.6f, 8}, {8.0f, 8}, {0.6f, 1}};
  for (const auto& [given, rounded] : cases) {
    CAPTURE(given);
    tsrCombinerParameterfNV(GL_NUM_GENERAL_COMBINERS_NV, given);
    CHECK(current.state().combiners.stage_count == rounded);
  }
  CHECK(tsrGetError() == GL_NO_ERROR);
}

TEST_CASE("colours are clamped when set and converted from and to integers", "[combiners]") {
  Current current;
  const GLfloat wide[4] = {-1, 2, 0.5f, std::nanf("")};
  tsrCombinerParameterfvNV(GL_CONSTANT_COLOR0_NV, wide);
  CHECK(current.state().combiners.constants[0] == Color{0, 1, 0.5f, 0});
  const GLint integers[4] = {std::numeric_limits<GLint>::max(), std::numeric_limits<GLint>::min(), 0, 1 << 30};
  tsrCombinerParameterivNV(GL_CONSTANT_COLOR1_NV, integers);
  CHECK(current.state().combiners.constants[1][0] == 1.0f);
  CHECK(current.state().combiners.constants[1][1] == 0.0f);
  CHECK(current.state().combiners.constants[1][3] == Approx(0.5));
  GLint back[4];
  tsrGetIntegerv(GL_CONSTANT_COLOR0_NV, back);
  CHECK(back[1] == std::numeric_limits<GLint>::max());
  CHECK(back[0] == 0);
  GLboolean truth[4];
  tsrGetBooleanv(GL_CONSTANT_COLOR0_NV, truth);
  CHECK((truth[0] == GL_FALSE && truth[1] == GL_TRUE && truth[2] == GL_TRUE && truth[3] == GL_FALSE));
  tsrTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, integers);
  CHECK(current.state().units[0].environment.color[0] == 1.0f);
  tsrGetTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, back);
  CHECK(back[0] == std::numeric_limits<GLint>::max());
}

TEST_CASE("global and stage constants do not overwrite each other", "[combiners]") {
  Current current;
  tsrEnable(GL_PER_STAGE_CONSTANTS_NV);
  tsrCombinerStageParameterfvNV(GL_COMBINER3_NV, GL_CONSTANT_COLOR1_NV, kColor);
  CHECK(current.state().combiners.constants[1] == Color{});
  CHECK(current.state().combiners.stages[3].constants[1] == Color{0.1f, 0.2f, 0.3f, 0.4f});
  GLfloat got[4];
  tsrGetCombinerStageParameterfvNV(GL_COMBINER3_NV, GL_CONSTANT_COLOR1_NV, got);
  CHECK(got[3] == 0.4f);
}

TEST_CASE("environments are set on the active unit", "[combiners]") {
  Current current;
  tsrActiveTexture(GL_TEXTURE5);
  tsrTexEnvi(GL_TEXTURE_ENV, GL_OPERAND3_ALPHA_NV, GL_SRC_ALPHA);
  tsrTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 4.0f);
  GLint unit = 0;
  tsrGetIntegerv(GL_ACTIVE_TEXTURE, &unit);
  CHECK(unit == GL_TEXTURE5);
  CHECK(current.state().units[5].environment.alpha.args[3].operand == EnvOperand::Alpha);
  CHECK(current.state().units[5].environment.rgb.scale == 4);
  CHECK(current.state().units[0] == TextureUnit{});
}

TEST_CASE("what looks like an error is none", "[combiners]") {
  const Current current;
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_RGB, GL_SPARE1_NV, GL_DISCARD_NV, GL_SPARE0_NV, GL_NONE, GL_NONE, GL_TRUE, GL_TRUE, GL_TRUE);
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_ALPHA, GL_DISCARD_NV, GL_DISCARD_NV, GL_DISCARD_NV, GL_NONE, GL_NONE, GL_FALSE, GL_FALSE, GL_TRUE);
  tsrCombinerOutputNV(GL_COMBINER7_NV, GL_ALPHA, GL_SPARE1_NV, GL_DISCARD_NV, GL_SPARE0_NV, GL_NONE, GL_NONE, GL_FALSE, GL_FALSE, GL_FALSE);
  input(GL_ALPHA, GL_VARIABLE_B_NV, GL_FOG, GL_EXPAND_NORMAL_NV, GL_BLUE);
  tsrFinalCombinerInputNV(GL_VARIABLE_G_NV, GL_SPARE1_NV, GL_UNSIGNED_INVERT_NV, GL_BLUE);
  tsrFinalCombinerInputNV(GL_VARIABLE_A_NV, GL_FOG, GL_UNSIGNED_INVERT_NV, GL_ALPHA);
  CHECK(tsrGetError() == GL_NO_ERROR);
}
