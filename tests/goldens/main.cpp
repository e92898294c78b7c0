// tests/goldens/main.cpp: runs golden-vector files; README.md.
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/goldens/golden.h"
#include "tests/support/simd_limit.h"

namespace tessera::goldens {
namespace {

constexpr FileKind kFileKinds[] = {
    {"tgsi", is_tgsi_record, run_tgsi_record},
    {"combiners", is_combiners_record, run_combiners_record},
    {"texture environments", is_environments_record, run_environments_record},
    {"Direct3D 9 assembler", is_d3d9_asm_record, run_d3d9_asm_record},
    {"Direct3D 9 pixels", is_d3d9_pixels_record, run_d3d9_pixels_record},
};

struct Options {
  bool verbose = false;                  // a line for each case
  bool by_opcode = false;                // a table at the end
  std::vector<std::string> files;
};

struct Counts { size_t passed = 0, failed = 0, skipped = 0; };

struct Totals {
  Counts all;
  std::map<std::string, Counts> by_opcode;
};

void count(Counts& counts, Outcome::Kind kind) {
  if (kind == Outcome::Kind::Passed) ++counts.passed;
  if (kind == Outcome::Kind::Failed) ++counts.failed;
  if (kind == Outcome::Kind::Skipped) ++counts.skipped;
}

void report(const Json& record, const Outcome& outcome, const Options& options) {
  const std::string id = record.value("id", "?");
  if (outcome.kind == Outcome::Kind::Failed) std::cout << "FAILED " << id << ": " << outcome.reason << "\n";
  if (outcome.kind == Outcome::Kind::Skipped) {
    std::cout << "SKIPPED: " << outcome.reason << "\n";
    if (options.verbose) std::cout << "  " << id << "\n";
  }
  if (outcome.kind == Outcome::Kind::Passed && options.verbose) std::cout << "passed " << id << "\n";
}

const FileKind& kind_of(const Json& first) {
  for (const FileKind& kind : file_kinds())
    if (kind.matches(first)) return kind;
  throw BadRecord("the first record is of no known kind");
}

// False: the file cannot be read, or a line of it is malformed.
bool run_file(const std::string& name, const Options& options, Totals& totals) {
  std::ifstream file(name);
  if (!file) {
    std::cerr << name << ": error: cannot be read\n";
    return false;
  }
  const FileKind* kind = nullptr;
  bool well_formed = true;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Json record = Json::parse(line);
      if (!kind) kind = &kind_of(record);
      const Outcome outcome = kind->run(record);
      report(record, outcome, options);
      count(totals.all, outcome.kind);
      if (options.by_opcode && record.contains("ops") && record["ops"].is_array() && !record["ops"].empty())
        count(totals.by_opcode[record["ops"][0].get<std::string>()], outcome.kind);
    } catch (const std::exception& error) {      // malformed JSON, or not the form of its kind
      std::cerr << name << ":" << number << ": error: " << error.what() << "\n";
      well_formed = false;
    }
  }
  if (!kind) std::cerr << name << ": error: holds no record that can be run\n";
  return kind && well_formed;
}

int run(const Options& options) {
  Totals totals;
  bool readable = true;
  for (const std::string& name : options.files) readable &= run_file(name, options, totals);
  for (const auto& [opcode, c] : totals.by_opcode)
    std::cout << opcode << ": " << c.passed << " passed, " << c.failed << " failed, " << c.skipped << " skipped\n";
  std::cout << totals.all.passed << " passed, " << totals.all.failed << " failed, " << totals.all.skipped << " skipped\n";
  if (!readable) return 2;
  return totals.all.failed ? 1 : 0;
}

}  // namespace

std::span<const FileKind> file_kinds() { return kFileKinds; }

}  // namespace tessera::goldens

int main(int argc, char** argv) {
  if (!tessera::test::limit_simd()) return 2;
  tessera::goldens::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--verbose") options.verbose = true;
    else if (arg == "--by-opcode") options.by_opcode = true;
    else options.files.push_back(arg);
  }
  if (options.files.empty() || options.files[0].starts_with("--")) {
    std::cerr << "usage: goldens [--verbose] [--by-opcode] FILE.jsonl...\n";
    return 2;
  }
  return tessera::goldens::run(options);
}
