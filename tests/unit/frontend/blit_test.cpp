// Blits: coordinates in rational arithmetic, one texel at a time.
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>

#include "frontend/device.h"

using namespace tessera;

namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937;

uint32_t below(Random& random, uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();

  ResourceRef image(const ResourceDesc& desc) { return device->create_image(desc).value(); }

  Box whole(const ResourceRef& image, uint32_t level = 0) {
    const LevelLayout& l = image->storage()->level(level);
    return {.width = l.width, .height = l.height, .depth = l.slices};
  }
  Bytes read(const ResourceRef& image, uint32_t level = 0) {
    const LevelLayout& l = image->storage()->level(level);
    Bytes bytes(l.slice_bytes * l.slices);
    REQUIRE(c.read_box(image, level, whole(image, level), bytes));
    return bytes;
  }
  // Texels that are numbers: random colours, packed.
  ResourceRef random_image(const ResourceDesc& desc, Random& random) {
    const ResourceRef made = image(desc);
    const FormatInfo& format = format_info(desc.format);
    for (uint32_t level = 0; level < desc.levels; ++level) {
      Bytes bytes = read(made, level);
      for (size_t at = 0; at < bytes.size(); at += format.block_bytes) {
        Texel texel;
        for (uint32_t& word : texel.word)
          word = format.is_pure_integer()
                     ? static_cast<uint32_t>(random())
                     : std::bit_cast<uint32_t>(static_cast<float>(below(random, 4000)) / 3000 - 0.2f);
        pack_texel(desc.format, texel, &bytes[at]);
      }
      REQUIRE(c.write_texels(made, level, whole(made, level), bytes));
    }
    return made;
  }
};

// num / den, den > 0.
struct Rational { int64_t num, den; };

// The texel i with i <= r < i + 1, found by looking.
int64_t texel_below(const Rational& r) {
  int64_t i = -2;
  while ((i + 1) * r.den <= r.num) ++i;
  return i;
}

// Where the centre of target coordinate x lies in the source, by the corners as they were given.
Rational source_of(int32_t x, int32_t s0, int32_t s1, int32_t t0, int32_t t1) {
  // s0 + (2x + 1 - 2 t0) (s1 - s0) / (2 (t1 - t0))
  Rational r{int64_t{2} * (t1 - t0) * s0 + (2 * int64_t{x} + 1 - 2 * t0) * (s1 - s0), int64_t{2} * (t1 - t0)};
  if (r.den < 0) r = {-r.num, -r.den};
  return r;
}

struct OracleTap { int64_t first, second; double weight; };

OracleTap tap_at(const Rational& s, uint32_t size, bool linear) {
  if (!linear) return {texel_below(s), texel_below(s), 0};
  const Rational p{2 * s.num - s.den, 2 * s.den};
  const int64_t i = texel_below(p);
  const auto clamped = [&](int64_t t) { return t < 0 ? 0 : t >= int64_t{size} ? int64_t{size} - 1 : t; };
  return {clamped(i), clamped(i + 1), static_cast<double>(p.num - i * p.den) / static_cast<double>(p.den)};
}

// What a blit of colours makes of the target's texels.
struct Oracle {
  Format from, to;
  LevelLayout from_level, to_level;
  const Bytes &source, &before;

  Texel texel(int64_t x, int64_t y, int64_t z) const {
    const auto at = static_cast<size_t>(z) * from_level.slice_bytes + static_cast<size_t>(y) * from_level.row_bytes +
                    static_cast<size_t>(x) * format_info(from).block_bytes;
    return unpack_texel(from, &source[at]);
  }
  static double lerp(double a, double b, double t) { return t == 0 ? a : a + t * (b - a); }

  Bytes run(const Blit& blit) const {
    Bytes out = before;
    const BlitBox &s = blit.from.box, &t = blit.to.box;
    const auto inside = [](int32_t v, int32_t a, int32_t b) { return v >= std::min(a, b) && v < std::max(a, b); };
    const uint32_t bytes = format_info(to).block_bytes;
    for (int32_t z = 0; z < static_cast<int32_t>(to_level.slices); ++z)
      for (int32_t y = 0; y < static_cast<int32_t>(to_level.height); ++y)
        for (int32_t x = 0; x < static_cast<int32_t>(to_level.width); ++x) {
          if (!inside(x, t.x0, t.x1) || !inside(y, t.y0, t.y1) || !inside(z, t.z0, t.z1)) continue;
          if (blit.scissor && (!inside(x, blit.scissor->x0, blit.scissor->x1) ||
                               !inside(y, blit.scissor->y0, blit.scissor->y1)))
            continue;
          const bool linear = blit.filter == BlitFilter::Linear;
          const Rational at_x = source_of(x, s.x0, s.x1, t.x0, t.x1), at_y = source_of(y, s.y0, s.y1, t.y0, t.y1);
          const Rational at_z = source_of(z, s.z0, s.z1, t.z0, t.z1);
          const auto is_in = [](const Rational& r, uint32_t size) { return r.num >= 0 && r.num < r.den * int64_t{size}; };
          if (!is_in(at_x, from_level.width) || !is_in(at_y, from_level.height)) continue;   // beyond the source
          const OracleTap tx = tap_at(at_x, from_level.width, linear), ty = tap_at(at_y, from_level.height, linear);
          const OracleTap tz = tap_at(at_z, from_level.slices, linear);
          std::byte* const place = &out[static_cast<size_t>(z) * to_level.slice_bytes +
                                        static_cast<size_t>(y) * to_level.row_bytes + static_cast<size_t>(x) * bytes];
          pack_texel(to, linear ? filtered(tx, ty, tz) : texel(tx.first, ty.first, tz.first), place);
        }
    return out;
  }

  Texel filtered(const OracleTap& tx, const OracleTap& ty, const OracleTap& tz) const {
    Texel result;
    for (int c = 0; c < 4; ++c) {
      const auto at = [&](int64_t x, int64_t y, int64_t z) {
        return static_cast<double>(std::bit_cast<float>(texel(x, y, z).word[c]));
      };
      const auto row = [&](int64_t y, int64_t z) { return lerp(at(tx.first, y, z), at(tx.second, y, z), tx.weight); };
      const auto slice = [&](int64_t z) { return lerp(row(ty.first, z), row(ty.second, z), ty.weight); };
      result.word[c] =
          std::bit_cast<uint32_t>(static_cast<float>(lerp(slice(tz.first), slice(tz.second), tz.weight)));
    }
    return result;
  }
};

// `beyond`: how far it may reach out of the level.
void random_range(Random& random, uint32_t size, int32_t beyond, int32_t& begin, int32_t& end) {
  const uint32_t places = size + 1 + 2 * static_cast<uint32_t>(beyond);
  do {
    begin = static_cast<int32_t>(below(random, places)) - beyond;
    end = static_cast<int32_t>(below(random, places)) - beyond;
  } while (begin == end);
}

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }

}  // namespace

TEST_CASE_METHOD(Fixture, "blits of colours scale, mirror, filter and convert as in rational arithmetic", "[blit]") {
  const Format colors[] = {Format::R8G8B8A8_UNORM,    Format::B8G8R8A8_SRGB,      Format::B5G6R5_UNORM,
                           Format::R16G16_SNORM,      Format::R32G32B32A32_FLOAT, Format::R11G11B10_FLOAT,
                           Format::R10G10B10A2_UNORM, Format::L8A8_UNORM,         Format::R16_FLOAT};
  const Format unsigned_integers[] = {Format::R8G8B8A8_UINT, Format::R32_UINT, Format::R16G16_UINT};
  const uint32_t seed = 20261;
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    const bool integers = i % 7 == 0;
    const auto pick = [&] {
      return integers ? unsigned_integers[below(random, std::size(unsigned_integers))]
                      : colors[below(random, std::size(colors))];
    };
    const bool volume = i % 5 == 0;
    const auto random_desc = [&] {
      ResourceDesc d{.format = pick(), .width = 1 + below(random, 20), .height = 1 + below(random, 20), .levels = 1};
      if (volume) d.kind = ResourceKind::Tex3D, d.depth = 1 + below(random, 6);
      return d;
    };
    const ResourceRef from = random_image(random_desc(), random), to = random_image(random_desc(), random);
    Blit blit{.from = {.resource = from}, .to = {.resource = to}};
    for (BlitImage* side : {&blit.from, &blit.to}) {
      const LevelLayout& l = side->resource->storage()->level(0);
      const int32_t beyond = i % 4 == 0 ? 5 : 0;
      random_range(random, l.width, beyond, side->box.x0, side->box.x1);
      random_range(random, l.height, beyond, side->box.y0, side->box.y1);
      random_range(random, l.slices, 0, side->box.z0, side->box.z1);
    }
    if (!integers && random() % 2) blit.filter = BlitFilter::Linear;
    if (random() % 3 == 0) blit.scissor = raster::IRect{2, 1, 9, 12};
    const Bytes source = read(from), before = read(to);
    const Oracle oracle{from->desc().format, to->desc().format, from->storage()->level(0), to->storage()->level(0),
                        source, before};
    REQUIRE(c.blit(blit));
    CAPTURE(seed, i, format_info(from->desc().format).name, format_info(to->desc().format).name);
    // Equal formats and nearest copy bits; these texels are what packing makes, so that the oracle's are the same.
    REQUIRE(read(to) == oracle.run(blit));
  }
}

TEST_CASE_METHOD(Fixture, "a blit within one image reads what was there before", "[blit]") {
  Random random(7);
  const ResourceRef image = random_image({.width = 31, .height = 23}, random);
  const ResourceRef other = this->image(image->desc()), expected = this->image(image->desc());
  REQUIRE(c.copy_texels(image, 0, whole(image), other, 0, 0, 0, 0));
  REQUIRE(c.copy_texels(image, 0, whole(image), expected, 0, 0, 0, 0));
  const BlitBox from{2, 3, 20, 22}, to{25, 1, 5, 17};
  REQUIRE(c.blit({.from = {other, 0, from}, .to = {expected, 0, to}, .filter = BlitFilter::Linear}));
  REQUIRE(c.blit({.from = {image, 0, from}, .to = {image, 0, to}, .filter = BlitFilter::Linear}));
  CHECK(read(image) == read(expected));
}

TEST_CASE_METHOD(Fixture, "of depth and stencil the aspects that are asked for are copied and converted", "[blit]") {
  const auto depth_image = [&](Format format, float depth, uint8_t stencil) {
    const ResourceRef made = image({.format = format, .width = 5, .height = 4});
    Bytes texel(format_info(format).block_bytes);
    if (format_has_depth(format)) pack_depth(format, depth, texel.data());
    if (format_has_stencil(format)) pack_stencil(format, stencil, texel.data());
    REQUIRE(c.fill_texels(made, 0, whole(made), texel));
    return made;
  };
  const Format formats[] = {Format::Z16_UNORM, Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM, Format::Z32_FLOAT,
                            Format::Z32_FLOAT_S8X24_UINT, Format::S8_UINT};
  for (const Format f : formats)
    for (const Format t : formats)
      for (int aspects = 1; aspects < 4; ++aspects) {
        const bool depth = aspects & 1, stencil = aspects & 2;
        CAPTURE(format_info(f).name, format_info(t).name, depth, stencil);
        const ResourceRef from = depth_image(f, 0.375f, 200), to = depth_image(t, 0.75f, 17);
        const bool moves_depth = depth && format_has_depth(f) && format_has_depth(t);
        const bool moves_stencil = stencil && format_has_stencil(f) && format_has_stencil(t);
        const Status status = c.blit({.from = {from, 0, {0, 0, 5, 4}}, .to = {to, 0, {4, 0, 1, 4}}, .depth = depth,
                                      .stencil = stencil});
        REQUIRE(status.ok() == (moves_depth || moves_stencil));
        const Bytes got = read(to);
        const size_t size = format_info(t).block_bytes;
        const auto check = [&](size_t x, float z, uint8_t s) {
          Bytes expected(size);
          if (format_has_depth(t)) pack_depth(t, z, expected.data());
          if (format_has_depth(t)) CHECK(unpack_depth(t, &got[x * size]) == unpack_depth(t, expected.data()));
          if (format_has_stencil(t)) CHECK(unpack_stencil(t, &got[x * size]) == s);
        };
        // f holds 0.375 to its own precision.
        Bytes stored(format_info(f).block_bytes);
        if (format_has_depth(f)) pack_depth(f, 0.375f, stored.data());
        check(2, moves_depth ? unpack_depth(f, stored.data()) : 0.75f, moves_stencil ? 200 : 17);
        check(0, 0.75f, 17);
        check(4, 0.75f, 17);
      }
}

TEST_CASE_METHOD(Fixture, "several samples are resolved, copied one by one, or made from one", "[blit]") {
  Random random(11);
  for (const Format format : {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT, Format::R8_UINT}) {
    CAPTURE(format_info(format).name);
    const ResourceDesc desc{.kind = ResourceKind::Tex2DArray, .format = format, .width = 9, .height = 7, .layers = 3};
    ResourceDesc four = desc;
    four.samples = 4;
    const ResourceRef many = image(four), copied = image(four), single = random_image(desc, random);
    // Different samples: one image into all, then parts of it by drawing are not needed: copies of single samples do.
    const BlitBox all{0, 0, 9, 7, 0, 3};
    REQUIRE(c.blit({.from = {single, 0, all}, .to = {many, 0, all}}));
    for (uint32_t slice = 0; slice < 3; ++slice)
      for (uint32_t sample = 0; sample < 4; ++sample)
        CHECK(c.read_bytes(many, 0, slice, sample).value() == c.read_bytes(single, 0, slice).value());
    // Samples that differ.
    for (uint32_t sample = 0; sample < 4; ++sample) {
      Storage& storage = many->storage_for_write(true);
      for (size_t i = 0; i < storage.level(0).slice_bytes; i += 3)
        storage.slice(0, 1, sample)[i] = static_cast<std::byte>(i * 7 + sample * 31 & 0x3f);
    }
    REQUIRE(c.blit({.from = {many, 0, all}, .to = {copied, 0, {9, 0, 0, 7, 0, 3}}}));
    const uint32_t bytes = format_info(format).block_bytes;
    for (uint32_t sample = 0; sample < 4; ++sample) {
      const Bytes a = c.read_bytes(many, 0, 1, sample).value(), b = c.read_bytes(copied, 0, 1, sample).value();
      for (size_t y = 0; y < 7; ++y)
        for (size_t x = 0; x < 9; ++x)
          REQUIRE(std::memcmp(&a[(y * 9 + x) * bytes], &b[(y * 9 + 8 - x) * bytes], bytes) == 0);
    }
    const ResourceRef resolved = image(desc), by_blit = image(desc), scaled = image(desc), expected = image(desc);
    REQUIRE(c.resolve({.resource = many, .layers = 3}, {.resource = resolved, .layers = 3}));
    REQUIRE(c.blit({.from = {many, 0, all}, .to = {by_blit, 0, all}}));
    CHECK(read(by_blit) == read(resolved));
    const BlitBox part{1, 2, 6, 7, 0, 3};
    REQUIRE(c.blit({.from = {many, 0, part}, .to = {scaled, 0, all}}));
    REQUIRE(c.blit({.from = {resolved, 0, part}, .to = {expected, 0, all}}));
    CHECK(read(scaled) == read(expected));
    CHECK(text_of(c.blit({.from = {many, 0, part}, .to = {copied, 0, all}})).find("not scaled") != std::string::npos);
  }
}

TEST_CASE_METHOD(Fixture, "compressed images are blitted from, as they are sampled", "[blit]") {
  const ResourceRef blocks = image({.format = Format::DXT1_RGBA, .width = 8, .height = 8});
  Bytes bytes(32);
  Random random(3);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  REQUIRE(c.write_texels(blocks, 0, whole(blocks), bytes));
  const ResourceRef to = image({.format = Format::R32G32B32A32_FLOAT, .width = 8, .height = 8});
  REQUIRE(c.blit({.from = {blocks, 0, {0, 0, 8, 8}}, .to = {to, 0, {0, 0, 8, 8}}}));
  CHECK(c.read_texels(to).value() == c.read_texels(blocks).value());
}

TEST_CASE_METHOD(Fixture, "a blit that cannot be names the field and changes nothing", "[blit]") {
  const ResourceRef color = image({.width = 8, .height = 8, .levels = 2}), floats = image({.format = Format::R32_FLOAT,
                                                                                         .width = 8, .height = 8});
  const ResourceRef uints = image({.format = Format::R32_UINT, .width = 8, .height = 8});
  const ResourceRef sints = image({.format = Format::R32_SINT, .width = 8, .height = 8});
  const ResourceRef depth = image({.format = Format::Z32_FLOAT, .width = 8, .height = 8});
  const ResourceRef stencil = image({.format = Format::S8_UINT, .width = 8, .height = 8});
  const ResourceRef blocks = image({.format = Format::DXT1_RGBA, .width = 8, .height = 8});
  const ResourceRef array = image({.kind = ResourceKind::Tex2DArray, .width = 8, .height = 8, .layers = 4});
  const ResourceRef four = image({.width = 8, .height = 8, .samples = 4}),
                    two = image({.width = 8, .height = 8, .samples = 2});
  const ResourceRef buffer = device->create_buffer(Bytes(64)).value();
  const BlitBox box{0, 0, 8, 8};
  const struct { Blit blit; std::string_view names; } cases[] = {
      {{.from = {nullptr, 0, box}, .to = {color, 0, box}}, "from.resource"},
      {{.from = {color, 0, box}, .to = {nullptr, 0, box}}, "to.resource"},
      {{.from = {buffer, 0, box}, .to = {color, 0, box}}, "from.resource"},
      {{.from = {color, 2, {0, 0, 1, 1}}, .to = {color, 0, box}}, "from.level"},
      {{.from = {color, 0, {0, 0, INT32_MAX, 8}}, .to = {color, 0, box}}, "from.box.x0"},
      {{.from = {color, 0, {0, INT32_MIN, 8, 8}}, .to = {color, 0, box}}, "from.box.y0"},
      {{.from = {color, 0, box}, .to = {color, 0, {0, 0, 8, 8, 1, 2}}}, "to.box.z0"},
      {{.from = {color, 0, {0, 0, 8, 8, 0, 2}}, .to = {color, 0, box}}, "from.box.z0"},
      {{.from = {array, 0, {0, 0, 8, 8, 0, 3}}, .to = {array, 0, {0, 0, 8, 8, 0, 2}}}, "to.box.z0"},
      {{.from = {color, 0, {3, 0, 3, 8}}, .to = {color, 0, box}}, "from.box"},
      {{.from = {color, 0, box, Format::R16_UNORM}, .to = {color, 0, box}}, "from.format"},
      {{.from = {color, 0, box}, .to = {color, 0, box, static_cast<Format>(9999)}}, "to.format"},
      {{.from = {color, 0, box}, .to = {uints, 0, box}}, "to.format"},
      {{.from = {sints, 0, box}, .to = {uints, 0, box}}, "to.format"},
      {{.from = {depth, 0, box}, .to = {floats, 0, box}}, "to.format"},
      {{.from = {color, 0, box}, .to = {depth, 0, box}}, "to.format"},
      {{.from = {depth, 0, box}, .to = {stencil, 0, box}}, "aspect"},
      {{.from = {depth, 0, box}, .to = {depth, 0, box}, .depth = false}, "aspect"},
      {{.from = {depth, 0, box}, .to = {depth, 0, box}, .filter = BlitFilter::Linear}, "filter"},
      {{.from = {uints, 0, box}, .to = {uints, 0, box}, .filter = BlitFilter::Linear}, "filter"},
      {{.from = {color, 0, box}, .to = {color, 0, box}, .filter = static_cast<BlitFilter>(9)}, "filter"},
      {{.from = {color, 0, box}, .to = {blocks, 0, box}}, "to.resource"},
      {{.from = {four, 0, box}, .to = {two, 0, box}}, "to.resource"},
  };
  for (const auto& test : cases) {
    const Status status = c.blit(test.blit);
    CAPTURE(test.names, text_of(status));
    REQUIRE_FALSE(status);
    CHECK(text_of(status).find(test.names) != std::string::npos);
  }
  CHECK(c.blit({.from = {color, 0, {3, 0, 3, 8}}, .to = {color, 0, {1, 1, 1, 1}}}));   // nothing to nowhere
}
