#include "shader/atomic.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace tessera {
namespace {

uint32_t add_floats(uint32_t a, uint32_t b) {
  const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
  return sum == sum ? std::bit_cast<uint32_t>(sum) : 0x7fc00000u;
}

}  // namespace

uint32_t updated_word(ir::AtomicKind kind, uint32_t old, uint32_t value, uint32_t other) {
  const auto as_signed = [](uint32_t word) { return static_cast<int32_t>(word); };
  switch (kind) {
    case ir::AtomicKind::Add: return old + value;
    case ir::AtomicKind::FAdd: return add_floats(old, value);
    case ir::AtomicKind::Exchange: return value;
    case ir::AtomicKind::And: return old & value;
    case ir::AtomicKind::Or: return old | value;
    case ir::AtomicKind::Xor: return old ^ value;
    case ir::AtomicKind::UMin: return std::min(old, value);
    case ir::AtomicKind::UMax: return std::max(old, value);
    case ir::AtomicKind::IMin: return as_signed(old) < as_signed(value) ? old : value;
    case ir::AtomicKind::IMax: return as_signed(old) > as_signed(value) ? old : value;
    case ir::AtomicKind::CompareExchange: return old == value ? other : old;
    case ir::AtomicKind::IncWrap: return old + 1 <= value ? old + 1 : 0;
    case ir::AtomicKind::DecWrap: return old > 0 && old < value ? old - 1 : 0;
  }
  return old;
}

uint32_t update_atomically(uint32_t* word, ir::AtomicKind kind, uint32_t value, uint32_t other) {
  const std::atomic_ref<uint32_t> shared(*word);
  if (kind == ir::AtomicKind::Add) return shared.fetch_add(value);
  uint32_t old = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(old, updated_word(kind, old, value, other))) {
  }
  return old;
}

}  // namespace tessera
