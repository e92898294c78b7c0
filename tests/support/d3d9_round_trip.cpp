#include "tests/support/d3d9_round_trip.h"

#include <fmt/format.h>

#include <algorithm>

#include "shader/d3d9/parser.h"
#include "shader/d3d9/printer.h"
#include "shader/d3d9/reader.h"
#include "shader/d3d9/validate.h"
#include "shader/d3d9/writer.h"

namespace tessera::tests {
namespace {

std::vector<uint32_t> words_without_comments(d3d9::Program program) {
  std::erase_if(program.order, [](const d3d9::Statement& s) { return s.kind == d3d9::Statement::Kind::Comment; });
  return d3d9::write(program);
}

std::string diags_problem(const std::vector<Diag>& diags) {
  if (diags.empty()) return "refused without a diagnosis";
  const bool complete =
      std::ranges::all_of(diags, [](const Diag& d) { return d.loc.column > 0 && !d.id.empty() && !d.text.empty(); });
  return complete ? "" : "a diagnosis without place, id or text: " + format_diags(diags, "shader");
}

// Validation must come to an end, whatever it finds.
void validate_both_ways(const d3d9::Program& program) {
  for (bool strict : {false, true}) static_cast<void>(d3d9::validate(program, {.strict = strict}));
}

}  // namespace

std::string difference(std::span<const uint32_t> want, std::span<const uint32_t> got) {
  const auto [a, b] = std::ranges::mismatch(want, got);
  const size_t at = static_cast<size_t>(a - want.begin());
  if (at == want.size() && at == got.size()) return {};
  const auto text = [at](std::span<const uint32_t> words) {
    return at < words.size() ? fmt::format("{:08x}", words[at]) : std::string("the end");
  };
  return fmt::format("word {}: expected {}, found {}", at, text(want), text(got));
}

std::string d3d9_words_problem(std::span<const uint32_t> words) {
  const Result<d3d9::Program> program = d3d9::read(words);
  if (!program) return diags_problem(program.diags());
  validate_both_ways(*program);
  if (const std::string problem = difference(words, d3d9::write(*program)); !problem.empty())
    return "written again: " + problem;
  const std::string text = d3d9::print(*program);
  const Result<d3d9::Program> again = d3d9::parse(text);
  if (!again) return "printed, it does not assemble: " + format_diags(again.diags(), "shader", text);
  const std::string problem = difference(words_without_comments(*program), d3d9::write(*again));
  return problem.empty() ? "" : "printed and assembled: " + problem + "\n" + text;
}

std::string d3d9_text_problem(std::string_view text) {
  const Result<d3d9::Program> program = d3d9::parse(text);
  if (!program) return diags_problem(program.diags());
  const std::vector<uint32_t> words = d3d9::write(*program);
  if (const Result<d3d9::Program> read = d3d9::read(words); !read)
    return "what was assembled is refused: " + format_diags(read.diags(), "shader");
  return d3d9_words_problem(words);
}

}  // namespace tessera::tests
