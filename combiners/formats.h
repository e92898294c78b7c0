// combiners/formats.h: what is known of a unit's texture: its shape, its base internal format, and which parts of a
// filtered texel the format's colours come from.
// A texel arrives as four numbers: luminance, intensity and depth (or the result of its comparison) in the first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tessera::combiners {

enum class Shape : uint8_t { Tex1D, Tex2D, Tex3D, Cube, Rect };

enum class BaseFormat : uint8_t {
  Alpha, Luminance, LuminanceAlpha, Intensity, Rgb, Rgba, Depth, DepthCompared, Hilo, Dsdt, DsdtMag, DsdtMagIntensity
};

enum class Part : uint8_t { First, Second, Third, Fourth, Zero, One };

struct FormatInfo {
  BaseFormat format;
  std::string_view text;
  std::array<Part, 4> rgba;
};

// In the order of BaseFormat.
inline constexpr FormatInfo kFormats[] = {
    {BaseFormat::Alpha,            "alpha",              {Part::Zero, Part::Zero, Part::Zero, Part::Fourth}},
    {BaseFormat::Luminance,        "luminance",          {Part::First, Part::First, Part::First, Part::One}},
    {BaseFormat::LuminanceAlpha,   "luminance_alpha",    {Part::First, Part::First, Part::First, Part::Fourth}},
    {BaseFormat::Intensity,        "intensity",          {Part::First, Part::First, Part::First, Part::First}},
    {BaseFormat::Rgb,              "rgb",                {Part::First, Part::Second, Part::Third, Part::One}},
    {BaseFormat::Rgba,             "rgba",               {Part::First, Part::Second, Part::Third, Part::Fourth}},
    {BaseFormat::Depth,            "depth",              {Part::Zero, Part::Zero, Part::Zero, Part::First}},
    {BaseFormat::DepthCompared,    "depthcmp",           {Part::First, Part::First, Part::First, Part::First}},
    {BaseFormat::Hilo,             "hilo",               {Part::Zero, Part::Zero, Part::Zero, Part::Zero}},
    {BaseFormat::Dsdt,             "dsdt",               {Part::Zero, Part::Zero, Part::Zero, Part::Zero}},
    {BaseFormat::DsdtMag,          "dsdt_mag",           {Part::Zero, Part::Zero, Part::Zero, Part::Zero}},
    {BaseFormat::DsdtMagIntensity, "dsdt_mag_intensity", {Part::Zero, Part::Zero, Part::Zero, Part::Fourth}},
};

constexpr const FormatInfo& info(BaseFormat format) { return kFormats[static_cast<size_t>(format)]; }

}  // namespace tessera::combiners
