#include <catch2/catch.hpp>

#include <bit>
#include <set>
#include <string>

#include "core/hash.h"

namespace tessera::tests {
namespace {
struct Pair {
  uint32_t a, b;
};
}  // namespace

TEST_CASE("equal content has equal hashes", "[hash]") {
  const std::string text = "a state object";
  CHECK(hash_text(text) == hash_text(std::string(text)));
  CHECK(Hasher().add_struct(Pair{1, 2}).value() == Hasher().add_struct(Pair{1, 2}).value());
  CHECK(Hasher().add_value(1.5f).value() == Hasher().add_value(1.5f).value());
}

TEST_CASE("order, length and every byte count", "[hash]") {
  CHECK(Hasher().add(1).add(2).value() != Hasher().add(2).add(1).value());
  CHECK(Hasher().add_text("ab").add_text("c").value() != Hasher().add_text("a").add_text("bc").value());
  CHECK(hash_text("") != hash_text(std::string_view("\0", 1)));
  CHECK(hash_text(std::string(8, '\0')) != hash_text(std::string(9, '\0')));
  std::set<uint64_t> seen;
  for (size_t at = 0; at < 40; ++at)
    for (uint32_t bit = 0; bit < 8; ++bit) {
      std::string text(40, 'x');
      text[at] = static_cast<char>(text[at] ^ 1 << bit);
      seen.insert(hash_text(text));
    }
  CHECK(seen.size() == 320);
}

TEST_CASE("a hash spreads over all its bits", "[hash]") {
  uint64_t ever_set = 0, ever_clear = 0;
  uint32_t flipped = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint64_t hash = Hasher().add(i).value();
    ever_set |= hash, ever_clear |= ~hash;
    flipped += static_cast<uint32_t>(std::popcount(hash ^ Hasher().add(i ^ 1).value()));
  }
  CHECK(ever_set == ~uint64_t{0});
  CHECK(ever_clear == ~uint64_t{0});
  CHECK(flipped > 1000 * 30);
  CHECK(flipped < 1000 * 34);
}

TEST_CASE("a hash is the same on every machine", "[hash]") {
  CHECK(hash_text("tessera") == Hasher().add(7).add(0x61726573736574).value());
}

}  // namespace tessera::tests
