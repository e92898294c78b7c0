#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>

#include "frontend/tool/numbers.h"
#include "frontend/tool/shader_command.h"
#include "frontend/tool/shader_vertices.h"
#include "shader/d3d9/compile.h"
#include "shader/d3d9/load.h"
#include "shader/executor.h"
#include "shader/print.h"
#include "shader/tgsi/compile.h"
#include "shader/trace.h"
#include "texture/view.h"

namespace tessera::tool {
namespace {

using Words4 = std::array<uint32_t, 4>;

// "NAME[index]=x,y,z,w;x,y,z,w": one vector a lane; a last one holds for the lanes that follow.
struct InputSetting {
  std::string_view name;
  uint32_t index = 0;
  std::vector<Words4> lanes;
};

// "NAME[3]" or "3": what stands before the bracket, and the number.
struct Place { std::string_view name; std::optional<uint32_t> index; };
Place read_place(std::string_view text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos) return {text, 0};
  if (!text.ends_with(']')) return {text, std::nullopt};
  return {text.substr(0, bracket), read_unsigned(text.substr(bracket + 1, text.size() - bracket - 2))};
}

Result<InputSetting> read_input(std::string_view text) {
  const size_t equals = text.find('=');
  const Place place = read_place(text.substr(0, equals));
  if (equals == std::string_view::npos || !place.index)
    return error(fmt::format("--in {}: expected SEMANTIC[index]=x,y,z,w", text));
  InputSetting setting{place.name, *place.index, {}};
  for (const std::string_view lane : split(text.substr(equals + 1), ';')) {
    Result<std::vector<uint32_t>> words = read_words(lane);
    if (!words) return error(fmt::format("--in {}: {}", text, words.diags().front().text));
    if (words->size() > 4 || setting.lanes.size() == kMaxVertices)
      return error(fmt::format("--in {}: at most 4 numbers a lane or vertex, and {} of these", text, kMaxVertices));
    Words4 values = {0, 0, 0, std::bit_cast<uint32_t>(1.0f)};
    std::copy(words->begin(), words->end(), values.begin());
    setting.lanes.push_back(values);
  }
  return setting;
}

// Registers of Direct3D 9: their letter, constant buffer, and words.
struct D3d9Constants {
  char letter;
  uint32_t buffer, words;
};
constexpr D3d9Constants kD3d9Constants[] = {
    {'c', d3d9::kFloatConstants, 4}, {'i', d3d9::kIntConstants, 4}, {'b', d3d9::kBoolConstants, 1}};

void put_constants(Constants& constants, uint32_t buffer, size_t first_word, std::span<const uint32_t> words) {
  if (constants.size() <= buffer) constants.resize(buffer + 1);
  std::vector<uint32_t>& own = constants[buffer];
  own.resize(std::max(own.size(), first_word + words.size()));
  std::copy(words.begin(), words.end(), own.begin() + static_cast<std::ptrdiff_t>(first_word));
}

// "c4=x,y,z,w", "i0=3i,0i,1i", "b2=1i"
Status read_d3d9_constant(std::string_view text, const D3d9Constants& kind, Constants& constants) {
  const size_t equals = text.find('=');
  const std::optional<uint32_t> reg = read_unsigned(text.substr(1, equals - 1));
  if (!reg || *reg >= kMaxConstantWords / 4) return error(fmt::format("--const {}: expected {}REGISTER=x,y,z,w", text, kind.letter));
  const Result<std::vector<uint32_t>> words = read_words(text.substr(equals + 1));
  if (!words) return error(fmt::format("--const {}: {}", text, words.diags().front().text));
  put_constants(constants, kind.buffer, size_t{*reg} * kind.words, *words);
  return Done{};
}

Status read_constant(std::string_view text, Constants& constants) {
  const size_t equals = text.find('=');
  for (const D3d9Constants& kind : kD3d9Constants)
    if (equals != std::string_view::npos && text.front() == kind.letter) return read_d3d9_constant(text, kind, constants);
  const Place place = read_place(text.substr(0, equals));
  const bool has_buffer = text.substr(0, equals).find('[') != std::string_view::npos;
  const std::optional<uint32_t> buffer = has_buffer ? read_unsigned(place.name) : 0;
  const std::optional<uint32_t> reg = has_buffer ? place.index : read_unsigned(place.name);
  if (equals == std::string_view::npos || !buffer || !reg || *buffer >= kMaxConstantBuffers ||
      *reg >= kMaxConstantWords / 4)
    return error(fmt::format("--const {}: expected register=x,y,z,w or buffer[register]=x,y,z,w", text));
  Result<std::vector<uint32_t>> words = read_words(text.substr(equals + 1));
  if (!words) return error(fmt::format("--const {}: {}", text, words.diags().front().text));
  put_constants(constants, *buffer, size_t{*reg} * 4, *words);
  return Done{};
}

bool names_input(const InputSetting& setting, const ir::Input& input, ir::Stage stage) {
  if (setting.index != input.index) return false;
  if (input.of_target) return setting.name == "TARGET";
  const bool is_attribute = stage == ir::Stage::Vertex && !input.system_value && setting.name == "IN";
  return is_attribute || setting.name == ir::semantic_name(input.semantic);
}

// One block with a quad or a primitive's invocations in it: slots, and everything that Bindings points to.
class LaneRun {
 public:
  LaneRun(const Executable& executable, const Constants& constants, SimdTarget simd)
      : executable_(executable), slots_(allocate(executable.slot_count())), vertices_(executable.program()) {
    for (const std::vector<uint32_t>& words : constants)
      constant_views_.push_back({words.data(), static_cast<uint32_t>(words.size())});
    no_texture_ = texture::bind_texture({}, {}, simd);
    textures_.assign(executable.program().texture_bindings.size(), no_texture_.get());
    bindings_.constants = constant_views_;
    bindings_.textures = textures_;
    bindings_.services.sample = texture::sample_block;
    bindings_.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = vertices_.patch();
  }

  void set_input(uint32_t input, size_t lane, uint32_t word) { slot(executable_.input_slot(input))[lane] = word; }

  BlockResult run(uint32_t budget) {
    load_uniforms();
    return executable_.run(slots_.get(), lane_args(budget));
  }
  BlockResult run_traced(uint32_t budget, const std::function<void(const TraceStep&)>& report) {
    load_uniforms();
    return tessera::run_traced(executable_, slots_.get(), lane_args(budget), report);
  }

  ShaderVertices& vertices() { return vertices_; }
  uint32_t output(uint32_t output, size_t lane) const { return slot(executable_.output_slot(output))[lane]; }

 private:
  struct Free { void operator()(uint32_t* p) const { std::free(p); } };
  static std::unique_ptr<uint32_t[], Free> allocate(uint32_t slots) {
    const size_t bytes = size_t{std::max(1u, slots)} * kBlockLanes * sizeof(uint32_t);
    auto* words = static_cast<uint32_t*>(std::aligned_alloc(64, bytes));
    TESSERA_CHECK(words != nullptr);
    std::memset(words, 0, bytes);
    return std::unique_ptr<uint32_t[], Free>(words);
  }
  void load_uniforms() {
    std::vector<uint32_t> uniforms(executable_.uniform_count());
    executable_.run_uniform(bindings_, uniforms);
    executable_.load_uniforms(uniforms, slots_.get());
  }
  BlockArgs lane_args(uint32_t budget) {
    const uint64_t lanes = (1ull << lanes_of(executable_.program())) - 1;
    BlockArgs args{&bindings_, lanes, lanes, budget};
    args.vertices = &vertices_.view();
    args.emitted = &vertices_.emitted();
    return args;
  }
  uint32_t* slot(uint32_t index) const { return slots_.get() + size_t{index} * kBlockLanes; }

  const Executable& executable_;
  std::unique_ptr<uint32_t[], Free> slots_;
  ShaderVertices vertices_;
  std::vector<ConstantBuffer> constant_views_;
  std::shared_ptr<const texture::BoundTexture> no_texture_;
  std::vector<const void*> textures_;
  Bindings bindings_;
};

// The vector that stands at `place` of a setting; the last one holds for all that follow.
uint32_t word_at(const InputSetting& setting, size_t place, const ir::Input& input) {
  return setting.lanes[std::min(place, setting.lanes.size() - 1)][input.component];
}

// What an input is where nothing sets it.
uint32_t unset_word(const ir::Input& input, size_t lane) {
  if (input.semantic == ir::Semantic::InvocationId) return static_cast<uint32_t>(lane);
  return input.component == 3 && !input.system_value ? std::bit_cast<uint32_t>(1.0f) : 0;
}

Status set_inputs(const std::vector<InputSetting>& settings, const ir::Program& program, LaneRun& run) {
  const uint32_t lanes = lanes_of(program);
  std::vector<bool> used(settings.size(), false);
  for (uint32_t i = 0; i < program.inputs.size(); ++i) {
    const ir::Input& input = program.inputs[i];
    for (size_t lane = 0; lane < lanes; ++lane) run.set_input(i, lane, unset_word(input, lane));
    for (uint32_t v = 0; v < run.vertices().count(); ++v) run.vertices().set(i, v, unset_word(input, 0));
    for (size_t s = 0; s < settings.size(); ++s) {
      if (!names_input(settings[s], input, program.stage)) continue;
      used[s] = true;
      if (!input.per_vertex && settings[s].lanes.size() > lanes)
        return error(fmt::format("--in {}[{}]: there are {} lanes", settings[s].name, settings[s].index, lanes));
      for (size_t lane = 0; lane < lanes; ++lane) run.set_input(i, lane, word_at(settings[s], lane, input));
      for (uint32_t v = 0; v < run.vertices().count(); ++v)
        run.vertices().set(i, v, word_at(settings[s], v, input));
    }
  }
  for (size_t s = 0; s < settings.size(); ++s)
    if (!used[s])
      return error(fmt::format("--in {}[{}]: the shader does not read it", settings[s].name, settings[s].index));
  return Done{};
}

void print_lane(const ir::Program& program, const LaneRun& run, const BlockResult& result, size_t lane,
                bool name_lane) {
  if (name_lane) print(fmt::format("lane {}{}\n", lane, result.live >> lane & 1 ? "" : ": killed"));
  else if (!(result.live & 1)) print("killed\n");
  for (uint32_t i = 0; i < program.outputs.size(); ++i) print_output(program.outputs[i], run.output(i, lane));
}

// The results of a program whose first `lanes` lanes were given inputs.
void print_results(const ir::Program& program, LaneRun& run, const BlockResult& result, size_t lanes) {
  if (program.stage == ir::Stage::Geometry) return run.vertices().print_emitted();
  if (program.stage == ir::Stage::TessCtrl) return run.vertices().print_patch();
  for (size_t lane = 0; lane < lanes; ++lane) print_lane(program, run, result, lane, lanes > 1);
}

// The lanes that have inputs of their own, of a primitive's invocations all.
size_t lanes_with_inputs(const ir::Program& program, const std::vector<InputSetting>& settings) {
  if (program.stage == ir::Stage::Geometry || program.stage == ir::Stage::TessCtrl) return lanes_of(program);
  size_t lanes = 1;
  for (const InputSetting& setting : settings)
    for (const ir::Input& input : program.inputs)
      if (!input.per_vertex && names_input(setting, input, program.stage))
        lanes = std::max(lanes, setting.lanes.size());
  return lanes;
}

// Prints an operation that ran: under the line of the shader that it belongs to, with its results in some lanes.
class TracePrinter {
 public:
  TracePrinter(const ir::Program& program, std::string_view source, std::vector<uint32_t> lanes)
      : program_(program), lines_(split(source, '\n')), lanes_(std::move(lanes)) {}

  void operator()(const TraceStep& step) {
    const ir::Instr& instr = program_.code[step.instr];
    if (instr.loc.line != line_ && instr.loc.line > 0 && instr.loc.line <= lines_.size()) {
      line_ = instr.loc.line;
      print(fmt::format("{}: {}\n", line_, lines_[line_ - 1]));
    }
    std::string text = fmt::format("    {}", ir::print(program_, instr));
    const bool is_loop_head = instr.op == ir::Op::Loop;   // other results of regions are those of waiting lanes, too
    if (step.results.empty() || (ir::op_info(instr.op).is(ir::trait::Region) && !is_loop_head)) {
      print(fmt::format("{}  running lanes: {}\n", text, lane_list(step.exec)));
      return;
    }
    for (const uint32_t lane : lanes_) text += fmt::format("\n        lane {}:{}", lane, values(step, lane));
    print(text + "\n");
  }

 private:
  static std::string lane_list(uint64_t exec) {
    std::string text;
    for (size_t lane = 0; lane < kBlockLanes; ++lane)
      if (exec >> lane & 1) text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
    return text.empty() ? "none" : text;
  }

  static std::string values(const TraceStep& step, uint32_t lane) {
    if (!(step.exec >> lane & 1)) return " does not run";
    std::string text;
    for (const uint32_t* words : step.results) {
      const auto real = std::bit_cast<float>(words[lane]);
      text += real != real ? fmt::format(" 0x{:08x} ({})", words[lane], static_cast<int32_t>(words[lane]))
                           : fmt::format(" 0x{:08x} ({})", words[lane], real);
    }
    return text;
  }

  const ir::Program& program_;
  std::vector<std::string_view> lines_;
  std::vector<uint32_t> lanes_;
  uint32_t line_ = 0;
};

}  // namespace

int run_shader(const ShaderOptions& options, const CommonOptions& common) {
  const Result<std::string> text = read_text(options.file);
  if (!text) return report_wrong_use(text.diags(), options.file);
  const bool is_d3d9 = d3d9::is_shader(*text);
  Result<ir::Program> compiled =
      is_d3d9 ? d3d9::compile(*text, {.zero_wins = common.device.d3d9_zero_wins})
              : tgsi::compile(*text, options.dialect == Dialect::Tgsi2007 ? tgsi::Dialect::Tgsi2007 : tgsi::Dialect::Current);
  if (!compiled) return report_wrong_use(compiled.diags(), options.file, *text);
  std::vector<InputSetting> settings;
  for (const std::string& input : options.inputs) {
    Result<InputSetting> setting = read_input(input);
    if (!setting) return report_wrong_use(setting.diags(), "tessera shader run");
    settings.push_back(std::move(*setting));
  }
  Constants constants;
  for (const std::string& constant : options.constants)
    if (Status s = read_constant(constant, constants); !s) return report_wrong_use(s.diags(), "tessera shader run");

  if (compiled->stage == ir::Stage::Compute) return run_compute(options, common, std::move(*compiled), constants);
  const SimdTarget simd = common.device.raster.simd;
  const auto program = std::make_shared<const ir::Program>(std::move(*compiled));
  // Only the interpreter shows its steps.
  const ExecutorKind executor = options.trace ? ExecutorKind::Interpreter : common.device.executor;
  const std::shared_ptr<const Executable> executable = make_executable(executor, program, simd);
  LaneRun run(*executable, constants, simd);
  if (Status s = set_inputs(settings, *program, run); !s) return report_wrong_use(s.diags(), "tessera shader run");
  const size_t lanes = lanes_with_inputs(*program, settings);
  std::vector<uint32_t> shown = options.lanes;
  for (const uint32_t lane : shown)
    if (const uint32_t count = lanes_of(*program); lane >= count)
      return report_wrong_use({error(fmt::format("--lanes {}: there are {} lanes", lane, count))}, "tessera shader run");
  for (uint32_t lane = 0; lane < lanes && options.lanes.empty(); ++lane) shown.push_back(lane);
  const uint32_t budget = common.device.raster.instruction_budget;
  const BlockResult result =
      options.trace ? run.run_traced(budget, TracePrinter(*program, *text, std::move(shown))) : run.run(budget);
  if (result.over_budget) {
    report_wrong_use({error("the shader took more than the allowed loop turns")}, options.file);
    return kFailed;
  }
  print_results(*program, run, result, lanes);
  return kSuccess;
}

}  // namespace tessera::tool
