// combiners/tsr_state.cpp: enables, and the basic queries with their conversions.
#include "combiners/context.h"

using namespace tessera::combiners;

namespace {

bool* enable_of(FragmentState& state, GLenum cap) {
  switch (cap) {
    case GL_REGISTER_COMBINERS_NV: return &state.combiners.enabled;
    case GL_PER_STAGE_CONSTANTS_NV: return &state.combiners.per_stage_constants;
    case GL_COLOR_SUM: return &state.color_sum;
    case GL_FOG: return &state.fog.enabled;
    case GL_FRAGMENT_SHADER_ATI: return &state.ati.enabled;
    default: return nullptr;
  }
}

void set_enable(GLenum cap, bool value) {
  TsrCombiners* const context = current();
  if (!context) return;
  if (bool* const enable = enable_of(context->state, cap)) *enable = value;
  else fail(GL_INVALID_ENUM);
}

// A value of the state before its conversion to the type asked for.
struct Reading {
  bool is_color = false;
  uint32_t count = 1;
  std::array<float, 4> values{};          // every number here is below 2^24
};

Reading number(uint32_t value) { return {false, 1, {static_cast<float>(value)}}; }
Reading color(const Color& c) { return {true, 4, c}; }

std::optional<Reading> reading_of(TsrCombiners& context, GLenum pname) {
  FragmentState& state = context.state;
  if (const bool* const enable = enable_of(state, pname)) return number(*enable);
  switch (pname) {
    case GL_NUM_GENERAL_COMBINERS_NV: return number(state.combiners.stage_count);
    case GL_MAX_GENERAL_COMBINERS_NV: return number(kMaxStages);
    case GL_COLOR_SUM_CLAMP_NV: return number(state.combiners.color_sum_clamp);
    case GL_CONSTANT_COLOR0_NV: return color(state.combiners.constants[0]);
    case GL_CONSTANT_COLOR1_NV: return color(state.combiners.constants[1]);
    case GL_ACTIVE_TEXTURE: return number(GL_TEXTURE0 + context.active_unit);
    case GL_MAX_TEXTURE_UNITS: return number(kTextureUnits);
    case GL_FOG_MODE: return number(to_token(state.fog.mode));
    case GL_FOG_COORDINATE_SOURCE: return number(to_token(state.fog.source));
    case GL_FOG_DENSITY: return {{false, 1, {state.fog.density}}};
    case GL_FOG_START: return {{false, 1, {state.fog.start}}};
    case GL_FOG_END: return {{false, 1, {state.fog.end}}};
    case GL_FOG_COLOR: return color({state.fog.color[0], state.fog.color[1], state.fog.color[2], 0});
    default: return std::nullopt;
  }
}

template <class Number, class Convert>
void get(GLenum pname, Number* params, Convert convert) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto reading = reading_of(*context, pname);
  if (!reading) return fail(GL_INVALID_ENUM);
  for (uint32_t k = 0; k < reading->count; ++k) params[k] = convert(reading->values[k], reading->is_color);
}

}  // namespace

extern "C" {

void tsrEnable(GLenum cap) { set_enable(cap, true); }
void tsrDisable(GLenum cap) { set_enable(cap, false); }

GLboolean tsrIsEnabled(GLenum cap) {
  TsrCombiners* const context = current();
  if (!context) return GL_FALSE;
  if (const bool* const enable = enable_of(context->state, cap)) return *enable ? GL_TRUE : GL_FALSE;
  fail(GL_INVALID_ENUM);
  return GL_FALSE;
}

void tsrGetFloatv(GLenum pname, GLfloat* params) {
  get(pname, params, [](float value, bool) { return value; });
}
void tsrGetIntegerv(GLenum pname, GLint* params) {
  get(pname, params,
      [](float value, bool is_color) { return is_color ? int_from_color(value) : int_from_number(value); });
}
void tsrGetBooleanv(GLenum pname, GLboolean* params) {
  get(pname, params, [](float value, bool) { return static_cast<GLboolean>(value != 0 ? GL_TRUE : GL_FALSE); });
}

}  // extern "C"
