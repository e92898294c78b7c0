// Images: every format and kind against pack_texel() and unpack_texel(), bounds, sizes, atomic operations, refusals.
#include <catch2/catch.hpp>

#include <bit>
#include <cstring>
#include <random>

#include "tests/support/random.h"
#include "texture/image.h"

using namespace tessera;
using namespace tessera::texture;

namespace {

using Lanes = std::array<uint32_t, kBlockLanes>;

struct Access {
  Lanes x{}, y{}, slice{}, sample{};
  Lanes value[4], out[4];
  ir::MemoryOp op;

  ImageArgs args(ImageAccess access, uint64_t lanes = ~0ull) {
    ImageArgs a;
    a.access = access;
    a.op = &op;
    a.x = x.data(), a.y = y.data(), a.slice = slice.data(), a.sample = sample.data();
    for (uint32_t k = 0; k < 4; ++k) a.value[k] = value[k].data(), a.out[k] = out[k].data();
    a.lanes = lanes;
    return a;
  }
  Texel loaded(uint32_t lane) const { return {{out[0][lane], out[1][lane], out[2][lane], out[3][lane]}}; }
};

std::shared_ptr<Storage> make_storage(const ResourceDesc& desc) {
  auto resource = Resource::create(desc);
  if (!resource) FAIL(resource.diags()[0].text);
  return (*resource)->storage();
}

bool is_storable(const FormatInfo& f) { return f.block_bytes != 0 && !f.is_compressed && !f.is_depth_or_stencil(); }

Texel random_texel(const FormatInfo& info, std::mt19937& random) {
  Texel texel;
  for (uint32_t& word : texel.word) {
    const auto bits = static_cast<uint32_t>(random());
    word = info.is_pure_integer() ? bits >> bits % 32
                                  : std::bit_cast<uint32_t>(static_cast<float>(bits % 4000) / 1000.0f - 1.5f);
  }
  return texel;
}

}  // namespace

TEST_CASE("every format stores as it packs and loads as it unpacks", "[image]") {
  std::mt19937 random(tests::seed());
  for (size_t f = 0; f < all_formats().size(); ++f) {
    const auto format = static_cast<Format>(f);
    const FormatInfo& info = format_info(format);
    if (!is_storable(info)) continue;
    const auto storage = make_storage({.format = format, .width = 8, .height = 8});
    REQUIRE(check_image_view(whole_image(storage)).ok());
    const BoundImage image = bind_image(whole_image(storage));
    Access a;
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      a.x[lane] = lane % 8, a.y[lane] = lane / 8;
      const Texel texel = random_texel(info, random);
      for (uint32_t k = 0; k < 4; ++k) a.value[k][lane] = texel.word[k];
    }
    access_image_block(&image, a.args(ImageAccess::Store));
    access_image_block(&image, a.args(ImageAccess::Load));
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      std::byte expected[32] = {};
      pack_texel(format, {{a.value[0][lane], a.value[1][lane], a.value[2][lane], a.value[3][lane]}}, expected);
      const std::byte* found =
          storage->slice(0, 0) + a.y[lane] * storage->level(0).row_bytes + a.x[lane] * info.block_bytes;
      CAPTURE(tests::seed(), info.name, lane);
      REQUIRE(std::memcmp(found, expected, info.block_bytes) == 0);
      REQUIRE(a.loaded(lane) == unpack_texel(format, found));
    }
  }
}

TEST_CASE("each kind of image finds its texel, and what lies outside loads 0 and drops stores", "[image]") {
  struct Case { ResourceKind kind; uint32_t width, height, depth, layers; };
  const Case cases[] = {{ResourceKind::Tex1D, 5, 1, 1, 1},      {ResourceKind::Tex2D, 5, 3, 1, 1},
                        {ResourceKind::Rect, 5, 3, 1, 1},       {ResourceKind::Tex3D, 4, 3, 5, 1},
                        {ResourceKind::Cube, 4, 4, 1, 6},       {ResourceKind::Tex1DArray, 5, 1, 1, 3},
                        {ResourceKind::Tex2DArray, 3, 2, 1, 4}, {ResourceKind::CubeArray, 2, 2, 1, 12}};
  for (const Case& c : cases) {
    const auto storage = make_storage({.kind = c.kind, .format = Format::R32_UINT, .width = c.width, .height = c.height,
                                       .depth = c.depth, .layers = c.layers});
    const BoundImage image = bind_image(whole_image(storage));
    const uint32_t slices = c.depth * c.layers;
    for (uint32_t slice = 0; slice <= slices; ++slice)
      for (uint32_t y = 0; y <= c.height; ++y)
        for (uint32_t x = 0; x <= c.width; ++x) {
          const bool inside = x < c.width && y < c.height && slice < slices;
          const uint32_t number = 1 + x + 100 * y + 10000 * slice;
          Access a;
          a.x.fill(x), a.y.fill(y), a.slice.fill(slice);
          a.value[0].fill(number);
          access_image_block(&image, a.args(ImageAccess::Store, 1));
          access_image_block(&image, a.args(ImageAccess::Load, 1));
          CAPTURE(static_cast<int>(c.kind), x, y, slice);
          REQUIRE(a.loaded(0) == (inside ? Texel{{number, 0, 0, 1}} : Texel{}));
        }
    for (uint32_t slice = 0; slice < slices; ++slice)
      for (uint32_t y = 0; y < c.height; ++y)
        for (uint32_t x = 0; x < c.width; ++x) {
          uint32_t word;
          std::memcpy(&word, storage->slice(0, slice) + y * storage->level(0).row_bytes + x * 4, sizeof word);
          REQUIRE(word == 1 + x + 100 * y + 10000 * slice);
        }
  }
}

TEST_CASE("a view shows its level and layers, in its own format", "[image]") {
  const auto storage = make_storage({.kind = ResourceKind::Tex2DArray,
                                     .format = Format::R8G8B8A8_UNORM,
                                     .width = 8,
                                     .height = 4,
                                     .layers = 5,
                                     .levels = 3});
  ImageView view = whole_image(storage, 1);
  view.format = Format::R32_UINT;
  view.first_layer = 2, view.last_layer = 3;
  REQUIRE(check_image_view(view).ok());
  const BoundImage image = bind_image(view);
  Access a;
  a.x.fill(3), a.y.fill(1), a.slice.fill(1);
  a.value[0].fill(0x11223344);
  access_image_block(&image, a.args(ImageAccess::Store, 1));
  uint32_t word;
  std::memcpy(&word, storage->slice(1, 3) + storage->level(1).row_bytes + 12, sizeof word);
  CHECK(word == 0x11223344);
}

TEST_CASE("channels that a store leaves out keep their values", "[image]") {
  const auto storage = make_storage({.format = Format::R16G16B16A16_UNORM, .width = 1, .height = 1});
  const BoundImage image = bind_image(whole_image(storage));
  Access a;
  const float first[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  for (uint32_t k = 0; k < 4; ++k) a.value[k].fill(std::bit_cast<uint32_t>(first[k]));
  access_image_block(&image, a.args(ImageAccess::Store, 1));
  access_image_block(&image, a.args(ImageAccess::Load, 1));
  const Texel before = a.loaded(0);
  ImageArgs args = a.args(ImageAccess::Store, 1);
  a.value[1].fill(0);
  args.value[0] = args.value[2] = args.value[3] = nullptr;
  access_image_block(&image, args);
  access_image_block(&image, a.args(ImageAccess::Load, 1));
  CHECK(a.loaded(0) == Texel{{before.word[0], 0, before.word[2], before.word[3]}});
}

TEST_CASE("atomic operations on images work on 32-bit channels, in lane order", "[image]") {
  const auto storage = make_storage({.format = Format::R32_UINT, .width = 2, .height = 1});
  const BoundImage image = bind_image(whole_image(storage));
  Access a;
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) a.x[lane] = lane % 3, a.value[0][lane] = lane;
  a.op.atomic = ir::AtomicKind::Add;
  access_image_block(&image, a.args(ImageAccess::Atomic));
  uint32_t sum[3] = {};
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    CHECK(a.out[0][lane] == (lane % 3 < 2 ? sum[lane % 3] : 0));
    sum[lane % 3] += lane;
  }
  const auto bytes = make_storage({.format = Format::R8G8B8A8_UNORM, .width = 2, .height = 1});
  const BoundImage other = bind_image(whole_image(bytes));
  access_image_block(&other, a.args(ImageAccess::Atomic));
  CHECK(a.out[0][1] == 0);
  CHECK(std::to_integer<int>(bytes->data()[4]) == 0);
}

TEST_CASE("a buffer's elements are texels of an image", "[image]") {
  const auto storage = make_storage({.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 64});
  ImageView view = whole_image(storage);
  view.format = Format::R32G32_FLOAT;
  view.first_layer = 1, view.last_layer = 7;
  REQUIRE(check_image_view(view).ok());
  const BoundImage image = bind_image(view);
  Access a;
  a.x.fill(2);
  a.value[0].fill(5), a.value[1].fill(6);
  access_image_block(&image, a.args(ImageAccess::Store, 1));
  uint32_t words[2];
  std::memcpy(words, storage->data() + 3 * 8, sizeof words);
  CHECK(words[0] == 5);
  CHECK(words[1] == 6);
  a.x.fill(7);
  access_image_block(&image, a.args(ImageAccess::Load, 1));
  CHECK(a.loaded(0) == Texel{});
}

TEST_CASE("the size of an image counts layers where its kind has them", "[image]") {
  struct Case { ResourceDesc desc; std::array<uint32_t, 4> size; };
  const Case cases[] = {{{.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 40}, {40, 0, 0, 1}},
                        {{.kind = ResourceKind::Tex1D, .width = 5}, {5, 0, 0, 1}},
                        {{.kind = ResourceKind::Tex1DArray, .width = 5, .layers = 3}, {5, 3, 0, 1}},
                        {{.kind = ResourceKind::Tex2D, .width = 5, .height = 4}, {5, 4, 0, 1}},
                        {{.kind = ResourceKind::Tex2DArray, .width = 5, .height = 4, .layers = 3}, {5, 4, 3, 1}},
                        {{.kind = ResourceKind::Tex3D, .width = 5, .height = 4, .depth = 2}, {5, 4, 2, 1}},
                        {{.kind = ResourceKind::Cube, .width = 4, .height = 4, .layers = 6}, {4, 4, 0, 1}},
                        {{.kind = ResourceKind::CubeArray, .width = 4, .height = 4, .layers = 12}, {4, 4, 2, 1}},
                        {{.kind = ResourceKind::Tex2D, .width = 5, .height = 4, .samples = 4}, {5, 4, 0, 4}}};
  for (const Case& c : cases) {
    const BoundImage image = bind_image(whole_image(make_storage(c.desc)));
    std::array<uint32_t, 4> size{};
    query_image_size(&image, size.data());
    CAPTURE(static_cast<int>(c.desc.kind));
    CHECK(size == c.size);
  }
}

TEST_CASE("a view that does not fit its resource is refused with the field's name", "[image]") {
  const auto flat = make_storage({.format = Format::R8G8B8A8_UNORM, .width = 4, .height = 4, .levels = 2});
  const auto array = make_storage(
      {.kind = ResourceKind::Tex2DArray, .format = Format::R8G8B8A8_UNORM, .width = 4, .height = 4, .layers = 4});
  const auto depth = make_storage({.format = Format::Z32_FLOAT, .width = 4, .height = 4});
  const auto buffer = make_storage({.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 20});
  ImageView good = whole_image(flat);
  const auto refused = [](ImageView view, const char* part) {
    const Status s = check_image_view(view);
    CAPTURE(part);
    REQUIRE_FALSE(s.ok());
    CHECK(s.diags()[0].text.find(part) == 0);
  };
  refused({}, "resource:");
  refused(whole_image(depth), "format:");
  ImageView v = good;
  v.format = Format::R16_UINT, refused(v, "format:");
  v = good, v.level = 2, refused(v, "level:");
  v = good, v.last_layer = 1, refused(v, "first_layer, last_layer:");
  v = good, v.kind = ResourceKind::Tex3D, refused(v, "kind:");
  v = good, v.kind = ResourceKind::Buffer, refused(v, "kind:");
  v = good, v.kind = ResourceKind::Tex1D, refused(v, "kind:");
  v = whole_image(array), v.kind = ResourceKind::Tex2D, refused(v, "last_layer:");
  v = whole_image(array), v.kind = ResourceKind::Cube, refused(v, "last_layer:");
  v = whole_image(array), v.kind = ResourceKind::CubeArray, refused(v, "last_layer:");
  v = whole_image(buffer), v.format = Format::R32_UINT, v.last_layer = 5, refused(v, "first_layer, last_layer:");
}
