// Executable memory and the cache of compiled programs.
#include <catch2/catch.hpp>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <thread>
#include <vector>

#include "shader/builder.h"
#include "shader/emit.h"
#include "shader/jit.h"
#include "shader/jit_cache.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using emit::Emitter;
using emit::Gp;
using emit::Inst;

namespace {

std::shared_ptr<const emit::Code> function_that_returns(int number) {
  Emitter e;
  e.emit(Inst::mov, emit::low32(Gp::rax), number);
  e.emit(Inst::ret);
  return e.finish("test");
}

std::shared_ptr<const emit::Code> code_of_size(size_t bytes) {
  Emitter e;
  e.emit(Inst::ret);
  e.words(std::vector<uint32_t>(bytes / sizeof(uint32_t)));
  return e.finish("test");
}

int call(const emit::Code& code) { return reinterpret_cast<int (*)()>(reinterpret_cast<uintptr_t>(code.entry()))(); }

// What the system says of the page at an address, as in "r-xs".
std::string permissions_at(const void* address) {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  REQUIRE(maps);
  std::string found;
  char line[512], flags[8];
  uintptr_t first, last;
  while (std::fgets(line, sizeof line, maps))
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s", &first, &last, flags) == 3) {
      CHECK(std::string(flags).find("wx") == std::string::npos);
      const auto at = reinterpret_cast<uintptr_t>(address);
      if (at >= first && at < last) found = flags;
    }
  std::fclose(maps);
  return found;
}

ir::Program program_that_adds(uint32_t number) {
  ir::Builder b(ir::Stage::Vertex);
  const ir::Value in = b.input({.semantic = ir::Semantic::Generic});
  b.output(ir::Semantic::Generic, 0, 0, b.op(ir::Op::IAdd, {b.op(ir::Op::IMul, {in, in}), b.u32(number)}));
  return b.finish();
}

std::shared_ptr<const Executable> compile(uint32_t number) {
  return make_jit(std::make_shared<const ir::Program>(program_that_adds(number)));
}

}  // namespace

TEST_CASE("code runs in pages that cannot be written, and no page can be written and run", "[emit]") {
  if (!emit::refusal().empty()) return;
  const auto code = function_that_returns(42);
  REQUIRE(code);
  CHECK(call(*code) == 42);
  CHECK(permissions_at(code->entry()).substr(0, 3) == "r-x");
}

TEST_CASE("code that nobody holds gives its memory back, so that any number of programs may come and go", "[emit]") {
  if (!emit::refusal().empty()) return;
  const size_t before = emit::live_code_bytes();
  for (int k = 0; k < 2000; ++k) REQUIRE(call(*function_that_returns(k)) == k);
  CHECK(emit::live_code_bytes() == before);
}

TEST_CASE("code beyond the limit is refused; programs that nobody holds make room for new ones", "[emit][jit]") {
  if (!jit_refusal().empty()) return;
  for (uint32_t k = 0; k < 8; ++k) REQUIRE(compile(50000 + k));
  std::vector<std::shared_ptr<const emit::Code>> filling;
  for (const size_t bytes : {1 << 20, 1 << 12, 1 << 7})
    while (auto code = code_of_size(bytes)) filling.push_back(std::move(code));
  CHECK(emit::live_code_bytes() <= emit::kMaxCodeBytes);
  CHECK_FALSE(code_of_size(1 << 12));
  CHECK(compile(60000));
  filling.clear();
  CHECK(code_of_size(1 << 12));
}

TEST_CASE("a program is compiled once, whoever asks for it and however many at a time", "[emit][jit]") {
  if (!jit_refusal().empty()) return;
  const size_t before = jit::compilations();
  std::vector<std::shared_ptr<const Executable>> made(8);
  std::vector<std::thread> threads;
  for (auto& executable : made) threads.emplace_back([&executable] { executable = compile(12345); });
  for (std::thread& t : threads) t.join();
  CHECK(jit::compilations() == before + 1);
  for (const auto& executable : made) {
    tests::BlockInput in;
    in.inputs.emplace_back();
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) in.inputs[0][lane] = lane;
    CHECK(tests::run_block(*executable, in).outputs[0][7] == 49 + 12345);
  }
}

TEST_CASE("programs that differ in a number are compiled each", "[emit][jit]") {
  if (!jit_refusal().empty()) return;
  const size_t before = jit::compilations();
  const auto a = compile(777), b = compile(778), again = compile(777);
  CHECK(jit::compilations() == before + 2);
}

TEST_CASE("a listing shows each instruction of the program before its machine code", "[jit]") {
  if (!jit_refusal().empty()) return;
  const std::string text = jit_listing(program_that_adds(5));
  const size_t product = text.find("= IMul"), multiply = text.find("vpmulld");
  const size_t sum = text.find("= IAdd"), add = text.find("vpaddd");
  CHECK(product < multiply);
  CHECK(multiply < sum);
  CHECK(sum < add);
  CHECK(add < text.size());
}
