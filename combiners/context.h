// combiners/context.h: the object behind tsr_register_combiners.h, and what its entry points share.
#pragma once

#include <map>

#include "combiners/ati_build.h"
#include "combiners/rules.h"
#include "combiners/state.h"
#include "combiners/tsr_register_combiners.h"

namespace tessera::combiners {

// A program of ATI_fragment_shader by its name; constants that were set inside its definition.
struct AtiObject {
  AtiFragmentShader shader;
  std::array<std::optional<Color>, kAtiConstants> constants;
};

inline constexpr GLuint kMaxAtiNames = 65536;         // made in one call

struct AtiObjects {
  std::map<GLuint, AtiObject> objects;
  GLuint bound = 0;
  std::array<Color, kAtiConstants> constants{};       // that programs share
  std::optional<AtiBuilder> definition;               // between Begin and End
};

}  // namespace tessera::combiners

struct TsrCombiners {
  tessera::combiners::FragmentState state;
  tessera::combiners::AtiObjects ati;
  uint32_t active_unit = 0;
  GLenum error = GL_NO_ERROR;
};

namespace tessera::combiners {

TsrCombiners* current();                  // null: none; the call must then do nothing
void fail(GLenum error);                  // of the current object, or of the thread where there is none
void fail(const Violation& violation);

// ---- conversions of OpenGL -----------------------------------------------------------------------------------------

float clamp_unit(float value);            // to [0,1]; NaN gives 0
float color_from_int(GLint value);        // (2 c + 1) / (2^32 - 1), clamped to [0,1]
GLint int_from_color(float value);        // [-1,1] over the whole range of integers
GLint int_from_number(double value);      // nearest, saturated; NaN gives 0
GLenum token_from_float(float value);     // a token in a float parameter; what is none gives a value that no token has

Color color_from(const GLfloat* params);
Color color_from(const GLint* params);

}  // namespace tessera::combiners
