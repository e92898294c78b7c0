#include "shader/emit_symbols.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

// ---- gdb's interface: names and layout are its own (gdb manual, "JIT Compilation Interface") ------------------------

extern "C" {

struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};

// gdb stops here and reads the descriptor.
[[gnu::noinline, gnu::used]] void __jit_debug_register_code() { asm volatile(""); }
[[gnu::used]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

}  // extern "C"

namespace tessera::emit {
namespace {

enum Action : uint32_t { kNothing, kRegister, kUnregister };

// The smallest object file that names a function: a section that lies where the code is, and a symbol in it.
struct ObjectFile {
  enum Section : uint16_t { None, Text, Symbols, Names, Count };
  static constexpr char kSectionNames[] = "\0.text\0.symtab\0.strtab";
  static constexpr uint32_t kNameAt[Count] = {0, 1, 7, 15};

  Elf64_Ehdr header{};
  Elf64_Shdr sections[Count]{};
  Elf64_Sym symbols[2]{};                        // the first one is always empty
  char names[64]{};                              // of the sections, then of the function

  ObjectFile(std::string_view name, const std::byte* entry, size_t size_bytes) {
    const auto address = reinterpret_cast<uintptr_t>(entry);
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;                     // addresses are final
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = offsetof(ObjectFile, sections);
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof sections[0];
    header.e_shnum = Count;
    header.e_shstrndx = Names;

    std::memcpy(names, kSectionNames, sizeof kSectionNames);
    std::memcpy(names + sizeof kSectionNames, name.data(), std::min(name.size(), sizeof names - sizeof kSectionNames - 1));
    symbols[1] = {sizeof kSectionNames, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, Text, address, size_bytes};
    for (uint32_t k = 0; k < Count; ++k) sections[k].sh_name = kNameAt[k];
    sections[Text].sh_type = SHT_NOBITS;
    sections[Text].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    sections[Text].sh_addr = address;
    sections[Text].sh_size = size_bytes;
    sections[Text].sh_addralign = 16;
    sections[Symbols].sh_type = SHT_SYMTAB;
    sections[Symbols].sh_offset = offsetof(ObjectFile, symbols);
    sections[Symbols].sh_size = sizeof symbols;
    sections[Symbols].sh_link = Names;
    sections[Symbols].sh_info = 1;               // the first symbol that is not local
    sections[Symbols].sh_entsize = sizeof symbols[0];
    sections[Symbols].sh_addralign = 8;
    sections[Names].sh_type = SHT_STRTAB;
    sections[Names].sh_offset = offsetof(ObjectFile, names);
    sections[Names].sh_size = sizeof names;
    sections[Names].sh_addralign = 1;
  }
};

struct Registered {
  ObjectFile file;
  jit_code_entry entry{};
};

// Never destroyed: code may be released at the very end.
class Symbols {
 public:
  static Symbols& instance() {
    static Symbols* const symbols = new Symbols;
    return *symbols;
  }

  void add(std::string_view name, const std::byte* entry, size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    if (perf_map_) {
      const auto address = reinterpret_cast<uintptr_t>(entry);
      std::fputs(fmt::format("{:x} {:x} {}\n", address, size_bytes, name).c_str(), perf_map_);
      std::fflush(perf_map_);
    }
    if (!tells_gdb_) return;
    auto& r = registered_[entry] = std::make_unique<Registered>(Registered{ObjectFile(name, entry, size_bytes), {}});
    r->entry = {__jit_debug_descriptor.first_entry, nullptr, reinterpret_cast<const char*>(&r->file), sizeof r->file};
    if (r->entry.next_entry) r->entry.next_entry->prev_entry = &r->entry;
    __jit_debug_descriptor.first_entry = &r->entry;
    tell(kRegister, r->entry);
  }

  void remove(const std::byte* entry) {
    if (!tells_gdb_) return;
    const std::lock_guard lock(mutex_);
    const auto found = registered_.find(entry);
    if (found == registered_.end()) return;
    jit_code_entry& e = found->second->entry;
    (e.prev_entry ? e.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = e.next_entry;
    if (e.next_entry) e.next_entry->prev_entry = e.prev_entry;
    tell(kUnregister, e);
    registered_.erase(found);
  }

 private:
  Symbols() : tells_gdb_(std::getenv("TESSERA_GDB") != nullptr) {
    if (std::getenv("TESSERA_PERF_MAP"))
      perf_map_ = std::fopen(fmt::format("/tmp/perf-{}.map", ::getpid()).c_str(), "w");
  }

  static void tell(Action action, jit_code_entry& entry) {
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_descriptor.relevant_entry = &entry;
    __jit_debug_register_code();
  }

  std::mutex mutex_;
  std::FILE* perf_map_ = nullptr;
  const bool tells_gdb_;
  std::unordered_map<const std::byte*, std::unique_ptr<Registered>> registered_;
};

}  // namespace

void add_symbol(std::string_view name, const std::byte* entry, size_t size_bytes) {
  Symbols::instance().add(name, entry, size_bytes);
}
void remove_symbol(const std::byte* entry) { Symbols::instance().remove(entry); }

}  // namespace tessera::emit
