// Nanoseconds an operation and lane for each TGSI opcode on the interpreter, and how it compares with its group:
//     micro_opcodes [--benchmark_filter=REGEX]          names are GROUP/OPCODE, and GROUP/OPCODE/rest
// An opcode stands several times in a program; the time of the same program without it is subtracted. Most work on four
// channels. Opcodes that mean nothing alone stand with those that they need: the time is that of all of them together.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "shader/executor.h"
#include "shader/tgsi/compile.h"
#include "tests/micro/opcode_programs.h"
#include "tests/unit/texture/texture_block.h"

using namespace tessera;
using namespace tessera::micro;

namespace {

constexpr double kSlow = 3;       // times the median of the group

// Why an opcode may take more than kSlow times the median of its group.
struct Reason {
  std::string_view opcode, text;
};
constexpr std::string_view kAngle = "the angle is reduced in double, exactly";
constexpr std::string_view kDivision = "a division in double for each half of a vector";
constexpr std::string_view kWideDivision = "as fast as the processor divides 64-bit integers";
constexpr std::string_view kBarycentrics = "barycentrics anew, where the median reads an input";
constexpr std::string_view kCubeArray = "cube arrays have no path of their own: lanes differ in face, edge and level";
constexpr Reason kReasons[] = {
    {"SIN", kAngle},
    {"COS", kAngle},
    {"EXP", "a power of two, and three results beside it"},
    {"LOG", "a logarithm, a power of two and a division"},
    {"LIT", "a power: a logarithm and a power of two"},
    {"POW", "a logarithm and a power of two"},
    {"LDEXP", "four channels in double, so that denormals round once"},
    {"IDIV", kDivision},
    {"UDIV", kDivision},
    {"MOD", kDivision},
    {"UMOD", kDivision},
    {"I64DIV", kWideDivision},
    {"U64DIV", kWideDivision},
    {"I64MOD", kWideDivision},
    {"U64MOD", kWideDivision},
    {"INTERP_SAMPLE", kBarycentrics},
    {"INTERP_OFFSET", kBarycentrics},
    {"TEX2", kCubeArray},
    {"TXB2", kCubeArray},
    {"TXL2", kCubeArray},
};

// ---- what programs read --------------------------------------------------------------------------------------------

uint32_t pixel_x(uint32_t lane) { return 2 * (lane >> 2 & 3) + (lane & 1); }
uint32_t pixel_y(uint32_t lane) { return 2 * (lane >> 4) + (lane >> 1 & 1); }

// The word of an input in a lane.
uint32_t input_word(Data data, const ir::Input& input, uint32_t lane, std::mt19937& random) {
  const uint32_t c = input.component;
  switch (data) {
    case Data::Floats: return 0x3f000000u + static_cast<uint32_t>(random()) % 0x01000000u;
    case Data::Coordinates: {
      const uint32_t place = c == 0 ? pixel_x(lane) : pixel_y(lane);
      return std::bit_cast<uint32_t>(c == 3 ? 1.0f : static_cast<float>(4 * input.index + place) / 64.0f);
    }
    case Data::Texels: return c == 0 ? pixel_x(lane) + input.index : c == 1 ? pixel_y(lane) : 0;
    case Data::Offsets: return 16 * lane;
    case Data::Sparse: return lane / 4 == input.index ? std::bit_cast<uint32_t>(-1.0f) : 0;
  }
  return 0;
}

using Textures = std::array<std::shared_ptr<const texture::BoundTexture>, kUnits>;

Textures make_textures() {
  std::mt19937 random(1);
  ResourceDesc samples = tests::desc_of(ResourceKind::Tex2D, Format::R8G8B8A8_UNORM, 64, 64, 1, 1, 1);
  samples.samples = 4;
  const ResourceDesc descs[kUnits] = {
      tests::desc_of(ResourceKind::Tex2D, Format::R8G8B8A8_UNORM, 64, 64, 1, 1),
      tests::desc_of(ResourceKind::Tex2D, Format::Z32_FLOAT, 64, 64, 1, 1), samples,
      tests::desc_of(ResourceKind::CubeArray, Format::R8G8B8A8_UNORM, 64, 64, 1, 12),
      tests::desc_of(ResourceKind::CubeArray, Format::Z32_FLOAT, 64, 64, 1, 12)};
  Textures textures;
  for (uint32_t unit = 0; unit < kUnits; ++unit) {
    texture::Sampler sampler;
    sampler.mip_filter = texture::MipFilter::Linear;
    sampler.compare = unit == kDepth || unit == kDepthCubes;
    const std::shared_ptr<Resource> image = tests::random_texture(descs[unit], random);
    textures[unit] = texture::bind_texture(texture::whole_view(image->storage()), sampler, best_simd_target());
  }
  return textures;
}

// ---- a program that runs -------------------------------------------------------------------------------------------

struct alignas(64) Slot { uint32_t words[kBlockLanes]; };

// The time of one block in nanoseconds.
class Block {
 public:
  Block(const std::string& text, Data data, const Textures& textures) : memory_(kMemoryWords) {
    Result<ir::Program> program = tgsi::compile(text);
    if (!program) {
      fmt::print(stderr, "{}", format_diags(program.diags(), "program", text));
      std::exit(2);
    }
    executable_ = make_interpreter(std::make_shared<ir::Program>(std::move(*program)), best_simd_target());
    slots_.resize(executable_->slot_count());
    bind(textures);
    std::vector<uint32_t> uniforms(executable_->uniform_count());
    executable_->run_uniform(bindings_, uniforms);
    executable_->load_uniforms(uniforms, slots_[0].words);
    std::mt19937 random(1);
    for (uint32_t i = 0; i < executable_->program().inputs.size(); ++i)
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
        slots_[executable_->input_slot(i)].words[lane] =
            input_word(data, executable_->program().inputs[i], lane, random);
  }
  void run() {
    const ir::Program& program = executable_->program();
    BlockArgs args{&bindings_, ~0ull, ~0ull, 0};
    if (program.stage == ir::Stage::Geometry) {
      emitted_.begin(program.geometry.max_vertices, static_cast<uint32_t>(program.outputs.size()));
      args.vertices = &vertices_, args.emitted = &emitted_;
    }
    benchmark::DoNotOptimize(executable_->run(slots_[0].words, args).live);
  }

 private:
  static constexpr uint32_t kMemoryWords = 4 * kBlockLanes + 4;

  void bind(const Textures& textures) {
    for (const ir::TextureBinding& binding : executable_->program().texture_bindings)
      textures_.push_back(textures[binding.view].get());
    buffer_ = {reinterpret_cast<std::byte*>(memory_.data()), kMemoryWords * sizeof(uint32_t)};
    bindings_.textures = textures_;
    bindings_.memory[static_cast<size_t>(ir::MemorySpace::Buffer)] = {&buffer_, 1};
    bindings_.services.sample = texture::sample_block;
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) record_[lane] = 0;
    word_of_input_.assign(executable_->program().inputs.size(), ~0u);
    vertices_ = {memory_.data(), 1, record_.data(), 1, word_of_input_};
  }

  std::shared_ptr<const Executable> executable_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> memory_, word_of_input_;
  MemoryView buffer_;
  std::array<uint32_t, kBlockLanes> record_{};
  std::vector<const void*> textures_;
  PrimitiveVertices vertices_;
  EmittedVertices emitted_;
  Bindings bindings_;
};

void run_block(benchmark::State& state, Block& block) {
  for ([[maybe_unused]] auto turn : state) block.run();
}

// Keeps the best time of each benchmark, and prints nothing by itself.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string name = run.run_name.function_name;
      const auto [at, is_new] = best_ns.emplace(name, run.GetAdjustedCPUTime());
      at->second = std::min(at->second, run.GetAdjustedCPUTime());
    }
  }
  std::map<std::string, double> best_ns;
};

struct Row {
  std::string opcode;
  double ns;
};

std::string_view reason_for(std::string_view opcode) {
  for (const Reason& reason : kReasons)
    if (reason.opcode == opcode) return reason.text;
  return "NO REASON GIVEN";
}

// Returns the number of opcodes that are slow without a reason.
size_t print_group(std::string_view group, std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ns < b.ns; });
  const double median = rows[rows.size() / 2].ns;
  fmt::print("\n{}: median {:.4f} ns an operation and lane\n", group, median);
  size_t unexplained = 0;
  for (const Row& row : rows) {
    const double times = row.ns / median;
    const std::string_view reason = times > kSlow ? reason_for(row.opcode) : "";
    unexplained += reason.starts_with("NO ");
    fmt::print("  {:<34} {:8.4f} {:6.2f} {}\n", row.opcode, row.ns, times, reason);
  }
  return unexplained;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const Textures textures = make_textures();
  const std::vector<OpcodeProgram> programs = opcode_programs();
  std::vector<std::unique_ptr<Block>> blocks;
  const auto add = [&](const std::string& name, const std::string& text, Data data) {
    blocks.push_back(std::make_unique<Block>(text, data, textures));
    benchmark::RegisterBenchmark(name.c_str(), run_block, std::ref(*blocks.back()))->MinTime(0.005)->Repetitions(5);
  };
  const auto name_of = [](const OpcodeProgram& p) { return fmt::format("{}/{}", p.group, p.name); };
  for (const OpcodeProgram& p : programs) {
    add(name_of(p), p.text, p.data);
    add(name_of(p) + "/rest", p.rest, p.data);
  }

  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::map<std::string_view, std::vector<Row>> groups;
  for (const OpcodeProgram& p : programs) {
    const auto whole = collector.best_ns.find(name_of(p)), rest = collector.best_ns.find(name_of(p) + "/rest");
    if (whole != collector.best_ns.end() && rest != collector.best_ns.end())
      groups[p.group].push_back({p.name, (whole->second - rest->second) / (kCopies * kBlockLanes)});
  }
  size_t unexplained = 0;
  for (const auto& [group, rows] : groups) unexplained += print_group(group, rows);
  return unexplained == 0 ? 0 : 1;
}
