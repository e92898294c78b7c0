// Shaders of the corpus, whole and damaged, on random inputs: the optimised program gives the bits of the program as it
// was lowered. tests/long.sh runs many more of them, also with the address sanitizer.
#include <catch2/catch.hpp>

#include <algorithm>

#include "shader/passes/passes.h"
#include "shader/passes/pipeline.h"
#include "shader/print.h"
#include "shader/tgsi/lower.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/validate.h"
#include "shader/verify.h"
#include "tests/support/data.h"
#include "tests/support/mutations.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/random_tgsi.h"
#include "tests/support/shader_run.h"

using namespace tessera;

namespace {

constexpr uint32_t kBudget = 50;                 // turns of a loop: damaged ones may never end

bool is_nan(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u; }

tests::BlockInput random_input(const ir::Program& p, std::mt19937& random) {
  tests::BlockInput in;
  in.inputs.resize(p.inputs.size());
  for (tests::BlockWords& words : in.inputs)
    for (uint32_t& word : words) word = tests::random_word(random);
  in.constants.resize(2, std::vector<uint32_t>(64));
  for (auto& words : in.constants)
    for (uint32_t& word : words) word = tests::random_word(random);
  in.bindings.services.sample = tests::mix_texture_operands;
  in.budget = kBudget;
  return in;
}

// Colours and depths are floats of which only that they are NaN shows.
void check_same(const tests::BlockOutput& a, const tests::BlockOutput& b, const ir::Program& p) {
  REQUIRE(a.result.over_budget == b.result.over_budget);
  if (a.result.over_budget) return;
  REQUIRE(a.result.live == b.result.live);
  for (size_t k = 0; k < a.outputs.size(); ++k)
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const uint32_t x = a.outputs[k][lane], y = b.outputs[k][lane];
      const bool is_float =
          p.outputs[k].semantic == ir::Semantic::Color || p.outputs[k].semantic == ir::Semantic::Position;
      const bool same = x == y || (is_float && is_nan(x) && is_nan(y)) || (a.result.live >> lane & 1) == 0;
      if (!same)
        FAIL("output " << k << ", lane " << lane << ": " << std::hex << x << " and " << y << "\n" << ir::print(p));
    }
}

// True: the text is a program that runs.
bool check_text(const std::string& text, std::mt19937& random) {
  const auto tree = tgsi::parse(text);
  if (!tree || !tgsi::validate(*tree, tgsi::Dialect::Current).empty()) return false;
  const Result<ir::Program> lowered = tgsi::lower(*tree, {});
  if (!lowered) return false;
  if (std::ranges::any_of(lowered->code, [](const ir::Instr& i) { return i.op == ir::Op::Clock; }))
    return true;                                 // never the same twice
  ir::Program plain = *lowered, optimised = *lowered;
  REQUIRE(ir::verify(plain).ok());
  ir::canonicalize_nans(plain);
  ir::optimize(optimised);
  REQUIRE(ir::verify(optimised).ok());
  const tests::BlockInput in = random_input(plain, random);
  check_same(tests::run_block(plain, in), tests::run_block(optimised, in), plain);
  return true;
}

}  // namespace

TEST_CASE("random instructions with random operands give errors, or programs that run alike optimised or not",
          "[tgsi][random]") {
  uint32_t valid = 0;
  const uint32_t count = tests::rounds(6000);
  for (uint32_t i = 0; i < count; ++i) {
    std::mt19937 random(tests::seed() + i);
    const std::string text = tests::random_tgsi(random);
    INFO("seed " << tests::seed() << ", program " << i << "\n" << text);
    valid += check_text(text, random);
  }
  CHECK(valid > count / 20);
}

TEST_CASE("shaders of the corpus, whole and damaged, run alike optimised or not", "[tgsi][random][corpus]") {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root))
    if (entry.path().extension() == ".tgsi") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const uint32_t wanted = std::min(tests::rounds(400), static_cast<uint32_t>(files.size()));
  size_t whole = 0, damaged = 0;
  for (uint32_t i = 0; i < wanted; ++i) {
    const std::filesystem::path& file = files[(uint64_t{i} * files.size() / wanted + tests::seed()) % files.size()];
    std::mt19937 random(tests::seed() + i);
    CAPTURE(tests::seed(), i, file.string());
    const std::string text = tests::read_file(file);
    whole += check_text(text, random);
    for (uint32_t k = 0; k < 3; ++k) damaged += check_text(tests::mutated(text, random), random);
  }
  CHECK(whole > wanted / 2);
  CHECK(damaged > 0);
}
