// combiners/tsr_register_combiners.cpp: the calls that set register combiners, and their parameterised queries.
#include "combiners/tsr_register_combiners.h"

#include "combiners/context.h"

using namespace tessera::combiners;

namespace {

// The C header cannot be generated, so the table checks it.
#define TOKEN(kind, name, gl, value, ...) static_assert(GL_##gl == (value));
#include "combiners/tokens.def"

std::optional<uint32_t> stage_from(GLenum token) {
  const uint32_t stage = token - GL_COMBINER0_NV;      // wraps to a large number below the first
  return stage < kMaxStages ? std::optional(stage) : std::nullopt;
}

std::optional<size_t> constant_from(GLenum token) {
  const uint32_t constant = token - GL_CONSTANT_COLOR0_NV;
  return constant < 2 ? std::optional<size_t>(constant) : std::nullopt;
}

std::optional<size_t> variable_from(GLenum token, Variable last) {
  const auto variable = from_token<Variable>(token);
  return variable && *variable <= last ? std::optional(index_of(*variable)) : std::nullopt;
}

// Nothing where one of the tokens is not accepted anywhere.
std::optional<Input> input_from(GLenum source, GLenum mapping, GLenum usage) {
  const auto r = from_token<Register>(source);
  const auto m = from_token<Mapping>(mapping);
  const auto u = from_token<Usage>(usage);
  return r && m && u ? std::optional(Input{*r, *m, *u}) : std::nullopt;
}

void set_stage_count(RegisterCombiners& combiners, double count) {
  const GLint rounded = int_from_number(count);
  if (const auto violation = check_stage_count(rounded)) return fail(*violation);
  combiners.stage_count = static_cast<uint32_t>(rounded);
}

// The two parameters that are numbers.
void set_number(GLenum pname, double value) {
  TsrCombiners* const context = current();
  if (!context) return;
  RegisterCombiners& combiners = context->state.combiners;
  if (pname == GL_NUM_GENERAL_COMBINERS_NV) set_stage_count(combiners, value);
  else if (pname == GL_COLOR_SUM_CLAMP_NV) combiners.color_sum_clamp = value != 0;
  else fail(GL_INVALID_ENUM);
}

template <class Number>
void set_parameter(GLenum pname, const Number* params) {
  const auto constant = constant_from(pname);
  if (!constant) {
    const bool is_number = pname == GL_NUM_GENERAL_COMBINERS_NV || pname == GL_COLOR_SUM_CLAMP_NV;
    return set_number(pname, is_number ? params[0] : 0);
  }
  if (TsrCombiners* const context = current()) context->state.combiners.constants[*constant] = color_from(params);
}

std::optional<GLenum> input_parameter(const Input& input, GLenum pname) {
  switch (pname) {
    case GL_COMBINER_INPUT_NV: return to_token(input.source);
    case GL_COMBINER_MAPPING_NV: return to_token(input.mapping);
    case GL_COMBINER_COMPONENT_USAGE_NV: return to_token(input.usage);
    default: return std::nullopt;
  }
}

std::optional<GLenum> output_parameter(const GeneralOutput& out, GLenum pname) {
  switch (pname) {
    case GL_COMBINER_AB_DOT_PRODUCT_NV: return out.ab_dot;
    case GL_COMBINER_CD_DOT_PRODUCT_NV: return out.cd_dot;
    case GL_COMBINER_MUX_SUM_NV: return out.mux;
    case GL_COMBINER_SCALE_NV: return to_token(out.scale);
    case GL_COMBINER_BIAS_NV: return to_token(out.bias);
    case GL_COMBINER_AB_OUTPUT_NV: return to_token(out.ab);
    case GL_COMBINER_CD_OUTPUT_NV: return to_token(out.cd);
    case GL_COMBINER_SUM_OUTPUT_NV: return to_token(out.sum);
    default: return std::nullopt;
  }
}

template <class Number>
void give(std::optional<GLenum> value, Number* params) {
  if (value) params[0] = static_cast<Number>(*value);
  else fail(GL_INVALID_ENUM);
}

template <class Number>
void get_general_input(GLenum stage, GLenum portion, GLenum variable, GLenum pname, Number* params) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto s = stage_from(stage);
  const auto p = from_token<Portion>(portion);
  const auto v = variable_from(variable, Variable::D);
  if (!s || !p || !v) return fail(GL_INVALID_ENUM);
  give(input_parameter(context->state.combiners.stages[*s].portion(*p).in[*v], pname), params);
}

template <class Number>
void get_general_output(GLenum stage, GLenum portion, GLenum pname, Number* params) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto s = stage_from(stage);
  const auto p = from_token<Portion>(portion);
  if (!s || !p) return fail(GL_INVALID_ENUM);
  give(output_parameter(context->state.combiners.stages[*s].portion(*p).out, pname), params);
}

template <class Number>
void get_final_input(GLenum variable, GLenum pname, Number* params) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto v = variable_from(variable, Variable::G);
  if (!v) return fail(GL_INVALID_ENUM);
  give(input_parameter(context->state.combiners.final_combiner.in[*v], pname), params);
}

// A stage's constant colour; null (and the error set) where the names are not accepted.
Color* stage_constant(GLenum stage, GLenum pname) {
  TsrCombiners* const context = current();
  if (!context) return nullptr;
  const auto s = stage_from(stage);
  const auto constant = constant_from(pname);
  if (s && constant) return &context->state.combiners.stages[*s].constants[*constant];
  fail(GL_INVALID_ENUM);
  return nullptr;
}

}  // namespace

extern "C" {

void tsrCombinerParameterfvNV(GLenum pname, const GLfloat* params) { set_parameter(pname, params); }
void tsrCombinerParameterivNV(GLenum pname, const GLint* params) { set_parameter(pname, params); }
void tsrCombinerParameterfNV(GLenum pname, GLfloat param) { set_number(pname, param); }
void tsrCombinerParameteriNV(GLenum pname, GLint param) { set_number(pname, param); }

void tsrCombinerInputNV(GLenum stage, GLenum portion, GLenum variable, GLenum input, GLenum mapping, GLenum componentUsage) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto s = stage_from(stage);
  const auto p = from_token<Portion>(portion);
  const auto v = variable_from(variable, Variable::D);
  const auto in = input_from(input, mapping, componentUsage);
  if (!s || !p || !v || !in) return fail(GL_INVALID_ENUM);
  if (const auto violation = check_general_input(*p, *in)) return fail(*violation);
  context->state.combiners.stages[*s].portion(*p).in[*v] = *in;
}

void tsrCombinerOutputNV(GLenum stage, GLenum portion, GLenum abOutput, GLenum cdOutput, GLenum sumOutput, GLenum scale, GLenum bias,
                         GLboolean abDotProduct, GLboolean cdDotProduct, GLboolean muxSum) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto s = stage_from(stage);
  const auto p = from_token<Portion>(portion);
  const auto ab = from_token<Register>(abOutput), cd = from_token<Register>(cdOutput), sum = from_token<Register>(sumOutput);
  const auto factor = from_token<Scale>(scale);
  const auto offset = from_token<Bias>(bias);
  if (!s || !p || !ab || !cd || !sum || !factor || !offset) return fail(GL_INVALID_ENUM);
  const GeneralOutput out{*ab, *cd, *sum, *factor, *offset, abDotProduct != 0, cdDotProduct != 0, muxSum != 0};
  if (const auto violation = check_general_output(*p, out)) return fail(*violation);
  context->state.combiners.stages[*s].portion(*p).out = out;
}

void tsrFinalCombinerInputNV(GLenum variable, GLenum input, GLenum mapping, GLenum componentUsage) {
  TsrCombiners* const context = current();
  if (!context) return;
  const auto v = variable_from(variable, Variable::G);
  const auto in = input_from(input, mapping, componentUsage);
  if (!v || !in) return fail(GL_INVALID_ENUM);
  if (const auto violation = check_final_input(*from_token<Variable>(variable), *in)) return fail(*violation);
  context->state.combiners.final_combiner.in[*v] = *in;
}

void tsrCombinerStageParameterfvNV(GLenum stage, GLenum pname, const GLfloat* params) {
  if (Color* const constant = stage_constant(stage, pname)) *constant = color_from(params);
}

void tsrGetCombinerInputParameterfvNV(GLenum stage, GLenum portion, GLenum variable, GLenum pname, GLfloat* params) {
  get_general_input(stage, portion, variable, pname, params);
}
void tsrGetCombinerInputParameterivNV(GLenum stage, GLenum portion, GLenum variable, GLenum pname, GLint* params) {
  get_general_input(stage, portion, variable, pname, params);
}
void tsrGetCombinerOutputParameterfvNV(GLenum stage, GLenum portion, GLenum pname, GLfloat* params) {
  get_general_output(stage, portion, pname, params);
}
void tsrGetCombinerOutputParameterivNV(GLenum stage, GLenum portion, GLenum pname, GLint* params) {
  get_general_output(stage, portion, pname, params);
}
void tsrGetFinalCombinerInputParameterfvNV(GLenum variable, GLenum pname, GLfloat* params) { get_final_input(variable, pname, params); }
void tsrGetFinalCombinerInputParameterivNV(GLenum variable, GLenum pname, GLint* params) { get_final_input(variable, pname, params); }

void tsrGetCombinerStageParameterfvNV(GLenum stage, GLenum pname, GLfloat* params) {
  if (const Color* const constant = stage_constant(stage, pname))
    for (size_t c = 0; c < 4; ++c) params[c] = (*constant)[c];
}

}  // extern "C"
