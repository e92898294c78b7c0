#include "raster/chunk.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "raster/clip.h"
#include "raster/geometry_front.h"
#include "raster/slot_file.h"

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

}  // namespace

uint64_t chunk_bytes(const Chunk& chunk) {
  const IRect& r = chunk.tile_rect;
  const uint64_t tiles = uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  return sizeof(Chunk) + chunk.records.size() * sizeof(float) + chunk.triangles.size() * sizeof(SetupTriangle) +
         (chunk.tile_begin.size() + chunk.binned.size()) * sizeof(uint32_t) + tiles * kTileCommandBytes;
}

struct ChunkBuilder::Impl {
  // What a triangle keeps of the primitive that it is a piece of.
  struct Origin { uint32_t provoking = 0, primitive_id = 0; };

  SlotFile slot_file;
  std::vector<uint32_t> corners, assembly_scratch;
  std::vector<InstanceRun> runs;
  VertexList list;
  ReuseScratch reuse;
  ChunkVertices vertices;
  Survivors survivors;
  TileEntries entries;
  std::vector<SetupTriangle> batch = std::vector<SetupTriangle>(kSetupBatch);
  GeometryFront front;                           // of draws with stages between vertex shading and clipping

  uint32_t assemble(const ChunkJob& job);
  void build_between(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, ChunkResult& result);
  bool shade(const PreparedDraw& draw, Chunk* chunk);
  uint64_t set_up(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, Counters& counters);
  bool set_up_clipped(const PreparedDraw& draw, uint32_t survivor, const Origin& origin, const ChunkLimits& limits,
                      Chunk& chunk, Counters& counters);
  void append(SetupTriangle& t, const Origin& origin, const PreparedDraw& draw, const ChunkLimits& limits,
              Chunk& chunk);
  uint32_t plain_survivors(uint32_t first) const;
};

// Fills corners with vertex ids, then with positions in the vertex list. Returns the number of triangles.
uint32_t ChunkBuilder::Impl::assemble(const ChunkJob& job) {
  const uint32_t per_instance = job.draw->assembly.triangle_count();
  const uint32_t count = uint32_t(job.end - job.begin);
  if (corners.size() < size_t{3} * (count + kCullPadding)) corners.resize(size_t{3} * (count + kCullPadding));
  runs.clear();
  uint32_t done = 0;
  while (done < count) {
    const uint64_t at = job.begin + done;
    const uint32_t first = uint32_t(at % per_instance);
    const uint32_t here = std::min(count - done, per_instance - first);
    job.draw->assembly.assemble(first, here, corners.data() + size_t{3} * done, assembly_scratch);
    done += here;
    runs.push_back({uint32_t(at / per_instance), 3 * done});
  }
  collect_vertices({corners.data(), size_t{3} * count}, runs, list, reuse);
  // What the cull kernel reads beyond the last triangle must be vertices that exist.
  std::fill_n(corners.begin() + size_t{3} * count, 3 * kCullPadding, 0u);
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
  const ClipPolygon polygon = clip_triangle(draw.view, corner, vertices, chunk.records, chunk.stride, limits.simd);
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
    if (!setup_triangle(v, draw.setup, t)) continue;
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
  add_tiles(t, uint32_t(chunk.triangles.size()), limits.tile_size_log2, draw.setup.samples, entries);
  chunk.triangles.push_back(t);
}

// How many survivors from `first` on need no clipping and fit a batch.
uint32_t ChunkBuilder::Impl::plain_survivors(uint32_t first) const {
  uint32_t end = first;
  while (end < survivors.count && end - first < kSetupBatch && survivors.code[end] == 0) ++end;
  return end - first;
}

// Returns how many of the job's primitives are dealt with. All triangles that stages between made of one are.
uint64_t ChunkBuilder::Impl::set_up(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                    Counters& counters) {
  const PreparedDraw& draw = *job.draw;
  const GeometryFront* const made = draw.geometry ? &front : nullptr;
  const uint32_t per_instance = std::max(1u, draw.assembly.triangle_count());
  const uint32_t provoking = made ? draw.geometry->provoking_corner : draw.assembly.provoking_corner();
  entries.clear();
  chunk.triangles.reserve(survivors.count);
  uint64_t instance_begin = job.begin / per_instance * per_instance;
  const auto origin_of = [&](uint32_t s) {
    if (made) return Origin{survivors.corner[provoking][s], made->primitive_id(survivors.triangle[s])};
    const uint64_t number = job.begin + survivors.triangle[s];
    while (number - instance_begin >= per_instance) instance_begin += per_instance;
    return Origin{survivors.corner[provoking][s], draw.assembly.primitive_id(uint32_t(number - instance_begin))};
  };
  const auto is_full = [&] {
    return chunk.triangles.size() * sizeof(SetupTriangle) + entries.size() * sizeof(TileEntry) > limits.max_bytes;
  };
  const auto source_of = [&](uint32_t s) { return made->source(survivors.triangle[s]); };
  const auto stops_at = [&](uint32_t s) {
    return is_full() && (!made || s == 0 || source_of(s) != source_of(s - 1));
  };
  uint64_t drawn = 0;
  uint32_t s = 0;
  while (s < survivors.count && !stops_at(s)) {
    const uint32_t plain = plain_survivors(s);
    if (plain == 0) {
      drawn += set_up_clipped(draw, s, origin_of(s), limits, chunk, counters);
      ++s;
      continue;
    }
    const uint32_t* const corner[3] = {&survivors.corner[0][s], &survivors.corner[1][s], &survivors.corner[2][s]};
    setup_triangles(corner, plain, vertices, draw.setup, batch.data(), limits.simd);
    for (uint32_t i = 0; i < plain && !stops_at(s); ++i, ++s, ++drawn)
      append(batch[i], origin_of(s), draw, limits, chunk);
  }
  const bool is_whole = s == survivors.count;
  const uint64_t done = is_whole ? job.end - job.begin : made ? source_of(s) : survivors.triangle[s];
  const uint64_t triangles = made ? made->count_before(uint32_t(done)) : done;
  counters.primitives += triangles;
  counters.primitives_culled += triangles - drawn;
  counters.triangles_binned += chunk.triangles.size();
  return done;
}

void ChunkBuilder::Impl::build_between(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                       ChunkResult& result) {
  const PreparedDraw& draw = *job.draw;
  StageClock clock;
  Counters& counters = result.counters;
  if (!front.run(draw, job.begin, job.end, counters)) {
    result.over_budget = true;
    return;
  }
  if (draw.draws_nothing()) {
    counters.primitives += front.count();
    counters.primitives_culled += front.count();
    clock.lap(counters.vertex_ns);
  } else {
    const uint32_t count = front.count();
    corners.assign(size_t{3} * (count + kCullPadding), 0);
    front.corners(corners);
    front.fill_vertices(draw, vertices, chunk.records);
    project_vertices(draw.view, vertices, 0, vertices.count, limits.simd);
    clock.lap(counters.vertex_ns);
    cull_triangles(corners.data(), count, vertices, draw.setup, survivors, limits.simd);
    result.done = job.begin + set_up(job, limits, chunk, counters);
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
  chunk.tile_begin.clear();
  chunk.binned.clear();
  chunk.tile_rect = {};
  if (draw.geometry) {
    impl_->build_between(job, limits, chunk, result);
    return result;
  }

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
  project_vertices(draw.view, impl_->vertices, 0, impl_->vertices.count, limits.simd);
  clock.lap(counters.vertex_ns);

  cull_triangles(impl_->corners.data(), count, impl_->vertices, draw.setup, impl_->survivors, limits.simd);
  result.done = job.begin + impl_->set_up(job, limits, chunk, counters);
  clock.lap(counters.setup_ns);

  sort_by_tile(impl_->entries, chunk);
  clock.lap(counters.bin_ns);
  return result;
}

}  // namespace tessera::raster
