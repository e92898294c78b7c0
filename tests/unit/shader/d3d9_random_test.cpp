// Random programs of every version survive text and bytecode; damaged ones give errors.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

#include "shader/d3d9/form.h"
#include "shader/d3d9/names.h"
#include "shader/d3d9/parser.h"
#include "shader/d3d9/printer.h"
#include "shader/d3d9/writer.h"
#include "tests/support/d3d9_round_trip.h"
#include "tests/support/data.h"
#include "tests/support/mutations.h"
#include "tests/support/random.h"

using namespace tessera;

namespace {

constexpr uint32_t kFiles = static_cast<uint32_t>(d3d9::File::Predicate) + 1, kVersions = d3d9::kVersionCount;

// A program that the forms of a version allow, and no more: it need not mean anything. Statements are drawn until one
// has a form that the version takes.
class RandomProgram {
 public:
  RandomProgram(std::mt19937& random, d3d9::Version version) : random_(random) { p.version = version; }

  d3d9::Program make(uint32_t statements) {
    while (p.order.size() < statements) draw();
    return std::move(p);
  }

 private:
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool one_in(uint32_t count) { return below(count) == 0; }

  d3d9::Register reg() {
    d3d9::Register r;
    do r.file = static_cast<d3d9::File>(below(kFiles)); while (!d3d9::assembled_count(r.file, p.version));
    r.relative = one_in(8);
    if (r.relative && one_in(2)) r.address = d3d9::File::Loop;
    if (r.relative)
      r.address_swizzle = r.address == d3d9::File::Loop ? 0xe4 : static_cast<uint8_t>(one_in(2) ? 0 : below(256));
    r.number = below(d3d9::assembled_count(r.file, p.version));
    return r;
  }

  d3d9::Destination destination() {
    d3d9::Destination dst{.reg = reg(), .mask = static_cast<uint8_t>(1 + below(15))};
    dst.saturate = one_in(4);
    dst.partial_precision = one_in(4);
    dst.centroid = one_in(4);
    if (one_in(4)) dst.shift = static_cast<int8_t>(static_cast<int>(below(7)) - 3);
    return dst;
  }

  d3d9::Source source() {
    return {reg(), static_cast<uint8_t>(one_in(2) ? 0xe4 : below(256)),
            static_cast<d3d9::SourceModifier>(one_in(2) ? 0 : below(14))};
  }

  void draw() {
    if (one_in(8)) return definition();
    if (one_in(8)) return declaration();
    instruction();
  }

  void definition() {
    constexpr d3d9::Opcode kOpcodes[] = {d3d9::Opcode::Op_def, d3d9::Opcode::Op_defi, d3d9::Opcode::Op_defb};
    const d3d9::Opcode opcode = kOpcodes[below(3)];
    const d3d9::DefinitionInfo& info = d3d9::definition_info(opcode);
    if (!contains(d3d9::opcode_info(opcode).versions, p.version)) return;
    d3d9::Definition d;
    d.reg.file = info.file;
    d.reg.number = below(d3d9::assembled_count(info.file, p.version));
    for (uint32_t i = 0; i < info.words; ++i)
      d.words[i] = info.words == 1 ? below(2) : static_cast<uint32_t>(random_());
    p.definitions.push_back(d);
    keep(d3d9::Statement::Kind::Definition, p.definitions, d3d9::check_definition_form(p, opcode, diags_));
  }

  void declaration() {
    if (!contains(d3d9::opcode_info(d3d9::Opcode::Op_dcl).versions, p.version)) return;
    d3d9::Declaration d;
    d.kind = static_cast<d3d9::Declaration::Kind>(below(3));
    if (d.kind == d3d9::Declaration::Kind::Semantic) {
      d.usage = static_cast<d3d9::Usage>(below(14));
      d.usage_index = static_cast<uint8_t>(below(16));
    }
    if (d.kind == d3d9::Declaration::Kind::Sampler) d.sampler = static_cast<d3d9::SamplerType>(below(5));
    d.dst = destination();
    p.declarations.push_back(d);
    keep(d3d9::Statement::Kind::Declaration, p.declarations, d3d9::check_declaration_form(p, diags_));
  }

  void instruction() {
    const auto opcode = static_cast<d3d9::Opcode>(below(static_cast<uint32_t>(d3d9::all_opcodes().size())));
    const d3d9::OpcodeInfo& info = d3d9::opcode_info(opcode);
    const bool computes = info.group != d3d9::OpGroup::Declaration && info.group != d3d9::OpGroup::Definition;
    if (!computes || !contains(info.versions, p.version)) return;
    d3d9::Instruction inst{.opcode = opcode, .co_issued = one_in(8)};
    if (info.has(d3d9::trait::Compare)) inst.comparison = static_cast<d3d9::Comparison>(1 + below(6));
    const size_t first_dst = p.destinations.size(), first_src = p.sources.size();
    inst.dst_count = static_cast<uint8_t>(info.dsts.size());
    inst.src_count = static_cast<uint8_t>(info.srcs.size());
    for (uint32_t tries = 0; tries < 100; ++tries) {
      p.destinations.resize(first_dst);
      p.sources.resize(first_src);
      for (size_t i = 0; i < inst.dst_count; ++i) p.destinations.push_back(destination());
      inst.predicate = one_in(8) ? static_cast<uint32_t>(p.sources.size()) : d3d9::kNoPredicate;
      if (inst.predicate != d3d9::kNoPredicate) p.sources.push_back(source());
      inst.first_dst = static_cast<uint32_t>(first_dst);
      inst.first_src = static_cast<uint32_t>(p.sources.size());
      for (size_t i = 0; i < inst.src_count; ++i) p.sources.push_back(source());
      p.instructions.push_back(inst);
      if (keep(d3d9::Statement::Kind::Instruction, p.instructions, d3d9::check_instruction_form(p, diags_))) return;
    }
    p.destinations.resize(first_dst);
    p.sources.resize(first_src);
  }

  template <class T>
  bool keep(d3d9::Statement::Kind kind, std::vector<T>& list, bool has_form) {
    if (has_form) p.order.push_back({kind, static_cast<uint32_t>(list.size() - 1)});
    else list.pop_back();
    return has_form;
  }

  std::mt19937& random_;
  d3d9::DiagList diags_;
  d3d9::Program p;
};

std::vector<uint32_t> damaged(std::vector<uint32_t> words, std::mt19937& random) {
  for (uint32_t n = 1 + static_cast<uint32_t>(random() % 3); n > 0 && !words.empty(); --n) {
    const size_t at = random() % words.size();
    switch (random() % 4) {
      case 0: words[at] ^= 1u << random() % 32; break;
      case 1: words[at] = static_cast<uint32_t>(random()); break;
      case 2: words[at] = words[random() % words.size()]; break;
      default: words.resize(at); break;
    }
  }
  return words;
}

}  // namespace

TEST_CASE("random programs survive text and bytecode", "[d3d9][random]") {
  CAPTURE(tests::seed());
  std::mt19937 random(tests::seed());
  for (uint32_t i = 0; i < tests::rounds(20 * kVersions); ++i) {
    const d3d9::Program program = RandomProgram(random, static_cast<d3d9::Version>(i % kVersions)).make(30);
    const std::string problem = tests::d3d9_words_problem(d3d9::write(program));
    if (!problem.empty()) FAIL_CHECK(problem << "\n" << d3d9::print(program));
  }
}

TEST_CASE("the shaders that fuzzing begins with assemble, and survive damage", "[d3d9][random]") {
  CAPTURE(tests::seed());
  std::mt19937 random(tests::seed());
  std::set<std::filesystem::path> files;   // in an order that repeats
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_path("tests/fuzz/d3d9_seeds")))
    files.insert(entry.path());
  for (const std::filesystem::path& file : files) {
    const std::string text = tests::read_file(file);
    INFO(file);
    const Result<d3d9::Program> program = d3d9::parse(text);
    REQUIRE(program);
    const std::vector<uint32_t> words = d3d9::write(*program);
    CHECK(tests::d3d9_words_problem(words) == "");
    for (uint32_t k = 0; k < tests::rounds(100); ++k) {
      CHECK(tests::d3d9_text_problem(tests::mutated(text, random)) == "");
      CHECK(tests::d3d9_words_problem(damaged(words, random)) == "");
    }
  }
}

TEST_CASE("a Direct3D 9 text may break off anywhere", "[d3d9]") {
  const std::string text =
      "/* one */ #define F(a, b) mov_sat a##b, // two\n#define G(a) #a\n#if defined(F) && (1 + 2) < "
      "4\nps_2_x\n#else\n#line 3\n"
      "vs_3_0\n#endif\ndef c0, -1.5e3, .5, 1.#INF, 0x7fc00001\ndcl_2d s0\ndcl_pp t0.xy\nF(r, 0) c[1 + 2 - 1].x\n"
      "(!p0.y) texld_pp r1, t0, s0\nif_gt r0.x, -c1.w\nadd r0.xyz, r0, r1_abs\nendif\nend\n";
  for (size_t length = 0; length < text.size(); ++length) {
    CHECK(tests::d3d9_text_problem(text.substr(0, length)) == "");
    std::string damaged = text;
    damaged[length] = '\0';
    CHECK(tests::d3d9_text_problem(damaged) == "");
  }
  CHECK(tests::d3d9_text_problem("/*") == "");
}

TEST_CASE("damaged programs give errors or survive", "[d3d9][random]") {
  CAPTURE(tests::seed());
  std::mt19937 random(tests::seed());
  for (uint32_t i = 0; i < tests::rounds(10 * kVersions); ++i) {
    const d3d9::Program program = RandomProgram(random, static_cast<d3d9::Version>(i % kVersions)).make(10);
    const std::vector<uint32_t> words = d3d9::write(program);
    const std::string text = d3d9::print(program);
    for (uint32_t k = 0; k < 10; ++k) {
      const std::string broken = tests::mutated(text, random);
      const std::string problem = tests::d3d9_words_problem(damaged(words, random)) + tests::d3d9_text_problem(broken);
      if (!problem.empty()) FAIL_CHECK(problem << "\n" << broken);
    }
  }
}
