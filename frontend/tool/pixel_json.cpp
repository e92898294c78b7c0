#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "frontend/tool/pixel_report.h"
#include "shader/print.h"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;
using raster::PixelEvent;

std::string hex(uint32_t word) { return fmt::format("0x{:08x}", word); }

// Words as they are: JSON has no infinities and no NaN, so a float beyond it is null beside its bits.
Json real(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json word_json(uint32_t word) { return {{"bits", hex(word)}, {"float", real(std::bit_cast<float>(word))}}; }

Json words_json(const raster::QuadWords& words) {
  Json json = Json::array();
  for (const uint32_t word : words) json.push_back(word_json(word));
  return json;
}

Json texel_json(const Texel& texel, bool is_integer, bool is_signed) {
  Json json = Json::array();
  for (const uint32_t word : texel.word) {
    if (!is_integer) json.push_back(real(std::bit_cast<float>(word)));
    else if (is_signed) json.push_back(static_cast<int32_t>(word));
    else json.push_back(word);
  }
  return json;
}

Json state_json(const PixelEvent& event, const raster::PixelState& state) {
  Json json;
  json["color"] = Json::array();
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i) {
    if (event.color_format[i] == Format::NONE) continue;
    const StoredColor color = stored_color(event.color_format[i], state.color[i]);
    json["color"].push_back({{"target", i}, {"value", texel_json(color.texel, color.is_integer, color.is_signed)},
                             {"bits", color.bits}});
  }
  if (event.depth_format == Format::NONE) return json;
  json["depth"] = {{"value", real(depth_value(event.depth_format, state.depth_key))}, {"bits", hex(state.depth_key)}};
  if (has_stencil(event.depth_format)) json["stencil"] = state.depth_rest & 255;
  return json;
}

Json test_json(const raster::PixelTest& test) {
  Json json{{"test", raster::pixel_test_name(test.kind)}, {"early", test.is_early}, {"passed", test.passed}};
  using Kind = raster::PixelTestKind;
  if (test.kind == Kind::Kill || test.kind == Kind::Stipple || test.kind == Kind::Scissor) return json;
  json["value"] = real(test.value);
  json["function"] = raster::compare_symbol(test.func);
  json["against"] = real(test.against);
  if (test.kind == Kind::DepthBounds) json["upper"] = real(test.upper);
  json["value_bits"] = hex(test.value_bits);
  json["against_bits"] = hex(test.against_bits);
  return json;
}

Json sample_json(const texture::SampleExplanation& s) {
  if (!s.is_filled) return nullptr;
  Json json;
  json["coordinates"] = Json::array();
  for (size_t c = 0; c < 4; ++c) json["coordinates"].push_back(s.has_coord[c] ? word_json(s.coord[c]) : Json(nullptr));
  json["lod"] = s.has_lod ? real(s.lod) : Json(nullptr);
  json["level"] = s.level;
  json["fraction"] = real(s.fraction);
  json["filter"] = s.is_linear ? "linear" : "nearest";
  json["probes"] = Json::array();
  for (const auto& [x, y, z] : s.probes) json["probes"].push_back({real(x), real(y), real(z)});
  json["texels"] = Json::array();
  for (const texture::TexelRead& read : s.texels) {
    const FormatInfo& info = format_info(s.format);
    const bool is_signed = info.field[0].kind == FieldKind::Sint;
    json["texels"].push_back({{"probe", read.probe}, {"level", read.level}, {"x", read.x}, {"y", read.y}, {"slice", read.slice},
                              {"border", read.is_border},
                              {"value", texel_json(read.texel, info.is_pure_integer(), is_signed)}});
  }
  return json;
}

Json steps_json(const PixelContext& context, const PixelEvent& event) {
  Json json = Json::array();
  const raster::ProgramRun& run = *event.program;
  const ir::Program& program = run.executable->program();
  for (const raster::ProgramStep& step : run.steps) {
    const ir::Instr& instr = program.code[step.instr];
    Json one{{"instruction", ir::print(program, instr)}, {"running", step.exec}, {"live", step.live}};
    if (const uint32_t line = line_of(context, event, instr.loc)) one["line"] = line;
    if (const std::string stage = stage_of(context, event, instr.loc); !stage.empty()) one["stage"] = stage;
    one["operands"] = Json::array();
    const std::span<const ir::ValueId> args = ir::args_of(program, instr);
    for (size_t k = 0; k < args.size(); ++k)
      one["operands"].push_back(args[k] == ir::kNoValue ? Json(nullptr) : words_json(step.operands[k]));
    one["results"] = Json::array();
    for (const raster::QuadWords& words : step.results) one["results"].push_back(words_json(words));
    bool is_sample = false;
    for (const texture::SampleExplanation& s : step.samples) is_sample = is_sample || s.is_filled;
    if (is_sample)
      for (const texture::SampleExplanation& s : step.samples) one["fetches"].push_back(sample_json(s));
    json.push_back(std::move(one));
  }
  return json;
}

Json program_json(const raster::ProgramRun& run) {
  const ir::Program& program = run.executable->program();
  Json json{{"lane", run.lane}, {"running", run.exec}, {"live", run.live}, {"live_after", run.live_after}};
  json["inputs"] = Json::object();
  for (size_t i = 0; i < program.inputs.size(); ++i)
    json["inputs"][input_name(program.inputs[i])] = words_json(run.inputs[i]);
  json["outputs"] = Json::object();
  for (size_t i = 0; i < program.outputs.size(); ++i)
    json["outputs"][output_name(program.outputs[i])] = words_json(run.outputs[i]);
  return json;
}

Json event_json(const PixelContext& context, const PixelEvent& event, uint32_t fragment) {
  static constexpr const char* kKinds[] = {"clear", "fragment", "scissored", "elsewhere"};
  Json json{{"event", kKinds[static_cast<size_t>(event.kind)]}};
  const SourceLoc loc = command_loc(context, event);
  if (event.kind != PixelEvent::Kind::Elsewhere) {
    json["line"] = loc.line;
    json["command"] = scene_line(context, loc.line);
  }
  if (event.draw_number != 0) json["draw"] = event.draw_number;
  if (event.kind == PixelEvent::Kind::Scissored) {
    json["scissor"] = {event.scissor.x0, event.scissor.y0, event.scissor.x1, event.scissor.y1};
    if (event.viewport >= 0) json["viewport"] = event.viewport;
    return json;
  }
  if (event.kind == PixelEvent::Kind::Fragment) {
    json["fragment"] = fragment;
    json["primitive"] = event.primitive;
    json["front"] = event.is_front;
    json["covered_samples"] = event.covered_samples;
    json["quad_cover"] = event.quad_cover;
    json["coverage"] = event.coverage;
    json["written"] = event.is_written;
    json["tests"] = Json::array();
    for (const raster::PixelTest& test : event.tests) json["tests"].push_back(test_json(test));
    if (event.program) json["program"] = program_json(*event.program);
  }
  json["before"] = state_json(event, event.before);
  json["after"] = state_json(event, event.after);
  if (context.report.query.step == fragment && event.program && !event.program->steps.empty())
    json["steps"] = steps_json(context, event);
  return json;
}

}  // namespace

std::string pixel_json(const PixelContext& context) {
  const scene::PixelQuery& q = context.report.query;
  Json json{{"scene", context.path}, {"x", q.x}, {"y", q.y}, {"layer", q.layer}, {"sample", q.sample}};
  json["events"] = Json::array();
  uint32_t fragment = 0;
  for (const PixelEvent& event : context.report.events) {
    const bool is_fragment = event.kind == PixelEvent::Kind::Fragment;
    json["events"].push_back(event_json(context, event, is_fragment ? fragment++ : 0));
  }
  return json.dump(1) + "\n";
}

}  // namespace tessera::tool
