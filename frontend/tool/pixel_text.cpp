#include <fmt/format.h>

#include <bit>

#include "frontend/tool/pixel_report.h"
#include "shader/print.h"

namespace tessera::tool {
namespace {

using raster::PixelEvent;
using raster::PixelTest;
using Kind = raster::PixelTestKind;

std::string word_text(uint32_t word) {
  const auto real = std::bit_cast<float>(word);
  return real != real ? fmt::format("{} (0x{:08x})", static_cast<int32_t>(word), word)
                      : fmt::format("{} (0x{:08x})", real, word);
}

std::string color_text(Format format, const std::array<std::byte, raster::kMaxTexelBytes>& bytes) {
  const StoredColor color = stored_color(format, bytes);
  std::string text;
  for (const uint32_t word : color.texel.word) {
    text += text.empty() ? "" : " ";
    if (!color.is_integer) text += fmt::format("{}", std::bit_cast<float>(word));
    else text += color.is_signed ? fmt::format("{}", static_cast<int32_t>(word)) : fmt::format("{}", word);
  }
  return fmt::format("{} ({})", text, color.bits);
}

std::string lanes_text(uint32_t bits, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += bits >> i & 1 ? '1' : '0';
  return text;
}

std::string test_text(const PixelTest& t) {
  std::string text = fmt::format("{}{}", raster::pixel_test_name(t.kind), t.is_early ? ", early" : "");
  switch (t.kind) {
    case Kind::Depth:
    case Kind::Stencil:
    case Kind::Alpha:
    case Kind::AlphaToCoverage:
      text += fmt::format(": {:.9g} {} {:.9g}", t.value, raster::compare_symbol(t.func), t.against);
      if (t.kind != Kind::Stencil) text += fmt::format(" (0x{:08x}, 0x{:08x})", t.value_bits, t.against_bits);
      break;
    case Kind::DepthBounds: text += fmt::format(": {:.9g} <= {:.9g} <= {:.9g}", t.against, t.value, t.upper); break;
    case Kind::SampleMask:
    case Kind::ProgramMask: text += fmt::format(": 0x{:x} holds 0x{:x}", t.value_bits, t.against_bits); break;
    case Kind::Scissor:
    case Kind::Stipple:
    case Kind::Kill: break;
  }
  return text + (t.passed ? ": passed" : ": FAILED");
}

class TextWriter {
 public:
  explicit TextWriter(const PixelContext& context) : context_(context) {}

  std::string write() {
    const scene::PixelQuery& q = context_.report.query;
    const scene::Target& target = context_.report.target;
    line("pixel {}, {}{} of {} x {}, sample {} of {}", q.x, q.y,
         target.layers > 1 ? fmt::format(", layer {}", q.layer) : "", target.width, target.height, q.sample,
         target.samples);
    uint32_t fragment = 0;
    for (const PixelEvent& event : context_.report.events) {
      const uint32_t number = event.kind == PixelEvent::Kind::Fragment ? fragment++ : 0;
      if (q.step && (event.kind != PixelEvent::Kind::Fragment || number != *q.step)) continue;
      command(event);
      describe(event, number);
      if (q.step) steps(event);
    }
    if (context_.report.events.empty()) line("nothing touched it");
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void command(const PixelEvent& event) {
    const SourceLoc loc = command_loc(context_, event);
    if (event.kind == PixelEvent::Kind::Elsewhere) return;
    if (loc.line != last_line_) line("{}:{}: {}", context_.path, loc.line, scene_line(context_, loc.line));
    last_line_ = loc.line;
  }

  void describe(const PixelEvent& event, uint32_t number) {
    switch (event.kind) {
      case PixelEvent::Kind::Clear: line("  clear"); break;
      case PixelEvent::Kind::Elsewhere: line("between draws: a blit, copy, resolve or upload"); break;
      case PixelEvent::Kind::Scissored:
        line("  outside of {} scissor and viewport, {} <= x < {}, {} <= y < {}",
             event.viewport < 0 ? "the draw's" : fmt::format("viewport {}'s", event.viewport), event.scissor.x0,
             event.scissor.x1, event.scissor.y0, event.scissor.y1);
        return;
      case PixelEvent::Kind::Fragment: fragment(event, number); break;
    }
    states(event);
  }

  void fragment(const PixelEvent& event, uint32_t number) {
    std::string cover = fmt::format("quad {}", lanes_text(event.quad_cover, 4));
    if (event.samples > 1) cover += fmt::format(", samples {}", lanes_text(event.covered_samples, event.samples));
    if (event.coverage < 1) cover += fmt::format(", {} of the pixel", event.coverage);
    line("  fragment {}: draw {}, primitive {}, {}; covers {}", number, event.draw_number, event.primitive,
         event.is_point ? "point" : event.is_front ? "front" : "back", cover);
    for (const PixelTest& test : event.tests) line("    {}", test_text(test));
    if (!event.program) return;
    const ir::Program& program = event.program->executable->program();
    const raster::ProgramRun& run = *event.program;
    for (size_t i = 0; i < program.inputs.size(); ++i)
      line("    in  {:<24} {}", input_name(program.inputs[i]), word_text(run.inputs[i][run.lane]));
    for (size_t i = 0; i < program.outputs.size(); ++i)
      line("    out {:<24} {}", output_name(program.outputs[i]), word_text(run.outputs[i][run.lane]));
  }

  void states(const PixelEvent& event) {
    for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i) {
      if (event.color_format[i] == Format::NONE) continue;
      const std::string before = color_text(event.color_format[i], event.before.color[i]);
      const std::string after = color_text(event.color_format[i], event.after.color[i]);
      if (before == after) line("    color {}: {} stays", i, before);
      else line("    color {}: {} -> {}", i, before, after);
    }
    if (event.depth_format == Format::NONE) return;
    const double before = depth_value(event.depth_format, event.before.depth_key),
                 after = depth_value(event.depth_format, event.after.depth_key);
    const uint32_t old_key = event.before.depth_key, key = event.after.depth_key;
    if (old_key == key) line("    depth: {:.9g} (0x{:08x}) stays", before, key);
    else line("    depth: {:.9g} (0x{:08x}) -> {:.9g} (0x{:08x})", before, old_key, after, key);
    const uint32_t old_stencil = event.before.depth_rest & 255, stencil = event.after.depth_rest & 255;
    if (has_stencil(event.depth_format) && old_stencil != stencil) line("    stencil: {} -> {}", old_stencil, stencil);
  }

  // ---- instructions ----

  void steps(const PixelEvent& event) {
    const raster::ProgramRun& run = *event.program;
    const ir::Program& program = run.executable->program();
    line("  lanes of the quad: 0 upper left, 1 upper right, 2 lower left, 3 lower right; the fragment's is {}; "
         "running {}, no helpers {}", run.lane, lanes_text(run.exec, 4), lanes_text(run.live, 4));
    uint32_t shown = 0;
    std::string shown_stage;
    for (const raster::ProgramStep& step : run.steps) {
      const ir::Instr& instr = program.code[step.instr];
      const uint32_t source_line = line_of(context_, event, instr.loc);
      if (source_line != 0 && source_line != shown)
        line("{}:{}: {}", context_.path, source_line, scene_line(context_, source_line));
      shown = source_line;
      if (std::string stage = stage_of(context_, event, instr.loc); stage != shown_stage) {
        shown_stage = std::move(stage);
        if (!shown_stage.empty()) line("  {}", shown_stage);
      }
      line("    {}", ir::print(program, instr));
      for (uint32_t lane = 0; lane < 4; ++lane) lane_of_step(program, step, lane, lane == run.lane);
    }
  }

  void lane_of_step(const ir::Program& program, const raster::ProgramStep& step, uint32_t lane, bool is_fragment) {
    const ir::Instr& instr = program.code[step.instr];
    std::string text = fmt::format("      {}{}", lane, is_fragment ? "*" : " ");
    if (!(step.exec >> lane & 1)) return line("{} does not run", text);
    if (!(step.live >> lane & 1)) text += " helper";
    const std::span<const ir::ValueId> args = ir::args_of(program, instr);
    for (size_t k = 0; k < args.size(); ++k)
      if (args[k] != ir::kNoValue) text += "  " + word_text(step.operands[k][lane]);
    // Results of regions are those of the lanes that wait there, except at the head of a loop.
    const bool has_results = !ir::op_info(instr.op).is(ir::trait::Region) || instr.op == ir::Op::Loop;
    if (has_results && !step.results.empty()) text += "  =>";
    for (const raster::QuadWords& result : step.results)
      if (has_results) text += "  " + word_text(result[lane]);
    line("{}", text);
    if (step.samples[lane].is_filled) sample(step.samples[lane]);
  }

  void sample(const texture::SampleExplanation& s) {
    std::string text;
    for (size_t c = 0; c < 4; ++c)
      if (s.has_coord[c]) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", "strl"[c], word_text(s.coord[c]));
    if (s.has_lod) text += fmt::format("; LOD {}", s.lod);
    text += fmt::format("; level {}", s.level);
    if (s.fraction > 0) text += fmt::format(" and {} of the next", s.fraction);
    text += s.is_linear ? ", linear" : ", nearest";
    if (!s.probes.empty()) text += fmt::format(", the mean of {} probe{}", s.probes.size(), s.probes.size() > 1 ? "s" : "");
    line("           {}", text);
    uint32_t probe = 0;
    for (const texture::TexelRead& read : s.texels) {
      if (probe == read.probe && probe < s.probes.size()) {
        const auto& [x, y, z] = s.probes[probe++];
        line("           probe {} at {} {} {}", probe, x, y, z);
      }
      const std::string place = read.is_border ? "border" : fmt::format("({}, {}, {})", read.x, read.y, read.slice);
      std::string values;
      const bool is_integer = format_info(s.format).is_pure_integer();
      for (const uint32_t word : read.texel.word)
        values += is_integer ? fmt::format(" {}", static_cast<int32_t>(word))
                             : fmt::format(" {}", std::bit_cast<float>(word));
      line("           level {} {}:{}", read.level, place, values);
    }
  }

  const PixelContext& context_;
  uint32_t last_line_ = 0;
  std::string text_;
};

}  // namespace

std::string pixel_text(const PixelContext& context) { return TextWriter(context).write(); }

}  // namespace tessera::tool
