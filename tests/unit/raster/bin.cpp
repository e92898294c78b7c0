#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "raster/bin.h"
#include "raster/setup.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;

namespace {

constexpr int32_t kSize = 512;

SetupTriangle random_setup(std::mt19937& random) {
  SetupState state;
  state.clip_rect = {3, 0, kSize, kSize - 5};
  SetupTriangle t;
  for (;;) {
    const int32_t reach = std::array{20, 100, 2000}[random() % 3] * 256;
    const int32_t x = int32_t(random() % (kSize * 256)), y = int32_t(random() % (kSize * 256));
    WinVertex v[3];
    for (WinVertex& c : v) {
      c.x_fx8 = x + int32_t(random() % uint32_t(2 * reach)) - reach;
      c.y_fx8 = y + int32_t(random() % uint32_t(2 * reach)) - reach;
    }
    if (random() % 3 == 0) v[2].x_fx8 = v[1].x_fx8 + 40, v[2].y_fx8 = v[1].y_fx8 - 30;   // a sliver
    if (setup_triangle(v, state, t)) return t;
  }
}

bool covers_in_tile(const SetupTriangle& t, int32_t tx, int32_t ty, int32_t size) {
  for (int32_t y = std::max<int32_t>(ty * size, t.bbox_y0); y < std::min<int32_t>((ty + 1) * size, t.bbox_y1); ++y) {
    for (int32_t x = std::max<int32_t>(tx * size, t.bbox_x0); x < std::min<int32_t>((tx + 1) * size, t.bbox_x1); ++x) {
      bool inside = true;
      for (const EdgeEq& e : t.edge) inside &= e.c_fx16 + x * e.step_x_fx16 + y * e.step_y_fx16 >= 0;
      if (inside) return true;
    }
  }
  return false;
}

bool is_binned(const Chunk& chunk, int32_t tx, int32_t ty, uint32_t triangle) {
  const IRect& r = chunk.tile_rect;
  if (tx < r.x0 || tx >= r.x1 || ty < r.y0 || ty >= r.y1) return false;
  const uint32_t tile = uint32_t(ty - r.y0) * uint32_t(r.x1 - r.x0) + uint32_t(tx - r.x0);
  const auto begin = chunk.binned.begin() + chunk.tile_begin[tile], end = chunk.binned.begin() + chunk.tile_begin[tile + 1];
  REQUIRE(std::is_sorted(begin, end));
  return std::binary_search(begin, end, triangle);
}

}  // namespace

TEST_CASE("every tile with a covered pixel has the triangle, in primitive order", "[bin]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  for (const uint32_t log2 : {4u, 5u, 6u}) {
    for (uint32_t round = 0; round < tests::rounds(4); ++round) {
      Chunk chunk;
      TileEntries entries;
      for (uint32_t i = 0; i < 30; ++i) {
        chunk.triangles.push_back(random_setup(random));
        add_tiles(chunk.triangles[i], i, {log2, 0}, {}, entries);
      }
      sort_by_tile(entries, chunk);
      REQUIRE(chunk.tile_begin.back() == chunk.binned.size());
      const int32_t tiles = kSize >> log2;
      for (int32_t ty = 0; ty < tiles; ++ty) {
        for (int32_t tx = 0; tx < tiles; ++tx) {
          for (uint32_t t = 0; t < chunk.triangles.size(); ++t) {
            if (!covers_in_tile(chunk.triangles[t], tx, ty, 1 << log2)) continue;
            CAPTURE(log2, tx, ty, t);
            REQUIRE(is_binned(chunk, tx, ty, t));
          }
        }
      }
    }
  }
}

TEST_CASE("a long sliver enters only the tiles along it", "[bin]") {
  SetupState state;
  state.clip_rect = {0, 0, 4096, 4096};
  const WinVertex v[3] = {{0, 0, 0, 1}, {4096 * 256, 4095 * 256, 0, 1}, {4095 * 256, 4096 * 256, 0, 1}};
  SetupTriangle t;
  REQUIRE(setup_triangle(v, state, t));
  CHECK(t.bbox_x1 - t.bbox_x0 == 4096);
  TileEntries entries;
  add_tiles(t, 0, {6, 0}, {}, entries);
  CHECK(entries.size() >= 64);
  CHECK(entries.size() <= 64 * 3);
}

TEST_CASE("a chunk without triangles has no tiles", "[bin]") {
  Chunk chunk;
  sort_by_tile({}, chunk);
  CHECK(chunk.tile_rect.empty());
  CHECK(chunk.binned.empty());
}
