#include "shader/unordered.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "shader/names.h"

namespace tessera::ir {
namespace {

// What a program does to one buffer or image; those that indices reach are one resource.
struct Use {
  const Instr* load = nullptr;
  const Instr* store = nullptr;
  const Instr* atomic = nullptr;
  bool mixes_atomics = false;
};

using Resource = std::pair<MemorySpace, std::optional<uint32_t>>;

bool commutes_with_itself(AtomicKind kind) {
  switch (kind) {
    case AtomicKind::Add:
    case AtomicKind::And:
    case AtomicKind::Or:
    case AtomicKind::Xor:
    case AtomicKind::UMin:
    case AtomicKind::UMax:
    case AtomicKind::IMin:
    case AtomicKind::IMax: return true;
    case AtomicKind::FAdd:
    case AtomicKind::Exchange:
    case AtomicKind::CompareExchange:
    case AtomicKind::IncWrap:
    case AtomicKind::DecWrap: return false;
  }
  return false;
}

std::string name_of_resource(const Resource& r) {
  return fmt::format("{} {}", name_of(r.first), r.second ? fmt::format("{}", *r.second) : "memory that an index names");
}

class Finder {
 public:
  explicit Finder(const Program& p) : p_(p), is_used_(p.value_count, false) {
    for (const ValueId v : p.args)
      if (v != kNoValue) is_used_[v] = true;
    for (const Output& o : p.outputs)
      if (o.value != kNoValue) is_used_[o.value] = true;
  }

  std::vector<Diag> run() {
    for (const Instr& i : p_.code)
      if (op_info(i.op).is(trait::ImmMemory) && i.op != Op::MemSize) note(i);
    for (const auto& [resource, use] : uses_) {
      const Instr* write = use.store ? use.store : use.atomic;
      if (use.load && write) report(*write, resource, "is loaded and written");
      if (use.mixes_atomics) report(*use.atomic, resource, "is updated by different atomic operations");
      if (use.store && use.atomic) report(*use.store, resource, "is stored to and updated atomically");
    }
    return std::move(diags_);
  }

 private:
  void note(const Instr& i) {
    const MemoryOp& op = p_.memory_ops[i.imm];
    if (op.space == MemorySpace::Shared || op.space == MemorySpace::Arguments) return;
    const bool is_indexed = args_of(p_, i)[mem_arg::Index] != kNoValue;
    const Resource resource{op.space, is_indexed ? std::nullopt : std::optional<uint32_t>(op.binding)};
    Use& use = uses_[resource];
    if (i.op == Op::MemLoad) use.load = &i;
    if (i.op == Op::MemStore) use.store = &i;
    if (i.op != Op::MemAtomic) return;
    if (is_used_[i.result]) report(i, resource, "gives the result of an atomic operation");
    else if (!commutes_with_itself(op.atomic))
      report(i, resource, "is updated by an atomic operation that does not commute");
    use.mixes_atomics = use.mixes_atomics || (use.atomic && p_.memory_ops[use.atomic->imm].atomic != op.atomic);
    use.atomic = &i;
  }

  void report(const Instr& at, const Resource& resource, std::string_view what) {
    diags_.push_back(
        {at.loc,
         fmt::format("{} {}: the outcome may depend on the order of invocations", name_of_resource(resource), what),
         "unordered"});
  }

  const Program& p_;
  std::vector<bool> is_used_;
  std::map<Resource, Use> uses_;
  std::vector<Diag> diags_;
};

}  // namespace

std::vector<Diag> find_unordered(const Program& program) { return Finder(program).run(); }

}  // namespace tessera::ir
