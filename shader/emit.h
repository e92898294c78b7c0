// shader/emit.h: writes x86-64 machine code (AVX2, FMA, BMI2) into executable memory. The one place that knows AsmJit.
//
// Memory: code lies in pages that are mapped twice, once to write and once to run; none is both in one view.
// Errors: `finish` gives null where the machine refuses executable memory, or code that lives would exceed the limit.
// Threads: an Emitter belongs to one; finished Code is immutable and may run in all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tessera::emit {

// ---- operands ------------------------------------------------------------------------------------------------------

enum class Gp : uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

struct Ymm {
  uint8_t number = 0;
  bool operator==(const Ymm&) const = default;
};
struct Label { uint32_t id = 0; };

struct Operand {
  enum class Kind : uint8_t { None, Gp64, Gp32, Gp8, Ymm, Xmm, Memory, LabelMemory, Label, Immediate };
  Kind kind = Kind::None;
  uint8_t number = 0;            // register; base of Memory
  uint8_t size_bytes = 0;        // of what lies in memory; 0: the instruction says
  uint32_t label = 0;
  int64_t value = 0;             // immediate, or displacement

  Operand() = default;
  Operand(Gp r) : kind(Kind::Gp64), number(static_cast<uint8_t>(r)) {}
  Operand(Ymm r) : kind(Kind::Ymm), number(r.number) {}
  Operand(Label l) : kind(Kind::Label), label(l.id) {}
  Operand(int64_t immediate) : kind(Kind::Immediate), value(immediate) {}
  Operand(int immediate) : Operand(static_cast<int64_t>(immediate)) {}
  bool is_memory() const { return kind == Kind::Memory || kind == Kind::LabelMemory; }
};

Operand low32(Gp r);
Operand low8(Gp r);
Operand low128(Ymm r);
Operand memory(Gp base, int64_t displacement, uint8_t size_bytes = 0);
Operand memory(Label base, int64_t displacement = 0);

// ---- instructions --------------------------------------------------------------------------------------------------

enum class Inst : uint8_t {
#define INST(name, asmjit_name) name,
#include "shader/emit.def"
#undef INST
};

// ---- code ----------------------------------------------------------------------------------------------------------

class Code {
 public:
  Code(const std::byte* entry, size_t size_bytes) : entry_(entry), size_bytes_(size_bytes) {}
  ~Code();
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  const std::byte* entry() const { return entry_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  const std::byte* entry_;
  size_t size_bytes_;
};

// Why this machine or process cannot run code that is written here; empty: it can.
std::string_view refusal();

// Bytes of all Code that lives, and how many there may be.
size_t live_code_bytes();
inline constexpr size_t kMaxCodeBytes = 64 << 20;

class Emitter {
 public:
  // With `listing`, each instruction and comment is appended to it as text.
  explicit Emitter(std::string* listing = nullptr);
  ~Emitter();

  void emit(Inst inst, const Operand& a = {}, const Operand& b = {}, const Operand& c = {}, const Operand& d = {});
  Label new_label();
  void bind(Label label);
  void comment(std::string_view text);
  bool is_listing() const;

  // Behind the code: a vector of 32 bytes (the same constant is kept once), and words.
  Operand constant(uint32_t word);
  Operand constant(float number);
  Operand constant(const std::array<uint32_t, 8>& words);
  Label words(std::span<const uint32_t> words);

  // `name` is what profilers and debuggers show.
  std::shared_ptr<const Code> finish(std::string_view name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::emit
