#include "shader/emit.h"

#include <asmjit/x86.h>

#include <atomic>
#include <bit>
#include <map>
#include <vector>

#include "core/check.h"
#include "shader/emit_symbols.h"

namespace tessera::emit {
namespace {

using AsmOperand = asmjit::Operand_;
namespace x86 = asmjit::x86;

constexpr x86::Inst::Id kInst[] = {
#define INST(name, asmjit_name) x86::Inst::kId##asmjit_name,
#include "shader/emit.def"
#undef INST
};

constexpr size_t kVectorBytes = 32;

// All executable memory of the process. Never destroyed: code may run until the very end.
struct Memory {
  asmjit::JitRuntime runtime;
  std::atomic<size_t> live_bytes{0};

  static Memory& instance() {
    static Memory* const memory = new Memory;
    return *memory;
  }

 private:
  static asmjit::JitAllocator::CreateParams params() {
    asmjit::JitAllocator::CreateParams params;
    params.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    params.blockSize = 1 << 20;
    return params;
  }
  Memory() : Memory(params()) {}
  explicit Memory(const asmjit::JitAllocator::CreateParams& params) : runtime(&params) {}
};

std::string find_refusal() {
  using X86 = asmjit::CpuFeatures::X86;
  const asmjit::CpuFeatures& has = asmjit::CpuInfo::host().features();
  for (const X86::Id needed : {X86::kAVX2, X86::kFMA, X86::kBMI, X86::kBMI2})
    if (!has.has(needed)) return "the processor lacks AVX2, FMA or BMI2";
  Emitter probe;
  probe.emit(Inst::ret);
  return probe.finish("probe") ? "" : "executable memory is refused";
}

}  // namespace

Operand low32(Gp r) {
  Operand o(r);
  o.kind = Operand::Kind::Gp32;
  return o;
}
Operand low8(Gp r) {
  Operand o(r);
  o.kind = Operand::Kind::Gp8;
  return o;
}
Operand low128(Ymm r) {
  Operand o(r);
  o.kind = Operand::Kind::Xmm;
  return o;
}
Operand memory(Gp base, int64_t displacement, uint8_t size_bytes) {
  Operand o(base);
  o.kind = Operand::Kind::Memory;
  o.size_bytes = size_bytes;
  o.value = displacement;
  return o;
}
Operand memory(Label base, int64_t displacement) {
  Operand o(base);
  o.kind = Operand::Kind::LabelMemory;
  o.value = displacement;
  return o;
}

std::string_view refusal() {
  static const std::string reason = find_refusal();
  return reason;
}

size_t live_code_bytes() { return Memory::instance().live_bytes; }

Code::~Code() {
  remove_symbol(entry_);
  Memory& memory = Memory::instance();
  memory.runtime.release(const_cast<std::byte*>(entry_));
  memory.live_bytes -= size_bytes_;
}

// ---- the emitter ---------------------------------------------------------------------------------------------------

struct Emitter::Impl {
  asmjit::CodeHolder code;
  asmjit::StringLogger logger;
  x86::Assembler assembler;
  std::string* listing = nullptr;
  asmjit::Label constants;
  std::map<std::array<uint32_t, 8>, size_t> constant_at;     // by contents: its number
  std::vector<std::array<uint32_t, 8>> constant_list;
  struct Words { asmjit::Label label; std::vector<uint32_t> words; };
  std::vector<Words> words;
  bool has_failed = false;

  AsmOperand translate(const Operand& o) const {
    switch (o.kind) {
      case Operand::Kind::None: return asmjit::Operand();
      case Operand::Kind::Gp64: return x86::gpq(o.number);
      case Operand::Kind::Gp32: return x86::gpd(o.number);
      case Operand::Kind::Gp8: return x86::gpb(o.number);
      case Operand::Kind::Ymm: return x86::ymm(o.number);
      case Operand::Kind::Xmm: return x86::xmm(o.number);
      case Operand::Kind::Memory: return x86::ptr(x86::gpq(o.number), static_cast<int32_t>(o.value), o.size_bytes);
      case Operand::Kind::LabelMemory: return x86::ptr(asmjit::Label(o.label), static_cast<int32_t>(o.value));
      case Operand::Kind::Label: return asmjit::Label(o.label);
      case Operand::Kind::Immediate: return asmjit::imm(o.value);
    }
    return asmjit::Operand();
  }

  void write_data() {
    assembler.align(asmjit::AlignMode::kData, kVectorBytes);
    assembler.bind(constants);
    for (const auto& vector : constant_list) assembler.embed(vector.data(), sizeof vector);
    for (const Words& w : words) {
      assembler.bind(w.label);
      assembler.embed(w.words.data(), w.words.size() * sizeof(uint32_t));
    }
  }
};

Emitter::Emitter(std::string* listing) : impl_(std::make_unique<Impl>()) {
  impl_->code.init(Memory::instance().runtime.environment());
  if (listing) impl_->code.setLogger(&impl_->logger);
  impl_->listing = listing;
  impl_->code.attach(&impl_->assembler);
  impl_->constants = impl_->assembler.newLabel();
}

Emitter::~Emitter() = default;

void Emitter::emit(Inst inst, const Operand& a, const Operand& b, const Operand& c, const Operand& d) {
  const AsmOperand o[] = {impl_->translate(a), impl_->translate(b), impl_->translate(c), impl_->translate(d)};
  const x86::Inst::Id id = kInst[static_cast<size_t>(inst)];
  if (impl_->assembler.emit(id, o[0], o[1], o[2], o[3]) != asmjit::kErrorOk) impl_->has_failed = true;
}

Label Emitter::new_label() { return {impl_->assembler.newLabel().id()}; }
void Emitter::bind(Label label) { impl_->assembler.bind(asmjit::Label(label.id)); }
void Emitter::comment(std::string_view text) {
  if (impl_->listing) impl_->assembler.comment(text.data(), text.size());
}
bool Emitter::is_listing() const { return impl_->listing != nullptr; }

Operand Emitter::constant(uint32_t word) {
  std::array<uint32_t, 8> words;
  words.fill(word);
  return constant(words);
}
Operand Emitter::constant(float number) { return constant(std::bit_cast<uint32_t>(number)); }
Operand Emitter::constant(const std::array<uint32_t, 8>& words) {
  const auto [found, is_new] = impl_->constant_at.try_emplace(words, impl_->constant_list.size());
  if (is_new) impl_->constant_list.push_back(words);
  return memory(Label{impl_->constants.id()}, static_cast<int64_t>(found->second * kVectorBytes));
}

Label Emitter::words(std::span<const uint32_t> words) {
  const asmjit::Label label = impl_->assembler.newLabel();
  impl_->words.push_back({label, {words.begin(), words.end()}});
  return {label.id()};
}

std::shared_ptr<const Code> Emitter::finish(std::string_view name) {
  impl_->code.setLogger(nullptr);                // constants are no code to read
  if (impl_->listing) impl_->listing->append(impl_->logger.data(), impl_->logger.dataSize());
  impl_->write_data();
  TESSERA_CHECK(!impl_->has_failed);
  Memory& memory = Memory::instance();
  const size_t size_bytes = impl_->code.codeSize();
  if (memory.live_bytes.fetch_add(size_bytes) + size_bytes <= kMaxCodeBytes) {
    std::byte* entry = nullptr;
    if (memory.runtime.add(&entry, &impl_->code) == asmjit::kErrorOk) {
      add_symbol(name, entry, size_bytes);
      return std::make_shared<const Code>(entry, size_bytes);
    }
  }
  memory.live_bytes -= size_bytes;
  return nullptr;
}

}  // namespace tessera::emit
