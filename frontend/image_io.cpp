#include "frontend/image_io.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_map>

// stb's vector paths are switched off: decoded texels must not depend on the machine.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STBI_NO_SIMD
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 16384
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace tessera {
namespace {

constexpr size_t kMaxFile_bytes = size_t{1} << 30;
constexpr uint64_t kMaxImage_texels = uint64_t{1} << 27;   // 512 MiB decoded

struct CloseFile { void operator()(std::FILE* f) const { std::fclose(f); } };
using File = std::unique_ptr<std::FILE, CloseFile>;

Diag system_error_of(std::string_view what, const std::string& path) {
  return error(fmt::format("{} '{}': {}", what, path, std::generic_category().message(errno)));
}

uint32_t big_endian(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}

uint32_t crc32(const uint8_t* data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

constexpr uint8_t kPngSignature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

// ---- pictures of few colours ---------------------------------------------------------------------------------------

struct Diagram {
  std::vector<uint8_t> palette_rgb;
  std::vector<uint8_t> rows;                     // palette indices, each row behind PNG's "no filter"
};

// None: too many colours, or one that is not opaque.
std::optional<Diagram> diagram_of(const Image& image) {
  Diagram diagram;
  diagram.rows.reserve((size_t{image.width} + 1) * image.height);
  std::unordered_map<uint32_t, uint8_t> index_of;
  uint32_t last = 0;                             // no opaque colour
  uint8_t last_index = 0;
  const uint8_t* texel = image.rgba_un8.data();
  for (uint32_t y = 0; y < image.height; ++y) {
    diagram.rows.push_back(0);
    for (uint32_t x = 0; x < image.width; ++x, texel += 4) {
      uint32_t color;
      std::memcpy(&color, texel, sizeof color);
      if (color != last) {
        if (texel[3] != 255) return std::nullopt;
        const auto [at, is_new] = index_of.try_emplace(color, static_cast<uint8_t>(index_of.size()));
        if (is_new && index_of.size() > 256) return std::nullopt;
        if (is_new) diagram.palette_rgb.insert(diagram.palette_rgb.end(), texel, texel + 3);
        last = color;
        last_index = at->second;
      }
      diagram.rows.push_back(last_index);
    }
  }
  return diagram;
}

void append_big_endian(std::vector<uint8_t>& to, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<uint8_t>(value >> shift));
}

void append_chunk(std::vector<uint8_t>& png, std::string_view name, const std::vector<uint8_t>& data) {
  append_big_endian(png, static_cast<uint32_t>(data.size()));
  const size_t named = png.size();
  png.insert(png.end(), name.begin(), name.end());
  png.insert(png.end(), data.begin(), data.end());
  append_big_endian(png, crc32(png.data() + named, png.size() - named));
}

bool is_png(const std::vector<uint8_t>& file) {
  return file.size() > 8 && std::memcmp(file.data(), kPngSignature, 8) == 0;
}

bool is_jpeg(const std::vector<uint8_t>& file) { return file.size() > 3 && file[0] == 0xff && file[1] == 0xd8; }

// The decoder trusts the chunks' check sums and lengths; a damaged file must not pass for a picture.
Status check_png_chunks(const std::vector<uint8_t>& file) {
  size_t at = 8;
  while (file.size() - at >= 12) {
    const size_t length = big_endian(&file[at]);
    if (length > file.size() - at - 12) return error("the PNG file is cut off");
    if (crc32(&file[at + 4], length + 4) != big_endian(&file[at + 8 + length]))
      return error("a PNG chunk's check sum is wrong: the file is damaged");
    if (std::memcmp(&file[at + 4], "IEND", 4) == 0) return Done{};
    at += 12 + length;
  }
  return error("the PNG file is cut off");
}

// The decoder fills what is missing with grey; the end marker tells whether anything is.
Status check_jpeg_end(const std::vector<uint8_t>& file) {
  for (size_t i = file.size() - 1; i > 1; --i)
    if (file[i - 1] == 0xff && file[i] == 0xd9) return Done{};
  return error("the JPEG file is cut off");
}

Status check_size(int width, int height) {
  const auto side = static_cast<int>(kMaxImageSide_px);
  if (width < 1 || height < 1 || width > side || height > side ||
      static_cast<uint64_t>(width) * static_cast<uint64_t>(height) > kMaxImage_texels)
    return error(fmt::format("an image of {} x {} texels is beyond the limits ({} a side, {} in all)", width, height,
                             kMaxImageSide_px, kMaxImage_texels));
  return Done{};
}

}  // namespace

Result<std::vector<uint8_t>> read_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_error_of("cannot open", path);
  std::vector<uint8_t> bytes;
  uint8_t part[1 << 16];
  while (const size_t got = std::fread(part, 1, sizeof part, file.get())) {
    if (bytes.size() + got > kMaxFile_bytes)
      return error(fmt::format("'{}' is larger than {} bytes", path, kMaxFile_bytes));
    bytes.insert(bytes.end(), part, part + got);
  }
  if (std::ferror(file.get())) return system_error_of("cannot read", path);
  return bytes;
}

Status write_file(const std::string& path, const void* data, size_t size_bytes) {
  const std::string partial = fmt::format("{}.{}.part", path, ::getpid());
  File file(std::fopen(partial.c_str(), "wb"));
  if (!file) return system_error_of("cannot write", path);
  const bool written = std::fwrite(data, 1, size_bytes, file.get()) == size_bytes;
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed && std::rename(partial.c_str(), path.c_str()) == 0) return Done{};
  const Diag diag = system_error_of("cannot write", path);
  std::remove(partial.c_str());
  return diag;
}

Result<Image> decode_image(const std::vector<uint8_t>& file) {
  const bool png = is_png(file);
  if (!png && !is_jpeg(file)) return error("this is neither a PNG nor a JPEG file");
  if (Status s = png ? check_png_chunks(file) : check_jpeg_end(file); !s) return s.diags();
  const auto size = static_cast<int>(file.size());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(file.data(), size, &width, &height, &channels))
    return error(fmt::format("the image cannot be decoded: {}", stbi_failure_reason()));
  if (Status s = check_size(width, height); !s) return s.diags();
  if (stbi_is_16_bit_from_memory(file.data(), size))
    return error("the image has 16 bits a channel; only 8 are supported");
  const std::unique_ptr<stbi_uc, void (*)(void*)> texels(
      stbi_load_from_memory(file.data(), size, &width, &height, &channels, 4), stbi_image_free);
  if (!texels) return error(fmt::format("the image cannot be decoded: {}", stbi_failure_reason()));
  Image image{static_cast<uint32_t>(width), static_cast<uint32_t>(height), {}};
  image.rgba_un8.assign(texels.get(), texels.get() + size_t{image.width} * image.height * 4);
  return image;
}

Result<Image> read_image_file(const std::string& path) {
  Result<std::vector<uint8_t>> file = read_file(path);
  if (!file) return file.diags();
  Result<Image> image = decode_image(*file);
  if (!image) return error(fmt::format("'{}': {}", path, image.diags().front().text));
  return image;
}

std::vector<uint8_t> encode_png(const Image& image) {
  int length = 0;   // stb's settings (compression level 8, best filter a row) are never changed: files are repeatable
  const std::unique_ptr<unsigned char, void (*)(void*)> png(
      stbi_write_png_to_mem(image.rgba_un8.data(), static_cast<int>(image.width * 4), static_cast<int>(image.width),
                            static_cast<int>(image.height), 4, &length),
      std::free);
  TESSERA_CHECK(png != nullptr);
  return std::vector<uint8_t>(png.get(), png.get() + length);
}

std::vector<uint8_t> encode_diagram(const Image& image) {
  const std::optional<Diagram> diagram = diagram_of(image);
  if (!diagram) return encode_png(image);
  std::vector<uint8_t> png(std::begin(kPngSignature), std::end(kPngSignature));
  constexpr uint8_t kBits = 8, kOfPalette = 3;
  std::vector<uint8_t> header;
  append_big_endian(header, image.width);
  append_big_endian(header, image.height);
  header.insert(header.end(), {kBits, kOfPalette, 0, 0, 0});
  append_chunk(png, "IHDR", header);
  append_chunk(png, "PLTE", diagram->palette_rgb);
  std::vector<uint8_t> rows = diagram->rows;
  int length = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> packed(
      stbi_zlib_compress(rows.data(), static_cast<int>(rows.size()), &length, stbi_write_png_compression_level),
      std::free);
  TESSERA_CHECK(packed != nullptr);
  append_chunk(png, "IDAT", {packed.get(), packed.get() + length});
  append_chunk(png, "IEND", {});
  return png;
}

Status write_png_file(const std::string& path, const Image& image) {
  const std::vector<uint8_t> png = encode_png(image);
  return write_file(path, png.data(), png.size());
}

Status write_diagram_file(const std::string& path, const Image& image) {
  const std::vector<uint8_t> png = encode_diagram(image);
  return write_file(path, png.data(), png.size());
}

}  // namespace tessera
