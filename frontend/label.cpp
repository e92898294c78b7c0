#include <array>
#include <string>
#include <vector>

#include "frontend/heatmap.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif
#include <stb/stb_easy_font.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace tessera {
namespace {

struct Vertex {
  float x, y, z;
  uint8_t color[4];
};
constexpr size_t kBytesACharacter = 270;   // at most, says stb_easy_font.h

}  // namespace

// The font's strokes are rectangles, given by their corners in turn.
void draw_label(Image& image, uint32_t x, uint32_t y, const std::string& text, const std::array<uint8_t, 3>& color) {
  std::vector<Vertex> vertices(kBytesACharacter * (text.size() + 1) / sizeof(Vertex) + 4);
  std::string chars = text;
  const int quads = stb_easy_font_print(static_cast<float>(x), static_cast<float>(y), chars.data(), nullptr,
                                        vertices.data(), static_cast<int>(vertices.size() * sizeof(Vertex)));
  for (int q = 0; q < quads; ++q) {
    const Vertex& from = vertices[static_cast<size_t>(4 * q)];
    const Vertex& to = vertices[static_cast<size_t>(4 * q + 2)];
    for (auto py = static_cast<uint32_t>(from.y); py < static_cast<uint32_t>(to.y) && py < image.height; ++py)
      for (auto px = static_cast<uint32_t>(from.x); px < static_cast<uint32_t>(to.x) && px < image.width; ++px)
        for (size_t c = 0; c < 3; ++c) image.texel(px, py)[c] = color[c];
  }
}

}  // namespace tessera
