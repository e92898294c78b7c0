#include <fmt/format.h>

#include "frontend/texture_reader.h"

namespace tessera {
namespace {

// OpenGL's compressed internal formats; ASTC follows from its first numbers.
constexpr FormatNumber kCompressedFormats[] = {
    {0x83f0, Format::DXT1_RGB},        {0x83f1, Format::DXT1_RGBA},      {0x83f2, Format::DXT3_RGBA},
    {0x83f3, Format::DXT5_RGBA},       {0x8c4c, Format::DXT1_SRGB},      {0x8c4d, Format::DXT1_SRGBA},
    {0x8c4e, Format::DXT3_SRGBA},      {0x8c4f, Format::DXT5_SRGBA},     {0x8c70, Format::LATC1_UNORM},
    {0x8c71, Format::LATC1_SNORM},     {0x8c72, Format::LATC2_UNORM},    {0x8c73, Format::LATC2_SNORM},
    {0x8d64, Format::ETC1_RGB8},       {0x8dbb, Format::RGTC1_UNORM},    {0x8dbc, Format::RGTC1_SNORM},
    {0x8dbd, Format::RGTC2_UNORM},     {0x8dbe, Format::RGTC2_SNORM},    {0x8e8c, Format::BPTC_RGBA_UNORM},
    {0x8e8d, Format::BPTC_SRGBA},      {0x8e8e, Format::BPTC_RGB_FLOAT}, {0x8e8f, Format::BPTC_RGB_UFLOAT},
    {0x9270, Format::ETC2_R11_UNORM},  {0x9271, Format::ETC2_R11_SNORM}, {0x9272, Format::ETC2_RG11_UNORM},
    {0x9273, Format::ETC2_RG11_SNORM}, {0x9274, Format::ETC2_RGB8},      {0x9275, Format::ETC2_SRGB8},
    {0x9276, Format::ETC2_RGB8A1},     {0x9277, Format::ETC2_SRGB8A1},   {0x9278, Format::ETC2_RGBA8},
    {0x9279, Format::ETC2_SRGBA8}};

// Uncompressed ones, with the type and format of the texels that the file must have.
struct PlainFormat { uint32_t internal, type, format; Format name; };
constexpr uint32_t kByte = 0x1401, kHalf = 0x140b, kFloat = 0x1406, kRed = 0x1903, kRg = 0x8227, kRgb = 0x1907,
                   kRgba = 0x1908;
constexpr PlainFormat kPlainFormats[] = {
    {0x8058, kByte, kRgba, Format::R8G8B8A8_UNORM},      {0x8c43, kByte, kRgba, Format::R8G8B8A8_SRGB},
    {0x8051, kByte, kRgb, Format::R8G8B8_UNORM},         {0x8c41, kByte, kRgb, Format::R8G8B8_SRGB},
    {0x8229, kByte, kRed, Format::R8_UNORM},             {0x822b, kByte, kRg, Format::R8G8_UNORM},
    {0x8040, kByte, 0x1909, Format::L8_UNORM},           {0x803c, kByte, 0x1906, Format::A8_UNORM},
    {0x8045, kByte, 0x190a, Format::L8A8_UNORM},         {0x822d, kHalf, kRed, Format::R16_FLOAT},
    {0x822f, kHalf, kRg, Format::R16G16_FLOAT},          {0x881a, kHalf, kRgba, Format::R16G16B16A16_FLOAT},
    {0x822e, kFloat, kRed, Format::R32_FLOAT},           {0x8230, kFloat, kRg, Format::R32G32_FLOAT},
    {0x8814, kFloat, kRgba, Format::R32G32B32A32_FLOAT}, {0x8c3a, 0x8c3b, kRgb, Format::R11G11B10_FLOAT},
    {0x8c3d, 0x8c3e, kRgb, Format::R9G9B9E5_FLOAT}};

struct Header {
  uint32_t endianness, type, type_size, format, internal_format, base_format;
  uint32_t width, height, depth, layers, faces, levels, key_value_bytes;
};
constexpr size_t kHeader_bytes = 13 * 4;

Header read_header(ByteReader& reader) {
  Header h{};
  for (uint32_t* field : {&h.endianness, &h.type, &h.type_size, &h.format, &h.internal_format, &h.base_format, &h.width,
                          &h.height, &h.depth, &h.layers, &h.faces, &h.levels, &h.key_value_bytes})
    *field = reader.word();
  return h;
}

Result<Format> format_of(const Header& h) {
  const uint32_t number = h.internal_format;
  if (h.type == 0 && h.format == 0) {
    for (const auto& [first, format] :
         {FormatNumber{0x93b0, Format::ASTC_4x4}, FormatNumber{0x93d0, Format::ASTC_4x4_SRGB}})
      if (number >= first && number < first + 14)
        return static_cast<Format>(static_cast<uint32_t>(format) + number - first);
    if (const std::optional<Format> format = find_format(kCompressedFormats, number)) return *format;
  }
  for (const PlainFormat& plain : kPlainFormats)
    if (plain.internal == number && plain.type == h.type && plain.format == h.format) return plain.name;
  return error(
      fmt::format("the KTX file has internal format {:#x}, type {:#x} and format {:#x}, which have no equal here",
                  number, h.type, h.format));
}

Status describe(const Header& h, ResourceDesc& desc) {
  Result<Format> format = format_of(h);
  if (!format) return format.diags();
  if (h.faces != 1 && h.faces != 6) return error(fmt::format("the KTX file has {} faces, expected 1 or 6", h.faces));
  if (h.layers > 2048) return error(fmt::format("the KTX file has {} layers, expected at most 2048", h.layers));
  const bool is_cube = h.faces == 6, is_array = h.layers > 0;
  if (h.depth > 0 && (is_cube || is_array)) return error("the KTX file is a volume with faces or layers");
  desc.format = *format;
  desc.width = h.width;
  desc.height = std::max(h.height, 1u);
  desc.depth = std::max(h.depth, 1u);
  desc.layers = std::max(h.layers, 1u) * h.faces;
  desc.levels = std::max(h.levels, 1u);
  if (is_cube) desc.kind = is_array ? ResourceKind::CubeArray : ResourceKind::Cube;
  else if (h.depth > 0) desc.kind = ResourceKind::Tex3D;
  else if (h.height == 0) desc.kind = is_array ? ResourceKind::Tex1DArray : ResourceKind::Tex1D;
  else desc.kind = is_array ? ResourceKind::Tex2DArray : ResourceKind::Tex2D;
  return Done{};
}

}  // namespace

Result<TextureFile> decode_ktx(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes);
  if (reader.left() < kHeader_bytes) return error("the KTX file ends in its header");
  const Header header = read_header(reader);
  if (header.endianness == 0x01020304)
    return error("the KTX file was written by a big-endian machine; that is not supported");
  if (header.endianness != 0x04030201)
    return error(fmt::format("the KTX file has endianness {:#x}", header.endianness));
  TextureFile file;
  ResourceDesc& desc = file.desc;
  if (Status s = describe(header, desc); !s) return s.diags();
  if (Status s = check_description(desc, "KTX"); !s) return s.diags();
  if (header.key_value_bytes > reader.left()) return error("the KTX file ends in its keys");
  reader.skip(header.key_value_bytes);
  for (uint32_t level = 0; level < desc.levels; ++level) {
    // Rows are padded to four bytes, so that the padding of faces and levels is always empty. The size says how long
    // one face of a cube is, or everything.
    const SliceSize size = slice_size(desc, level);
    const size_t row_bytes = (size.row_bytes + 3) / 4 * 4;
    const uint32_t slices = desc.layers * std::max(desc.depth >> level, 1u);
    const size_t image_bytes = row_bytes * size.rows * (desc.kind == ResourceKind::Cube ? 1 : slices);
    if (reader.left() < 4) return error(fmt::format("the KTX file ends before level {}", level));
    if (const uint32_t claimed = reader.word(); claimed != image_bytes)
      return error(fmt::format("the KTX file gives level {} {} bytes, expected {}", level, claimed, image_bytes));
    if (row_bytes * size.rows * slices > reader.left())
      return error(fmt::format("the KTX file ends in level {}", level));
    TextureFile::Part part{level, 0, slices, {}};
    for (uint32_t row = 0; row < size.rows * slices; ++row) {
      const auto texels = std::as_bytes(reader.take(row_bytes)).first(size.row_bytes);
      part.bytes.insert(part.bytes.end(), texels.begin(), texels.end());
    }
    file.parts.push_back(std::move(part));
  }
  if (reader.left() > 0)
    return error(fmt::format("the KTX file has {} bytes more than its texels need", reader.left()));
  return file;
}

}  // namespace tessera
