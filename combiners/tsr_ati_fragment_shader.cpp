// combiners/tsr_ati_fragment_shader.cpp: the calls of ATI_fragment_shader.
#include "combiners/context.h"

using namespace tessera::combiners;

namespace {

// Inside or outside of a definition; else null and the error set.
TsrCombiners* current_where(bool is_defining) {
  TsrCombiners* const context = current();
  if (!context || context->ati.definition.has_value() == is_defining) return context;
  fail(GL_INVALID_OPERATION);
  return nullptr;
}

void report(const std::optional<Violation>& violation) {
  if (violation) fail(*violation);
}

// Makes the bound program with the constants that hold for it the state's; a program that was never defined is empty.
void apply(TsrCombiners& context) {
  AtiFragmentShader& state = context.state.ati;
  const bool enabled = state.enabled;
  const AtiObject& bound = context.ati.objects[context.ati.bound];
  state = bound.shader;
  state.enabled = enabled;
  for (uint32_t k = 0; k < kAtiConstants; ++k)
    state.constants[k] = bound.constants[k].value_or(context.ati.constants[k]);
}

void route(AtiRoute::Kind kind, GLuint target, GLuint from, GLenum swizzle) {
  TsrCombiners* const context = current_where(true);
  if (!context) return;
  const uint32_t number = target - GL_REG_0_ATI;            // wraps to a large number below the first
  const auto coordinate = from_token<AtiCoordinate>(from);
  const auto order = from_token<AtiSwizzle>(swizzle);
  if (number >= kAtiRegisters || !coordinate || !order) return fail(GL_INVALID_ENUM);
  report(context->ati.definition->route(number, {kind, *coordinate, *order}));
}

struct Argument { GLuint source, replicate, modifiers; };

// Nothing where a token is not accepted.
std::optional<AtiInstruction> instruction(GLenum op, GLuint target, GLuint modifiers,
                                          std::initializer_list<Argument> args) {
  const auto operation = from_token<AtiOp>(op);
  const uint32_t number = target - GL_REG_0_ATI;
  if (!operation || argument_count(*operation) != args.size() || number >= kAtiRegisters || modifiers > ati_dst::All)
    return std::nullopt;
  AtiInstruction instr{true, *operation, static_cast<uint8_t>(number), 7, static_cast<uint8_t>(modifiers), {}};
  size_t k = 0;
  for (const Argument& arg : args) {
    const auto source = from_token<AtiSource>(arg.source);
    const auto replicate = from_token<AtiReplicate>(arg.replicate);
    if (!source || !replicate || arg.modifiers > ati_arg::All) return std::nullopt;
    instr.args[k++] = {*source, *replicate, static_cast<uint8_t>(arg.modifiers)};
  }
  return instr;
}

void color(GLenum op, GLuint target, GLuint mask, GLuint modifiers, std::initializer_list<Argument> args) {
  TsrCombiners* const context = current_where(true);
  if (!context) return;
  auto instr = instruction(op, target, modifiers, args);
  if (!instr || mask > 7) return fail(GL_INVALID_ENUM);
  if (mask != GL_NONE) instr->mask = static_cast<uint8_t>(mask);
  report(context->ati.definition->color(*instr));
}

void alpha(GLenum op, GLuint target, GLuint modifiers, std::initializer_list<Argument> args) {
  TsrCombiners* const context = current_where(true);
  if (!context) return;
  if (const auto instr = instruction(op, target, modifiers, args)) report(context->ati.definition->alpha(*instr));
  else fail(GL_INVALID_ENUM);
}

}  // namespace

extern "C" {

GLuint tsrGenFragmentShadersATI(GLuint range) {
  TsrCombiners* const context = current_where(false);
  if (!context) return 0;
  if (range == 0) return fail(GL_INVALID_VALUE), 0;
  GLuint first = 1;                                         // behind all names in use
  for (const auto& [name, object] : context->ati.objects) first = name >= first ? name + 1 : first;
  if (first == 0 || range > ~GLuint{0} - first || range > kMaxAtiNames) return fail(GL_INVALID_VALUE), 0;
  for (GLuint k = 0; k < range; ++k) context->ati.objects[first + k];
  return first;
}

void tsrBindFragmentShaderATI(GLuint id) {
  TsrCombiners* const context = current_where(false);
  if (!context) return;
  context->ati.bound = id;
  apply(*context);
}

void tsrDeleteFragmentShaderATI(GLuint id) {
  TsrCombiners* const context = current_where(false);
  if (!context || id == 0) return;
  context->ati.objects.erase(id);
  if (context->ati.bound == id) context->ati.bound = 0;
  apply(*context);
}

void tsrBeginFragmentShaderATI() {
  if (TsrCombiners* const context = current_where(false)) {
    context->ati.definition.emplace();
    context->ati.objects[context->ati.bound] = {};
  }
}

void tsrEndFragmentShaderATI() {
  TsrCombiners* const context = current_where(true);
  if (!context) return;
  const auto violation = context->ati.definition->end();
  if (!violation) context->ati.objects[context->ati.bound].shader = context->ati.definition->shader();
  context->ati.definition.reset();
  apply(*context);
  report(violation);
}

void tsrPassTexCoordATI(GLuint dst, GLuint coord, GLenum swizzle) { route(AtiRoute::Kind::Pass, dst, coord, swizzle); }
void tsrSampleMapATI(GLuint dst, GLuint interp, GLenum swizzle) { route(AtiRoute::Kind::Sample, dst, interp, swizzle); }

void tsrColorFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep,
                            GLuint arg1Mod) {
  color(op, dst, dstMask, dstMod, {{arg1, arg1Rep, arg1Mod}});
}
void tsrColorFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep,
                            GLuint arg1Mod, GLuint arg2, GLuint arg2Rep, GLuint arg2Mod) {
  color(op, dst, dstMask, dstMod, {{arg1, arg1Rep, arg1Mod}, {arg2, arg2Rep, arg2Mod}});
}
void tsrColorFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, GLuint arg1, GLuint arg1Rep,
                            GLuint arg1Mod, GLuint arg2, GLuint arg2Rep, GLuint arg2Mod, GLuint arg3, GLuint arg3Rep,
                            GLuint arg3Mod) {
  color(op, dst, dstMask, dstMod, {{arg1, arg1Rep, arg1Mod}, {arg2, arg2Rep, arg2Mod}, {arg3, arg3Rep, arg3Mod}});
}
void tsrAlphaFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod) {
  alpha(op, dst, dstMod, {{arg1, arg1Rep, arg1Mod}});
}
void tsrAlphaFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod,
                            GLuint arg2, GLuint arg2Rep, GLuint arg2Mod) {
  alpha(op, dst, dstMod, {{arg1, arg1Rep, arg1Mod}, {arg2, arg2Rep, arg2Mod}});
}
void tsrAlphaFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMod, GLuint arg1, GLuint arg1Rep, GLuint arg1Mod,
                            GLuint arg2, GLuint arg2Rep, GLuint arg2Mod, GLuint arg3, GLuint arg3Rep, GLuint arg3Mod) {
  alpha(op, dst, dstMod, {{arg1, arg1Rep, arg1Mod}, {arg2, arg2Rep, arg2Mod}, {arg3, arg3Rep, arg3Mod}});
}

// Inside a definition a constant belongs to the program and hides the one that all programs share.
void tsrSetFragmentShaderConstantATI(GLuint dst, const GLfloat* value) {
  TsrCombiners* const context = current();
  if (!context) return;
  const uint32_t number = dst - GL_CON_0_ATI;
  if (number >= kAtiConstants) return fail(GL_INVALID_ENUM);
  if (context->ati.definition) {
    context->ati.objects[context->ati.bound].constants[number] = color_from(value);
  } else {
    context->ati.constants[number] = color_from(value);
    apply(*context);
  }
}

}  // extern "C"
