// tests/goldens/d3d9_asm.cpp: Direct3D 9 shader records: assembled, read, printed and assembled again, validated.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shader/d3d9/parser.h"
#include "shader/d3d9/preprocessor.h"
#include "shader/d3d9/reader.h"
#include "shader/d3d9/validate.h"
#include "shader/d3d9/writer.h"
#include "tests/goldens/golden.h"
#include "tests/support/d3d9_round_trip.h"

namespace tessera::goldens {
namespace {

using Words = std::vector<uint32_t>;

std::string diags_of(const std::vector<Diag>& diags) { return format_diags(diags, "shader"); }

Words words_of(const Json& record) {
  Words words;
  for (const Json& json : record.at("tokens")) {
    const std::string text = json.get<std::string>();
    uint32_t word = 0;
    const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
    if (problem != std::errc() || rest != text.data() + text.size()) throw BadRecord(text + " is not a word");
    words.push_back(word);
  }
  return words;
}

// Macros point into the record.
std::vector<d3d9::Macro> macros_of(const Json& record) {
  std::vector<d3d9::Macro> macros;
  if (!record.contains("defines") || record["defines"].is_null()) return macros;
  for (const auto& [name, value] : record["defines"].items())
    macros.push_back({name, value.get_ref<const std::string&>()});
  return macros;
}

// Words → program → words, and → text → program → the same words but comments.
Outcome round_trip(const Words& words) {
  const Result<d3d9::Program> program = d3d9::read(words);
  if (!program) return failed("reading the words: " + diags_of(program.diags()));
  const std::string problem = tests::d3d9_words_problem(words);
  return problem.empty() ? Outcome{} : failed(problem);
}

Outcome run_assemble(const Json& record) {
  const std::string& text = record.at("text").get_ref<const std::string&>();
  const Result<d3d9::Program> program = d3d9::parse(text, macros_of(record));
  if (!program) return failed(format_diags(program.diags(), "shader", text));
  const Words words = d3d9::write(*program);
  const std::string problem = record.contains("tokens") ? tests::difference(words_of(record), words) : "";
  if (!problem.empty()) return failed("assembled: " + problem);
  return round_trip(words);
}

Outcome run_assemble_fails(const Json& record) {
  if (!d3d9::parse(record.at("text").get_ref<const std::string&>(), macros_of(record))) return {};
  return failed("assembles, though: " + record.value("reason", "it must not"));
}

Outcome run_decode(const Json& record) { return round_trip(words_of(record)); }

Outcome run_tokens_invalid(const Json& record) {
  return d3d9::read(words_of(record)) ? failed("the words are read, though: " + record.value("reason", "they must not"))
                                      : Outcome{};
}

Outcome run_validate(const Json& record) {
  const Result<d3d9::Program> program = d3d9::read(words_of(record));
  const std::vector<Diag> diags = program ? d3d9::validate(*program) : program.diags();
  if (diags.empty() == record.at("accept").get<bool>()) return {};
  return failed(diags.empty() ? "accepted, though: " + record.value("reason", "it must not") : diags_of(diags));
}

Outcome run_preprocess(const Json& record) {
  const Result<std::string> got = d3d9::preprocess(record.at("text").get_ref<const std::string&>(), macros_of(record));
  if (!got) return failed(diags_of(got.diags()));
  const auto dense = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return text;
  };
  const std::string want = dense(record.at("expanded")), found = dense(*got);
  return want == found ? Outcome{} : failed(fmt::format("expected {}, found {}", want, found));
}

struct Kind {
  std::string_view name;
  Outcome (*run)(const Json& record);
};
constexpr Kind kKinds[] = {
    {"assemble", run_assemble},   {"assemble-fails", run_assemble_fails}, {"decode", run_decode},
    {"validate", run_validate},   {"tokens-invalid", run_tokens_invalid}, {"preprocess", run_preprocess},
};

}  // namespace

bool is_d3d9_asm_record(const Json& record) {
  return record.contains("kind") && (record.contains("tokens") || record.contains("text"));
}

Outcome run_d3d9_asm_record(const Json& record) {
  const std::string& name = record.at("kind").get_ref<const std::string&>();
  const auto kind = std::ranges::find(kKinds, name, &Kind::name);
  if (kind == std::end(kKinds)) throw BadRecord("the kind " + name + " is not known");
  return kind->run(record);
}

}  // namespace tessera::goldens
