// tests/unit/raster/tile_check.h: random triangles, and the check of a scene against the slow renderer.
#pragma once

#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "core/scalar.h"
#include "tests/unit/raster/tile_scene.h"

namespace tessera::raster::tests {

using Contents = std::vector<std::vector<std::byte>>;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int32_t integer(int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(engine_); }
  float real(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(engine_); }
  bool chance(int32_t one_in) { return integer(1, one_in) == 1; }

  TestTriangle triangle(int32_t width, int32_t height, float size, uint32_t words, bool perspective) {
    TestTriangle t;
    const float cx = real(0, static_cast<float>(width)), cy = real(0, static_cast<float>(height));
    for (TestVertex& v : t.v) {
      v.x = cx + real(-size, size);
      v.y = cy + real(-size, size);
      v.z = real(-0.1f, 1.1f);
      v.w = perspective ? real(0.5f, 4) : 1.0f;
      for (uint32_t i = 0; i < words; ++i) v.words.push_back(real(-0.2f, 1.2f));
    }
    return t;
  }

 private:
  std::mt19937 engine_;
};

inline Contents random_contents(const Contents& like, Random& random, bool floats_in_range) {
  Contents c = like;
  for (auto& surface : c)
    for (size_t i = 0; i + 4 <= surface.size(); i += 4) {
      const uint32_t word = floats_in_range ? scalar::bits_of(random.real(0, 1))
                                            : static_cast<uint32_t>(random.integer(INT32_MIN, INT32_MAX));
      std::memcpy(surface.data() + i, &word, 4);
    }
  return c;
}

// The slow renderer's contents against every SIMD target's.
inline void check_scene(TileScene& scene, const Contents& before) {
  scene.set_contents(before);
  scene.run_slowly();
  const Contents expected = scene.contents();
  for (const SimdTarget simd : available_simd_targets()) {
    scene.set_contents(before);
    scene.run(simd);
    CAPTURE(simd_target_name(simd), scene.frame().tile_size_px);
    const Contents got = scene.contents();
    for (size_t s = 0; s < got.size(); ++s) {
      size_t different = 0, first = 0;
      for (size_t i = got[s].size(); i-- > 0;)
        if (got[s][i] != expected[s][i]) ++different, first = i;
      CAPTURE(s, first);
      REQUIRE(different == 0);
    }
  }
}

// The same scene at the tile sizes that its target allows.
template <class Fill>
void check_at_all_tile_sizes(TargetDesc desc, Random& random, bool floats_in_range, Fill fill) {
  Contents before;
  for (const int32_t size : {64, 32, 16}) {
    desc.tile_size = size;
    TileScene scene(desc);
    if (before.empty()) before = random_contents(scene.contents(), random, floats_in_range);
    fill(scene);
    check_scene(scene, before);
  }
}

}  // namespace tessera::raster::tests
