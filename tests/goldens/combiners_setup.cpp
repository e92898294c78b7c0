#include "tests/goldens/combiners_setup.h"

#include <map>

#include <fmt/format.h>

namespace tessera::goldens {
namespace {

using combiners::Color;

using Names = std::map<std::string, GLenum>;

const Names kRegisters = {
    {"zero", GL_ZERO}, {"cc0", GL_CONSTANT_COLOR0_NV}, {"cc1", GL_CONSTANT_COLOR1_NV}, {"fog", GL_FOG},
    {"pri", GL_PRIMARY_COLOR_NV}, {"sec", GL_SECONDARY_COLOR_NV}, {"sp0", GL_SPARE0_NV}, {"sp1", GL_SPARE1_NV},
    {"t0", GL_TEXTURE0}, {"t1", GL_TEXTURE1}, {"t2", GL_TEXTURE2}, {"t3", GL_TEXTURE3},
    {"discard", GL_DISCARD_NV}, {"ef", GL_E_TIMES_F_NV}, {"sum", GL_SPARE0_PLUS_SECONDARY_COLOR_NV}};
const Names kMappings = {
    {"ui", GL_UNSIGNED_IDENTITY_NV}, {"uinv", GL_UNSIGNED_INVERT_NV}, {"en", GL_EXPAND_NORMAL_NV}, {"eneg", GL_EXPAND_NEGATE_NV},
    {"hb", GL_HALF_BIAS_NORMAL_NV}, {"hbneg", GL_HALF_BIAS_NEGATE_NV}, {"si", GL_SIGNED_IDENTITY_NV}, {"sneg", GL_SIGNED_NEGATE_NV}};
const Names kUsages = {{"rgb", GL_RGB}, {"alpha", GL_ALPHA}, {"blue", GL_BLUE}};
const Names kScales = {{"none", GL_NONE}, {"two", GL_SCALE_BY_TWO_NV}, {"four", GL_SCALE_BY_FOUR_NV}, {"half", GL_SCALE_BY_ONE_HALF_NV}};
const Names kBiases = {{"none", GL_NONE}, {"neghalf", GL_BIAS_BY_NEGATIVE_ONE_HALF_NV}};

const Names kModes = {{"modulate", GL_MODULATE}, {"replace", GL_REPLACE}, {"decal", GL_DECAL}, {"blend", GL_BLEND},
                      {"add", GL_ADD}, {"combine", GL_COMBINE}, {"combine4", GL_COMBINE4_NV}};
const Names kFunctions = {{"replace", GL_REPLACE}, {"modulate", GL_MODULATE}, {"add", GL_ADD}, {"add_signed", GL_ADD_SIGNED},
                          {"interpolate", GL_INTERPOLATE}, {"subtract", GL_SUBTRACT},
                          {"dot3_rgb", GL_DOT3_RGB}, {"dot3_rgba", GL_DOT3_RGBA}};
const Names kSources = {{"tex", GL_TEXTURE}, {"const", GL_CONSTANT}, {"pri", GL_PRIMARY_COLOR}, {"prev", GL_PREVIOUS}, {"t0", GL_TEXTURE0},
                        {"t1", GL_TEXTURE1}, {"t2", GL_TEXTURE2}, {"t3", GL_TEXTURE3}, {"zero", GL_ZERO}};
const Names kOperands = {{"sc", GL_SRC_COLOR}, {"omsc", GL_ONE_MINUS_SRC_COLOR}, {"sa", GL_SRC_ALPHA}, {"omsa", GL_ONE_MINUS_SRC_ALPHA}};

GLenum token(const Names& names, const Json& json) {
  const auto found = names.find(json.get<std::string>());
  if (found == names.end()) throw BadRecord(fmt::format("unknown name {}", json.dump()));
  return found->second;
}

combiners::BaseFormat format(const Json& json) {
  for (const combiners::FormatInfo& info : combiners::kFormats)
    if (info.text == json.get<std::string>()) return info.format;
  throw BadRecord(fmt::format("unknown format {}", json.dump()));
}

CombinersObject make_object() {
  CombinersObject object(tsrCreateCombiners(), tsrDestroyCombiners);
  tsrMakeCombinersCurrent(object.get());
  return object;
}

CombinersObject without_error(CombinersObject object) {
  if (tsrGetError() != GL_NO_ERROR) throw BadRecord("a call of the setup is refused");
  return object;
}

void set_portion(GLenum stage, GLenum portion, const Json& json) {
  for (GLenum v = 0; v < 4; ++v)
    tsrCombinerInputNV(stage, portion, GL_VARIABLE_A_NV + v, token(kRegisters, json.at(v).at(0)), token(kMappings, json.at(v).at(1)),
                       token(kUsages, json.at(v).at(2)));
  const Json& out = json.at(4);
  const auto flag = [&](size_t k) { return static_cast<GLboolean>(out.at(k).get<int>()); };
  tsrCombinerOutputNV(stage, portion, token(kRegisters, out.at(0)), token(kRegisters, out.at(1)), token(kRegisters, out.at(2)),
                      token(kScales, out.at(3)), token(kBiases, out.at(4)), flag(5), flag(6), flag(7));
}

void set_stage_constants(const Json& scc) {
  for (GLenum s = 0; s < scc.size(); ++s)
    for (GLenum k = 0; k < 2; ++k)
      tsrCombinerStageParameterfvNV(GL_COMBINER0_NV + s, GL_CONSTANT_COLOR0_NV + k, parse_color(scc[s].at(k)).data());
}

void set_combine(const Json& json, bool is_alpha) {
  tsrTexEnvi(GL_TEXTURE_ENV, is_alpha ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, static_cast<GLint>(token(kFunctions, json.at(0))));
  for (size_t a = 0; a < json.at(1).size(); ++a) {
    const GLenum number = static_cast<GLenum>(a);
    const Json& arg = json.at(1).at(a);
    tsrTexEnvi(GL_TEXTURE_ENV, (is_alpha ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB) + number, static_cast<GLint>(token(kSources, arg.at(0))));
    tsrTexEnvi(GL_TEXTURE_ENV, (is_alpha ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + number, static_cast<GLint>(token(kOperands, arg.at(1))));
  }
  tsrTexEnvf(GL_TEXTURE_ENV, is_alpha ? GL_ALPHA_SCALE : GL_RGB_SCALE, json.at(2).get<float>());
}

void set_environment(const Json& json) {
  tsrTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, static_cast<GLint>(token(kModes, json.at("mode"))));
  if (json.contains("color")) tsrTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, parse_color(json["color"]).data());
  if (json.contains("rgb")) set_combine(json["rgb"], false);
  if (json.contains("alpha")) set_combine(json["alpha"], true);
}

}  // namespace

Color parse_color(const Json& json) { return json.get<Color>(); }

combiners::Fragment parse_fragment(const Json& json) {
  combiners::Fragment f;
  f.primary = parse_color(json.at("pri"));
  if (json.contains("sec")) f.secondary = parse_color(json["sec"]);
  for (size_t u = 0; u < json.at("t").size(); ++u) f.texels.at(u) = parse_color(json["t"][u]);
  f.fog_factor = json.value("ff", 1.0f);
  return f;
}

CombinersObject make_combiners(const Json& record) {
  CombinersObject object = make_object();
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, record.at("n").get<GLint>());
  tsrCombinerParameteriNV(GL_COLOR_SUM_CLAMP_NV, record.at("csc").get<GLint>());
  if (record.at("psc").get<int>()) tsrEnable(GL_PER_STAGE_CONSTANTS_NV);
  tsrCombinerParameterfvNV(GL_CONSTANT_COLOR0_NV, parse_color(record.at("cc0")).data());
  tsrCombinerParameterfvNV(GL_CONSTANT_COLOR1_NV, parse_color(record.at("cc1")).data());
  if (record.contains("scc")) set_stage_constants(record["scc"]);
  if (record.at("fog_on").get<int>()) tsrEnable(GL_FOG);
  object->state.fog.color = record.at("fog_rgb").get<std::array<float, 3>>();
  for (size_t u = 0; u < record.at("tex_on").size(); ++u) {
    object->state.units.at(u).enabled = record["tex_on"][u].get<int>() != 0;
    if (record.contains("fmt")) object->state.units.at(u).format = format(record["fmt"].at(u));
  }
  for (size_t s = 0; s < record.at("st").size(); ++s) {
    const GLenum stage = GL_COMBINER0_NV + static_cast<GLenum>(s);
    set_portion(stage, GL_RGB, record["st"][s].at("rgb"));
    set_portion(stage, GL_ALPHA, record["st"][s].at("alpha"));
  }
  for (GLenum v = 0; record.contains("fin") && v < 7; ++v)
    tsrFinalCombinerInputNV(GL_VARIABLE_A_NV + v, token(kRegisters, record["fin"].at(v).at(0)), token(kMappings, record["fin"].at(v).at(1)),
                            token(kUsages, record["fin"].at(v).at(2)));
  return without_error(std::move(object));
}

CombinersObject make_environments(const Json& record) {
  CombinersObject object = make_object();
  for (size_t u = 0; u < record.at("units").size(); ++u) {
    const Json& json = record["units"][u];
    object->state.units.at(u).enabled = json.at("on").get<int>() != 0;
    if (!object->state.units[u].enabled) continue;
    object->state.units[u].format = format(json.at("fmt"));
    tsrActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(u));
    set_environment(json);
  }
  return without_error(std::move(object));
}

}  // namespace tessera::goldens
