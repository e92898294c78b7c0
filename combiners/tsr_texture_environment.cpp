// combiners/tsr_texture_environment.cpp: the calls that set and query texture environments.
#include "combiners/context.h"

using namespace tessera::combiners;

namespace {

// The names of arguments are GL_SOURCE0_RGB plus the argument's number, 8 for alpha and 16 for the operand.
constexpr GLenum kAlphaBit = 8, kOperandBit = 16;
static_assert(GL_SOURCE3_ALPHA_NV == GL_SOURCE0_RGB + kAlphaBit + 3 && GL_OPERAND0_RGB == GL_SOURCE0_RGB + kOperandBit);

struct ArgumentName {
  Portion portion;
  bool is_operand;
  uint32_t number;
};

std::optional<ArgumentName> argument_from(GLenum pname) {
  const GLenum place = pname - GL_SOURCE0_RGB;         // wraps to a large number below the first
  if (place & ~(kAlphaBit | kOperandBit | 3)) return std::nullopt;
  return ArgumentName{place & kAlphaBit ? Portion::Alpha : Portion::Rgb, (place & kOperandBit) != 0, place & 3};
}

EnvCombine& combine_of(TextureEnvironment& env, Portion portion) { return portion == Portion::Rgb ? env.rgb : env.alpha; }

// The environment of the active unit; null (and the error set) where the target is not accepted.
TextureEnvironment* environment(GLenum target) {
  TsrCombiners* const context = current();
  if (!context) return nullptr;
  if (target == GL_TEXTURE_ENV) return &context->state.units[context->active_unit].environment;
  fail(GL_INVALID_ENUM);
  return nullptr;
}

template <class E>
void set_token(E& field, GLenum token) {
  if (const auto value = from_token<E>(token)) field = *value;
  else fail(GL_INVALID_ENUM);
}

// `combine` with a change that the rules may refuse.
void set_combine(EnvCombine& combine, Portion portion, const EnvCombine& changed) {
  if (const auto violation = check_combine(portion, changed)) fail(*violation);
  else combine = changed;
}

void set_function(TextureEnvironment& env, Portion portion, GLenum token) {
  const auto function = from_token<EnvFunction>(token);
  if (!function) return fail(GL_INVALID_ENUM);
  EnvCombine changed = combine_of(env, portion);
  changed.function = *function;
  set_combine(combine_of(env, portion), portion, changed);
}

void set_scale(TextureEnvironment& env, Portion portion, double scale) {
  EnvCombine changed = combine_of(env, portion);
  changed.scale = scale == 1 || scale == 2 || scale == 4 ? static_cast<uint32_t>(scale) : 0;
  set_combine(combine_of(env, portion), portion, changed);
}

void set_argument(TextureEnvironment& env, const ArgumentName& name, GLenum token) {
  const auto source = from_token<EnvSource>(token);
  const auto operand = from_token<EnvOperand>(token);
  if (!(name.is_operand ? operand.has_value() : source.has_value())) return fail(GL_INVALID_ENUM);
  EnvCombine changed = combine_of(env, name.portion);
  if (name.is_operand) changed.args[name.number].operand = *operand;
  else changed.args[name.number].source = *source;
  set_combine(combine_of(env, name.portion), name.portion, changed);
}

// All parameters but the colour. `token` is the parameter as a token.
void set_scalar(GLenum target, GLenum pname, GLenum token, double value) {
  TextureEnvironment* const env = environment(target);
  if (!env) return;
  if (const auto argument = argument_from(pname)) return set_argument(*env, *argument, token);
  switch (pname) {
    case GL_TEXTURE_ENV_MODE: return set_token(env->mode, token);
    case GL_COMBINE_RGB: return set_function(*env, Portion::Rgb, token);
    case GL_COMBINE_ALPHA: return set_function(*env, Portion::Alpha, token);
    case GL_RGB_SCALE: return set_scale(*env, Portion::Rgb, value);
    case GL_ALPHA_SCALE: return set_scale(*env, Portion::Alpha, value);
    default: return fail(GL_INVALID_ENUM);
  }
}

std::optional<GLenum> scalar(TextureEnvironment& env, GLenum pname) {
  if (const auto name = argument_from(pname)) {
    const EnvArgument& argument = combine_of(env, name->portion).args[name->number];
    return name->is_operand ? to_token(argument.operand) : to_token(argument.source);
  }
  switch (pname) {
    case GL_TEXTURE_ENV_MODE: return to_token(env.mode);
    case GL_COMBINE_RGB: return to_token(env.rgb.function);
    case GL_COMBINE_ALPHA: return to_token(env.alpha.function);
    case GL_RGB_SCALE: return env.rgb.scale;
    case GL_ALPHA_SCALE: return env.alpha.scale;
    default: return std::nullopt;
  }
}

template <class Number, class FromColor>
void get(GLenum target, GLenum pname, Number* params, FromColor from_color) {
  TextureEnvironment* const env = environment(target);
  if (!env) return;
  if (pname == GL_TEXTURE_ENV_COLOR) {
    for (size_t c = 0; c < 4; ++c) params[c] = from_color(env->color[c]);
  } else if (const auto value = scalar(*env, pname)) {
    params[0] = static_cast<Number>(*value);
  } else {
    fail(GL_INVALID_ENUM);
  }
}

}  // namespace

extern "C" {

void tsrActiveTexture(GLenum texture) {
  TsrCombiners* const context = current();
  if (!context) return;
  const uint32_t unit = texture - GL_TEXTURE0;
  if (unit < kTextureUnits) context->active_unit = unit;
  else fail(GL_INVALID_ENUM);
}

void tsrTexEnvf(GLenum target, GLenum pname, GLfloat param) { set_scalar(target, pname, token_from_float(param), param); }
void tsrTexEnvi(GLenum target, GLenum pname, GLint param) { set_scalar(target, pname, static_cast<GLenum>(param), param); }

void tsrTexEnvfv(GLenum target, GLenum pname, const GLfloat* params) {
  if (pname != GL_TEXTURE_ENV_COLOR) return tsrTexEnvf(target, pname, params[0]);
  if (TextureEnvironment* const env = environment(target)) env->color = color_from(params);
}

void tsrTexEnviv(GLenum target, GLenum pname, const GLint* params) {
  if (pname != GL_TEXTURE_ENV_COLOR) return tsrTexEnvi(target, pname, params[0]);
  if (TextureEnvironment* const env = environment(target)) env->color = color_from(params);
}

void tsrGetTexEnvfv(GLenum target, GLenum pname, GLfloat* params) {
  get(target, pname, params, [](float c) { return c; });
}

void tsrGetTexEnviv(GLenum target, GLenum pname, GLint* params) { get(target, pname, params, int_from_color); }

}  // extern "C"
