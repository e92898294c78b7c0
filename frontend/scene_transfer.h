// frontend/scene_transfer.h: blits, copies, fills, pixel rectangles and bitmaps of a scene.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/result.h"
#include "frontend/device.h"

namespace tessera::scene {

class Line;
struct Scene;
struct Section;

// A level of a [texture], or an image of a [target].
struct ImageName {
  std::optional<uint32_t> texture;               // else
  std::string target;
  bool depth = false;
  uint32_t color = 0;
  uint32_t level = 0;
};

// [bitmap NAME]
struct BitmapRows {
  SourceLoc loc;
  uint32_t width = 0, height = 0;
  float origin_x = 0, origin_y = 0;
  std::optional<float> move_x, move_y;           // else the width and one, and 0
  std::vector<std::byte> bits;
};

struct BlitImages { ImageName from, to; BlitBox from_box, to_box; BlitFilter filter = BlitFilter::Nearest; };
struct CopyTexels { ImageName from, to; Box box; std::array<uint32_t, 3> at{}; };
struct FillTexels { ImageName image; Box box; std::array<double, 4> color{}; };
struct SetRasterPosition { RasterPosition position; };
struct SetPixelTransfer { PixelTransfer transfer; };
struct DrawPixels { uint32_t texture = 0; PixelKind kind = PixelKind::Color; };
struct CopyPixels { ImageName from; Box box; PixelKind kind = PixelKind::Color; };
struct DrawBitmaps { std::vector<std::string> names; };
using TransferAction = std::variant<BlitImages, CopyTexels, FillTexels, SetRasterPosition, SetPixelTransfer, DrawPixels,
                                    CopyPixels, DrawBitmaps>;
struct Transfer { TransferAction action; };

// Takes a command of [test] that is one of these; nothing where the words are others. `pixels` holds what `pixel` lines
// have set so far.
std::optional<Transfer> accept_transfer(Line& line, const Scene& scene, PixelTransfer& pixels);
BitmapRows parse_bitmap(const Section& section, std::vector<Diag>& diags);

// What the names of a scene stand for while it runs.
struct TransferNames {
  std::function<const ResourceRef&(const ImageName&)> image;
  const std::map<std::string, BitmapRows>& bitmaps;
};
Status perform_transfer(Context& context, const TransferNames& names, const Transfer& transfer);

}  // namespace tessera::scene
