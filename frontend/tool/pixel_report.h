// frontend/tool/pixel_report.h: a pixel's history as text for people and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "frontend/pixel_inspection.h"

namespace tessera::tool {

// What both need to name things: the scene, its file and its text.
struct PixelContext {
  const scene::Scene& scene;
  std::string_view path, source;
  const scene::PixelReport& report;
};

std::string pixel_text(const PixelContext& context);
std::string pixel_json(const PixelContext& context);

// ---- shared ----

// A line of the scene's text, trimmed; empty where there is none.
std::string_view scene_line(const PixelContext& context, uint32_t line);
// The line of the scene that an instruction of an event's program comes from; 0: it has none.
uint32_t line_of(const PixelContext& context, const raster::PixelEvent& event, const SourceLoc& loc);
// "general combiner 2": what of fixed-function state an instruction comes from; empty: of none.
std::string stage_of(const PixelContext& context, const raster::PixelEvent& event, const SourceLoc& loc);
SourceLoc command_loc(const PixelContext& context, const raster::PixelEvent& event);

std::string input_name(const ir::Input& input);      // "GENERIC[0].x"
std::string output_name(const ir::Output& output);

// Values of a stored texel, 4 channels; depth as a number.
struct StoredColor {
  bool is_integer = false, is_signed = false;
  Texel texel;
  std::string bits;                                  // of the stored bytes, as one hexadecimal number
};
StoredColor stored_color(Format format, const std::array<std::byte, raster::kMaxTexelBytes>& bytes);
double depth_value(Format format, uint32_t key);
bool has_stencil(Format format);

}  // namespace tessera::tool
