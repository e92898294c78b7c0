#include "raster/chunk.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <span>

#include "raster/clip.h"

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

}  // namespace

uint64_t chunk_bytes(const Chunk& chunk) {
  const IRect& r = chunk.tile_rect;
  const uint64_t tiles = uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  return sizeof(Chunk) + chunk.records.size() * sizeof(float) + chunk.triangles.size() * sizeof(SetupTriangle) +
         (chunk.tile_begin.size() + chunk.binned.size()) * sizeof(uint32_t) + tiles * kTileCommandBytes;
}

struct ChunkBuilder::Impl {
  SlotFile slot_file;
  std::vector<uint32_t> corners, assembly_scratch;
  std::vector<InstanceRun> runs;
  VertexList list;
  ReuseScratch reuse;
  ChunkVertices vertices;
  Survivors survivors;
  BinScratch bins;

  uint32_t assemble(const ChunkJob& job);
  bool shade(const PreparedDraw& draw, Chunk* chunk);
  uint64_t set_up(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk, Counters& counters);
  bool set_up_clipped(const PreparedDraw& draw, const uint32_t corners3[3], const SetupTriangle& common,
                      SimdTarget simd, Chunk& chunk, Counters& counters);
  WinVertex win_vertex(uint32_t i) const { return {vertices.x_fx8[i], vertices.y_fx8[i], vertices.z[i], vertices.rw[i]}; }
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
  const VertexStage stage{draw.pipeline.get(), &draw.fetch, &draw.vertex_bindings, draw.state->budget};
  return shade_vertices(stage, list, slots, chunk ? &vertices : nullptr, chunk ? &chunk->records : nullptr);
}

// A fan over what clipping leaves. The polygon's own area decides its face: a piece that snapping turned over is
// covered by the others.
bool ChunkBuilder::Impl::set_up_clipped(const PreparedDraw& draw, const uint32_t corners3[3],
                                        const SetupTriangle& common, SimdTarget simd, Chunk& chunk,
                                        Counters& counters) {
  const ClipPolygon polygon = clip_triangle(draw.view, corners3, vertices, chunk.records, chunk.stride, simd);
  ++counters.primitives_clipped;
  if (polygon.count < 3) return false;
  const WinVertex hub = win_vertex(polygon.vertex[0]);
  int64_t area_fx16 = 0;
  for (uint32_t i = 2; i < polygon.count; ++i)
    area_fx16 += signed_area_fx16(hub, win_vertex(polygon.vertex[i - 1]), win_vertex(polygon.vertex[i]));
  bool any = false;
  for (uint32_t i = 2; i < polygon.count; ++i) {
    const WinVertex v[3] = {hub, win_vertex(polygon.vertex[i - 1]), win_vertex(polygon.vertex[i])};
    if ((signed_area_fx16(v[0], v[1], v[2]) > 0) != (area_fx16 > 0)) continue;
    SetupTriangle t = common;
    if (!setup_triangle(v, draw.setup, t)) continue;
    t.vertex[0] = polygon.vertex[0];
    t.vertex[1] = polygon.vertex[i - 1];
    t.vertex[2] = polygon.vertex[i];
    chunk.triangles.push_back(t);
    any = true;
  }
  return any;
}

// Returns how many of the job's triangles are dealt with.
uint64_t ChunkBuilder::Impl::set_up(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk,
                                    Counters& counters) {
  const PreparedDraw& draw = *job.draw;
  const uint32_t per_instance = draw.assembly.triangle_count(), provoking = draw.assembly.provoking_corner();
  uint64_t drawn = 0, bytes = 0;
  uint64_t done = job.end - job.begin;
  size_t measured = 0;
  for (uint32_t s = 0; s < survivors.count; ++s) {
    const uint32_t corners3[3] = {survivors.corner[0][s], survivors.corner[1][s], survivors.corner[2][s]};
    SetupTriangle t;
    t.provoking = corners3[provoking];
    t.primitive_id = draw.assembly.primitive_id(uint32_t((job.begin + survivors.triangle[s]) % per_instance));
    if (survivors.code[s] != 0) {
      drawn += set_up_clipped(draw, corners3, t, limits.simd, chunk, counters);
    } else {
      const WinVertex v[3] = {win_vertex(corners3[0]), win_vertex(corners3[1]), win_vertex(corners3[2])};
      if (setup_triangle(v, draw.setup, t)) {
        for (int i = 0; i < 3; ++i) t.vertex[i] = corners3[i];
        chunk.triangles.push_back(t);
        ++drawn;
      }
    }
    for (; measured < chunk.triangles.size(); ++measured)
      bytes += sizeof(SetupTriangle) +
               uint64_t{bounded_tiles(chunk.triangles[measured], limits.tile_size_log2)} * sizeof(uint32_t);
    if (bytes > limits.max_bytes) {
      done = survivors.triangle[s] + 1;
      break;
    }
  }
  counters.primitives += done;
  counters.primitives_culled += done - drawn;
  counters.triangles_binned += chunk.triangles.size();
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
  project_vertices(draw.view, impl_->vertices, 0, impl_->vertices.count, limits.simd);
  clock.lap(counters.vertex_ns);

  cull_triangles(impl_->corners.data(), count, impl_->vertices, draw.setup, impl_->survivors, limits.simd);
  result.done = job.begin + impl_->set_up(job, limits, chunk, counters);
  clock.lap(counters.setup_ns);

  bin_triangles(chunk, limits.tile_size_log2, impl_->bins);
  clock.lap(counters.bin_ns);
  return result;
}

}  // namespace tessera::raster
