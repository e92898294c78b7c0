// frontend/tool/command.h: what the subcommands share, and the table of them.
// A subcommand declares its options on its CLI::App and returns what runs it. Results go to standard output, errors
// and progress to standard error. Exit status: 0 success, 1 the thing tested failed, 2 wrong use or unreadable input.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "frontend/device.h"

namespace tessera::tool {

inline constexpr int kSuccess = 0, kFailed = 1, kWrongUse = 2;

struct CommonOptions {
  DeviceOptions device;
  bool quiet = false;
};

// Adds --threads, --executor, --simd, --budget and --quiet.
void add_common_options(CLI::App& app, CommonOptions& common);

using Run = std::function<int()>;
struct Command {
  const char* name;
  const char* description;
  const char* examples;                     // a line each, shown by --help
  Run (*declare)(CLI::App& app, CommonOptions& common);
};

Run declare_render(CLI::App& app, CommonOptions& common);
Run declare_pixel(CLI::App& app, CommonOptions& common);
Run declare_test(CLI::App& app, CommonOptions& common);
Run declare_shader(CLI::App& app, CommonOptions& common);
Run declare_selfcheck(CLI::App& app, CommonOptions& common);
Run declare_bench(CLI::App& app, CommonOptions& common);
Run declare_serve(CLI::App& app, CommonOptions& common);
Run declare_run(CLI::App& app, CommonOptions& common);
Run declare_view(CLI::App& app, CommonOptions& common);
Run declare_manual(CLI::App& app, CommonOptions& common);
Run declare_completions(CLI::App& app, CommonOptions& common);

// Prints the diagnostics; gives kWrongUse.
int report_wrong_use(const std::vector<Diag>& diags, std::string_view file, std::string_view source = {});

// Prints notes about what is outside of the promise of equal bits, and the option that helps.
void report_unordered(const std::vector<Diag>& places, std::string_view file);

void print(std::string_view text);          // to standard output

// "done of total" on one line of a terminal; nothing in a pipe or with --quiet.
class Progress {
 public:
  Progress(std::string_view what, size_t total, bool quiet);
  ~Progress();
  void step();
  void clear();                             // so that other text can be printed

 private:
  std::string what_;
  size_t total_, done_ = 0;
  bool shown_;
};

}  // namespace tessera::tool
