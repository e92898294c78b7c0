// frontend/row_copy.h: copies a box between an image's storage and memory, large boxes on all threads.
// In:     a box in blocks, inside of its level; its rows in memory as plan_rows() has checked them.
// Out:    the bytes, unchanged. Rows that follow each other without a gap are copied as one.
// Errors: none.                                       Threads: the arena's; returns when all is copied.
#pragma once

#include <span>

#include "core/tasks.h"
#include "frontend/transfer_rows.h"

namespace tessera {

void copy_to_storage(TaskArena& arena, Storage& storage, uint32_t level, const Box& blocks, const Rows& rows,
                     std::span<const std::byte> from);
void copy_from_storage(TaskArena& arena, const Storage& storage, uint32_t level, const Box& blocks, const Rows& rows,
                       std::span<std::byte> to);

}  // namespace tessera
