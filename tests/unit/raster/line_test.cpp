// Lines against the text of OpenGL 4.6, section 14.5.1, taken literally: each pixel's diamond against the whole segment
// in exact arithmetic, the ends moved by numbers that are small enough to decide ties only.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "raster/shape_setup.h"
#include "tests/support/random.h"
#include "tests/unit/raster/tile_scene.h"

using namespace tessera;
using namespace tessera::raster;
using raster::tests::covers_slowly;

namespace {

__extension__ using Int128 = __int128;
using Pixel = std::pair<int32_t, int32_t>;
using Pixels = std::set<Pixel>;
constexpr int32_t kSize_px = 40, kBorder_px = 8;     // the oracle looks around the target, too

// Coordinates in 2^-40 of 1/256 pixel: e is 2^20 of it, its square 1.
constexpr Int128 kFine = Int128{1} << 40, kMove = Int128{1} << 20;
struct Fine { Int128 x, y; };

Fine moved(int32_t x_fx8, int32_t y_fx8, bool bottom) {
  return {x_fx8 * kFine - kMove, y_fx8 * kFine - (bottom ? -1 : 1)};
}

Int128 abs128(Int128 v) { return v < 0 ? -v : v; }

bool in_diamond(Fine p, Fine centre) { return abs128(p.x - centre.x) + abs128(p.y - centre.y) < 128 * kFine; }

// |x| + |y| is least at an end, or where x or y is 0.
bool meets_diamond(Fine a, Fine b, Fine centre) {
  if (in_diamond(a, centre) || in_diamond(b, centre)) return true;
  const Int128 ax = a.x - centre.x, ay = a.y - centre.y, bx = b.x - centre.x, by = b.y - centre.y;
  const Int128 cross = abs128(ax * by - ay * bx);
  if ((ax < 0) != (bx < 0) && cross < 128 * kFine * abs128(bx - ax)) return true;
  return (ay < 0) != (by < 0) && cross < 128 * kFine * abs128(by - ay);
}

Pixels thin_line_slowly(const WinVertex& a, const WinVertex& b, bool bottom, bool last_pixel) {
  Pixels pixels;
  const Fine from = moved(a.x_fx8, a.y_fx8, bottom), to = moved(b.x_fx8, b.y_fx8, bottom);
  for (int32_t y = -kBorder_px; y < kSize_px + kBorder_px; ++y)
    for (int32_t x = -kBorder_px; x < kSize_px + kBorder_px; ++x) {
      const Fine centre{(x * 256 + 128) * kFine, (y * 256 + 128) * kFine};
      if (meets_diamond(from, to, centre) && (last_pixel || !in_diamond(to, centre))) pixels.insert({x, y});
    }
  return pixels;
}

bool is_steep(const WinVertex& a, const WinVertex& b) {
  return std::abs(b.y_fx8 - a.y_fx8) > std::abs(b.x_fx8 - a.x_fx8);
}

// A wide line is a thin one moved back by half its width less one, each pixel repeated; seen from below where the fill
// rule owns bottom edges.
Pixels line_slowly(WinVertex a, WinVertex b, int32_t width, bool bottom, bool last_pixel) {
  const bool steep = is_steep(a, b);
  const int32_t back = (width - 1) * 128, sign = !steep && bottom ? -1 : 1;
  for (WinVertex* v : {&a, &b}) (steep ? v->x_fx8 : v->y_fx8) -= sign * back;
  Pixels wide;
  for (const auto& [x, y] : thin_line_slowly(a, b, bottom, last_pixel))
    for (int32_t i = 0; i < width; ++i) wide.insert(steep ? Pixel{x + i, y} : Pixel{x, y + sign * i});
  return wide;
}

bool in_bounds(const SetupTriangle& t, int32_t x, int32_t y) {
  return x >= t.bbox_x0 && x < t.bbox_x1 && y >= t.bbox_y0 && y < t.bbox_y1;
}

ShapeState state_of(int32_t width, bool bottom) {
  ShapeState state;
  state.setup.clip_rect = {0, 0, kSize_px, kSize_px};
  state.setup.bottom_edge_rule = bottom;
  state.line_width = float(width);
  return state;
}

// Pixels of all pieces; none may be in two of them.
Pixels pixels_of(const std::vector<Piece>& pieces) {
  Pixels pixels;
  for (const Piece& piece : pieces)
    for (int32_t y = 0; y < kSize_px; ++y)
      for (int32_t x = 0; x < kSize_px; ++x)
        if (in_bounds(piece.triangle, x, y) && covers_slowly(piece.triangle, x, y))
          REQUIRE(pixels.insert({x, y}).second);
  return pixels;
}

Pixels inside_target(const Pixels& pixels) {
  Pixels inside;
  for (const auto& [x, y] : pixels)
    if (x >= 0 && y >= 0 && x < kSize_px && y < kSize_px) inside.insert({x, y});
  return inside;
}

struct RandomLine {
  WinVertex a, b;
};

// Often on the grid of corners and centres of pixels and diamonds, often short, often of slope 1.
RandomLine random_line(std::mt19937& random) {
  const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
  const int32_t grid = std::array{1, 1, 64, 128, 256}[size_t(within(0, 4))];
  const int32_t reach = std::array{300, 2000, 9000}[size_t(within(0, 2))];
  const auto snap = [&](int32_t v) { return v / grid * grid; };
  RandomLine line;
  line.a = {snap(within(0, kSize_px * 256)), snap(within(0, kSize_px * 256))};
  int32_t dx = snap(within(-reach, reach)), dy = snap(within(-reach, reach));
  if (within(0, 5) == 0) dy = within(0, 1) ? dx : -dx;
  if (within(0, 9) == 0) dx = 0;
  if (within(0, 9) == 0) dy = 0;
  line.b = {line.a.x_fx8 + dx, line.a.y_fx8 + dy};
  return line;
}

}  // namespace

TEST_CASE("a line covers the pixels whose diamonds it leaves, of any width, by both rules", "[raster][lines]") {
  std::mt19937 random(tessera::tests::seed());
  CAPTURE(tessera::tests::seed());
  for (uint32_t round = 0; round < tessera::tests::rounds(1500); ++round) {
    const RandomLine line = random_line(random);
    const bool bottom = random() & 1, last_pixel = random() % 4 == 0;
    const int32_t width = random() & 1 ? 1 : int32_t(random() % 6 + 1);
    CAPTURE(round, line.a.x_fx8, line.a.y_fx8, line.b.x_fx8, line.b.y_fx8, width, bottom, last_pixel);
    if (line.a.x_fx8 == line.b.x_fx8 && line.a.y_fx8 == line.b.y_fx8) continue;
    std::vector<Piece> pieces;
    uint32_t stipple = 0;
    setup_line(line.a, line.b, state_of(width, bottom), last_pixel, stipple, pieces);
    CHECK(pixels_of(pieces) == inside_target(line_slowly(line.a, line.b, width, bottom, last_pixel)));
  }
}

TEST_CASE("lines that follow each other draw every pixel of their way once", "[raster][lines]") {
  std::mt19937 random(tessera::tests::seed(1));
  CAPTURE(tessera::tests::seed(1));
  for (uint32_t round = 0; round < tessera::tests::rounds(300); ++round) {
    // A straight way, cut at random places: the same pixels as in one line, each once.
    const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
    const int32_t dx = within(-40, 40), dy = within(-40, 40), x = within(2600, 7000), y = within(2600, 7000);
    if (dx == 0 && dy == 0) continue;
    std::vector<int32_t> cuts = {0, 64};
    for (int i = 0; i < 4; ++i) cuts.push_back(within(1, 63));
    std::sort(cuts.begin(), cuts.end());
    const ShapeState state = state_of(1, round & 1);
    uint32_t stipple = 0;
    std::vector<Piece> whole, parts;
    setup_line({x, y}, {x + 64 * dx, y + 64 * dy}, state, false, stipple, whole);
    for (size_t i = 1; i < cuts.size(); ++i)
      setup_line({x + cuts[i - 1] * dx, y + cuts[i - 1] * dy}, {x + cuts[i] * dx, y + cuts[i] * dy}, state, false,
                 stipple, parts);
    CAPTURE(round, x, y, dx, dy);
    CHECK(pixels_of(parts) == pixels_of(whole));
  }
}

TEST_CASE("a stipple counts the pixels of a line from its start, and goes on in the next", "[raster][lines]") {
  std::mt19937 random(tessera::tests::seed(2));
  CAPTURE(tessera::tests::seed(2));
  for (uint32_t round = 0; round < tessera::tests::rounds(400); ++round) {
    ShapeState state = state_of(1, false);
    state.line_stipple = true;
    state.stipple_pattern = random() & 0xffff;
    state.stipple_factor = random() % 3 == 0 ? random() % 256 + 1 : random() % 4 + 1;
    uint32_t counter = 0, expected_counter = 0;
    for (int part = 0; part < 3; ++part) {
      const RandomLine line = random_line(random);
      std::vector<Piece> pieces;
      setup_line(line.a, line.b, state, false, counter, pieces);
      const Pixels all = line_slowly(line.a, line.b, 1, false, false);
      std::vector<Pixel> in_order(all.begin(), all.end());
      const bool steep = is_steep(line.a, line.b);
      const bool backward = steep ? line.b.y_fx8 < line.a.y_fx8 : line.b.x_fx8 < line.a.x_fx8;
      std::sort(in_order.begin(), in_order.end(), [&](const Pixel& p, const Pixel& q) {
        const int32_t a = steep ? p.second : p.first, b = steep ? q.second : q.first;
        return backward ? a > b : a < b;
      });
      const bool all_seen = std::ranges::all_of(in_order, [](const Pixel& p) {
        return std::min(p.first, p.second) > -kBorder_px && std::max(p.first, p.second) < kSize_px + kBorder_px - 1;
      });
      if (!all_seen) break;                // the line may go on where the oracle does not look
      Pixels shown;
      for (const Pixel& p : in_order)
        if (state.stipple_pattern >> (expected_counter++ / state.stipple_factor % 16) & 1) shown.insert(p);
      CAPTURE(round, part, state.stipple_pattern, state.stipple_factor);
      REQUIRE(pixels_of(pieces) == inside_target(shown));
    }
  }
}

TEST_CASE("along a line values follow the projection of the pixel's centre", "[raster][lines]") {
  std::vector<Piece> pieces;
  uint32_t stipple = 0;
  setup_line({1000, 2000, 0.25f, 1}, {5000, 4000, 0.75f, 0.5f}, state_of(3, false), false, stipple, pieces);
  REQUIRE(pieces.size() == 1);
  const SetupTriangle& t = pieces[0].triangle;
  const double dx = 4000, dy = 2000;
  CHECK(t.l1_dx == float(256 * dx / (dx * dx + dy * dy)));
  CHECK(t.l1_dy == float(256 * dy / (dx * dx + dy * dy)));
  CHECK(t.l2_dx == 0);
  CHECK(t.z0 == 0.25f);
  CHECK(t.z_dx == float(0.5 * (256 * dx / (dx * dx + dy * dy))));
  CHECK_FALSE(t.affine);
}
