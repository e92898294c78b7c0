#include "texture/mipgen.h"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

namespace tessera::texture {
namespace {

// The source texels along one dimension that a texel covers.
struct Taps {
  uint32_t first, count;
  uint32_t weight[3];
  uint32_t total;
};

Taps taps_of(uint32_t source_size, uint32_t i) {
  if (source_size == 1) return {0, 1, {1}, 1};
  if (source_size % 2 == 0) return {2 * i, 2, {1, 1}, 2};
  const uint32_t m = source_size / 2;
  return {2 * i, 3, {m - i, m, i + 1}, source_size};
}

// How a row of texels becomes numbers and back. Exact bytes, or floats summed in double.
struct ByteRows {
  using Number = uint64_t;
  uint32_t channels;

  explicit ByteRows(const FormatInfo& format) : channels(format.block_bytes) {}
  void add(const std::byte* row, uint32_t texels, uint64_t weight, std::vector<Number>& sums) {
    for (size_t i = 0; i < size_t{texels} * channels; ++i) sums[i] += weight * std::to_integer<uint64_t>(row[i]);
  }
  void store(const std::vector<Number>& sums, uint32_t texels, uint64_t total, std::byte* row) const {
    for (size_t i = 0; i < size_t{texels} * channels; ++i)
      row[i] = static_cast<std::byte>((sums[i] + total / 2) / total);
  }
};

struct FloatRows {
  using Number = double;
  static constexpr uint32_t channels = 4;
  Format format;
  std::vector<Texel> texels;

  void add(const std::byte* row, uint32_t count, uint64_t weight, std::vector<Number>& sums) {
    texels.resize(count);
    unpack_row(format, row, count, texels.data());
    for (size_t i = 0; i < count; ++i)
      for (size_t c = 0; c < 4; ++c)
        sums[4 * i + c] += static_cast<double>(weight) * static_cast<double>(std::bit_cast<float>(texels[i].word[c]));
  }
  void store(const std::vector<Number>& sums, uint32_t count, uint64_t total, std::byte* row) {
    texels.resize(count);
    for (size_t i = 0; i < count; ++i)
      for (size_t c = 0; c < 4; ++c)
        texels[i].word[c] = std::bit_cast<uint32_t>(static_cast<float>(sums[4 * i + c] / static_cast<double>(total)));
    pack_row(format, texels.data(), count, row);
  }
};

template <class Rows>
std::vector<typename Rows::Number> average_columns(const std::vector<typename Rows::Number>& sums,
                                                   uint32_t source_width, uint32_t width, uint32_t channels) {
  std::vector<typename Rows::Number> result(size_t{width} * channels);
  for (uint32_t x = 0; x < width; ++x) {
    const Taps taps = taps_of(source_width, x);
    for (uint32_t n = 0; n < taps.count; ++n)
      for (uint32_t c = 0; c < channels; ++c)
        result[size_t{x} * channels + c] +=
            static_cast<typename Rows::Number>(taps.weight[n]) * sums[size_t{taps.first + n} * channels + c];
  }
  return result;
}

// One slice of a level: a layer or face, or a depth slice made of those that `depth` names.
template <class Rows>
void make_slice(Storage& storage, uint32_t level, uint32_t source_slice, const Taps& depth, uint32_t slice,
                Rows& rows) {
  const LevelLayout &source = storage.level(level), &target = storage.level(level + 1);
  std::vector<typename Rows::Number> sums;
  for (uint32_t y = 0; y < target.height; ++y) {
    const Taps lines = taps_of(source.height, y);
    sums.assign(size_t{source.width} * rows.channels, 0);
    for (uint32_t k = 0; k < depth.count; ++k)
      for (uint32_t j = 0; j < lines.count; ++j)
        rows.add(storage.slice(level, source_slice + depth.first + k) + (lines.first + j) * source.row_bytes,
                 source.width, uint64_t{depth.weight[k]} * lines.weight[j], sums);
    const uint64_t total = uint64_t{depth.total} * lines.total * taps_of(source.width, 0).total;
    rows.store(average_columns<Rows>(sums, source.width, target.width, rows.channels), target.width, total,
               storage.slice(level + 1, slice) + y * target.row_bytes);
  }
}

template <class Rows>
void make_levels(Storage& storage, Rows rows) {
  for (uint32_t level = 0; level + 1 < storage.desc().levels; ++level) {
    const LevelLayout &source = storage.level(level), &target = storage.level(level + 1);
    for (uint32_t layer = 0; layer < storage.desc().layers; ++layer)
      for (uint32_t z = 0; z < target.depth; ++z)
        make_slice(storage, level, layer * source.depth, taps_of(source.depth, z), layer * target.depth + z, rows);
  }
}

bool is_bytes(const FormatInfo& format) {
  return format.space == ColorSpace::Linear &&
         std::all_of(std::begin(format.field), std::end(format.field), [](const FormatField& f) {
           return f.kind == FieldKind::None || (f.kind == FieldKind::Unorm && f.bits == 8);
         });
}

}  // namespace

Status generate_mips(Storage& storage) {
  const Format format = storage.desc().format;
  const FormatInfo& info = format_info(format);
  if (info.is_compressed || info.is_pure_integer() || format_has_stencil(format))
    return error(fmt::format("mip levels of format {} cannot be generated: its texels have no average", info.name));
  if (is_bytes(info))
    make_levels(storage, ByteRows(info));
  else
    make_levels(storage, FloatRows{format, {}});
  return Done{};
}

}  // namespace tessera::texture
