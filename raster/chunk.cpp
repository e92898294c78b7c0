#include "raster/chunk.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <span>

#include "raster/clip.h"
#include "raster/shape_stage.h"
#include "raster/views.h"

namespace tessera::raster {
namespace {

constexpr uint64_t kTileCommandBytes = sizeof(TileCommand);
constexpr uint32_t kSetupBatch = 64;           // triangles set up together, while they stay in the first cache

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

// The slot file of a worker; grows to the largest that a draw asked for. Starts as zeros.
class SlotFile {
 public:
  uint32_t* reserve(uint32_t slot_count) {
    if (slot_count > slot_count_) {
      const size_t words = size_t{slot_count} * kBlockLanes;
      words_.reset(new (std::align_val_t{64}) uint32_t[words]());
      slot_count_ = slot_count;
    }
    return words_.get();
  }

 private:
  struct Free {
    void operator()(uint32_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<uint32_t[], Free> words_;
  uint32_t slot_count_ = 0;
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
  return sizeof(Chunk) + chunk.records.size() * sizeof(float) + chunk.triangles.size() * sizeof(SetupTriangle) +
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
  std::vector<SetupTriangle> batch = std::vector<SetupTriangle>(kSetupBatch);

  uint32_t assemble(const ChunkJob& job);
  bool shade(const PreparedDraw& draw, Chunk* chunk);
  void project(const PreparedDraw& draw, Chunk& chunk, uint32_t triangles, SimdTarget simd);
  uint64_t set_up(const ChunkJob& job, uint32_t viewport, const ChunkLimits& limits, Chunk& chunk, Counters& counters);
  uint64_t set_up_all(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, Counters& counters);
  bool set_up_clipped(const PreparedDraw& draw, uint32_t survivor, const Origin& origin, const ChunkLimits& limits,
                      Chunk& chunk, Counters& counters);
  uint64_t set_up_shapes(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, ChunkResult& result);
  bool is_full(const Chunk& chunk, const ChunkLimits& limits) const;
  void append(SetupTriangle& t, const Origin& origin, const PreparedDraw& draw, const ChunkLimits& limits,
              Chunk& chunk);
  uint32_t plain_survivors(uint32_t first) const;
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

bool ChunkBuilder::Impl::is_full(const Chunk& chunk, const ChunkLimits& limits) const {
  return chunk.triangles.size() * sizeof(SetupTriangle) + chunk.shapes.size() * sizeof(Shape) +
             entries.size() * sizeof(TileEntry) > limits.max_bytes;
}

// How many survivors from `first` on need no clipping and fit a batch.
uint32_t ChunkBuilder::Impl::plain_survivors(uint32_t first) const {
  uint32_t end = first;
  while (end < survivors.count && end - first < kSetupBatch && survivors.code[end] == 0) ++end;
  return end - first;
}

// The survivors of a run of triangles of one viewport. Returns how many of the run's triangles are dealt with.
uint64_t ChunkBuilder::Impl::set_up(const ChunkJob& job, uint32_t viewport, const ChunkLimits& limits, Chunk& chunk,
                                    Counters& counters) {
  const PreparedDraw& draw = *job.draw;
  const uint32_t per_instance = draw.assembly.triangle_count(), provoking = draw.assembly.provoking_corner();
  const size_t triangles_before = chunk.triangles.size();
  uint64_t instance_begin = job.begin / per_instance * per_instance;
  const auto origin_of = [&](uint32_t s) {
    const uint64_t number = job.begin + survivors.triangle[s];
    while (number - instance_begin >= per_instance) instance_begin += per_instance;
    return Origin{survivors.corner[provoking][s], draw.assembly.primitive_id(uint32_t(number - instance_begin)),
                  viewport};
  };
  uint64_t drawn = 0;
  uint32_t s = 0;
  while (s < survivors.count && !is_full(chunk, limits)) {
    const uint32_t plain = plain_survivors(s);
    if (plain == 0) {
      drawn += set_up_clipped(draw, s, origin_of(s), limits, chunk, counters);
      ++s;
      continue;
    }
    const uint32_t* const corner[3] = {&survivors.corner[0][s], &survivors.corner[1][s], &survivors.corner[2][s]};
    setup_triangles(corner, plain, vertices, draw.setup_of(viewport), batch.data(), limits.simd);
    for (uint32_t i = 0; i < plain && !is_full(chunk, limits); ++i, ++s, ++drawn)
      append(batch[i], origin_of(s), draw, limits, chunk);
  }
  const uint64_t done = s < survivors.count ? survivors.triangle[s] : job.end - job.begin;
  counters.primitives += done;
  counters.primitives_culled += done - drawn;
  counters.triangles_binned += chunk.triangles.size() - triangles_before;
  return done;
}

void ChunkBuilder::Impl::project(const PreparedDraw& draw, Chunk& chunk, uint32_t triangles, SimdTarget simd) {
  views.assign(draw, corners, triangles, vertices, chunk.records);
  uint32_t begin = 0;
  for (const ViewRun& run : views.vertices) {
    project_vertices(draw.view_of(run.viewport), vertices, begin, run.end - begin, simd);
    begin = run.end;
  }
}

// Culls and sets up. Returns how many of the job's triangles are dealt with.
uint64_t ChunkBuilder::Impl::set_up_all(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                        Counters& counters) {
  const PreparedDraw& draw = *job.draw;
  entries.clear();
  uint32_t begin = 0;
  for (const ViewRun& run : views.triangles) {
    const uint32_t* const first = corners.data() + size_t{3} * begin;
    cull_triangles(first, run.end - begin, vertices, draw.setup_of(run.viewport), survivors, limits.simd);
    if (begin == 0) chunk.triangles.reserve(survivors.count);
    const uint64_t done =
        begin + set_up({&draw, job.begin + begin, job.begin + run.end}, run.viewport, limits, chunk, counters);
    if (done < run.end) return done;
    begin = run.end;
  }
  return begin;
}

// The same for points, lines and polygons that are no plain triangles.
uint64_t ChunkBuilder::Impl::set_up_shapes(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                           ChunkResult& result) {
  const PreparedDraw& draw = *job.draw;
  const uint32_t per_instance = draw.assembly.triangle_count(), each = draw.assembly.corner_count();
  const uint64_t count = job.end - job.begin;
  entries.clear();
  shapes.begin(draw, vertices, chunk, job.stipple, limits.simd);
  uint64_t done = 0, drawn = 0;
  auto run = views.triangles.begin();
  for (; done < count && !is_full(chunk, limits); ++done) {
    if (done == run->end) ++run;
    const uint32_t number = uint32_t((job.begin + done) % per_instance);
    const uint32_t* corner = &corners[size_t{each} * done];
    const Origin origin{corner[draw.assembly.provoking_corner()], draw.assembly.primitive_id(number),
                        run->viewport};
    drawn += shapes.add(number, corner, run->viewport);
    for (Piece& piece : shapes.pieces()) {
      append(piece.triangle, origin, draw, limits, chunk);
      if (draw.has_shapes) chunk.shapes.push_back(piece.shape);
    }
  }
  result.stipple = shapes.stipple();
  result.counters.primitives += done;
  result.counters.primitives_clipped += shapes.clipped();
  result.counters.primitives_culled += done - drawn;
  result.counters.triangles_binned += chunk.triangles.size();
  return done;
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
  chunk.shapes.clear();
  chunk.tile_begin.clear();
  chunk.binned.clear();
  chunk.tile_rect = {};

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

  result.done = job.begin + (draw.plain_triangles ? impl_->set_up_all(job, limits, chunk, counters)
                                                  : impl_->set_up_shapes(job, limits, chunk, result));
  clock.lap(counters.setup_ns);

  sort_by_tile(impl_->entries, chunk);
  clock.lap(counters.bin_ns);
  return result;
}

}  // namespace tessera::raster
