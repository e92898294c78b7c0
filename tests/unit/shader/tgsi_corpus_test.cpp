// Shaders that real programs gave a driver: all are valid, compile, and run on any input without harm.
#include <catch2/catch.hpp>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/validate.h"
#include "shader/verify.h"
#include "tests/support/data.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_run.h"
#include "texture/view.h"

using namespace tessera;

namespace {

template <class Visit>
void for_each_shader(Visit visit) {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root)) {
    if (entry.path().extension() != ".tgsi") continue;
    INFO(entry.path());
    visit(tests::read_file(entry.path()));
    ++count;
  }
  CHECK(count > 6000);
}

std::vector<uint32_t> random_words(size_t count, std::mt19937& random) {
  std::vector<uint32_t> words(count);
  for (uint32_t& w : words) w = tests::random_word(random);
  return words;
}

// One block on random inputs and constants, without textures, buffers and images; loops end by the budget.
void run_once(const ir::Program& program, std::mt19937& random) {
  tests::BlockInput in;
  in.budget = 64;
  for (size_t k = 0; k < program.inputs.size(); ++k)
    for (uint32_t& word : in.inputs.emplace_back()) word = tests::random_word(random);
  in.constants = {random_words(64, random), random_words(16, random)};
  const auto no_texture = texture::bind_texture({}, {}, best_simd_target());
  const std::vector<const void*> textures(program.texture_bindings.size(), no_texture.get());
  in.bindings.textures = textures;
  in.bindings.services.sample = texture::sample_block;
  std::vector<uint32_t> patch(program.outputs.size() * (program.tessellation.vertices_out + 1u));
  const MemoryView shared{reinterpret_cast<std::byte*>(patch.data()), static_cast<uint32_t>(patch.size() * 4)};
  in.bindings.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = {&shared, 1};
  const std::vector<uint32_t> words = random_words(program.inputs.size() * 3, random);
  std::vector<uint32_t> record, word_of_input;
  for (uint32_t k = 0; k < 3 * kBlockLanes; ++k) record.push_back(k % 3);
  for (uint32_t k = 0; k < program.inputs.size(); ++k) word_of_input.push_back(k);
  const PrimitiveVertices vertices{words.data(), static_cast<uint32_t>(program.inputs.size()), record.data(), 3,
                                   word_of_input};
  EmittedVertices emitted;
  emitted.begin(program.geometry.max_vertices, static_cast<uint32_t>(program.outputs.size()));
  in.vertices = &vertices;
  in.emitted = &emitted;
  static_cast<void>(tests::run_block(program, in));
}

}  // namespace

TEST_CASE("every shader of the corpus is valid, compiles, and runs on random inputs", "[tgsi][corpus]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  for_each_shader([&](const std::string& text) {
    const auto tree = tgsi::parse(text);
    REQUIRE(tree);
    const std::vector<Diag> broken = tgsi::validate(*tree, tgsi::Dialect::Current);
    if (!broken.empty()) FAIL_CHECK(format_diags(broken, "shader", text));
    const auto program = tgsi::compile(text);
    if (!program) {
      FAIL_CHECK(format_diags(program.diags(), "shader", text));
      return;
    }
    const Status rules = ir::verify(*program);
    if (!rules) FAIL_CHECK(format_diags(rules.diags(), "ir"));
    run_once(*program, random);
  });
}
