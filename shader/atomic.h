// shader/atomic.h: the formulas of atomic operations on one word, for memory and for images.
#pragma once

#include <cstdint>

#include "shader/ir.h"

namespace tessera {

// What the word becomes. CompareExchange: `other` where old equals `value`. The wrapping kinds follow TGSI's texts:
// IncWrap counts to `value` and goes on at 0; DecWrap stores 0 where old is 0 or not below `value`.
uint32_t updated_word(ir::AtomicKind kind, uint32_t old, uint32_t value, uint32_t other);

// Updates a word in memory that other threads may update, too; returns its old value. `word` is 4-byte aligned.
uint32_t update_atomically(uint32_t* word, ir::AtomicKind kind, uint32_t value, uint32_t other);

}  // namespace tessera
