#include "frontend/transfer_rows.h"

#include <fmt/format.h>

namespace tessera {
namespace {

uint32_t blocks(uint32_t texels, uint32_t block) { return (texels + block - 1) / block; }

}  // namespace

std::string describe(const Box& b) {
  return fmt::format("{} x {} x {} at ({}, {}, {})", b.width, b.height, b.depth, b.x, b.y, b.z);
}

Box in_blocks(const Box& b, const FormatInfo& format) {
  return {b.x / format.block_width, b.y / format.block_height, b.z,
          blocks(b.width, format.block_width), blocks(b.height, format.block_height), b.depth};
}

std::optional<size_t> extent(const Rows& rows, const Box& box) {
  if (rows.length_bytes == 0 || box.height == 0 || box.depth == 0) return 0;
  size_t slices, lines, sum;
  if (__builtin_mul_overflow(rows.slice_bytes, size_t{box.depth - 1}, &slices) ||
      __builtin_mul_overflow(rows.row_bytes, size_t{box.height - 1}, &lines) ||
      __builtin_add_overflow(slices, lines, &sum) || __builtin_add_overflow(sum, rows.length_bytes, &sum))
    return std::nullopt;
  return sum;
}

Result<Rows> plan_rows(Format format, const Box& box, const Pitch& pitch, size_t available_bytes, bool is_part) {
  Rows rows;
  rows.length_bytes = size_t{box.width} * format_info(format).block_bytes;
  rows.row_bytes = pitch.row_bytes ? pitch.row_bytes : rows.length_bytes;
  if (rows.row_bytes < rows.length_bytes)
    return error(fmt::format("pitch.row_bytes: expected at least {}, found {}", rows.length_bytes, pitch.row_bytes));
  const std::optional<size_t> slice = extent(rows, {.height = box.height});
  if (!slice) return error(fmt::format("pitch.row_bytes: {} is too much for {} rows", rows.row_bytes, box.height));
  rows.slice_bytes = pitch.slice_bytes ? pitch.slice_bytes : rows.row_bytes * box.height;
  if (rows.slice_bytes < *slice)
    return error(fmt::format("pitch.slice_bytes: expected at least {}, found {}", *slice, pitch.slice_bytes));
  rows.is_tight = !is_part && pitch.row_bytes == 0 && pitch.slice_bytes == 0;
  const std::optional<size_t> needed = extent(rows, box);
  if (!needed) return error(fmt::format("pitch.slice_bytes: {} is too much for {}", rows.slice_bytes, describe(box)));
  if (available_bytes < *needed || (rows.is_tight && available_bytes > *needed))
    return error(fmt::format("bytes: expected {}{} for {}, found {}", rows.is_tight ? "" : "at least ", *needed,
                             describe(box), available_bytes));
  return rows;
}

}  // namespace tessera
