// core/hash.h: 64-bit content hashes for caches and for comparing images: each word is mixed into the state in turn.
// The same on every (little-endian) machine for the same bytes; not meant to withstand an adversary.
// Source: the mixing step is the finalizer of MurmurHash3 (A. Appleby, public domain).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace tessera {

// Every input bit reaches every output bit.
constexpr uint64_t mix_bits(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

class Hasher {
 public:
  Hasher& add(uint64_t word) {
    state_ = mix_bits(state_ ^ word) + 0x9e3779b97f4a7c15u;
    return *this;
  }
  // Any value whose equality is that of its number: integers, enumerations, bool, floats by their bits.
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  Hasher& add_value(T value) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    return add(word);
  }
  Hasher& add_bytes(const void* data, size_t count) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    add(count);   // so that neighbours cannot trade bytes
    for (; count >= 8; bytes += 8, count -= 8) add(load_word(bytes, 8));
    return count ? add(load_word(bytes, count)) : *this;
  }
  Hasher& add_text(std::string_view text) { return add_bytes(text.data(), text.size()); }
  // Values without padding and pointers only: the bytes are what is compared.
  template <class T>
    requires std::has_unique_object_representations_v<T>
  Hasher& add_struct(const T& value) { return add_bytes(&value, sizeof(T)); }

  uint64_t value() const { return mix_bits(state_); }

 private:
  static uint64_t load_word(const unsigned char* bytes, size_t count) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return word;
  }
  uint64_t state_ = 0;
};

inline uint64_t hash_bytes(const void* data, size_t count) { return Hasher().add_bytes(data, count).value(); }
inline uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

}  // namespace tessera
