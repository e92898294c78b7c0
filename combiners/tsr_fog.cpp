// combiners/tsr_fog.cpp: the calls that set fog.
#include "combiners/context.h"

using namespace tessera::combiners;

namespace {

template <class E>
void set_token(E& field, GLenum token) {
  if (const auto value = from_token<E>(token)) field = *value;
  else fail(GL_INVALID_ENUM);
}

// All parameters but the colour. `token` is the parameter as a token.
void set_scalar(GLenum pname, GLenum token, float value) {
  TsrCombiners* const context = current();
  if (!context) return;
  Fog& fog = context->state.fog;
  switch (pname) {
    case GL_FOG_MODE:
      if (token != to_token(FogMode::Factor)) return set_token(fog.mode, token);       // that one OpenGL has not
      return fail(GL_INVALID_ENUM);
    case GL_FOG_COORDINATE_SOURCE: return set_token(fog.source, token);
    case GL_FOG_DENSITY:
      if (value >= 0) fog.density = value;
      else fail(GL_INVALID_VALUE);
      return;
    case GL_FOG_START: fog.start = value; return;
    case GL_FOG_END: fog.end = value; return;
    default: fail(GL_INVALID_ENUM);
  }
}

template <class Number>
bool set_color(GLenum pname, const Number* params) {
  if (pname != GL_FOG_COLOR) return false;
  if (TsrCombiners* const context = current()) {
    const Color color = color_from(params);
    context->state.fog.color = {color[0], color[1], color[2]};
  }
  return true;
}

}  // namespace

extern "C" {

void tsrFogf(GLenum pname, GLfloat param) { set_scalar(pname, token_from_float(param), param); }
void tsrFogi(GLenum pname, GLint param) { set_scalar(pname, static_cast<GLenum>(param), static_cast<float>(param)); }

void tsrFogfv(GLenum pname, const GLfloat* params) {
  if (!set_color(pname, params)) tsrFogf(pname, params[0]);
}
void tsrFogiv(GLenum pname, const GLint* params) {
  if (!set_color(pname, params)) tsrFogi(pname, params[0]);
}

}  // extern "C"
