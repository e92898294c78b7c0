#include "frontend/image_io.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>

#include "frontend/image_compare.h"

using namespace tessera;

namespace {

Image pattern(uint32_t width, uint32_t height) {
  Image image{width, height, std::vector<uint8_t>(size_t{width} * height * 4)};
  uint32_t state = 1;
  for (uint8_t& byte : image.rgba_un8) byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return image;
}

// The big-endian 32-bit value at `at`, replaced.
std::vector<uint8_t> with_word(std::vector<uint8_t> file, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) file[at + i] = static_cast<uint8_t>(value >> (24 - 8 * i));
  return file;
}

}  // namespace

TEST_CASE("a PNG reads back to the same texels, alpha included, and is written the same way each time") {
  for (const auto& [width, height] : {std::pair{1u, 1u}, {7u, 3u}, {64u, 65u}}) {
    const Image image = pattern(width, height);
    const std::vector<uint8_t> png = encode_png(image);
    CHECK(png == encode_png(image));
    const Result<Image> back = decode_image(png);
    REQUIRE(back);
    CHECK(*back == image);
  }
}

TEST_CASE("a picture of few colours is a palette's indices in its file, and reads back to the same texels") {
  const auto with_colors = [](uint32_t width, uint32_t height, uint32_t colors) {
    Image image = pattern(width, height);
    for (uint32_t i = 0; i < width * height; ++i) {
      const uint32_t color = (image.rgba_un8[4 * i] << 8 | image.rgba_un8[4 * i + 1]) % colors;
      uint8_t* texel = &image.rgba_un8[4 * size_t{i}];
      texel[0] = static_cast<uint8_t>(color * 7), texel[1] = static_cast<uint8_t>(color >> 8), texel[2] = 3, texel[3] = 255;
    }
    return image;
  };
  constexpr size_t kColorType = 25;              // of the file: after signature, length, IHDR, width, height and bits
  for (const auto& [width, height] : {std::pair{1u, 1u}, {7u, 3u}, {300u, 40u}, {16384u, 1u}, {1u, 16384u}})
    for (uint32_t colors : {1u, 2u, 255u, 256u, 257u, 5000u}) {
      const Image image = with_colors(width, height, colors);
      const std::vector<uint8_t> png = encode_diagram(image);
      CAPTURE(width, height, colors);
      CHECK(png == encode_diagram(image));
      CHECK(png[kColorType] == (colors <= 256 || width * height <= 21 ? 3 : 6));
      const Result<Image> back = decode_image(png);
      REQUIRE(back);
      CHECK(*back == image);
    }
  Image clear = with_colors(4, 4, 2);
  clear.rgba_un8[7] = 254;
  CHECK(*decode_image(encode_diagram(clear)) == clear);
}

TEST_CASE("a cut or damaged PNG is no picture", "[bad input]") {
  const std::vector<uint8_t> png = encode_png(pattern(9, 5));
  for (size_t length = 0; length < png.size(); ++length)
    CHECK_FALSE(decode_image(std::vector<uint8_t>(png.begin(), png.begin() + static_cast<std::ptrdiff_t>(length))));
  for (size_t i = 0; i < png.size() - 12; ++i) {   // the last chunk carries nothing
    std::vector<uint8_t> damaged = png;
    damaged[i] ^= 0x10;
    CAPTURE(i);
    CHECK_FALSE(decode_image(damaged));
  }
}

TEST_CASE("sizes are refused before anything is allocated", "[bad input]") {
  const std::vector<uint8_t> png = encode_png(pattern(2, 2));
  CHECK_FALSE(decode_image(with_word(png, 16, 0x7fffffff)));
  CHECK_FALSE(decode_image(with_word(png, 16, 0)));
}

TEST_CASE("what is neither PNG nor JPEG is said so", "[bad input]") {
  for (const std::vector<uint8_t>& file :
       {std::vector<uint8_t>{}, {'B', 'M', 0, 0}, {0xff, 0xd8}, {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J'}})
    CHECK_FALSE(decode_image(file));
  const Result<Image> missing = read_image_file("/nonexistent/picture.png");
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.diags().front().text, Catch::Contains("/nonexistent/picture.png"));
}

TEST_CASE("a file is written whole or not at all") {
  const std::string path = (std::filesystem::temp_directory_path() / "tessera_write_test.bin").string();
  REQUIRE(write_file(path, "abc", 3));
  const Result<std::vector<uint8_t>> back = read_file(path);
  REQUIRE(back);
  CHECK(*back == std::vector<uint8_t>{'a', 'b', 'c'});
  std::remove(path.c_str());
  CHECK_FALSE(write_file("/nonexistent/folder/file", "abc", 3));
}

TEST_CASE("images compare exactly unless a tolerance is given, and the tolerance is part of the verdict") {
  const Image expected = pattern(8, 4);
  Image actual = expected;
  CHECK(compare_images(expected, actual, {}).passed);
  CHECK_THAT(compare_images(expected, actual, {}).text, Catch::Contains("exact"));

  actual.texel(3, 2)[1] = static_cast<uint8_t>(actual.texel(3, 2)[1] ^ 1);   // a change of 1
  const ImageComparison exact = compare_images(expected, actual, {});
  CHECK_FALSE(exact.passed);
  CHECK(exact.differing == 1);
  CHECK(exact.largest == std::array<uint8_t, 4>{0, 1, 0, 0});
  REQUIRE(exact.first.size() == 1);
  CHECK(exact.first[0].x == 3);
  CHECK(exact.first[0].y == 2);
  CHECK_THAT(exact.text, Catch::Contains("first at (3, 2)"));

  CHECK_FALSE(compare_images(expected, actual, {{1, 0, 1, 1}, 0}).passed);
  const ImageComparison close = compare_images(expected, actual, {{0, 1, 0, 0}, 0});
  CHECK(close.passed);
  CHECK_THAT(close.text, Catch::Contains("tolerance 0 1 0 0, count 0"));
  CHECK(compare_images(expected, actual, {{0, 0, 0, 0}, 1}).passed);
}

TEST_CASE("one texel more than the tolerated count fails") {
  const Image expected = pattern(8, 4);
  Image actual = expected;
  for (const uint32_t x : {1u, 2u, 3u}) actual.texel(x, 0)[0] ^= 0x80;
  CHECK_FALSE(compare_images(expected, actual, {{0, 0, 0, 0}, 2}).passed);
  CHECK(compare_images(expected, actual, {{0, 0, 0, 0}, 3}).passed);
}

TEST_CASE("images of different sizes never match") {
  const ImageComparison c = compare_images(pattern(4, 2), pattern(2, 4), {{255, 255, 255, 255}, 1000});
  CHECK_FALSE(c.passed);
  CHECK_THAT(c.text, Catch::Contains("expected 4 x 2, found 2 x 4"));
}

TEST_CASE("an alpha difference alone shows in the difference image") {
  const Image expected = pattern(2, 1);
  Image actual = expected;
  actual.texel(1, 0)[3] ^= 1;
  const ImageComparison c = compare_images(expected, actual, {});
  CHECK(c.difference.texel(0, 0)[0] == 0);
  CHECK(c.difference.texel(1, 0)[0] > 0);
}
