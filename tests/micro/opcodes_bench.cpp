// Nanoseconds an operation and lane for each TGSI opcode on the interpreter, and how it compares with its group:
//     micro_opcodes [--benchmark_filter=REGEX]          names are GROUP/OPCODE
// An opcode stands 16 times in a program that then takes the maximum of all results; the time of the maxima, as it is
// in a program with nothing else, is subtracted.
// Textures, memory and stages' own opcodes are no arithmetic; `tessera bench` measures them at work.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "shader/executor.h"
#include "shader/tgsi/compile.h"
#include "shader/tgsi/opcodes.h"

using namespace tessera;

namespace {

constexpr uint32_t kCopies = 16, kFirstLine = 6;    // where the copies begin in a text
constexpr double kSlow = 3;       // times the median of the group

// Why an opcode may take more than kSlow times the median of its group.
struct Reason {
  std::string_view opcode, text;
};
constexpr std::string_view kPolynomial = "a polynomial of its own, exact to 2 ulp, where the median is an addition";
constexpr std::string_view kDivider = "as fast as the processor divides";
constexpr Reason kReasons[] = {
    {"LIT", kPolynomial},
    {"EXP", kPolynomial},
    {"LOG", kPolynomial},
    {"POW", kPolynomial},
    {"SIN", "the angle is reduced in double, exactly"},
    {"COS", "the angle is reduced in double, exactly"},
    {"LDEXP", "four channels in double, so that denormals round once"},
    {"IDIV", "a division in double for each half of a vector"},
    {"UDIV", "a division in double for each half of a vector"},
    {"MOD", "a division in double for each half of a vector"},
    {"UMOD", "a division in double for each half of a vector"},
    {"I64DIV", kDivider},
    {"U64DIV", kDivider},
    {"I64MOD", kDivider},
    {"U64MOD", kDivider},
};

std::string instruction(const tgsi::OpcodeInfo& info, uint32_t copy) {
  std::string line(info.name);
  std::string_view separator = " ";
  uint32_t temporary = copy;
  for (const char type : info.dsts) {
    line += fmt::format("{}{}[{}]", separator, type == 'A' ? "ADDR" : "TEMP", temporary);
    temporary += kCopies + 1;
    separator = ", ";
  }
  for (uint32_t k = 0; k < info.srcs.size(); ++k, separator = ", ")
    line += fmt::format("{}IN[{}]", separator, (copy + k * k + k) % kCopies);     // no two instructions are the same
  return line + "\n";
}

// `body` gives the instructions of copy k, which write `file`[k].
template <class Body>
std::string program_text(std::string_view file, Body body) {
  std::string text =
      fmt::format("FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..{}]\nDCL ADDR[0..{}]\nDCL IN[0..{}], GENERIC[0]\n", 3 * kCopies,
                  kCopies - 1, kCopies - 1);
  for (uint32_t k = 0; k < kCopies; ++k) text += body(k);
  for (uint32_t k = 0; k < kCopies; ++k) text += fmt::format("MAX TEMP[{0}], TEMP[{0}], {1}[{2}]\n", kCopies, file, k);
  return text + fmt::format("MOV OUT[0], TEMP[{}]\nEND\n", kCopies);
}

std::string text_of(const tgsi::OpcodeInfo& info) {
  const bool writes_address = !info.dsts.empty() && info.dsts[0] == 'A';
  return program_text(writes_address ? "ADDR" : "TEMP", [&](uint32_t k) { return instruction(info, k); });
}

std::string baseline_text() {
  return program_text("TEMP", [](uint32_t k) { return fmt::format("MOV TEMP[{0}], IN[{0}]\n", k); });
}

struct alignas(64) Slot { uint32_t words[kBlockLanes]; };

// The time of one block in nanoseconds.
class Block {
 public:
  explicit Block(const std::string& text) {
    Result<ir::Program> program = tgsi::compile(text);
    if (!program) return;
    executable_ = make_interpreter(std::make_shared<ir::Program>(std::move(*program)), best_simd_target());
    memory_.resize(executable_->slot_count());
    std::vector<uint32_t> uniforms(executable_->uniform_count());
    executable_->run_uniform(bindings_, uniforms);
    executable_->load_uniforms(uniforms, memory_[0].words);
    std::mt19937 random(1);
    for (uint32_t i = 0; i < executable_->program().inputs.size(); ++i)
      for (uint32_t& word : memory_[executable_->input_slot(i)].words)
        word = 0x3f000000u + random() % 0x01000000u;                  // 0.5 ... 2
  }
  bool compiled() const { return executable_ != nullptr; }
  uint32_t maxima() const {
    uint32_t count = 0;
    for (const ir::Instr& i : executable_->program().code)
      count += i.op == ir::Op::FMax && i.loc.line >= kFirstLine + kCopies;
    return count;
  }
  void run() { benchmark::DoNotOptimize(executable_->run(memory_[0].words, {&bindings_, ~0ull, ~0ull, 0}).live); }

 private:
  std::shared_ptr<const Executable> executable_;
  std::vector<Slot> memory_;
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
  std::string_view opcode;
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
    fmt::print("  {:<12} {:8.4f} {:6.2f} {}\n", row.opcode, row.ns, times, reason);
  }
  return unexplained;
}

bool is_measured(const tgsi::OpcodeInfo& info) {
  using G = tgsi::OpGroup;
  switch (info.group) {
    case G::Texture:
    case G::Memory:
    case G::Atomic:
    case G::Flow:
    case G::Geometry:
    case G::Fragment:
    case G::Misc: return false;
    default: return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<Block>> blocks;
  std::map<std::string, uint32_t> maxima;
  const auto add = [&](const std::string& name, const std::string& text) {
    blocks.push_back(std::make_unique<Block>(text));
    if (!blocks.back()->compiled()) return;
    maxima[name] = blocks.back()->maxima();
    benchmark::RegisterBenchmark(name.c_str(), run_block, std::ref(*blocks.back()))->MinTime(0.01)->Repetitions(3);
  };
  add("MOV", baseline_text());
  for (const tgsi::OpcodeInfo& info : tgsi::all_opcodes())
    if (is_measured(info) && info.name != "MOV")
      add(fmt::format("{}/{}", tgsi::op_group_name(info.group), info.name), text_of(info));

  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  const auto baseline = collector.best_ns.find("MOV");
  if (baseline == collector.best_ns.end()) {
    fmt::print(stderr, "the filter leaves out MOV, which the others are compared with\n");
    return 2;
  }
  const double ns_of_maximum = baseline->second / maxima.at("MOV");
  std::map<std::string_view, std::vector<Row>> groups;
  for (const auto& [name, ns] : collector.best_ns)
    if (const size_t slash = name.find('/'); slash != std::string::npos)
      groups[std::string_view(name).substr(0, slash)].push_back(
          {std::string_view(name).substr(slash + 1), (ns - maxima.at(name) * ns_of_maximum) / (kCopies * kBlockLanes)});
  size_t unexplained = 0;
  for (const auto& [group, rows] : groups) unexplained += print_group(group, rows);
  return unexplained == 0 ? 0 : 1;
}
