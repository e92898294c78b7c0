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

uint32_t triangles_of(Primitive primitive, uint32_t vertices) {
  switch (primitive) {
    case Primitive::Triangles: return vertices / 3;
    case Primitive::TriangleStrip:
    case Primitive::TriangleFan:
    case Primitive::Polygon: return vertices < 3 ? 0 : vertices - 2;
    case Primitive::Quads: return vertices / 4 * 2;
    case Primitive::QuadStrip: return vertices < 4 ? 0 : (vertices - 2) / 2 * 2;
    default: return 0;
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

bool Assembly::is_supported(Primitive primitive) {
  switch (primitive) {
    case Primitive::Triangles:
    case Primitive::TriangleStrip:
    case Primitive::TriangleFan:
    case Primitive::Quads:
    case Primitive::QuadStrip:
    case Primitive::Polygon: return true;
    default: return false;
  }
}

Assembly::Assembly(const DrawInfo& info, bool provoking_first, const std::byte* indices, uint32_t index_bytes)
    : primitive_(info.primitive),
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
  const Run run{first, triangle_count_, triangles_of(primitive_, count)};
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
    ids += size_t{here} * 3;
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
    case Primitive::Triangles: return load_ids(run.first + begin * 3, count * 3, ids);
    case Primitive::TriangleStrip: {
      const uint32_t* v = load(begin, count + 2);
      for (uint32_t t = begin; t < end; ++t, ++v) {
        const bool odd = t & 1;   // every second triangle of a strip is turned, so that all wind alike
        if (provoking_first_)
          put(ids, v[0], v[odd ? 2 : 1], v[odd ? 1 : 2]);
        else
          put(ids, v[odd ? 1 : 0], v[odd ? 0 : 1], v[2]);
      }
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
    default: return;   // is_supported() admits no others, and their runs hold no triangles
  }
}

}  // namespace tessera::raster
