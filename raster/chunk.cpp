#include "raster/chunk.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <span>

#include "raster/clip.h"
#include "raster/geometry_front.h"
#include "raster/shape_stage.h"
#include "raster/slot_file.h"
#include "raster/views.h"

namespace tessera::raster {
namespace {

constexpr uint64_t kTileCommandBytes = sizeof(TileCommand);

// Adds the time since the last call to one stage after the other.
class StageClock {
 public:
  void lap(uint64_t& stage_ns) {
    const auto now = std::chrono::steady_clock::now();
    stage_ns += uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count());
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The layer that the provoking vertex names, or the last one.
uint16_t layer_of(const PreparedDraw& draw, uint32_t provoking, const Chunk& chunk) {
  const uint32_t word = draw.pipeline->layer_word;
  if (word == ~0u) return 0;
  const uint32_t layer = std::bit_cast<uint32_t>(chunk.records[size_t{provoking} * chunk.stride + word]);
  return uint16_t(std::min(layer, draw.layers - 1));
}

}  // namespace

uint64_t chunk_bytes(const Chunk& chunk) {
  const IRect& r = chunk.tile_rect;
  const uint64_t tiles = uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  return sizeof(Chunk) + chunk.records.size() * sizeof(float) + chunk.window.size() * sizeof(WinVertex) +
         chunk.triangles.size() * sizeof(SetupTriangle) + chunk.small.size() * sizeof(SmallTriangle) +
         chunk.shapes.size() * sizeof(Shape) + (chunk.tile_begin.size() + chunk.binned.size()) * sizeof(uint32_t) +
         tiles * kTileCommandBytes;
}

struct ChunkBuilder::Impl {
  // What a triangle keeps of the primitive that it is a piece of.
  struct Origin { uint32_t provoking = 0, primitive_id = 0, viewport = 0; };

  SlotFile slot_file;
  std::vector<uint32_t> corners, assembly_scratch;
  std::vector<InstanceRun> runs;
  VertexList list;
  ReuseScratch reuse;
  ChunkVertices vertices;
  ViewSplit views;
  Survivors survivors;
  TileEntries entries;
  ShapeStage shapes;
  GeometryFront front;                           // of draws with stages between vertex shading and clipping
  // Of the chunk in work.
  const GeometryFront* made = nullptr;           // front, where it makes the primitives
  uint32_t last_source = 0;                      // the input primitive that the last triangle came from
  uint64_t drawn = 0;

  uint32_t assemble(const ChunkJob& job);
  void build_between(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, ChunkResult& result);
  bool shade(const PreparedDraw& draw, Chunk* chunk);
  void project(const PreparedDraw& draw, Chunk& chunk, uint32_t primitives, SimdTarget simd);
  void set_up_all(const ChunkJob& job, uint32_t count, const ChunkLimits& limits, Chunk& chunk, ChunkResult& result);
  uint32_t set_up(const ChunkJob& job, uint32_t begin, const ViewRun& run, const ChunkLimits& limits, Chunk& chunk,
                  Counters& counters);
  bool add_small(uint32_t survivor, const Origin& origin, const PreparedDraw& draw, const ChunkLimits& limits,
                 Chunk& chunk);
  void set_up_large(uint32_t survivor, const Origin& origin, const PreparedDraw& draw, const ChunkLimits& limits,
                    Chunk& chunk);
  bool set_up_clipped(const PreparedDraw& draw, uint32_t survivor, const Origin& origin, const ChunkLimits& limits,
                      Chunk& chunk, Counters& counters);
  uint32_t set_up_shapes(const ChunkJob& job, uint32_t begin, const ViewRun& run, const ChunkLimits& limits,
                         Chunk& chunk);
  bool stops_at(uint32_t primitive, const Chunk& chunk, const ChunkLimits& limits) const;
  void append(SetupTriangle& t, const Origin& origin, const PreparedDraw& draw, const ChunkLimits& limits,
              Chunk& chunk);
};

// Fills corners with vertex ids, then with positions in the vertex list. Returns the number of triangles.
uint32_t ChunkBuilder::Impl::assemble(const ChunkJob& job) {
  const uint32_t per_instance = job.draw->assembly.triangle_count(), each = job.draw->assembly.corner_count();
  const uint32_t count = uint32_t(job.end - job.begin);
  if (corners.size() < size_t{3} * (count + kCullPadding)) corners.resize(size_t{3} * (count + kCullPadding));
  runs.clear();
  uint32_t done = 0;
  while (done < count) {
    const uint64_t at = job.begin + done;
    const uint32_t first = uint32_t(at % per_instance);
    const uint32_t here = std::min(count - done, per_instance - first);
    job.draw->assembly.assemble(first, here, corners.data() + size_t{each} * done, assembly_scratch);
    done += here;
    runs.push_back({uint32_t(at / per_instance), each * done});
  }
  collect_vertices({corners.data(), size_t{each} * count}, runs, list, reuse);
  // What the cull kernel reads beyond the last triangle must be vertices that exist.
  std::fill_n(corners.begin() + size_t{each} * count, 3 * kCullPadding, 0u);
  return count;
}

bool ChunkBuilder::Impl::shade(const PreparedDraw& draw, Chunk* chunk) {
  const Executable& shader = *draw.pipeline->desc.vertex;
  uint32_t* slots = slot_file.reserve(shader.slot_count());
  shader.load_uniforms(draw.vertex_uniforms, slots);
  const VertexStage stage{draw.pipeline.get(), &draw.fetch, &draw.vertex_bindings, draw.state->budget, &draw.view,
                          draw.clip_planes.data()};
  return shade_vertices(stage, list, slots, chunk ? &vertices : nullptr, chunk ? &chunk->records : nullptr);
}

// A fan over what clipping leaves. The polygon's own area decides its face: a piece that snapping turned over is
// covered by the others.
bool ChunkBuilder::Impl::set_up_clipped(const PreparedDraw& draw, uint32_t s, const Origin& origin,
                                        const ChunkLimits& limits, Chunk& chunk, Counters& counters) {
  const uint32_t corner[3] = {survivors.corner[0][s], survivors.corner[1][s], survivors.corner[2][s]};
  const ViewTransform& view = draw.view_of(origin.viewport);
  const ClipPolygon polygon = clip_triangle(view, corner, vertices, chunk.records, chunk.stride, limits.simd);
  ++counters.primitives_clipped;
  if (polygon.count < 3) return false;
  const auto area_of_piece = [&](uint32_t last) {
    return signed_area_fx16(vertices.win(polygon.vertex[0]), vertices.win(polygon.vertex[last - 1]),
                            vertices.win(polygon.vertex[last]));
  };
  int64_t area_fx16 = 0;
  for (uint32_t last = 2; last < polygon.count; ++last) area_fx16 += area_of_piece(last);
  bool any = false;
  for (uint32_t last = 2; last < polygon.count; ++last) {
    if ((area_of_piece(last) > 0) != (area_fx16 > 0)) continue;
    const uint32_t piece[3] = {polygon.vertex[0], polygon.vertex[last - 1], polygon.vertex[last]};
    const WinVertex v[3] = {vertices.win(piece[0]), vertices.win(piece[1]), vertices.win(piece[2])};
    SetupTriangle t;
    if (!setup_triangle(v, draw.setup_of(origin.viewport), t)) continue;
    for (int i = 0; i < 3; ++i) t.vertex[i] = piece[i];
    append(t, origin, draw, limits, chunk);
    any = true;
  }
  return any;
}

void ChunkBuilder::Impl::append(SetupTriangle& t, const Origin& origin, const PreparedDraw& draw,
                                const ChunkLimits& limits, Chunk& chunk) {
  t.provoking = origin.provoking;
  t.primitive_id = origin.primitive_id;
  t.layer = layer_of(draw, origin.provoking, chunk) & 0xfff;
  t.viewport = origin.viewport & 0xf;
  add_tiles(t, uint32_t(chunk.triangles.size()), limits.grid, draw.setup.samples, entries);
  chunk.triangles.push_back(t);
}

// Leaves the setup of a survivor that needs no clipping to its tiles. False: they are too many.
bool ChunkBuilder::Impl::add_small(uint32_t s, const Origin& origin, const PreparedDraw& draw,
                                   const ChunkLimits& limits, Chunk& chunk) {
  const uint32_t first = survivors.bounds_first[s], end = survivors.bounds_end[s];
  const IRect tiles = tiles_of(
      {int32_t(first & 0xffff), int32_t(first >> 16), int32_t(end & 0xffff), int32_t(end >> 16)}, limits.grid);
  if ((tiles.x1 - tiles.x0) * (tiles.y1 - tiles.y0) > kTestedTiles) return false;
  const uint16_t layer = layer_of(draw, origin.provoking, chunk);
  add_tiles(tiles, layer, uint32_t(chunk.small.size()) | Chunk::kSmall, limits.grid, entries);
  chunk.small.push_back({{survivors.corner[0][s], survivors.corner[1][s], survivors.corner[2][s]},
                         origin.provoking, origin.primitive_id, layer, uint16_t(origin.viewport)});
  return true;
}

void ChunkBuilder::Impl::set_up_large(uint32_t s, const Origin& origin, const PreparedDraw& draw,
                                      const ChunkLimits& limits, Chunk& chunk) {
  SetupTriangle t;
  for (int i = 0; i < 3; ++i) t.vertex[i] = survivors.corner[i][s];
  const WinVertex v[3] = {vertices.win(t.vertex[0]), vertices.win(t.vertex[1]), vertices.win(t.vertex[2])};
  if (setup_triangle(v, draw.setup_of(origin.viewport), t)) append(t, origin, draw, limits, chunk);
}

// A full chunk ends, between two primitives of the job.
bool ChunkBuilder::Impl::stops_at(uint32_t primitive, const Chunk& chunk, const ChunkLimits& limits) const {
  const uint64_t bytes = chunk.triangles.size() * sizeof(SetupTriangle) + chunk.small.size() * sizeof(SmallTriangle) +
                         chunk.shapes.size() * sizeof(Shape) + entries.size() * sizeof(TileEntry);
  return bytes > limits.max_bytes && (made == nullptr || made->source(primitive) != last_source);
}

// The survivors of a run of triangles, from `begin` to its end, of one viewport. Returns the first that is left.
uint32_t ChunkBuilder::Impl::set_up(const ChunkJob& job, uint32_t begin, const ViewRun& run, const ChunkLimits& limits,
                                    Chunk& chunk, Counters& counters) {
  const PreparedDraw& draw = *job.draw;
  const uint32_t per_instance = std::max(1u, draw.assembly.triangle_count());
  const uint32_t provoking = draw.assembly.provoking_corner();
  uint64_t instance_begin = (job.begin + begin) / per_instance * per_instance;
  const auto origin_of = [&](uint32_t s) {
    const uint32_t triangle = begin + survivors.triangle[s];
    if (made) return Origin{survivors.corner[provoking][s], made->primitive_id(triangle), run.viewport};
    const uint64_t number = job.begin + triangle;
    while (number - instance_begin >= per_instance) instance_begin += per_instance;
    return Origin{survivors.corner[provoking][s], draw.assembly.primitive_id(uint32_t(number - instance_begin)),
                  run.viewport};
  };
  const auto stops = [&](uint32_t s) { return stops_at(begin + survivors.triangle[s], chunk, limits); };
  uint32_t s = 0;
  for (; s < survivors.count && !stops(s); ++s) {
    if (made) last_source = made->source(begin + survivors.triangle[s]);
    const Origin origin = origin_of(s);
    if (survivors.code[s] != 0) {
      drawn += set_up_clipped(draw, s, origin, limits, chunk, counters);
      continue;
    }
    if (!add_small(s, origin, draw, limits, chunk)) set_up_large(s, origin, draw, limits, chunk);
    ++drawn;
  }
  return s < survivors.count ? begin + survivors.triangle[s] : run.end;
}

// The same for points, lines and polygons that are no plain triangles.
uint32_t ChunkBuilder::Impl::set_up_shapes(const ChunkJob& job, uint32_t begin, const ViewRun& run,
                                           const ChunkLimits& limits, Chunk& chunk) {
  const PreparedDraw& draw = *job.draw;
  const uint32_t per_instance = std::max(1u, draw.assembly.triangle_count()), each = draw.assembly.corner_count();
  uint32_t p = begin;
  for (; p < run.end && !stops_at(p, chunk, limits); ++p) {
    const uint32_t number = uint32_t((job.begin + p) % per_instance);
    const uint32_t* corner = &corners[size_t{each} * p];
    const uint32_t id = made ? made->primitive_id(p) : draw.assembly.primitive_id(number);
    const Origin origin{corner[draw.assembly.provoking_corner()], id, run.viewport};
    if (made) last_source = made->source(p);
    drawn += shapes.add(number, corner, run.viewport);
    for (Piece& piece : shapes.pieces()) {
      append(piece.triangle, origin, draw, limits, chunk);
      if (draw.has_shapes) chunk.shapes.push_back(piece.shape);
    }
  }
  return p;
}

void ChunkBuilder::Impl::project(const PreparedDraw& draw, Chunk& chunk, uint32_t primitives, SimdTarget simd) {
  views.assign(draw, corners, primitives, vertices, chunk.records);
  uint32_t begin = 0;
  for (const ViewRun& run : views.vertices) {
    project_vertices(draw.view_of(run.viewport), vertices, begin, run.end - begin, simd);
    begin = run.end;
  }
}

// Culls and sets up `count` primitives. All that stages between made of one input primitive is in the chunk, or nothing.
void ChunkBuilder::Impl::set_up_all(const ChunkJob& job, uint32_t count, const ChunkLimits& limits, Chunk& chunk,
                                    ChunkResult& result) {
  const PreparedDraw& draw = *job.draw;
  entries.clear();
  drawn = 0;
  if (!draw.plain_triangles) shapes.begin(draw, vertices, chunk, job.stipple, limits.simd);
  uint32_t done = 0;
  for (const ViewRun& run : views.triangles) {
    const uint32_t begin = done;
    if (draw.plain_triangles) {
      const uint32_t* const first = corners.data() + size_t{3} * begin;
      cull_triangles(first, run.end - begin, vertices, draw.setup_of(run.viewport), survivors, limits.simd);
      if (begin == 0) chunk.small.reserve(survivors.count);
      done = set_up(job, begin, run, limits, chunk, result.counters);
    } else {
      done = set_up_shapes(job, begin, run, limits, chunk);
    }
    if (done < run.end) break;
  }
  if (!draw.plain_triangles) {
    result.stipple = shapes.stipple();
    result.counters.primitives_clipped += shapes.clipped();
  }
  const bool is_whole = done == count;
  if (made && !is_whole) done = made->count_before(made->source(done));
  result.counters.primitives += done;
  result.counters.primitives_culled += done - drawn;
  result.counters.triangles_binned += chunk.triangles.size() + chunk.small.size();
  result.done = is_whole ? job.end : job.begin + (made ? made->source(done) : done);
  if (!chunk.small.empty()) chunk.window.swap(vertices.window);
  chunk.window.resize(chunk.small.empty() ? 0 : vertices.count);   // chunk_bytes() counts it
}

void ChunkBuilder::Impl::build_between(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                       ChunkResult& result) {
  const PreparedDraw& draw = *job.draw;
  StageClock clock;
  Counters& counters = result.counters;
  made = &front;
  if (!front.run(draw, job.begin, job.end, counters)) {
    result.over_budget = true;
    return;
  }
  const uint32_t count = front.count();
  if (draw.draws_nothing()) {
    counters.primitives += count;
    counters.primitives_culled += count;
    clock.lap(counters.vertex_ns);
  } else {
    corners.assign(size_t{3} * (count + kCullPadding), 0);
    front.corners(corners);
    front.fill_vertices(draw, vertices, chunk.records);
    project(draw, chunk, count, limits.simd);
    clock.lap(counters.vertex_ns);
    set_up_all(job, count, limits, chunk, result);
    clock.lap(counters.setup_ns);
    sort_by_tile(entries, chunk);
    clock.lap(counters.bin_ns);
  }
  const auto sources = uint32_t(result.done - job.begin);
  front.count_stages(draw, sources, counters);
  result.generated = front.generated(sources);
  result.streamed = front.capture(draw, sources);
}

ChunkBuilder::ChunkBuilder() : impl_(std::make_unique<Impl>()) {}
ChunkBuilder::~ChunkBuilder() = default;
ChunkBuilder::ChunkBuilder(ChunkBuilder&&) noexcept = default;

ChunkResult ChunkBuilder::build(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk) {
  ChunkResult result;
  result.done = job.end;
  Counters& counters = result.counters;
  StageClock clock;
  const PreparedDraw& draw = *job.draw;
  chunk.draw = draw.state;
  chunk.stride = uint32_t(draw.pipeline->varying_outputs.size());
  chunk.records.clear();
  chunk.triangles.clear();
  chunk.small.clear();
  chunk.shapes.clear();
  chunk.tile_begin.clear();
  chunk.binned.clear();
  chunk.tile_rect = {};
  if (draw.geometry) {
    impl_->build_between(job, limits, chunk, result);
    return result;
  }
  impl_->made = nullptr;

  const uint32_t count = impl_->assemble(job);
  counters.vertices += impl_->list.count;
  if (!impl_->shade(draw, draw.draws_nothing() ? nullptr : &chunk)) {
    result.over_budget = true;
    return result;
  }
  if (draw.draws_nothing()) {
    counters.primitives += count;
    counters.primitives_culled += count;
    clock.lap(counters.vertex_ns);
    return result;
  }
  impl_->project(draw, chunk, count, limits.simd);
  clock.lap(counters.vertex_ns);

  impl_->set_up_all(job, count, limits, chunk, result);
  clock.lap(counters.setup_ns);

  sort_by_tile(impl_->entries, chunk);
  clock.lap(counters.bin_ns);
  return result;
}

}  // namespace tessera::raster
