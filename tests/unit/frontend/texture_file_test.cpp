#include "frontend/texture_file.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "tests/support/data.h"
#include "tests/support/random.h"

using namespace tessera;

namespace {

using Bytes = std::vector<uint8_t>;

void put(Bytes& bytes, std::initializer_list<uint32_t> words) {
  for (uint32_t word : words)
    for (uint32_t i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
}

// Data bytes count up, so that each part shows where it came from.
void put_data(Bytes& bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(i));
}

struct Dds {
  uint32_t width = 8, height = 8, depth = 0, levels = 1, flags = 4, four_cc = 0x31545844 /* DXT1 */, bits = 0,
           caps2 = 0;
  uint32_t masks[4] = {0, 0, 0, 0};
  std::vector<uint32_t> dx10;
  size_t data_bytes = 32;

  Bytes bytes() const {
    Bytes file = {'D', 'D', 'S', ' '};
    put(file, {124, 0x1007, height, width, 0, depth, levels});
    for (int i = 0; i < 11; ++i) put(file, {0});
    put(file, {32, flags, four_cc, bits, masks[0], masks[1], masks[2], masks[3], 0x1000, caps2, 0, 0, 0});
    for (uint32_t word : dx10) put(file, {word});
    put_data(file, data_bytes);
    return file;
  }
};

struct Ktx {
  uint32_t endianness = 0x04030201, type = 0, format = 0, internal = 0x83f1, width = 8, height = 8, depth = 0,
           layers = 0, faces = 1, levels = 1;
  uint32_t key_bytes = 0;
  std::vector<std::pair<uint32_t, size_t>> images{1, {32, 32}};   // the size that is said, the bytes that are there

  Bytes bytes() const {
    Bytes file = {0xab, 'K', 'T', 'X', ' ', '1', '1', 0xbb, '\r', '\n', 0x1a, '\n'};
    put(file, {endianness, type, 1, format, internal, 0x1908, width, height, depth, layers, faces, levels, key_bytes});
    put_data(file, key_bytes);
    for (const auto& [said, there] : images) {
      put(file, {said});
      put_data(file, there);
    }
    return file;
  }
};

TextureFile decoded(const Bytes& bytes) {
  Result<TextureFile> file = decode_texture_file(bytes);
  if (!file) FAIL(file.diags().front().text);
  return std::move(*file);
}

std::string refusal(const Bytes& bytes) {
  const Result<TextureFile> file = decode_texture_file(bytes);
  return file ? "" : file.diags().front().text;
}

template <class File>
std::string refusal(File file, void (*change)(File&)) {
  change(file);
  return refusal(file.bytes());
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a DDS file of the old kind gives its format, levels and faces") {
  const TextureFile plain = decoded(Dds{}.bytes());
  CHECK(plain.desc == ResourceDesc{.format = Format::DXT1_RGBA, .width = 8, .height = 8});
  REQUIRE(plain.parts.size() == 1);
  CHECK(plain.parts[0].bytes.size() == 32);

  Dds cube;
  cube.caps2 = 0xfe00;
  cube.levels = 4;
  cube.data_bytes = 6 * (32 + 8 + 8 + 8);
  const TextureFile faces = decoded(cube.bytes());
  CHECK(faces.desc.kind == ResourceKind::Cube);
  REQUIRE(faces.parts.size() == 24);   // face after face, each with its levels
  CHECK((faces.parts[5].first_slice == 1 && faces.parts[5].level == 1));
  CHECK(faces.parts[5].bytes[0] == std::byte{56 + 32});

  Dds masked;
  masked.flags = 0x41;
  masked.four_cc = 0;
  masked.bits = 32;
  masked.masks[0] = 0xff0000, masked.masks[1] = 0xff00, masked.masks[2] = 0xff, masked.masks[3] = 0xff000000;
  masked.width = 3, masked.height = 2;
  masked.data_bytes = 24;
  CHECK(decoded(masked.bytes()).desc.format == Format::B8G8R8A8_UNORM);
  masked.flags = 0x40;   // without alpha, whatever the mask says
  CHECK(decoded(masked.bytes()).desc.format == Format::B8G8R8X8_UNORM);

  Dds volume;
  volume.caps2 = 0x200000;
  volume.depth = 3;
  volume.data_bytes = 96;
  CHECK(decoded(volume.bytes()).desc.depth == 3);
}

TEST_CASE("a DDS file with the DX10 header gives arrays and the newer formats") {
  Dds file;
  file.four_cc = 0x30315844;
  file.dx10 = {98, 3, 0, 2, 0};   // BC7, two layers
  file.data_bytes = 2 * 64;
  const TextureFile layers = decoded(file.bytes());
  CHECK(layers.desc.kind == ResourceKind::Tex2DArray);
  CHECK(layers.desc.format == Format::BPTC_RGBA_UNORM);
  CHECK(layers.parts[1].first_slice == 1);
  file.dx10 = {187, 3, 0, 1, 0};
  file.data_bytes = 16;
  CHECK(decoded(file.bytes()).desc.format == Format::ASTC_12x12_SRGB);
  file.dx10 = {71, 3, 4, 2, 0};
  file.data_bytes = 12 * 32;
  CHECK(decoded(file.bytes()).desc.kind == ResourceKind::CubeArray);
}

TEST_CASE("a wrong DDS file is refused with the reason") {
  CHECK(says(refusal(Bytes{'D', 'D', 'S', ' ', 1, 2}), "ends in its header"));
  CHECK(says(refusal(Bytes{'P', 'N', 'G'}), "expected a DDS or KTX file"));
  CHECK(says(refusal(Bytes{}), "expected a DDS or KTX file"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.four_cc = 0x41414141; }), "format code 0x41414141"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.flags = 0x40, d.bits = 17; }), "17 bits a texel"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.width = 0; }), "width is 0"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.width = 0xffffffff; }), "width is 4294967295"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.levels = 9; }), "levels is 9"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.width = d.height = 16384; }), "ends in level 0"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.data_bytes = 31; }), "ends in level 0 of layer 0"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.data_bytes = 33; }), "1 bytes more"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.caps2 = 0x600; }), "all six faces"));
  const auto dx10 = [](std::vector<uint32_t> words) {
    Dds d;
    d.four_cc = 0x30315844;
    d.dx10 = std::move(words);
    return refusal(d.bytes());
  };
  CHECK(says(dx10({999, 3, 0, 1, 0}), "DXGI format 999"));
  CHECK(says(dx10({98, 7, 0, 1, 0}), "resource dimension 7"));
  CHECK(says(dx10({98, 3, 0, 0, 0}), "0 layers"));
  CHECK(says(dx10({98, 3, 4, 0xffffffff, 0}), "layers"));
  CHECK(says(refusal<Dds>({}, [](Dds& d) { d.four_cc = 0x30315844, d.dx10 = {98, 2, 0, 1, 0}, d.height = 1; }),
             "BPTC_RGBA_UNORM of blocks"));   // a line of texels has no room for them
}

TEST_CASE("a KTX file gives its format, levels, layers and faces") {
  CHECK(decoded(Ktx{}.bytes()).desc == ResourceDesc{.format = Format::DXT1_RGBA, .width = 8, .height = 8});
  Ktx cube;
  cube.faces = 6;
  cube.levels = 2;
  cube.key_bytes = 12;
  cube.images = {{32, 6 * 32}, {8, 6 * 8}};
  const TextureFile faces = decoded(cube.bytes());
  CHECK(faces.desc.kind == ResourceKind::Cube);
  CHECK((faces.parts.size() == 2 && faces.parts[1].slices == 6 && faces.parts[1].bytes.size() == 48));
  Ktx layers;
  layers.layers = 3;
  layers.images = {{96, 96}};
  CHECK(decoded(layers.bytes()).desc.kind == ResourceKind::Tex2DArray);
  // Rows of three bytes a texel are padded to four.
  Ktx padded;
  padded.internal = 0x8051, padded.type = 0x1401, padded.format = 0x1907;
  padded.width = 3, padded.height = 2;
  padded.images = {{24, 24}};
  const TextureFile rows = decoded(padded.bytes());
  CHECK(rows.desc.format == Format::R8G8B8_UNORM);
  CHECK(rows.parts[0].bytes.size() == 18);
  CHECK(rows.parts[0].bytes[9] == std::byte{12});
}

TEST_CASE("a wrong KTX file is refused with the reason") {
  CHECK(
      says(refusal(Bytes{0xab, 'K', 'T', 'X', ' ', '1', '1', 0xbb, '\r', '\n', 0x1a, '\n', 0}), "ends in its header"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.endianness = 0x01020304; }), "big-endian"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.endianness = 5; }), "endianness 0x5"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.internal = 0x1234; }), "internal format 0x1234"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.type = 0x1401; }), "type 0x1401"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.faces = 5; }), "5 faces"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.layers = 0xffffffff; }), "layers"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.faces = 6, k.depth = 2; }), "a volume with faces"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.faces = 6, k.width = 4; }), "square faces"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.height = 0; }), "DXT1_RGBA of blocks"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.levels = 5; }), "levels is 5"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.images = {{33, 32}}; }), "33 bytes, expected 32"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.images = {{32, 31}}; }), "ends in level 0"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.images = {{32, 36}}; }), "4 bytes more"));
  CHECK(says(refusal<Ktx>({}, [](Ktx& k) { k.levels = 2; }), "ends before level 1"));
  Bytes keys = Ktx{}.bytes();
  keys[12 + 48] = 0xff, keys[12 + 49] = 0xff;
  CHECK(says(refusal(keys), "ends in its keys"));
}

TEST_CASE("damaged texture files give a texture or a reason, never a crash") {
  std::mt19937 random(tests::seed());
  Ktx ktx;
  ktx.faces = 6;
  ktx.images = {{32, 192}};
  Dds dx10;
  dx10.four_cc = 0x30315844;
  dx10.dx10 = {71, 3, 0, 1, 0};
  for (const Bytes& whole : {Dds{}.bytes(), dx10.bytes(), ktx.bytes()})
    for (uint32_t i = 0; i < tests::rounds(2000); ++i) {
      Bytes damaged = whole;
      for (uint32_t n = random() % 4 + 1; n > 0; --n)
        damaged[4 + random() % 144 % (damaged.size() - 4)] = static_cast<uint8_t>(random());
      if (random() % 4 == 0) damaged.resize(random() % damaged.size());
      const Result<TextureFile> file = decode_texture_file(damaged);
      CHECK((file.ok() || !file.diags().front().text.empty()));
    }
}
