#include "frontend/tool/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tessera::tool {
namespace {

// Enough for any shader that ends by design; a loop without end stops within seconds.
constexpr uint32_t kDefaultBudget = 1'000'000;

constexpr size_t kBarWidth = 24;   // of a progress bar, in characters

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& common) {
  raster::RendererOptions& raster = common.device.raster;
  raster.instruction_budget = kDefaultBudget;
  app.add_option("--threads", raster.threads, "worker threads; 0: as many as the machine has")
      ->check(CLI::Range(0, 256));
  app.add_option_function<std::string>(
         "--executor",
         [&common](const std::string& name) {
           common.device.executor = name == "jit" ? ExecutorKind::Jit : ExecutorKind::Interpreter;
         },
         "what runs shaders: jit (machine code; default where the machine can) or interp; pictures do not depend on it")
      ->check(CLI::IsMember({"jit", "interp"}));
  app.add_option_function<std::string>(
         "--simd",
         [&raster](const std::string& name) {
           const std::optional<SimdTarget> target = simd_target_from_name(name);
           const std::vector<SimdTarget> available = available_simd_targets();
           if (!target || std::find(available.begin(), available.end(), *target) == available.end())
             throw CLI::ValidationError("--simd", fmt::format("this machine has no '{}'", name));
           raster.simd = *target;
         },
         "instruction set to use at most: sse4, avx2 or neon; pictures do not depend on it");
  app.add_option("--budget", raster.instruction_budget, "loop turns that a shader invocation may take; 0: no limit")
      ->capture_default_str();
  app.add_flag("--strict", common.device.strict, "one thread, one quad at a time: repeatable whatever programs do to memory");
  app.add_flag("--quiet", common.quiet, "print results and errors only");
}

int report_wrong_use(const std::vector<Diag>& diags, std::string_view file, std::string_view source) {
  std::fputs(format_diags(diags, file, source).c_str(), stderr);
  return kWrongUse;
}

void report_unordered(const std::vector<Diag>& places, std::string_view file) {
  for (const Diag& d : places)
    std::fputs(fmt::format("{}:{}:{}: note: {}\n", file, d.loc.line, d.loc.column, d.text).c_str(), stderr);
  if (!places.empty()) std::fputs("note: --strict makes it the same in every run\n", stderr);
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Progress::Progress(std::string_view what, size_t total, bool quiet)
    : what_(what), total_(total), shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::step() {
  ++done_;
  if (!shown_) return;
  const size_t filled = total_ == 0 ? kBarWidth : std::min(done_, total_) * kBarWidth / total_;
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '-');
  std::fputs(fmt::format("\r{} [{}] {} of {}", what_, bar, done_, total_).c_str(), stderr);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace tessera::tool
