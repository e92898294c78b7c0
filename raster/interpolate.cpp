#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/interpolate.cpp"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <bit>

#include "core/simd.h"
#include "raster/barycentric_simd-inl.h"
#include "raster/interpolate.h"
#include "raster/lane_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::Chunk;
using raster::FragmentInput;
using raster::InputPlan;
using raster::QuadBatch;
using raster::SetupTriangle;

// The three vertices' records.
struct Corners { const float *a0, *a1, *a2, *flat; };
HWY_INLINE Corners corners_of(const SetupTriangle& t, const Chunk& chunk) {
  const float* records = chunk.records.data();
  const size_t stride = chunk.stride;
  return {records + t.vertex[0] * stride, records + t.vertex[1] * stride, records + t.vertex[2] * stride,
          records + t.provoking * stride};
}

HWY_INLINE uint32_t* slot_lanes(uint32_t* slots, uint32_t slot) { return slots + size_t{slot} * 64; }

// ---- one triangle over a block ------------------------------------------------------------------------------------

struct BlockPlane { alignas(64) float v[64]; };

HWY_INLINE void block_lambdas(const SetupTriangle& t, int32_t x, int32_t y, BlockPlane& lambda1, BlockPlane& lambda2) {
  F32x l1_x[kVectorsInRow], l2_x[kVectorsInRow];
  for (int32_t v = 0; v < kVectorsInRow; ++v) {
    const F32x dx = offsets_px(f32, (x + v * kVectorWidth_px) * 256 + 128 - t.x0_fx8, kLaneX);
    l1_x[v] = dx * splat(t.l1_dx);
    l2_x[v] = dx * splat(t.l2_dx);
  }
  const F32x l1_dy = splat(t.l1_dy), l2_dy = splat(t.l2_dy);
  size_t lane = 0;
  for (int32_t row = 0; row < 8; row += 2) {
    const F32x dy = offsets_px(f32, (y + row) * 256 + 128 - t.y0_fx8, kLaneY);
    for (int32_t v = 0; v < kVectorsInRow; ++v, lane += kLanes) {
      store(fma(dy, l1_dy, l1_x[v]), lambda1.v + lane);
      store(fma(dy, l2_dy, l2_x[v]), lambda2.v + lane);
    }
  }
}

HWY_INLINE void block_words(const std::vector<InputPlan::Word>& words, const Corners& c, const BlockPlane& i,
                            const BlockPlane& j, uint32_t* slots) {
  for (const InputPlan::Word& w : words) {
    const float first = c.a0[w.word];
    const F32x a0 = splat(first), to_a1 = splat(c.a1[w.word] - first), to_a2 = splat(c.a2[w.word] - first);
    uint32_t* out = slot_lanes(slots, w.slot);
    for (size_t lane = 0; lane < 64; lane += kLanes)
      store_float(attribute_at(load(i.v + lane), load(j.v + lane), a0, to_a1, to_a2), out + lane);
  }
}

void interpolate_block(const InputPlan& plan, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y,
                       uint32_t* slots) {
  const Corners corners = corners_of(t, chunk);
  if (!plan.perspective.empty() || !plan.linear.empty()) {
    BlockPlane lambda1, lambda2, i, j;
    block_lambdas(t, x, y, lambda1, lambda2);
    block_words(plan.linear, corners, lambda1, lambda2, slots);
    if (t.affine) {
      block_words(plan.perspective, corners, lambda1, lambda2, slots);
    } else if (!plan.perspective.empty()) {
      for (size_t lane = 0; lane < 64; lane += kLanes) {
        F32x vi, vj;
        perspective_ij(f32, t, load(lambda1.v + lane), load(lambda2.v + lane), vi, vj);
        store(vi, i.v + lane);
        store(vj, j.v + lane);
      }
      block_words(plan.perspective, corners, i, j, slots);
    }
  }
  for (const InputPlan::Word& w : plan.flat) {
    uint32_t* out = slot_lanes(slots, w.slot);
    const F32x value = splat(corners.flat[w.word]);
    for (size_t lane = 0; lane < 64; lane += kLanes) store_float(value, out + lane);
  }
}

// ---- a batch of quads ---------------------------------------------------------------------------------------------

template <class D, class V = hn::Vec<D>>
HWY_INLINE void quad_words(D d, const std::vector<InputPlan::Word>& words, const Corners& c, V i, V j, size_t lane,
                           uint32_t* slots) {
  const hn::RebindToUnsigned<D> du;
  for (const InputPlan::Word& w : words) {
    const V a0 = hn::Set(d, c.a0[w.word]);
    const V to_a1 = hn::Sub(hn::Set(d, c.a1[w.word]), a0), to_a2 = hn::Sub(hn::Set(d, c.a2[w.word]), a0);
    hn::StoreU(hn::BitCast(du, attribute_at(i, j, a0, to_a1, to_a2)), du, slot_lanes(slots, w.slot) + lane);
  }
}

// Quads of one triangle, as many as the vector holds.
template <class D>
HWY_INLINE void quads_of_triangle(D d, const InputPlan& plan, const QuadBatch& batch, size_t quad, uint32_t* slots) {
  const size_t lane = 4 * quad;
  const Corners c = corners_of(*batch.triangle[quad], *batch.chunk[quad]);
  quad_words(d, plan.perspective, c, hn::LoadU(d, batch.i + lane), hn::LoadU(d, batch.j + lane), lane, slots);
  if (!plan.linear.empty())
    quad_words(d, plan.linear, c, hn::LoadU(d, batch.lambda1 + lane), hn::LoadU(d, batch.lambda2 + lane), lane, slots);
  const hn::RebindToUnsigned<D> du;
  for (const InputPlan::Word& w : plan.flat)
    hn::StoreU(hn::BitCast(du, hn::Set(d, c.flat[w.word])), du, slot_lanes(slots, w.slot) + lane);
}

void interpolate_batch(const InputPlan& plan, const QuadBatch& batch, uint32_t* slots) {
  for (size_t q = 0; q < batch.count;) {
    if (kLanes == 8 && q + 1 < batch.count && batch.triangle[q] == batch.triangle[q + 1]) {
      quads_of_triangle(f32, plan, batch, q, slots);
      q += 2;
    } else {
      quads_of_triangle(quad_f32, plan, batch, q, slots);
      ++q;
    }
  }
}

// Offsets from vertex 0 to the pixels' centres of a quad.
HWY_INLINE Quad quad_dx(const SetupTriangle& t, int32_t x) {
  return offsets_px(quad_f32, x * 256 + 128 - t.x0_fx8, kLaneX);
}
HWY_INLINE Quad quad_dy(const SetupTriangle& t, int32_t y) {
  return offsets_px(quad_f32, y * 256 + 128 - t.y0_fx8, kLaneY);
}

// ---- the centroid -------------------------------------------------------------------------------------------------

// From the pixel's centre to its centroid: the first covered sample, or the centre where all or none are covered.
HWY_INLINE void centroid_offsets(const raster::SamplePattern& pattern, uint64_t covered, float* x_px, float* y_px) {
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint64_t samples = covered >> lane & 0x1111111111111111ull;
    const bool at_centre = samples == 0 || std::popcount(samples) == static_cast<int>(pattern.count);
    const auto first = at_centre ? 0 : std::countr_zero(samples);      // 4 * sample
    x_px[lane] = at_centre ? 0 : pattern.x_px[first];
    y_px[lane] = at_centre ? 0 : pattern.y_px[first];
  }
}

void interpolate_centroid(const InputPlan& plan, const QuadBatch& batch, uint32_t* slots) {
  for (size_t q = 0; q < batch.count; ++q) {
    const SetupTriangle& t = *batch.triangle[q];
    alignas(16) float x_px[4], y_px[4];
    centroid_offsets(*plan.samples, batch.raster[q], x_px, y_px);
    const Quad dx = hn::Add(quad_dx(t, batch.x[q]), hn::Load(quad_f32, x_px)),
               dy = hn::Add(quad_dy(t, batch.y[q]), hn::Load(quad_f32, y_px));
    const Quad l1 = lambda_at(dx, dy, hn::Set(quad_f32, t.l1_dx), hn::Set(quad_f32, t.l1_dy)),
               l2 = lambda_at(dx, dy, hn::Set(quad_f32, t.l2_dx), hn::Set(quad_f32, t.l2_dy));
    const Corners c = corners_of(t, *batch.chunk[q]);
    quad_words(quad_f32, plan.centroid_linear, c, l1, l2, 4 * q, slots);
    Quad i = l1, j = l2;
    if (!t.affine) perspective_ij(quad_f32, t, l1, l2, i, j);
    quad_words(quad_f32, plan.centroid_perspective, c, i, j, 4 * q, slots);
  }
}

// ---- inputs that are no varyings ----------------------------------------------------------------------------------

HWY_INLINE Quad pixels_from(int32_t first, const int32_t* lanes) {
  return hn::ConvertTo(quad_f32, hn::Add(hn::Set(quad_i32, first), hn::Load(quad_i32, lanes)));
}

// Where in its pixels a batch is shaded.
struct Spot { float x_px, y_px; };
HWY_INLINE Spot spot_of(const InputPlan& plan, const QuadBatch& batch) {
  if (batch.sample < 0) return {0, 0};
  const int32_t lane = 4 * batch.sample;
  return {plan.samples->x_px[lane], plan.samples->y_px[lane]};
}

HWY_INLINE Quad position(const InputPlan& plan, const SetupTriangle& t, FragmentInput::Kind kind, int32_t x, int32_t y,
                         Spot spot) {
  if (kind == FragmentInput::Kind::PositionX)
    return hn::Add(pixels_from(x, kLaneX), hn::Set(quad_f32, plan.pixel_center + spot.x_px));
  if (kind == FragmentInput::Kind::PositionY) {
    if (!plan.lower_left) return hn::Add(pixels_from(y, kLaneY), hn::Set(quad_f32, plan.pixel_center + spot.y_px));
    // Row y from the top is row height - 1 - y from the bottom.
    return hn::Add(hn::Sub(hn::Set(quad_f32, plan.target_height - 1.0f), pixels_from(y, kLaneY)),
                   hn::Set(quad_f32, plan.pixel_center - spot.y_px));
  }
  const Quad dx = hn::Add(quad_dx(t, x), hn::Set(quad_f32, spot.x_px)),
             dy = hn::Add(quad_dy(t, y), hn::Set(quad_f32, spot.y_px));
  if (kind == FragmentInput::Kind::PositionZ)
    return fused(dy, hn::Set(quad_f32, t.z_dy), fused(dx, hn::Set(quad_f32, t.z_dx), hn::Set(quad_f32, t.z0)));
  return reciprocal_w(quad_f32, t, lambda_at(dx, dy, hn::Set(quad_f32, t.l1_dx), hn::Set(quad_f32, t.l1_dy)),
                      lambda_at(dx, dy, hn::Set(quad_f32, t.l2_dx), hn::Set(quad_f32, t.l2_dy)));
}

// The word that all lanes of a quad get.
HWY_INLINE uint32_t quad_word(const SetupTriangle& t, FragmentInput::Kind kind, uint8_t component) {
  using Kind = FragmentInput::Kind;
  constexpr uint32_t kOne = 0x3f800000u, kMinusOne = 0xbf800000u;
  switch (kind) {
    case Kind::Default: return component == 3 ? kOne : 0;
    case Kind::FaceFloat: return t.front ? kOne : kMinusOne;
    case Kind::FaceMask: return t.front ? ~0u : 0;
    case Kind::PrimitiveId: return t.primitive_id;
    default: return 0;
  }
}

// The sample that the program runs for, and its place in the pixel.
HWY_INLINE uint32_t sample_word(const InputPlan& plan, FragmentInput::Kind kind, int32_t sample, Spot spot) {
  using Kind = FragmentInput::Kind;
  if (kind == Kind::TargetSamples) return plan.samples->count;
  if (kind == Kind::SamplePosX) return std::bit_cast<uint32_t>(0.5f + spot.x_px);
  if (kind == Kind::SamplePosY) return std::bit_cast<uint32_t>(plan.lower_left ? 0.5f - spot.y_px : 0.5f + spot.y_px);
  return sample < 0 ? 0 : static_cast<uint32_t>(sample);
}

// Bit s of a lane: sample s is covered, of those that the program runs for.
HWY_INLINE void coverage_words(const InputPlan& plan, const QuadBatch& batch, uint32_t* out) {
  for (size_t q = 0; q < batch.count; ++q) {
    for (uint32_t lane = 0; lane < 4; ++lane) {
      uint32_t word = 0;
      const uint64_t covered = plan.post_depth_coverage ? batch.samples[q] : batch.raster[q];
      for (uint64_t left = covered >> lane & 0x1111111111111111ull; left; left &= left - 1)
        word |= 1u << (std::countr_zero(left) / 4);
      out[4 * q + lane] = batch.sample < 0 ? word : word & 1u << batch.sample;
    }
  }
}

// Sample positions, 4 bits each: 1/16 pixels from the upper left corner, eight samples a word.
HWY_INLINE uint32_t sample_table(const raster::SamplePattern& pattern, const int8_t* offsets_fx4, uint32_t first) {
  uint32_t word = 0;
  for (uint32_t s = 0; s < 8; ++s) {
    const int32_t place = first + s < pattern.count ? offsets_fx4[first + s] + 8 : 8;
    word |= static_cast<uint32_t>(place) << (4 * s);
  }
  return word;
}

// What all lanes of a quad see of their triangle, or of the sample pattern.
HWY_INLINE uint32_t triangle_word(const raster::SamplePattern& pattern, const SetupTriangle& t,
                                  ir::InputPart part) {
  using Part = ir::InputPart;
  switch (part) {
    case Part::Lambda1Dx: return std::bit_cast<uint32_t>(t.l1_dx);
    case Part::Lambda1Dy: return std::bit_cast<uint32_t>(t.l1_dy);
    case Part::Lambda2Dx: return std::bit_cast<uint32_t>(t.l2_dx);
    case Part::Lambda2Dy: return std::bit_cast<uint32_t>(t.l2_dy);
    case Part::Rw0: return std::bit_cast<uint32_t>(t.rw[0]);
    case Part::Rw1: return std::bit_cast<uint32_t>(t.rw[1]);
    case Part::Rw2: return std::bit_cast<uint32_t>(t.rw[2]);
    case Part::Affine: return t.affine ? ~0u : 0;
    case Part::SamplesXLow: return sample_table(pattern, pattern.x_fx4, 0);
    case Part::SamplesXHigh: return sample_table(pattern, pattern.x_fx4, 8);
    case Part::SamplesYLow: return sample_table(pattern, pattern.y_fx4, 0);
    case Part::SamplesYHigh: return sample_table(pattern, pattern.y_fx4, 8);
    case Part::Value: case Part::Corner0: case Part::Corner1: case Part::Corner2:
    case Part::OffsetX: case Part::OffsetY: break;      // none is the same in all lanes, or of the triangle
  }
  return 0;
}

HWY_INLINE Quad triangle_lanes(const InputPlan& plan, const SetupTriangle& t, ir::InputPart part, int32_t x,
                               int32_t y) {
  if (part == ir::InputPart::OffsetX) return quad_dx(t, x);
  if (part == ir::InputPart::OffsetY) return quad_dy(t, y);
  return hn::BitCast(quad_f32, hn::Set(quad_u32, triangle_word(*plan.samples, t, part)));
}

HWY_INLINE void corner_words(const InputPlan& plan, const QuadBatch& batch, uint32_t* slots) {
  for (const InputPlan::Corner& in : plan.corners) {
    for (size_t q = 0; q < batch.count; ++q) {
      const Corners c = corners_of(*batch.triangle[q], *batch.chunk[q]);
      const float* record = in.flat ? c.flat
                            : in.part == ir::InputPart::Corner0 ? c.a0
                            : in.part == ir::InputPart::Corner1 ? c.a1 : c.a2;
      hn::Store(hn::BitCast(quad_u32, hn::Set(quad_f32, record[in.word])), quad_u32,
                slot_lanes(slots, in.slot) + 4 * q);
    }
  }
}

// Words of back faces, over what was interpolated for front faces.
HWY_INLINE void back_words(const InputPlan& plan, const QuadBatch& batch, Spot spot, uint32_t* slots) {
  for (size_t q = 0; q < batch.count; ++q) {
    const SetupTriangle& t = *batch.triangle[q];
    if (t.front) continue;
    const Corners c = corners_of(t, *batch.chunk[q]);
    for (const InputPlan::Back& back : plan.back) {
      auto* out = slot_lanes(slots, back.slot) + 4 * q;
      if (back.interpolation == ir::Interpolation::Constant) {
        hn::Store(hn::BitCast(quad_u32, hn::Set(quad_f32, c.flat[back.word])), quad_u32, out);
        continue;
      }
      alignas(16) float x_px[4] = {spot.x_px, spot.x_px, spot.x_px, spot.x_px},
                        y_px[4] = {spot.y_px, spot.y_px, spot.y_px, spot.y_px};
      if (back.centroid) centroid_offsets(*plan.samples, batch.raster[q], x_px, y_px);
      const Quad dx = hn::Add(quad_dx(t, batch.x[q]), hn::Load(quad_f32, x_px)),
                 dy = hn::Add(quad_dy(t, batch.y[q]), hn::Load(quad_f32, y_px));
      const Quad l1 = lambda_at(dx, dy, hn::Set(quad_f32, t.l1_dx), hn::Set(quad_f32, t.l1_dy)),
                 l2 = lambda_at(dx, dy, hn::Set(quad_f32, t.l2_dx), hn::Set(quad_f32, t.l2_dy));
      Quad i = l1, j = l2;
      if (!t.affine && back.interpolation != ir::Interpolation::Linear) perspective_ij(quad_f32, t, l1, l2, i, j);
      const Quad a0 = hn::Set(quad_f32, c.a0[back.word]);
      const Quad to_a1 = hn::Sub(hn::Set(quad_f32, c.a1[back.word]), a0),
                 to_a2 = hn::Sub(hn::Set(quad_f32, c.a2[back.word]), a0);
      hn::Store(hn::BitCast(quad_u32, attribute_at(i, j, a0, to_a1, to_a2)), quad_u32, out);
    }
  }
}

// The place in a point: from 0 to 1 to the right, and down or up; then 0 and 1.
HWY_INLINE Quad sprite_lanes(const InputPlan& plan, const SetupTriangle& t, uint8_t component, int32_t x, int32_t y,
                             Spot spot) {
  if (component > 1) return hn::Set(quad_f32, component == 3 ? 1.0f : 0.0f);
  const Quad half = hn::Set(quad_f32, 0.5f);
  if (component == 0)
    return fused(hn::Add(quad_dx(t, x), hn::Set(quad_f32, spot.x_px)), hn::Set(quad_f32, t.l1_dx), half);
  const float per_dy = plan.sprite_lower_left ? -t.l2_dy : t.l2_dy;
  return fused(hn::Add(quad_dy(t, y), hn::Set(quad_f32, spot.y_px)), hn::Set(quad_f32, per_dy), half);
}

// `other`: other primitives take 0, 0, 0, 1; they keep what they have otherwise.
HWY_INLINE void sprite_words(const InputPlan& plan, const QuadBatch& batch, uint8_t component, Spot spot, bool other,
                             uint32_t* out) {
  for (size_t q = 0; q < batch.count; ++q) {
    const SetupTriangle& t = *batch.triangle[q];
    if (t.is_point)
      hn::Store(hn::BitCast(quad_u32, sprite_lanes(plan, t, component, batch.x[q], batch.y[q], spot)), quad_u32,
                out + 4 * q);
    else if (other)
      hn::Store(hn::Set(quad_u32, quad_word(t, FragmentInput::Kind::Default, component)), quad_u32, out + 4 * q);
  }
}

void special_inputs(const InputPlan& plan, const QuadBatch& batch, uint64_t live, uint32_t* slots) {
  using Kind = FragmentInput::Kind;
  const Spot spot = spot_of(plan, batch);
  corner_words(plan, batch, slots);
  if (!plan.back.empty()) back_words(plan, batch, spot, slots);
  for (const InputPlan::Special& s : plan.special) {
    uint32_t* out = slot_lanes(slots, s.slot);
    if (s.kind == Kind::SampleMask && plan.samples->is_spread()) {
      coverage_words(plan, batch, out);
      continue;
    }
    if (s.kind == Kind::SampleMask || s.kind == Kind::HelperMask) {
      const U32x inside = splat(s.kind == Kind::SampleMask ? 1u : 0u),
                 outside = splat(s.kind == Kind::SampleMask ? 0u : ~0u);
      for (size_t v = 0; v < kVectorsInBlock; ++v)
        store(select(mask_of_block(live, v), inside, outside), out + v * kLanes);
      continue;
    }
    if (s.kind == Kind::PointCoord || s.kind == Kind::SpriteCoord) {
      sprite_words(plan, batch, s.component, spot, s.kind == Kind::PointCoord, out);
      continue;
    }
    const bool is_position = s.kind >= Kind::PositionX && s.kind <= Kind::PositionW;
    const bool is_sample = s.kind >= Kind::SampleId && s.kind <= Kind::TargetSamples;
    if (s.kind == Kind::Triangle) {
      for (size_t q = 0; q < batch.count; ++q)
        hn::Store(hn::BitCast(quad_u32, triangle_lanes(plan, *batch.triangle[q], s.part, batch.x[q], batch.y[q])),
                  quad_u32, out + 4 * q);
      continue;
    }
    const uint32_t of_sample = is_sample ? sample_word(plan, s.kind, batch.sample, spot) : 0;
    for (size_t q = 0; q < batch.count; ++q) {
      const SetupTriangle& t = *batch.triangle[q];
      const auto word = is_position ? hn::BitCast(quad_u32, position(plan, t, s.kind, batch.x[q], batch.y[q], spot))
                                    : hn::Set(quad_u32, is_sample ? of_sample : quad_word(t, s.kind, s.component));
      hn::Store(word, quad_u32, out + 4 * q);
    }
  }
}

}  // namespace

extern const raster::InterpolateKernels kInterpolateKernels;
const raster::InterpolateKernels kInterpolateKernels{interpolate_block, interpolate_batch, interpolate_centroid,
                                                      special_inputs};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const InterpolateKernels& interpolate_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kInterpolateKernels, simd); }

std::vector<InputPlan::Word>& InputPlan::words_of(const FragmentInput& in, bool has_centroid) {
  const bool at_centroid = has_centroid && in.location == ir::Location::Centroid;
  if (in.interpolation == ir::Interpolation::Linear) return at_centroid ? centroid_linear : linear;
  return at_centroid ? centroid_perspective : perspective;
}

void InputPlan::assign(const Pipeline& pipeline, uint32_t height) {
  perspective.clear();
  linear.clear();
  flat.clear();
  centroid_perspective.clear();
  centroid_linear.clear();
  special.clear();
  target_words.clear();
  corners.clear();
  back.clear();
  samples = pipeline.samples;
  // In a program that runs once a sample every input is that sample's.
  const bool has_centroid = samples->count > 1 && !pipeline.per_sample;
  target_height = static_cast<float>(height);
  if (!pipeline.desc.fragment) return;
  const Executable& fragment = *pipeline.desc.fragment;
  post_depth_coverage = fragment.program().post_depth_coverage;
  lower_left = fragment.program().origin_lower_left;
  sprite_lower_left = pipeline.desc.rasterizer.sprite_coord_lower_left;
  pixel_center = fragment.program().pixel_center_integer ? 0.0f : 0.5f;
  for (uint32_t input = 0; input < pipeline.fragment_inputs.size(); ++input) {
    const FragmentInput& in = pipeline.fragment_inputs[input];
    const uint32_t slot = fragment.input_slot(input);
    const bool is_flat = in.interpolation == ir::Interpolation::Constant;
    if (in.kind == FragmentInput::Kind::TargetColor) target_words.push_back({slot, in.varying, in.component});
    else if (in.kind == FragmentInput::Kind::Corner) corners.push_back({slot, in.varying, in.part, is_flat});
    else if (in.kind != FragmentInput::Kind::Varying) special.push_back({slot, in.kind, in.component, in.part});
    else if (is_flat) flat.push_back({slot, in.varying});
    else words_of(in, has_centroid).push_back({slot, in.varying});
    if (in.back_varying != FragmentInput::kNoWord)
      back.push_back({slot, in.back_varying, in.interpolation, has_centroid && in.location == ir::Location::Centroid});
    if (in.is_sprite_coord) special.push_back({slot, FragmentInput::Kind::SpriteCoord, in.component, in.part});
  }
  std::ranges::stable_sort(target_words, {}, &TargetWord::target);
}

}  // namespace tessera::raster
#endif
