// shader/tgsi/lower_interpolate.cpp: INTERP_CENTROID, INTERP_SAMPLE, INTERP_OFFSET: a varying's value elsewhere in its
// pixel. The centroid is an input of its own; at other places the program works out the barycentrics anew, by the
// formulas of raster/frame.h, from what the triangle gives as inputs.
#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

using ir::InputPart;

// Inputs that the rasterizer itself makes, and flat ones, are the same wherever they are asked for.
bool varies(const ir::Input& in) {
  switch (in.semantic) {
    case ir::Semantic::Position:
    case ir::Semantic::Face:
    case ir::Semantic::PrimitiveId:
    case ir::Semantic::Layer:
    case ir::Semantic::ViewportIndex: return false;
    default: return in.interpolation != Interpolation::Constant;
  }
}

// A number of the triangle.
Value triangle(Builder& b, InputPart part) {
  ir::Input in;
  in.semantic = ir::Semantic::Position;
  in.system_value = true;
  in.part = part;
  return b.input(in);
}

Value corner(Builder& b, ir::Input in, InputPart part) {
  in.part = part;
  in.location = Location::Center;
  return b.input(in);
}

// Offsets from vertex 0, in pixels.
struct Spot { Value dx, dy; };
struct Barycentrics { Value i, j; };

Value lambda(Builder& b, const Spot& at, InputPart per_dx, InputPart per_dy) {
  return b.op(Op::FFma, {at.dy, triangle(b, per_dy), b.op(Op::FMul, {at.dx, triangle(b, per_dx)})});
}

Value weighted(Builder& b, const Barycentrics& at, Value v0, Value v1, Value v2) {
  const Value first = b.op(Op::FFma, {at.i, b.op(Op::FSub, {v1, v0}), v0});
  return b.op(Op::FFma, {at.j, b.op(Op::FSub, {v2, v0}), first});
}

Barycentrics barycentrics(Builder& b, const Spot& at, Interpolation interpolation) {
  const Barycentrics l = {lambda(b, at, InputPart::Lambda1Dx, InputPart::Lambda1Dy),
                          lambda(b, at, InputPart::Lambda2Dx, InputPart::Lambda2Dy)};
  if (interpolation == Interpolation::Linear) return l;
  const Value rw1 = triangle(b, InputPart::Rw1), rw2 = triangle(b, InputPart::Rw2);
  const Value r = b.op(Op::FRcp, {weighted(b, l, triangle(b, InputPart::Rw0), rw1, rw2)});
  const Value affine = triangle(b, InputPart::Affine);
  return {b.op(Op::Select, {affine, l.i, b.op(Op::FMul, {b.op(Op::FMul, {l.i, rw1}), r})}),
          b.op(Op::Select, {affine, l.j, b.op(Op::FMul, {b.op(Op::FMul, {l.j, rw2}), r})})};
}

// Source 0 elsewhere in the pixel, where a varying is `elsewhere(in)`. An input that is only known when the program
// runs is picked, lane by lane, from those that it may be; beyond them is 0.
template <class Elsewhere>
void interpolate(Lowering& l, Elsewhere elsewhere) {
  Builder& b = l.b();
  const Index& index = l.source(0).reg.index;
  const Value index_v = index.indirect ? l.index_value(index) : Value{};
  for (uint32_t c = 0; c < 4; ++c) {
    if (!l.enabled(c)) continue;
    Value result_v = b.u32(0);
    for (const NamedInput& named : l.inputs_of(0, c)) {
      const Value value_v = varies(named.input) ? elsewhere(named.input) : b.input(named.input);
      result_v = index.indirect ? b.op(Op::Select, {b.op(Op::IEq, {index_v, b.u32(named.reg)}), value_v, result_v})
                                : value_v;
    }
    l.set(c, l.modified(0, result_v));
  }
}

Value value_at(Builder& b, const Spot& at, const ir::Input& in) {
  return weighted(b, barycentrics(b, at, in.interpolation), corner(b, in, InputPart::Corner0),
                  corner(b, in, InputPart::Corner1), corner(b, in, InputPart::Corner2));
}

// The spot at an offset from the pixel's centre, y down.
Spot spot_at(Builder& b, Value x, Value y) {
  return {b.op(Op::FAdd, {triangle(b, InputPart::OffsetX), x}), b.op(Op::FAdd, {triangle(b, InputPart::OffsetY), y})};
}

// From the pixel's centre to a sample: its 4 bits of the table are 1/16 pixels from the corner.
Value sample_offset(Builder& b, Value sample, InputPart low, InputPart high) {
  const Value is_high = b.op(Op::And, {sample, b.u32(8)});
  const Value word = b.op(Op::Select, {is_high, triangle(b, high), triangle(b, low)});
  const Value shift = b.op(Op::Shl, {sample, b.u32(2)});              // taken modulo 32
  const Value place = b.op(Op::And, {b.op(Op::UShr, {word, shift}), b.u32(15)});
  return b.op(Op::FFma, {b.op(Op::UToF, {place}), b.f32(1.0f / 16.0f), b.f32(-0.5f)});
}

}  // namespace

void lower_interp_centroid(Lowering& l) {
  interpolate(l, [&](ir::Input in) {
    in.location = Location::Centroid;
    return l.b().input(in);
  });
}

void lower_interp_sample(Lowering& l) {
  Builder& b = l.b();
  interpolate(l, [&](const ir::Input& in) {
    const Value sample = l.src(1, 0);
    return value_at(b, spot_at(b, sample_offset(b, sample, InputPart::SamplesXLow, InputPart::SamplesXHigh),
                               sample_offset(b, sample, InputPart::SamplesYLow, InputPart::SamplesYHigh)), in);
  });
}

// In a window with y up the offset points up too.
void lower_interp_offset(Lowering& l) {
  Builder& b = l.b();
  interpolate(l, [&](const ir::Input& in) {
    const Value y = l.src(1, 1);
    return value_at(b, spot_at(b, l.src(1, 0), b.program().origin_lower_left ? b.op(Op::FNeg, {y}) : y), in);
  });
}

}  // namespace tessera::tgsi
