#include "raster/assembly.h"

#include <algorithm>
#include <cstring>

namespace tessera::raster {
namespace {

template <class Index>
void widen(const std::byte* from, uint32_t count, uint32_t base, uint32_t* ids) {
  for (uint32_t i = 0; i < count; ++i) {
    Index index;
    std::memcpy(&index, from + size_t{i} * sizeof(Index), sizeof(Index));
    ids[i] = index + base;
  }
}

void put(uint32_t*& ids, uint32_t a, uint32_t b, uint32_t c) {
  *ids++ = a;
  *ids++ = b;
  *ids++ = c;
}

// Which neighbours draw one outline, or one line, together.
enum class Joined : uint8_t { None, Halves, Run };

struct PrimitiveTraits {
  uint32_t corners;
  Joined joined = Joined::None;
  bool edge_flags = false;
};
constexpr PrimitiveTraits kTraits[] = {              // in the order of Primitive
    {1}, {2}, {2, Joined::Run}, {2, Joined::Run},    // points, lines, loop, strip
    {3, Joined::None, true}, {3}, {3},               // triangles, strip, fan
    {3, Joined::Halves, true}, {3, Joined::Halves}, {3, Joined::Run, true},   // quads, quad strip, polygon
    {2}, {2, Joined::Run}, {3}, {3}, {3}};           // lines and triangles with adjacency, patches

const PrimitiveTraits& traits_of(Primitive primitive) { return kTraits[size_t(primitive)]; }

// Points, lines or triangles that so many vertices make.
uint32_t primitives_of(Primitive primitive, uint32_t vertices) {
  switch (primitive) {
    case Primitive::Points: return vertices;
    case Primitive::Lines: return vertices / 2;
    case Primitive::LineStrip: return vertices < 2 ? 0 : vertices - 1;
    case Primitive::LineLoop: return vertices < 2 ? 0 : vertices;
    case Primitive::LinesAdjacency: return vertices / 4;
    case Primitive::LineStripAdjacency: return vertices < 4 ? 0 : vertices - 3;
    case Primitive::TrianglesAdjacency: return vertices / 6;
    case Primitive::TriangleStripAdjacency: return vertices < 6 ? 0 : (vertices - 4) / 2;
    case Primitive::Triangles: return vertices / 3;
    case Primitive::TriangleStrip:
    case Primitive::TriangleFan:
    case Primitive::Polygon: return vertices < 3 ? 0 : vertices - 2;
    case Primitive::Quads: return vertices / 4 * 2;
    case Primitive::QuadStrip: return vertices < 4 ? 0 : (vertices - 2) / 2 * 2;
    case Primitive::Patches: break;
  }
  return 0;
}

// Lines from vertices side by side; the next line begins `step` vertices on.
void put_lines(const uint32_t* v, uint32_t count, uint32_t step, uint32_t* ids) {
  for (uint32_t i = 0; i < count; ++i, v += step) {
    *ids++ = v[0];
    *ids++ = v[1];
  }
}

// Triangles [begin, begin + count) of a strip whose vertices stand `step` apart; `v`: the first one's.
void put_strip(const uint32_t* v, uint32_t step, uint32_t begin, uint32_t count, bool provoking_first, uint32_t* ids) {
  for (uint32_t t = begin; t < begin + count; ++t, v += step) {
    const bool odd = t & 1;   // every second triangle of a strip is turned, so that all wind alike
    if (provoking_first)
      put(ids, v[0], v[odd ? 2 * step : step], v[odd ? step : 2 * step]);
    else
      put(ids, v[odd ? step : 0], v[odd ? 0 : step], v[2 * step]);
  }
}

// A half of a quad whose vertices go around; its first or its last vertex is the provoking corner of both halves.
void put_quad_half(uint32_t*& ids, bool second, bool provoking_first, const uint32_t q[4]) {
  if (provoking_first) {
    second ? put(ids, q[0], q[2], q[3]) : put(ids, q[0], q[1], q[2]);
  } else {
    second ? put(ids, q[1], q[2], q[3]) : put(ids, q[0], q[1], q[3]);
  }
}

}  // namespace

bool Assembly::is_supported(Primitive primitive) { return primitive < Primitive::Patches; }

Assembly::Assembly(const DrawInfo& info, bool provoking_first, const std::byte* indices, uint32_t index_bytes)
    : primitive_(info.primitive),
      corner_count_(traits_of(info.primitive).corners),
      // A polygon's flat attributes are always those of its first vertex.
      provoking_first_(provoking_first || info.primitive == Primitive::Polygon),
      restart_(indices != nullptr && info.primitive_restart),
      restart_index_(info.restart_index),
      indices_(indices),
      index_bytes_(index_bytes),
      start_(info.start),
      count_(info.count),
      base_vertex_(indices != nullptr ? uint32_t(info.base_vertex) : 0) {
  if (restart_)
    find_runs();
  else
    whole_ = make_run(0, count_);
}

Assembly::Run Assembly::make_run(uint32_t first, uint32_t count) {
  const Run run{first, triangle_count_, primitives_of(primitive_, count)};
  triangle_count_ += run.triangles;
  return run;
}

void Assembly::find_runs() {
  uint32_t first = 0;
  for (uint32_t i = 0; i <= count_; ++i) {
    if (i < count_ && raw_index(i) != restart_index_) continue;
    const Run run = make_run(first, i - first);
    if (run.triangles != 0) runs_.push_back(run);
    first = i + 1;
  }
}

std::span<const Assembly::Run> Assembly::runs() const {
  return restart_ ? std::span<const Run>(runs_) : std::span<const Run>(&whole_, 1);
}

size_t Assembly::run_of(uint32_t triangle) const {
  if (!restart_) return 0;
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), triangle,
                                      [](uint32_t t, const Run& run) { return t < run.triangles_before; });
  return size_t(after - runs_.begin()) - 1;
}

uint32_t Assembly::primitive_id(uint32_t triangle) const {
  if (primitive_ == Primitive::Polygon) return uint32_t(run_of(triangle));
  const bool is_quad = primitive_ == Primitive::Quads || primitive_ == Primitive::QuadStrip;
  return is_quad ? triangle / 2 : triangle;
}

uint32_t Assembly::boundary_edges(uint32_t triangle) const {
  constexpr uint32_t kEdge0 = 1, kEdge1 = 2, kEdge2 = 4;
  if (primitive_ == Primitive::Quads || primitive_ == Primitive::QuadStrip) {   // as put_quad_half() cuts them
    if (provoking_first_) return triangle & 1 ? kEdge1 | kEdge2 : kEdge0 | kEdge1;
    return triangle & 1 ? kEdge0 | kEdge1 : kEdge2 | kEdge0;
  }
  if (primitive_ != Primitive::Polygon) return kEdge0 | kEdge1 | kEdge2;
  const Run& run = runs()[run_of(triangle)];
  const uint32_t number = triangle - run.triangles_before;
  return kEdge1 | (number == 0 ? kEdge0 : 0) | (number + 1 == run.triangles ? kEdge2 : 0);
}

bool Assembly::has_edge_flags() const { return traits_of(primitive_).edge_flags; }

bool Assembly::begins_stipple(uint32_t primitive) const {
  switch (traits_of(primitive_).joined) {
    case Joined::None: return true;
    case Joined::Halves: return (primitive & 1) == 0;
    case Joined::Run: break;
  }
  return primitive == runs()[run_of(primitive)].triangles_before;
}

bool Assembly::continues_stipple() const { return traits_of(primitive_).joined != Joined::None; }

bool Assembly::ends_lines(uint32_t line) const {
  if (primitive_ == Primitive::LineLoop) return false;
  if (traits_of(primitive_).joined == Joined::None) return true;
  const Run& run = runs()[run_of(line)];
  return line + 1 == run.triangles_before + run.triangles;
}

uint32_t Assembly::raw_index(uint32_t position) const {
  const std::byte* from = indices_ + (size_t{start_} + position) * index_bytes_;
  uint32_t index = 0;
  if (index_bytes_ == 1) return uint8_t(*from);
  if (index_bytes_ == 2) {
    uint16_t half;
    std::memcpy(&half, from, 2);
    return half;
  }
  std::memcpy(&index, from, 4);
  return index;
}

void Assembly::load_ids(uint32_t position, uint32_t count, uint32_t* ids) const {
  if (indices_ == nullptr) {
    for (uint32_t i = 0; i < count; ++i) ids[i] = start_ + position + i;
    return;
  }
  const std::byte* from = indices_ + (size_t{start_} + position) * index_bytes_;
  switch (index_bytes_) {
    case 1: return widen<uint8_t>(from, count, base_vertex_, ids);
    case 2: return widen<uint16_t>(from, count, base_vertex_, ids);
    default: return widen<uint32_t>(from, count, base_vertex_, ids);
  }
}

void Assembly::assemble(uint32_t begin, uint32_t count, uint32_t* ids, std::vector<uint32_t>& scratch) const {
  if (count == 0) return;
  for (size_t r = run_of(begin); count > 0; ++r) {
    const Run& run = runs()[r];
    const uint32_t first = begin - run.triangles_before;
    const uint32_t here = std::min(count, run.triangles - first);
    assemble_run(run, first, here, ids, scratch);
    ids += size_t{here} * corner_count_;
    begin += here;
    count -= here;
  }
}

void Assembly::assemble_run(const Run& run, uint32_t begin, uint32_t count, uint32_t* ids,
                            std::vector<uint32_t>& scratch) const {
  const uint32_t end = begin + count;
  const auto load = [&](uint32_t position, uint32_t n) {
    if (scratch.size() < n) scratch.resize(n);
    load_ids(run.first + position, n, scratch.data());
    return scratch.data();
  };
  switch (primitive_) {
    case Primitive::Points: return load_ids(run.first + begin, count, ids);
    case Primitive::Lines: return load_ids(run.first + begin * 2, count * 2, ids);
    case Primitive::LineStrip: return put_lines(load(begin, count + 1), count, 1, ids);
    case Primitive::LineStripAdjacency: return put_lines(load(begin + 1, count + 1), count, 1, ids);
    case Primitive::LinesAdjacency: return put_lines(load(begin * 4, count * 4) + 1, count, 4, ids);
    case Primitive::LineLoop: {
      const bool closes = end == run.triangles;
      put_lines(load(begin, closes ? count : count + 1), closes ? count - 1 : count, 1, ids);
      if (!closes) return;
      load_ids(run.first + end - 1, 1, ids + 2 * (count - 1));
      return load_ids(run.first, 1, ids + 2 * (count - 1) + 1);
    }
    case Primitive::Triangles: return load_ids(run.first + begin * 3, count * 3, ids);
    case Primitive::TriangleStrip: return put_strip(load(begin, count + 2), 1, begin, count, provoking_first_, ids);
    case Primitive::TriangleStripAdjacency:
      return put_strip(load(begin * 2, count * 2 + 4), 2, begin, count, provoking_first_, ids);
    case Primitive::TrianglesAdjacency: {
      const uint32_t* v = load(begin * 6, count * 6);
      for (uint32_t t = 0; t < count; ++t, v += 6) put(ids, v[0], v[2], v[4]);
      return;
    }
    case Primitive::TriangleFan:
    case Primitive::Polygon: {
      uint32_t hub;
      load_ids(run.first, 1, &hub);
      const uint32_t* v = load(begin + 1, count + 1);
      // A fan's first provoking vertex is its triangle's second; a polygon's the hub.
      const bool hub_last = provoking_first_ && primitive_ == Primitive::TriangleFan;
      for (uint32_t t = begin; t < end; ++t, ++v) hub_last ? put(ids, v[0], v[1], hub) : put(ids, hub, v[0], v[1]);
      return;
    }
    case Primitive::Quads: {
      const uint32_t first_quad = begin / 2;
      const uint32_t* v = load(first_quad * 4, ((end + 1) / 2 - first_quad) * 4);
      for (uint32_t t = begin; t < end; ++t) put_quad_half(ids, t & 1, provoking_first_, v + (t / 2 - first_quad) * 4);
      return;
    }
    case Primitive::QuadStrip: {
      const uint32_t first_quad = begin / 2;
      const uint32_t* v = load(first_quad * 2, ((end + 1) / 2 - first_quad) * 2 + 2);
      for (uint32_t t = begin; t < end; ++t) {
        const uint32_t* q = v + (t / 2 - first_quad) * 2;
        // Around the quad: 0, 1, 3, 2. Its last vertex, 3, provokes: turned so that it is the fourth.
        const uint32_t first[4] = {q[0], q[1], q[3], q[2]}, last[4] = {q[2], q[0], q[1], q[3]};
        put_quad_half(ids, t & 1, provoking_first_, provoking_first_ ? first : last);
      }
      return;
    }
    case Primitive::Patches: return;   // is_supported() does not admit them, and their runs hold no triangles
  }
}

}  // namespace tessera::raster
