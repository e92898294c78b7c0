// tests/goldens/golden.h: what every kind of golden-vector file shares: a case is one JSON object, its outcome one line.
#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <stdexcept>
#include <string>

namespace tessera::goldens {

using Json = nlohmann::json;

// A record that does not have the form of its README; the message says where it departs from it.
struct BadRecord : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Outcome {
  enum class Kind { Passed, Failed, Skipped } kind = Kind::Passed;
  std::string reason;                    // first difference, or what is not supported
};
inline Outcome failed(std::string reason) { return {Outcome::Kind::Failed, std::move(reason)}; }
inline Outcome skipped(std::string reason) { return {Outcome::Kind::Skipped, std::move(reason)}; }

// One kind of file, recognised by its first record.
struct FileKind {
  const char* name;
  bool (*matches)(const Json& first_record);
  Outcome (*run)(const Json& record);    // throws BadRecord
};
std::span<const FileKind> file_kinds();  // the table in main.cpp

bool is_tgsi_record(const Json& record);
Outcome run_tgsi_record(const Json& record);

bool is_combiners_record(const Json& record);
Outcome run_combiners_record(const Json& record);
bool is_environments_record(const Json& record);
Outcome run_environments_record(const Json& record);

bool is_d3d9_asm_record(const Json& record);
Outcome run_d3d9_asm_record(const Json& record);
bool is_d3d9_pixels_record(const Json& record);
Outcome run_d3d9_pixels_record(const Json& record);

}  // namespace tessera::goldens
