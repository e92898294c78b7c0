#include <fmt/format.h>

#include <array>

#include "frontend/texture_reader.h"

namespace tessera {
namespace {

constexpr uint32_t four_cc(const char (&text)[5]) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < 4; ++i) value |= static_cast<uint32_t>(static_cast<uint8_t>(text[i])) << 8 * i;
  return value;
}

// Four characters, or numbers of Direct3D 9's formats.
constexpr FormatNumber kFourCcFormats[] = {{four_cc("DXT1"), Format::DXT1_RGBA},
                                           {four_cc("DXT2"), Format::DXT3_RGBA},
                                           {four_cc("DXT3"), Format::DXT3_RGBA},
                                           {four_cc("DXT4"), Format::DXT5_RGBA},
                                           {four_cc("DXT5"), Format::DXT5_RGBA},
                                           {four_cc("ATI1"), Format::RGTC1_UNORM},
                                           {four_cc("BC4U"), Format::RGTC1_UNORM},
                                           {four_cc("BC4S"), Format::RGTC1_SNORM},
                                           {four_cc("ATI2"), Format::RGTC2_UNORM},
                                           {four_cc("BC5U"), Format::RGTC2_UNORM},
                                           {four_cc("BC5S"), Format::RGTC2_SNORM},
                                           {four_cc("RGBG"), Format::R8G8_B8G8_UNORM},
                                           {four_cc("GRGB"), Format::G8R8_G8B8_UNORM},
                                           {four_cc("UYVY"), Format::UYVY},
                                           {four_cc("YUY2"), Format::YUYV},
                                           {36, Format::R16G16B16A16_UNORM},
                                           {110, Format::R16G16B16A16_SNORM},
                                           {111, Format::R16_FLOAT},
                                           {112, Format::R16G16_FLOAT},
                                           {113, Format::R16G16B16A16_FLOAT},
                                           {114, Format::R32_FLOAT},
                                           {115, Format::R32G32_FLOAT},
                                           {116, Format::R32G32B32A32_FLOAT},
                                           {117, Format::R8G8Bx_SNORM}};

constexpr FormatNumber kDxgiFormats[] = {
    {2, Format::R32G32B32A32_FLOAT}, {10, Format::R16G16B16A16_FLOAT}, {11, Format::R16G16B16A16_UNORM},
    {16, Format::R32G32_FLOAT},      {24, Format::R10G10B10A2_UNORM},  {26, Format::R11G11B10_FLOAT},
    {28, Format::R8G8B8A8_UNORM},    {29, Format::R8G8B8A8_SRGB},      {31, Format::R8G8B8A8_SNORM},
    {34, Format::R16G16_FLOAT},      {35, Format::R16G16_UNORM},       {41, Format::R32_FLOAT},
    {49, Format::R8G8_UNORM},        {54, Format::R16_FLOAT},          {56, Format::R16_UNORM},
    {61, Format::R8_UNORM},          {65, Format::A8_UNORM},           {66, Format::R1_UNORM},
    {67, Format::R9G9B9E5_FLOAT},    {68, Format::R8G8_B8G8_UNORM},    {69, Format::G8R8_G8B8_UNORM},
    {71, Format::DXT1_RGBA},         {72, Format::DXT1_SRGBA},         {74, Format::DXT3_RGBA},
    {75, Format::DXT3_SRGBA},        {77, Format::DXT5_RGBA},          {78, Format::DXT5_SRGBA},
    {80, Format::RGTC1_UNORM},       {81, Format::RGTC1_SNORM},        {83, Format::RGTC2_UNORM},
    {84, Format::RGTC2_SNORM},       {85, Format::B5G6R5_UNORM},       {86, Format::B5G5R5A1_UNORM},
    {87, Format::B8G8R8A8_UNORM},    {88, Format::B8G8R8X8_UNORM},     {91, Format::B8G8R8A8_SRGB},
    {93, Format::B8G8R8X8_SRGB},     {95, Format::BPTC_RGB_UFLOAT},    {96, Format::BPTC_RGB_FLOAT},
    {98, Format::BPTC_RGBA_UNORM},   {99, Format::BPTC_SRGBA},         {107, Format::YUYV},
    {115, Format::B4G4R4A4_UNORM}};

// Uncompressed formats of the old header, by their bits a texel and masks.
struct MaskedFormat { uint32_t bits; std::array<uint32_t, 4> masks; Format format; };
constexpr MaskedFormat kMaskedFormats[] = {{32, {0xff0000, 0xff00, 0xff, 0xff000000}, Format::B8G8R8A8_UNORM},
                                           {32, {0xff0000, 0xff00, 0xff, 0}, Format::B8G8R8X8_UNORM},
                                           {32, {0xff, 0xff00, 0xff0000, 0xff000000}, Format::R8G8B8A8_UNORM},
                                           {32, {0xff, 0xff00, 0xff0000, 0}, Format::R8G8B8X8_UNORM},
                                           {32, {0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}, Format::R10G10B10A2_UNORM},
                                           {32, {0x3ff00000, 0xffc00, 0x3ff, 0xc0000000}, Format::B10G10R10A2_UNORM},
                                           {32, {0xffff, 0xffff0000, 0, 0}, Format::R16G16_UNORM},
                                           {24, {0xff0000, 0xff00, 0xff, 0}, Format::B8G8R8_UNORM},
                                           {16, {0xf800, 0x7e0, 0x1f, 0}, Format::B5G6R5_UNORM},
                                           {16, {0x7c00, 0x3e0, 0x1f, 0x8000}, Format::B5G5R5A1_UNORM},
                                           {16, {0x7c00, 0x3e0, 0x1f, 0}, Format::B5G5R5X1_UNORM},
                                           {16, {0xf00, 0xf0, 0xf, 0xf000}, Format::B4G4R4A4_UNORM},
                                           {16, {0xf00, 0xf0, 0xf, 0}, Format::B4G4R4X4_UNORM},
                                           {16, {0xe0, 0x1c, 3, 0xff00}, Format::B2G3R3A8_UNORM},
                                           {16, {0xff, 0, 0, 0xff00}, Format::L8A8_UNORM},
                                           {16, {0xffff, 0, 0, 0}, Format::L16_UNORM},
                                           {8, {0xff, 0, 0, 0}, Format::L8_UNORM},
                                           {8, {0, 0, 0, 0xff}, Format::A8_UNORM},
                                           {8, {0xe0, 0x1c, 3, 0}, Format::B2G3R3_UNORM},
                                           {8, {0xf, 0, 0, 0xf0}, Format::L4A4_UNORM}};

constexpr uint32_t kHasFourCc = 4, kHasAlpha = 1;               // flags of the pixel format
constexpr uint32_t kCubeCaps = 0x200, kAllFaces = 0xfc00, kVolumeCaps = 0x200000;   // caps2
constexpr size_t kHeader_bytes = 124, kDx10Header_bytes = 20;

struct Header {
  uint32_t width, height, depth, levels, caps2;
  uint32_t pixel_flags, four_cc, bits;
  std::array<uint32_t, 4> masks;
};

Header read_header(ByteReader& reader) {
  Header h{};
  reader.skip(8);    // size, flags: writers do not agree on them
  h.height = reader.word();
  h.width = reader.word();
  reader.skip(4);    // pitch
  h.depth = reader.word();
  h.levels = std::max(reader.word(), 1u);
  reader.skip(44 + 4);
  h.pixel_flags = reader.word();
  h.four_cc = reader.word();
  h.bits = reader.word();
  for (uint32_t& mask : h.masks) mask = reader.word();
  if (!(h.pixel_flags & kHasAlpha) && h.bits != 8) h.masks[3] = 0;
  reader.skip(4);    // caps
  h.caps2 = reader.word();
  reader.skip(12);
  return h;
}

// What the DX10 header says in place of the old one.
Status read_dx10_header(ByteReader& reader, ResourceDesc& desc) {
  if (reader.left() < kDx10Header_bytes) return error("the DDS file ends in its header");
  const uint32_t number = reader.word(), dimension = reader.word(), flags = reader.word(), layers = reader.word();
  reader.skip(4);
  const bool is_astc = number >= 134 && number <= 187 && (number - 134) % 4 < 2;
  const auto first_astc = static_cast<uint32_t>((number - 134) % 4 == 0 ? Format::ASTC_4x4 : Format::ASTC_4x4_SRGB);
  const std::optional<Format> format =
      is_astc ? static_cast<Format>(first_astc + (number - 134) / 4) : find_format(kDxgiFormats, number);
  if (!format) return error(fmt::format("the DDS file has DXGI format {}, which has no equal here", number));
  desc.format = *format;
  if (layers == 0 || layers > 2048) return error(fmt::format("the DDS file has {} layers, expected 1 to 2048", layers));
  const bool is_cube = flags & 4;
  desc.layers = is_cube ? 6 * layers : layers;
  switch (dimension) {
    case 2: desc.kind = layers > 1 ? ResourceKind::Tex1DArray : ResourceKind::Tex1D; break;
    case 3:
      if (is_cube) desc.kind = layers > 1 ? ResourceKind::CubeArray : ResourceKind::Cube;
      else desc.kind = layers > 1 ? ResourceKind::Tex2DArray : ResourceKind::Tex2D;
      break;
    case 4: desc.kind = ResourceKind::Tex3D; break;
    default: return error(fmt::format("the DDS file has resource dimension {}, expected 2, 3 or 4", dimension));
  }
  return Done{};
}

Status describe_old(const Header& h, ResourceDesc& desc) {
  if (h.pixel_flags & kHasFourCc) {
    const std::optional<Format> format = find_format(kFourCcFormats, h.four_cc);
    if (!format) return error(fmt::format("the DDS file has format code {:#x}, which has no equal here", h.four_cc));
    desc.format = *format;
  } else {
    const auto* at = std::find_if(std::begin(kMaskedFormats), std::end(kMaskedFormats),
                                  [&](const MaskedFormat& f) { return f.bits == h.bits && f.masks == h.masks; });
    if (at == std::end(kMaskedFormats))
      return error(
          fmt::format("the DDS file has {} bits a texel with masks {:#x} {:#x} {:#x} {:#x}, which have no equal here",
                      h.bits, h.masks[0], h.masks[1], h.masks[2], h.masks[3]));
    desc.format = at->format;
  }
  if (h.caps2 & kCubeCaps) {
    if ((h.caps2 & kAllFaces) != kAllFaces) return error("the DDS file is a cube without all six faces");
    desc.kind = ResourceKind::Cube;
    desc.layers = 6;
  } else if (h.caps2 & kVolumeCaps) {
    desc.kind = ResourceKind::Tex3D;
  }
  return Done{};
}

}  // namespace

Result<TextureFile> decode_dds(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes);
  if (reader.left() < kHeader_bytes) return error("the DDS file ends in its header");
  const Header header = read_header(reader);
  TextureFile file;
  ResourceDesc& desc = file.desc;
  desc.width = header.width;
  desc.height = header.height;
  desc.levels = header.levels;
  const bool is_dx10 = (header.pixel_flags & kHasFourCc) && header.four_cc == four_cc("DX10");
  if (Status s = is_dx10 ? read_dx10_header(reader, desc) : describe_old(header, desc); !s) return s.diags();
  if (desc.kind == ResourceKind::Tex3D) desc.depth = std::max(header.depth, 1u);
  if (Status s = check_description(desc, "DDS"); !s) return s.diags();
  for (uint32_t layer = 0; layer < desc.layers; ++layer)
    for (uint32_t level = 0; level < desc.levels; ++level) {
      const SliceSize size = slice_size(desc, level);
      const uint32_t slices = std::max(desc.depth >> level, 1u);
      const size_t part_bytes = size.row_bytes * size.rows * slices;
      if (part_bytes > reader.left())
        return error(fmt::format("the DDS file ends in level {} of layer {}", level, layer));
      const auto part = std::as_bytes(reader.take(part_bytes));
      file.parts.push_back({level, layer, slices, {part.begin(), part.end()}});
    }
  if (reader.left() > 0)
    return error(fmt::format("the DDS file has {} bytes more than its texels need", reader.left()));
  return file;
}

}  // namespace tessera
