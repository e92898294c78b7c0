// frontend/transfer_rows.h: a box of an image as rows of bytes, here and in the caller's memory or a buffer.
// In:     a box inside of its level; a pitch; how many bytes there are.
// Errors: a pitch or a number of bytes that does not fit; the Diag names the field.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/resource.h"
#include "core/result.h"
#include "frontend/transfers.h"

namespace tessera {

std::string describe(const Box& box);

// A box in blocks; a block is a texel, unless the format is compressed.
Box in_blocks(const Box& box, const FormatInfo& format);

// A box's rows in the caller's memory, of texels or blocks.
struct Rows {
  size_t length_bytes = 0;                     // of a row without padding
  size_t row_bytes = 0, slice_bytes = 0;       // from row to row, from slice to slice
  bool is_tight = true;
};

// The bytes from the first row's first to the last row's last; nothing where they are too many to count.
std::optional<size_t> extent(const Rows& rows, const Box& blocks);

// `available_bytes` must be what the rows take; with a pitch, or where `is_part` of something, at least that.
Result<Rows> plan_rows(Format format, const Box& blocks, const Pitch& pitch, size_t available_bytes,
                       bool is_part = false);

// row(offset in the image's storage, offset in the caller's memory) for the rows of a box, first to last.
template <class Row>
void for_each_row(const Storage& storage, uint32_t level, const Box& blocks, const Rows& rows, uint32_t sample, Row row) {
  const uint32_t texel_bytes = format_info(storage.desc().format).block_bytes;
  for (uint32_t z = 0; z < blocks.depth; ++z)
    for (uint32_t y = 0; y < blocks.height; ++y) {
      const std::byte* slice = storage.slice(level, blocks.z + z, sample);
      const size_t in_slice = (blocks.y + y) * storage.level(level).row_bytes + size_t{blocks.x} * texel_bytes;
      row(static_cast<size_t>(slice - storage.data()) + in_slice, z * rows.slice_bytes + y * rows.row_bytes);
    }
}

}  // namespace tessera
