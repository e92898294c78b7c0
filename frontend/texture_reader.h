// frontend/texture_reader.h: what the readers of texture files share: bytes taken in order, and checks of sizes.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "frontend/texture_file.h"

namespace tessera {

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> file) : file_(file) {}
  size_t left() const { return file_.size() - at_; }
  // Zero beyond the end; callers check left() first.
  uint32_t word() {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4 && at_ < file_.size(); ++i) value |= uint32_t{file_[at_++]} << 8 * i;
    return value;
  }
  void skip(size_t bytes) { at_ += std::min(bytes, left()); }
  std::span<const uint8_t> take(size_t bytes) {   // bytes <= left()
    at_ += bytes;
    return file_.subspan(at_ - bytes, bytes);
  }

 private:
  std::span<const uint8_t> file_;
  size_t at_ = 0;
};

// A number of a file format and what it is called here.
struct FormatNumber { uint32_t number; Format format; };

template <size_t kCount>
std::optional<Format> find_format(const FormatNumber (&table)[kCount], uint32_t number) {
  for (const FormatNumber& entry : table)
    if (entry.number == number) return entry.format;
  return std::nullopt;
}

// The size of one slice of a level of an image.
struct SliceSize { uint32_t rows; size_t row_bytes; };
SliceSize slice_size(const ResourceDesc& desc, uint32_t level);

// Empty where such an image may exist, as Resource::create sees it.
Status check_description(const ResourceDesc& desc, std::string_view kind_of_file);

}  // namespace tessera
