// One instruction set does: the functions of texture/ give the same numbers on all.
#include "texture/explain.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/simd.h"
#include "texture/anisotropy.h"
#include "texture/block.h"
#include "texture/footprint.h"
#include "texture/lod.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {
namespace {

using texture::SampleExplanation;
using texture::TexelClass;
using texture::TexelRead;

bool filters_bytes(const BoundTexture& t) {
  const TexelClass c = t.texel_class;
  return c == TexelClass::Bytes1 || c == TexelClass::Bytes2 || c == TexelClass::Bytes4;
}

// The vector of lanes that the explained one lies in.
class Explainer {
 public:
  Explainer(const BoundTexture& texture, const SampleArgs& args, int32_t lane)
      : texture_(texture), args_(args), lane_(static_cast<size_t>(lane)), first_(lane_ / kLanes * kLanes) {}

  SampleExplanation explain() {
    to_.is_filled = true;
    to_.format = texture_.level_count ? texture_.view.format : Format::NONE;
    for (size_t c = 0; c < 4; ++c) {
      to_.has_coord[c] = args_.coord[c] != nullptr;
      to_.coord[c] = to_.has_coord[c] ? args_.coord[c][lane_] : 0;
    }
    if (texture_.level_count == 0) return to_;
    switch (args_.op->kind) {
      case ir::TextureKind::Sample:
      case ir::TextureKind::SampleBias:
      case ir::TextureKind::SampleLod:
      case ir::TextureKind::SampleGrad: filter(); break;
      case ir::TextureKind::Fetch: fetch(); break;
      case ir::TextureKind::Gather: gather(); break;
      case ir::TextureKind::QuerySize:
      case ir::TextureKind::QueryLod:
      case ir::TextureKind::QuerySamples: break;
    }
    return to_;
  }

 private:
  void filter() {
    const SampleArgs args = complete(args_);
    const bool is_given = args.op->kind == ir::TextureKind::SampleLod;
    if (texture_.max_probes > 1 && !is_given) return probe(args);
    const F32x lambda = !is_given ? lambda_of(rho_squared(texture_, args, first_))
                        : args.lod ? load_float(args.lod + first_) : splat(0.0f);
    choose(biased(texture_, args, lambda, first_));
    add_levels(coordinates_of<Shape::Any>(texture_, args, given_coordinates(args, first_), false, first_));
  }

  // anisotropy.h, for one vector of lanes.
  void probe(const SampleArgs& args) {
    LevelPlan plan;
    ProbePlan probes;
    plan_probes(texture_, args, plan, probes);
    const SquaredLengths lengths = lengths_of(texture_, args, first_);
    const F32x count = from_int(load(probes.count + first_));
    choose(biased(texture_, args, lambda_of(max(lengths.x, lengths.y) / (count * count)), first_));
    for (probe_ = 0; probe_ < static_cast<uint32_t>(probes.count[lane_]); ++probe_) {
      const Direction d = probe_direction(texture_, given_coordinates(args, first_), probes, count,
                                          static_cast<int32_t>(probe_ + 1), first_);
      to_.probes.push_back({pick(d.x), pick(d.y), pick(d.z)});
      add_levels(coordinates_of<Shape::Any>(texture_, args, d, false, first_));
    }
  }

  void choose(F32x lod) {
    to_.has_lod = true;
    to_.lod = pick(lod);
    to_.is_linear = texture_.fixed_linear;
    if (texture_.needs_lod) {
      const LevelChoice choice = choose_levels(texture_, lod);
      to_.level = static_cast<uint32_t>(pick(choice.level));
      to_.fraction = pick(choice.fraction);
      to_.is_linear = pick(choice.linear) != 0;
    }
  }

  void add_levels(const Coordinates& at) {
    add_level(to_.level, to_.is_linear, at);
    if (to_.fraction > 0) add_level(to_.level + 1, to_.is_linear, at);
  }

  void gather() {
    const SampleArgs args = complete(args_);
    to_.is_linear = true;
    add_level(0, true, coordinates_of<Shape::Any>(texture_, args, given_coordinates(args, first_), false, first_));
  }

  void fetch() {
    const bool names_sample = names_samples(texture_, *args_.op);
    const uint32_t level = args_.lod && !names_sample ? args_.lod[lane_] : 0;
    if (level >= texture_.level_count) return;
    to_.level = level;
    const LevelImage& image = texture_.levels[level];
    int64_t at[3] = {0, 0, 0};
    for (uint32_t n = 0; n < texture_.dimensions; ++n) {
      const int32_t offset = args_.op->offset_count ? args_.op->offset[0][n] : 0;
      at[n] = int64_t{static_cast<int32_t>(to_.coord[n])} + offset;
      if (at[n] < 0 || at[n] >= image.axis[n].size_texels) return;
    }
    uint64_t slice = static_cast<uint64_t>(at[2]);
    if (texture_.has_slices) slice = to_.coord[3];
    if (texture_.has_slices && slice >= texture_.layer_count * (texture_.is_cube ? 6u : 1u)) return;
    const uint64_t sample = names_sample && args_.lod ? args_.lod[lane_] : 0;
    if (sample >= texture_.sample_count) return;
    add(level, slice * image.slice_texels + sample * image.sample_texels +
                   static_cast<uint64_t>(at[1]) * image.row_texels + static_cast<uint64_t>(at[0]), false);
  }

  // ---- texels ----

  int32_t offset_on(const LevelImage& level, size_t d) const {
    if (args_.op->offset_count == 0 && !args_.offset[d]) return 0;
    const int32_t given = args_.offset[d] ? static_cast<int32_t>(args_.offset[d][lane_]) : args_.op->offset[0][d];
    const Axis& axis = level.axis[d];
    const int32_t period = axis.mode == AxisMode::MirrorRepeat ? 2 * axis.size_texels : axis.size_texels;
    return repeats(axis.mode) ? (given % period + period) % period : given;
  }

  void add_level(uint32_t number, bool linear, const Coordinates& at) {
    if (number >= texture_.level_count) return;
    const LevelImage& level = texture_.levels[number];
    Offsets offsets;
    for (size_t d = 0; d < 3; ++d) offsets.texels[d] = offset_on(level, d);
    if (linear) return add_footprint(number, at, offsets);
    const NearestTexel texel = nearest_texel_of(texture_, level, at, offsets);
    add(number, pick(texel.index), pick(words_of(texel.is_border)) != 0);
  }

  I32x first_texel(const Axis& axis, F32x coordinate, int32_t offset) const {
    const I32x first = filters_bytes(texture_) && args_.op->kind != ir::TextureKind::Gather
                           ? hn::ShiftRight<8>(linear_position_fx8(axis, coordinate))
                           : linear_position(axis, coordinate).texel;
    return first + splat(offset);
  }

  void add_footprint(uint32_t number, const Coordinates& at, const Offsets& offsets) {
    const LevelImage& level = texture_.levels[number];
    const I32x i = first_texel(level.axis[0], at.s, offsets.texels[0]);
    const I32x j = first_texel(level.axis[1], at.t, offsets.texels[1]);
    if (texture_.seamless && crosses_seam(level, i, j)) {
      const SeamTaps taps(level, at.slice, i, j);
      for (uint32_t n = 0; n < 4; ++n)
        if (taps.missing[lane_ - first_] != n) add(number, taps.index[n][lane_ - first_], false);
      return;
    }
    const TexelPair x = wrap_pair(level.axis[0], i), y = wrap_pair(level.axis[1], j);
    const uint64_t slice = pick(slice_start(texture_, level, at.slice));
    if (texture_.dimensions < 3) return add_slice(number, x, y, slice, false);
    const TexelPair z = wrap_pair(level.axis[2], linear_position(level.axis[2], at.r).texel + splat(offsets.texels[2]));
    for (const int32_t k : {pick(z.first), pick(z.second)})
      add_slice(number, x, y, static_cast<uint64_t>(std::max(k, 0)) * level.slice_texels, k < 0);
  }

  void add_slice(uint32_t number, const TexelPair& x, const TexelPair& y, uint64_t start, bool is_border) {
    const LevelImage& level = texture_.levels[number];
    for (int32_t n = 0; n < (texture_.dimensions > 1 ? 4 : 2); ++n) {
      const int32_t i = pick(n & 1 ? x.second : x.first);
      const int32_t j = texture_.dimensions > 1 ? pick(n & 2 ? y.second : y.first) : 0;
      const uint64_t row = static_cast<uint64_t>(std::max(j, 0)) * level.row_texels;
      add(number, start + row + static_cast<uint64_t>(std::max(i, 0)), is_border || i < 0 || j < 0);
    }
  }

  void add(uint32_t number, uint64_t index, bool is_border) {
    const LevelImage& level = texture_.levels[number];
    TexelRead read;
    read.probe = probe_;
    read.level = number;
    read.is_border = is_border;
    read.slice = level.slice_texels ? static_cast<uint32_t>(index / level.slice_texels) : 0;
    const uint64_t in_slice = level.slice_texels ? index % level.slice_texels : index;
    const uint64_t in_plane = level.sample_texels ? in_slice % level.sample_texels : in_slice;
    read.x = static_cast<int32_t>(in_plane % level.row_texels);
    read.y = static_cast<int32_t>(in_plane / level.row_texels);
    if (is_border)
      for (size_t c = 0; c < 4; ++c) read.texel.word[c] = std::bit_cast<uint32_t>(texture_.border[c]);
    else
      read.texel = texel(level, index);
    to_.texels.push_back(read);
  }

  Texel texel(const LevelImage& level, uint64_t index) const {
    const size_t texel_bytes = texture_.format->block_bytes;
    if (index >= level.cold_texels) return unpack_texel(texture_.view.format, level.texels + index * texel_bytes);
    uint8_t decoded[::tessera::texture::kMaxDecodedTexel_bytes];
    const auto lane = static_cast<uint32_t>(index);
    ::tessera::texture::collect_texels(level, &lane, 1, texel_bytes, decoded);
    return unpack_texel(texture_.view.format, decoded);
  }

  // The explained lane's element.
  float pick(F32x v) const {
    alignas(64) float words[kLanes];
    store_float(v, reinterpret_cast<uint32_t*>(words));
    return words[lane_ - first_];
  }
  int32_t pick(I32x v) const { return static_cast<int32_t>(pick(as_u32(v))); }
  uint32_t pick(U32x v) const {
    alignas(64) uint32_t words[kLanes];
    store(v, words);
    return words[lane_ - first_];
  }

  const BoundTexture& texture_;
  const SampleArgs& args_;
  const size_t lane_, first_;
  uint32_t probe_ = 0;
  SampleExplanation to_;
};

}  // namespace
}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

namespace tessera::texture {

SampleExplanation explain_sample(const void* bound_texture, const SampleArgs& args, int32_t lane) {
  if (!(args.exec >> lane & 1)) return {};
  return HWY_NAMESPACE::tex::Explainer(*static_cast<const BoundTexture*>(bound_texture), args, lane).explain();
}

}  // namespace tessera::texture
