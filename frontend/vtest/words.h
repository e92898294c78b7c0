// frontend/vtest/words.h: the payload of a request: words counted as the protocol's tables count them. Reading behind the
// end gives 0; a command's least length is checked before it runs (commands.def).
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace tessera::vtest {

class Words {
 public:
  Words() = default;
  explicit Words(std::span<const uint32_t> words) : words_(words) {}

  size_t size() const { return words_.size(); }
  uint32_t operator[](size_t i) const { return i < words_.size() ? words_[i] : 0; }
  int32_t as_int(size_t i) const { return static_cast<int32_t>((*this)[i]); }
  float as_float(size_t i) const { return std::bit_cast<float>((*this)[i]); }
  double as_double(size_t i) const { return std::bit_cast<double>(uint64_t{(*this)[i + 1]} << 32 | (*this)[i]); }
  // `count` bits of word i, from bit `first` on.
  uint32_t field(size_t i, uint32_t first, uint32_t count) const { return (*this)[i] >> first & ((1u << count) - 1); }
  bool bit(size_t i, uint32_t bit) const { return (*this)[i] >> bit & 1; }
  Words from(size_t i) const { return Words(words_.subspan(i < words_.size() ? i : words_.size())); }
  std::span<const uint32_t> span() const { return words_; }

 private:
  std::span<const uint32_t> words_;
};

}  // namespace tessera::vtest
