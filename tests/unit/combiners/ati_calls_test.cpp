// The C calls of ATI_fragment_shader and fog: what they store, and what they refuse.
#include <catch2/catch.hpp>

#include <functional>

#include "tests/unit/combiners/current.h"

using namespace tessera::combiners;
using tessera::tests::Current;

namespace {

void mov(GLuint target, GLuint source) {
  tsrColorFragmentOp1ATI(GL_MOV_ATI, target, GL_NONE, GL_NONE, source, GL_NONE, GL_NONE);
}

struct IllegalCall {
  const char* text;
  GLenum error;
  std::function<void()> make;
};

const GLfloat kColor[4] = {0.25f, 2, -1, 0.5f};

// Inside of a definition whose first pass has a route of register 0 and a colour instruction.
const IllegalCall kInside[] = {
    {"gen", GL_INVALID_OPERATION, [] { tsrGenFragmentShadersATI(1); }},
    {"bind", GL_INVALID_OPERATION, [] { tsrBindFragmentShaderATI(1); }},
    {"delete", GL_INVALID_OPERATION, [] { tsrDeleteFragmentShaderATI(1); }},
    {"begin", GL_INVALID_OPERATION, [] { tsrBeginFragmentShaderATI(); }},
    {"a route's register", GL_INVALID_ENUM, [] { tsrSampleMapATI(GL_CON_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI); }},
    {"a route's coordinate", GL_INVALID_ENUM, [] { tsrSampleMapATI(GL_REG_0_ATI, GL_CON_0_ATI, GL_SWIZZLE_STR_ATI); }},
    {"a route's swizzle", GL_INVALID_ENUM, [] { tsrPassTexCoordATI(GL_REG_0_ATI, GL_TEXTURE0, GL_RGB); }},
    {"a register's q", GL_INVALID_OPERATION, [] { tsrPassTexCoordATI(GL_REG_0_ATI, GL_REG_0_ATI, GL_SWIZZLE_STQ_ATI); }},
    {"the target", GL_INVALID_ENUM, [] { mov(GL_CON_0_ATI, GL_REG_0_ATI); }},
    {"the source", GL_INVALID_ENUM, [] { mov(GL_REG_0_ATI, GL_TEXTURE0); }},
    {"an operation of two arguments with one", GL_INVALID_ENUM,
     [] { tsrColorFragmentOp1ATI(GL_ADD_ATI, GL_REG_0_ATI, 0, 0, GL_REG_0_ATI, 0, 0); }},
    {"an operation of three arguments with two", GL_INVALID_ENUM,
     [] { tsrAlphaFragmentOp2ATI(GL_MAD_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, 0, 0, GL_REG_0_ATI, 0, 0); }},
    {"the replication", GL_INVALID_ENUM, [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, GL_RGB, 0); }},
    {"two scales", GL_INVALID_ENUM,
     [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_2X_BIT_ATI | GL_HALF_BIT_ATI, GL_REG_0_ATI, 0, 0); }},
    {"an unknown modifier", GL_INVALID_ENUM, [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0x80, GL_REG_0_ATI, 0, 0); }},
    {"an unknown modifier of an argument", GL_INVALID_ENUM, [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, 0, 0x10); }},
    {"an unknown bit of the mask", GL_INVALID_ENUM, [] { tsrColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 8, 0, GL_REG_0_ATI, 0, 0); }},
    {"the secondary interpolator's alpha", GL_INVALID_OPERATION,
     [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0, GL_SECONDARY_INTERPOLATOR_ATI, GL_NONE, 0); }},
    {"a dot product of alpha alone", GL_INVALID_OPERATION,
     [] { tsrAlphaFragmentOp2ATI(GL_DOT3_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, 0, 0, GL_REG_0_ATI, 0, 0); }},
    {"three constants", GL_INVALID_OPERATION,
     [] { tsrColorFragmentOp3ATI(GL_MAD_ATI, GL_REG_0_ATI, 0, 0, GL_CON_0_ATI, 0, 0, GL_CON_1_ATI, 0, 0, GL_CON_2_ATI, 0, 0); }},
    {"a constant that there is not", GL_INVALID_ENUM, [] { tsrSetFragmentShaderConstantATI(GL_CON_7_ATI + 1, kColor); }},
};

const IllegalCall kOutside[] = {
    {"no names", GL_INVALID_VALUE, [] { tsrGenFragmentShadersATI(0); }},
    {"a route", GL_INVALID_OPERATION, [] { tsrSampleMapATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI); }},
    {"a colour instruction", GL_INVALID_OPERATION, [] { mov(GL_REG_0_ATI, GL_REG_0_ATI); }},
    {"an alpha instruction", GL_INVALID_OPERATION, [] { tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, 0, 0); }},
    {"end", GL_INVALID_OPERATION, [] { tsrEndFragmentShaderATI(); }},
    {"fog: name", GL_INVALID_ENUM, [] { tsrFogf(GL_FOG, 1); }},
    {"fog: mode", GL_INVALID_ENUM, [] { tsrFogi(GL_FOG_MODE, GL_NONE); }},
    {"fog: density", GL_INVALID_VALUE, [] { tsrFogf(GL_FOG_DENSITY, -1); }},
    {"fog: colour in a scalar form", GL_INVALID_ENUM, [] { tsrFogf(GL_FOG_COLOR, 1); }},
    {"fog: source", GL_INVALID_ENUM, [] { tsrFogi(GL_FOG_COORDINATE_SOURCE, GL_FOG); }},
};

}  // namespace

TEST_CASE("an ATI fragment shader is defined by calls, and bound and enabled like an object", "[combiners][ati]") {
  Current current;
  const GLuint id = tsrGenFragmentShadersATI(2);
  tsrSetFragmentShaderConstantATI(GL_CON_0_ATI, kColor);
  tsrBindFragmentShaderATI(id);
  tsrBeginFragmentShaderATI();
  tsrSampleMapATI(GL_REG_1_ATI, GL_TEXTURE0, GL_SWIZZLE_STQ_DQ_ATI);
  tsrColorFragmentOp3ATI(GL_LERP_ATI, GL_REG_0_ATI, GL_RED_BIT_ATI | GL_BLUE_BIT_ATI, GL_4X_BIT_ATI | GL_SATURATE_BIT_ATI, GL_REG_1_ATI, GL_ALPHA,
                         GL_COMP_BIT_ATI, GL_CON_0_ATI, GL_NONE, GL_BIAS_BIT_ATI | GL_2X_BIT_ATI, GL_PRIMARY_COLOR, GL_RED, GL_NEGATE_BIT_ATI);
  tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_CON_1_ATI, GL_NONE, GL_NONE);
  const GLfloat own[4] = {0.5f, 0.5f, 0.5f, 1};
  tsrSetFragmentShaderConstantATI(GL_CON_1_ATI, own);
  tsrEndFragmentShaderATI();
  tsrEnable(GL_FRAGMENT_SHADER_ATI);
  REQUIRE(tsrGetError() == GL_NO_ERROR);
  CHECK(tsrIsEnabled(GL_FRAGMENT_SHADER_ATI));
  const AtiFragmentShader& ati = current.state().ati;
  CHECK(ati.enabled);
  CHECK(ati.constants[0] == Color{0.25f, 1, 0, 0.5f});                      // clamped
  CHECK(ati.constants[1] == Color{0.5f, 0.5f, 0.5f, 1});
  REQUIRE(ati.passes[0].pair_count == 1);
  CHECK(ati.passes[0].routes[1] == AtiRoute{AtiRoute::Kind::Sample, AtiCoordinate::Texture0, AtiSwizzle::StqDq});
  const AtiPair& pair = ati.passes[0].pairs[0];
  CHECK(pair.color == AtiInstruction{true, AtiOp::Lerp, 0, 5, ati_dst::Quadruple | ati_dst::Saturate,
                                     {{{AtiSource::Reg1, AtiReplicate::Alpha, ati_arg::Complement},
                                       {AtiSource::Con0, AtiReplicate::None, ati_arg::Bias | ati_arg::Double},
                                       {AtiSource::Primary, AtiReplicate::Red, ati_arg::Negate}}}});
  CHECK(pair.alpha.op == AtiOp::Mov);
  tsrBindFragmentShaderATI(id + 1);                                          // never defined: it does nothing
  CHECK(ati.passes[0].pair_count == 0);
  CHECK(ati.constants[1] == Color{});                                       // that one was the other program's own
  CHECK(ati.enabled);
  tsrBindFragmentShaderATI(id);
  CHECK(ati.passes[0].pair_count == 1);
  tsrDeleteFragmentShaderATI(id);                                            // and 0 is bound
  CHECK(ati.passes[0].pair_count == 0);
  CHECK(tsrGetError() == GL_NO_ERROR);
}

TEST_CASE("each illegal call of ATI_fragment_shader and fog raises its error and changes nothing", "[combiners][ati]") {
  Current current;
  for (const IllegalCall& call : kOutside) {
    INFO(call.text);
    const FragmentState before = current.state();
    call.make();
    CHECK(tsrGetError() == call.error);
    CHECK(current.state() == before);
  }
  const GLuint id = tsrGenFragmentShadersATI(1);
  const auto define = [&](const IllegalCall* call) {
    tsrBindFragmentShaderATI(id);
    tsrBeginFragmentShaderATI();
    tsrSampleMapATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI);
    mov(GL_REG_0_ATI, GL_REG_0_ATI);
    tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, 0, GL_REG_0_ATI, 0, 0);
    if (call) {
      call->make();
      CHECK(tsrGetError() == call->error);
    }
    mov(GL_REG_1_ATI, GL_CON_0_ATI);
    tsrEndFragmentShaderATI();
    CHECK(tsrGetError() == GL_NO_ERROR);
    return current.state();
  };
  const FragmentState legal = define(nullptr);
  for (const IllegalCall& call : kInside) {
    INFO(call.text);
    CHECK(define(&call) == legal);
  }
}

TEST_CASE("an interpolator in the first of two passes ends the definition with an error", "[combiners][ati]") {
  Current current;
  tsrBeginFragmentShaderATI();
  mov(GL_REG_0_ATI, GL_PRIMARY_COLOR);
  tsrPassTexCoordATI(GL_REG_0_ATI, GL_REG_0_ATI, GL_SWIZZLE_STR_ATI);
  mov(GL_REG_0_ATI, GL_REG_0_ATI);
  tsrEndFragmentShaderATI();
  CHECK(tsrGetError() == GL_INVALID_OPERATION);
  tsrBeginFragmentShaderATI();                                               // it is closed
  tsrEndFragmentShaderATI();
  CHECK(tsrGetError() == GL_NO_ERROR);
}

TEST_CASE("fog is set and asked for like other state", "[combiners]") {
  Current current;
  const GLfloat color[4] = {0.25f, 0.5f, 2, 1};
  tsrFogi(GL_FOG_MODE, GL_LINEAR);
  tsrFogf(GL_FOG_START, 1);
  tsrFogf(GL_FOG_END, 5);
  tsrFogf(GL_FOG_DENSITY, 0.5f);
  tsrFogi(GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);
  tsrFogfv(GL_FOG_COLOR, color);
  CHECK(tsrGetError() == GL_NO_ERROR);
  const Fog& fog = current.state().fog;
  CHECK(fog.mode == FogMode::Linear);
  CHECK(fog.source == FogSource::Coordinate);
  CHECK(fog.color == std::array<float, 3>{0.25f, 0.5f, 1});
  GLfloat value = 0;
  tsrGetFloatv(GL_FOG_END, &value);
  CHECK(value == 5);
  GLint mode = 0;
  tsrGetIntegerv(GL_FOG_MODE, &mode);
  CHECK(mode == GL_LINEAR);
}
