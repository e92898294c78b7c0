#include "combiners/context.h"

#include <cmath>
#include <limits>
#include <new>

namespace tessera::combiners {
namespace {

struct Thread {
  TsrCombiners* current = nullptr;
  GLenum error = GL_NO_ERROR;             // of calls without a current object
};
thread_local Thread thread;

GLenum& pending_error() { return thread.current ? thread.current->error : thread.error; }

}  // namespace

TsrCombiners* current() {
  if (!thread.current) fail(GL_INVALID_OPERATION);
  return thread.current;
}

void fail(GLenum error) {
  GLenum& pending = pending_error();
  if (pending == GL_NO_ERROR) pending = error;
}

void fail(const Violation& violation) {
  switch (violation.kind) {
    case Violation::Kind::Enum: return fail(GL_INVALID_ENUM);
    case Violation::Kind::Value: return fail(GL_INVALID_VALUE);
    case Violation::Kind::Operation: return fail(GL_INVALID_OPERATION);
  }
}

float clamp_unit(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

float color_from_int(GLint value) { return clamp_unit(static_cast<float>((2.0 * value + 1.0) / 4294967295.0)); }

GLint int_from_color(float value) { return static_cast<GLint>(std::nearbyint((4294967295.0 * clamp_unit(value) - 1.0) / 2.0)); }

GLint int_from_number(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= std::numeric_limits<GLint>::min()) return std::numeric_limits<GLint>::min();
  if (rounded >= std::numeric_limits<GLint>::max()) return std::numeric_limits<GLint>::max();
  return static_cast<GLint>(rounded);
}

GLenum token_from_float(float value) {
  const bool is_token = value >= 0 && value <= 0xffff && value == std::trunc(value);
  return is_token ? static_cast<GLenum>(value) : ~GLenum{0};
}

Color color_from(const GLfloat* params) {
  Color color;
  for (size_t c = 0; c < 4; ++c) color[c] = clamp_unit(params[c]);
  return color;
}

Color color_from(const GLint* params) {
  Color color;
  for (size_t c = 0; c < 4; ++c) color[c] = color_from_int(params[c]);
  return color;
}

extern "C" {

TsrCombiners* tsrCreateCombiners() { return new (std::nothrow) TsrCombiners; }

void tsrDestroyCombiners(TsrCombiners* combiners) {
  if (thread.current == combiners) thread.current = nullptr;
  delete combiners;
}

void tsrMakeCombinersCurrent(TsrCombiners* combiners) { thread.current = combiners; }

GLenum tsrGetError() {
  GLenum& pending = pending_error();
  const GLenum error = pending;
  pending = GL_NO_ERROR;
  return error;
}

}  // extern "C"

}  // namespace tessera::combiners
