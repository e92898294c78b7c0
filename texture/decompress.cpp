#include "texture/decompress.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/check.h"
#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

constexpr uint32_t kKeptFrames = 4;

size_t whole_lines(size_t bytes) { return bytes & ~size_t{63}; }

// Blocks that decode to the same bytes: linear and sRGB views of an image share a copy.
bool decode_alike(Format a, Format b) {
  const FormatInfo &x = format_info(a), &y = format_info(b);
  return x.codec == y.codec && x.block_width == y.block_width && x.block_height == y.block_height &&
         format_info(x.decoded).block_bytes == format_info(y.decoded).block_bytes;
}

// One row of blocks: what of it lies inside the level goes to `texels`, whose rows are `row_bytes` long.
void decompress_row(const FormatInfo& format, const uint8_t* blocks, uint32_t width, uint32_t rows, size_t row_bytes,
                    std::byte* texels) {
  const DecodeBlockFn decode = block_codec(format.codec).decode;
  const size_t texel_bytes = format_info(format.decoded).block_bytes,
               block_row_bytes = texel_bytes * format.block_width;
  alignas(16) std::byte block[kMaxBlock_bytes];
  for (uint32_t x = 0; x < width; x += format.block_width, blocks += format.block_bytes, texels += block_row_bytes) {
    decode(format, blocks, block);
    const size_t bytes = std::min<size_t>(block_row_bytes, (width - x) * texel_bytes);
    for (uint32_t y = 0; y < rows; ++y) std::memcpy(texels + y * row_bytes, block + y * block_row_bytes, bytes);
  }
}

void decompress_block_row(const Storage& image, const FormatInfo& format, uint32_t level, uint32_t slice,
                          uint32_t block_row, size_t row_bytes, std::byte* slice_texels) {
  const LevelLayout& layout = image.level(level);
  const uint32_t y = block_row * format.block_height, rows = std::min<uint32_t>(format.block_height, layout.height - y);
  const auto* blocks = reinterpret_cast<const uint8_t*>(image.slice(level, slice)) + block_row * layout.row_bytes;
  decompress_row(format, blocks, layout.width, rows, row_bytes, slice_texels + y * row_bytes);
}

// What of a copy is left out: up to the end of a block row, and the memory of it, which ends at a cache line unless
// nothing is kept.
struct Cold {
  size_t bytes, absent_bytes;
};

// As many whole block rows, from level 0 on, as make room for the blocks.
Cold choose_cold(const Storage& image, const FormatInfo& format) {
  size_t bytes = 0;
  for (uint32_t n = 0; n < image.desc().levels; ++n) {
    const LevelLayout& level = image.level(n);
    const size_t row_bytes = size_t{level.width} * format_info(format.decoded).block_bytes,
                 slice_bytes = row_bytes * level.height, block_row_bytes = row_bytes * format.block_height;
    bytes = whole_lines(bytes + 63);
    for (size_t slice = 0; slice < level.slices; ++slice)
      for (const size_t end = bytes + slice_bytes; bytes < end;) {
        bytes = std::min(bytes + block_row_bytes, end);
        if (whole_lines(bytes) >= image.size_bytes()) return {bytes, whole_lines(bytes)};
      }
  }
  return {bytes, bytes};
}

// Block rows of level `number` that the first `cold_bytes` of the image hold.
uint32_t count_cold_rows(const Storage& image, const Storage& decoded, uint32_t number, size_t cold_bytes) {
  const LevelLayout &blocks = image.level(number), &texels = decoded.level(number);
  if (cold_bytes <= texels.offset_bytes) return 0;
  const size_t bytes = std::min(cold_bytes - texels.offset_bytes, texels.slices * texels.slice_bytes),
               block_row_bytes = texels.row_bytes * format_info(image.desc().format).block_height;
  return static_cast<uint32_t>(bytes / texels.slice_bytes * blocks.rows + bytes % texels.slice_bytes / block_row_bytes);
}

// Block rows of a level, all slices one after the other, from `first` on.
void decompress_level(const Storage& image, const FormatInfo& format, uint32_t number, uint32_t first,
                      TaskArena* tasks, Storage& decoded) {
  const LevelLayout& level = image.level(number);
  const auto decode = [&](uint32_t index, uint32_t) {
    const uint32_t row = first + index, slice = row / level.rows;
    decompress_block_row(image, format, number, slice, row % level.rows, decoded.level(number).row_bytes,
                         decoded.slice(number, slice));
  };
  const uint32_t rows = level.rows * level.slices - first;
  if (tasks && rows > 1) {
    tasks->parallel_for(rows, decode);
  } else {
    const FloatEnvironment environment;
    for (uint32_t index = 0; index < rows; ++index) decode(index, 0);
  }
}

// The description of an image's decoded texels.
ResourceDesc decoded_desc(const Storage& image, const FormatInfo& format) {
  TESSERA_CHECK(format.is_compressed && format.block_bytes == format_info(image.desc().format).block_bytes);
  ResourceDesc desc = image.desc();
  desc.format = format.decoded;
  return desc;
}

}  // namespace

std::shared_ptr<const Decoded> decompress(const Storage& image, Format format, TaskArena* tasks) {
  static std::atomic<uint64_t> last_number = 0;
  const FormatInfo& info = format_info(format);
  const ResourceDesc desc = decoded_desc(image, info);
  const Cold cold = choose_cold(image, info);
  const auto decoded =
      std::make_shared<Decoded>(Decoded{Storage(desc, cold.absent_bytes), cold.bytes, ++last_number});
  for (uint32_t i = 0; i < desc.levels; ++i)
    decompress_level(image, info, i, count_cold_rows(image, decoded->texels, i, cold.bytes), tasks, decoded->texels);
  return decoded;
}

std::shared_ptr<const Storage> decompress_whole(const Storage& image, Format format, TaskArena* tasks) {
  const FormatInfo& info = format_info(format);
  const auto decoded = std::make_shared<Storage>(decoded_desc(image, info));
  for (uint32_t i = 0; i < decoded->desc().levels; ++i) decompress_level(image, info, i, 0, tasks, *decoded);
  return decoded;
}

std::vector<std::byte> decompress_slice(const Storage& image, uint32_t level, uint32_t slice) {
  const FormatInfo& info = format_info(image.desc().format);
  const LevelLayout& layout = image.level(level);
  const size_t row_bytes = size_t{layout.width} * format_info(info.decoded).block_bytes;
  std::vector<std::byte> texels(row_bytes * layout.height);
  const FloatEnvironment environment;
  for (uint32_t row = 0; row < layout.rows; ++row)
    decompress_block_row(image, info, level, slice, row, row_bytes, texels.data());
  return texels;
}

std::shared_ptr<const Decoded> DecodedCopies::get(const std::shared_ptr<const Storage>& image, Format format,
                                                  TaskArena* tasks) {
  for (Copy& copy : copies_)
    if (copy.image == image.get() && decode_alike(copy.format, format) && !copy.alive.expired()) return copy.decoded;
  return copies_.emplace_back(Copy{image.get(), image, format, decompress(*image, format, tasks)}).decoded;
}

void DecodedCopies::forget(const Storage& image) {
  std::erase_if(copies_, [&](const Copy& copy) { return copy.image == &image; });
}

void DecodedCopies::end_frame() {
  std::erase_if(copies_, [](Copy& copy) {
    copy.idle_frames = copy.decoded.use_count() > 1 ? 0 : copy.idle_frames + 1;
    return copy.alive.expired() || copy.idle_frames > kKeptFrames;
  });
}

size_t DecodedCopies::size_bytes() const {
  size_t bytes = 0;
  for (const Copy& copy : copies_) bytes += copy.decoded->texels.size_bytes();
  return bytes;
}

}  // namespace tessera::texture
