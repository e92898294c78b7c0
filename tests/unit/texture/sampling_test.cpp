// Filtered sampling of random textures with random state at random coordinates, against the specification in double.
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "random_state.h"
#include "spec_sampler.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;

// Anything from plain coordinates over exact texel borders to what no program should ask for.
float random_coordinate(float size, std::mt19937& random) {
  const float unit = static_cast<float>(random()) / 4294967296.0f;
  switch (below(8, random)) {
    case 0:
    case 1:
    case 2: return unit * 6 - 3;
    case 3:
    case 4: return (std::floor(unit * 6 * size) / 2 - size) / size;
    case 5: return std::nextafter((std::floor(unit * 4 * size) - 2 * size) / size, unit < 0.5f ? -9.0f : 9.0f);
    case 6: return (unit - 0.5f) * 4096;
    default: {
      const float odd[] = {0.0f, -0.0f, 1.0f,  -1.0f,  2.0f,        1e-40f,   -1e-40f,   -1e-10f, 0.99999994f,
                           1e9f, -1e9f, 3e38f, -3e38f, 16777217.0f, INFINITY, -INFINITY, NAN};
      return pick(odd, random);
    }
  }
}

bool is_bytes(Format format) {
  for (const FormatField& f : format_info(format).field)
    if (f.kind != FieldKind::None && (f.kind != FieldKind::Unorm || f.bits != 8)) return false;
  return format_info(format).space == ColorSpace::Linear;
}

// The largest value that a texel can have.
double magnitude(Format format) {
  double most = 1;
  for (const FormatField& f : format_info(format).field) {
    if (f.kind == FieldKind::Uscaled || f.kind == FieldKind::Sscaled) most = std::max(most, std::exp2(f.bits));
    if (f.kind == FieldKind::Fixed) most = std::max(most, std::exp2(f.bits / 2 - 1));
    if (f.kind == FieldKind::Float || f.kind == FieldKind::SharedExp) most = std::max(most, 4.0);
    if (f.kind == FieldKind::Fixed) most = std::max(most, 32768.0);
  }
  return most;
}

// Largest difference allowed where several texels count: weights of 8-bit unorm formats have steps of 1/256; the others
// round coordinates and weights to floats.
double bound(const View& view, const Sampler& sampler) {
  if (!is_bytes(view.format)) return 1e-4 * magnitude(view.format);
  return (sampler.mip_filter == MipFilter::Linear ? 2.0 : 1.0) / 255 + 1e-6;
}

// A direction whose face is not decided by rounding.
void random_direction(float* d, std::mt19937& random) {
  const float on_face[] = {0, 1, -1, 0.5f, -0.75f};
  for (int axis = 0; axis < 3; ++axis)
    d[axis] = below(4, random) == 0 ? pick(on_face, random) : static_cast<float>(random()) / 2147483648.0f - 1;
  d[below(3, random)] = below(2, random) ? 1.0f : -1.0f;
}

SpecCoordinates random_coordinates(const View& view, const Sampler& sampler, std::mt19937& random) {
  const LevelLayout& base = view.storage->level(view.first_level);
  const float scale = sampler.unnormalized ? static_cast<float>(base.width) : 1.0f;
  SpecCoordinates at;
  at.s = random_coordinate(static_cast<float>(base.width), random) * scale;
  at.t = random_coordinate(static_cast<float>(base.height), random) * scale;
  at.r = random_coordinate(static_cast<float>(base.depth), random);
  if (is_cube(view.kind)) {
    float d[3];
    random_direction(d, random);
    at.s = d[0];
    at.t = d[1];
    at.r = d[2];
  }
  at.layer = below(8, random) == 0 ? NAN : static_cast<float>(below(24, random)) / 4 - 1;
  if (sampler.compare) at.reference = static_cast<float>(below(65, random)) / 64;
  return at;
}

struct Case {
  View view;
  Sampler sampler;
  ir::TextureOp op;
  TextureBlock block;
  SpecCoordinates at[64];
  float lambda[64];
};

void fill(Case& c, std::mt19937& random) {
  c.op.kind = ir::TextureKind::SampleLod;
  if (!is_cube(c.view.kind) && below(4, random) == 0) {
    c.op.offset_count = 1;
    for (int8_t& offset : c.op.offset[0]) offset = static_cast<int8_t>(static_cast<int>(below(16, random)) - 8);
  }
  const bool one_level = below(2, random);
  c.block.has_lod = true;
  c.block.has_ref = c.sampler.compare;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    c.at[lane] = random_coordinates(c.view, c.sampler, random);
    c.lambda[lane] = lane > 0 && one_level ? c.lambda[0] : static_cast<float>(below(96, random)) / 16 - 1;
    for (size_t axis = 0; axis < 3; ++axis) c.at[lane].offset[axis] = c.op.offset_count ? c.op.offset[0][axis] : 0;
    c.block.set(0, lane, c.at[lane].s);
    c.block.set(1, lane, c.at[lane].t);
    c.block.set(2, lane, c.at[lane].r);
    c.block.set(3, lane, c.at[lane].layer);
    c.block.ref[lane] = std::bit_cast<uint32_t>(c.at[lane].reference.value_or(0.0f));
    c.block.lod[lane] = std::bit_cast<uint32_t>(c.lambda[lane]);
  }
}

void check_lane(const Case& c, const SpecSampler& spec, uint32_t lane) {
  std::optional<std::array<uint32_t, 4>> bits;
  const Rgba expected = spec.sample(c.at[lane], static_cast<double>(c.lambda[lane]), bits);
  INFO("lane " << lane << " s " << c.at[lane].s << " t " << c.at[lane].t << " r " << c.at[lane].r << " layer "
               << c.at[lane].layer << " lambda " << c.lambda[lane]);
  const bool is_extreme = c.sampler.reduction != Reduction::Average && !bits;
  const SpecRange range = is_extreme ? spec.extreme(c.at[lane], static_cast<double>(c.lambda[lane])) : SpecRange{};
  for (uint32_t channel = 0; channel < 4; ++channel) {
    const double found = static_cast<double>(c.block.result(channel, lane));
    if (is_extreme) {
      INFO("channel " << channel << " expected " << range.low[channel] << " to " << range.high[channel] << " found "
                      << found);
      if (!(found >= range.low[channel] && found <= range.high[channel])) FAIL("no extreme of the footprint");
      continue;
    }
    INFO("channel " << channel << " expected " << expected[channel] << " found " << found);
    if (bits) {
      if (c.block.out[channel][lane] != (*bits)[channel]) FAIL("bits differ");
    } else if (!(std::fabs(found - expected[channel]) <= bound(c.view, c.sampler))) {
      FAIL("out of bound");
    }
  }
}

std::string describe(const Case& c) {
  const ResourceDesc& d = c.view.storage->desc();
  const Sampler& s = c.sampler;
  std::string text = std::string(format_info(d.format).name) + " as " + std::string(format_info(c.view.format).name) +
                     " kind " + std::to_string(static_cast<int>(d.kind));
  for (uint32_t n :
       {d.width, d.height, d.depth, d.layers, d.levels, c.view.first_level, c.view.last_level, c.view.first_layer})
    text += " " + std::to_string(n);
  text += " wraps";
  for (Wrap w : {s.wrap_s, s.wrap_t, s.wrap_r}) text += " " + std::to_string(static_cast<int>(w));
  text += " filters " + std::to_string(static_cast<int>(s.min_filter)) +
          std::to_string(static_cast<int>(s.mag_filter)) + std::to_string(static_cast<int>(s.mip_filter));
  text +=
      " bias " + std::to_string(s.lod_bias) + " lod " + std::to_string(s.min_lod) + ".." + std::to_string(s.max_lod);
  return text + " compare " + std::to_string(s.compare) + std::to_string(static_cast<int>(s.compare_func)) +
         " seamless " + std::to_string(s.seamless_cube) + " reduction " + std::to_string(static_cast<int>(s.reduction));
}

}  // namespace

TEST_CASE("sampling with random state agrees with the specification, and every instruction set gives the same bits",
          "[texture]") {
  std::mt19937 random(seed());
  for (uint32_t round = 0; round < rounds(3000); ++round) {
    const ResourceDesc desc = random_desc(random);
    const std::shared_ptr<Resource> resource = random_texture(desc, random);
    Case c;
    c.view = random_view(resource, random);
    c.sampler = random_sampler(c.view, random);
    fill(c, random);
    CAPTURE(seed(), round, describe(c));
    REQUIRE(check_view(c.view).ok());
    REQUIRE(check_sampler(c.sampler).ok());
    const SpecSampler spec(c.view, c.sampler);
    std::optional<TextureBlock> first;
    for (SimdTarget simd : available_simd_targets()) {
      c.block.run(*bind_texture(c.view, c.sampler, simd), c.op);
      if (!first) {
        for (uint32_t lane = 0; lane < 64; ++lane) check_lane(c, spec, lane);
        first = c.block;
      } else {
        REQUIRE(std::memcmp(first->out, c.block.out, sizeof c.block.out) == 0);
      }
    }
  }
}

}  // namespace tessera::tests
