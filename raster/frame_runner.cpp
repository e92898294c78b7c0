#include "raster/frame_runner.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "fmt/format.h"
#include "raster/renderer.h"
#include "raster/watched_tile.h"
#include "texture/texel_count.h"
#include "texture/view.h"

namespace tessera::raster {
namespace {

constexpr size_t kWindowCommands = 4096;         // commands prepared at a time
constexpr uint32_t kPrepareBatch = 32;
constexpr size_t kKeptStates = 1u << 14;         // of draws, from one run to the next
constexpr uint32_t kMinChunkTriangles = 4096, kMaxChunkTriangles = 32768;
constexpr uint32_t kChunksOfADraw = 16;          // that a draw is cut into, within those bounds
constexpr uint64_t kBytesATriangle = sizeof(SmallTriangle) + 64;   // with its vertices and bins, as a rule
constexpr uint32_t kBatchTriangles = 1024, kBatchJobs = 64;        // small jobs that one task takes together

// How the binning budget is shared out. A wave, the chunks that are built together, may fill what is left of the
// frame's share; a chunk that exceeds what its job was expected to need ends at its own limit.
uint64_t frame_limit(uint64_t budget) { return budget / 4 * 3; }
uint64_t wave_limit(uint64_t budget, uint64_t frame_bytes) {
  return std::max(budget / 8, frame_limit(budget) - std::min(frame_limit(budget), frame_bytes));
}
uint64_t chunk_limit(uint64_t budget) { return std::clamp<uint64_t>(budget / 16, 16u << 10, 16u << 20); }

uint64_t chunk_triangles(uint64_t draw_triangles, uint64_t budget) {
  const uint64_t wanted =
      std::clamp<uint64_t>(draw_triangles / kChunksOfADraw, kMinChunkTriangles, kMaxChunkTriangles);
  return std::clamp<uint64_t>(chunk_limit(budget) / kBytesATriangle, 1, wanted);
}

// The instances of a sequential draw are whole jobs: what does not fit a chunk follows it in order.
uint64_t job_step(const PreparedDraw& draw, uint64_t wanted) {
  if (!draw.is_sequential()) return wanted;
  const uint64_t instance = draw.assembly.triangle_count();
  return (wanted + instance - 1) / instance * instance;
}

uint64_t capacity_bytes(const Chunk& chunk) {
  return sizeof(Chunk) + chunk.records.capacity() * sizeof(float) + chunk.window.capacity() * sizeof(WinVertex) +
         chunk.triangles.capacity() * sizeof(SetupTriangle) + chunk.small.capacity() * sizeof(SmallTriangle) +
         chunk.shapes.capacity() * sizeof(Shape) + (chunk.tile_begin.capacity() + chunk.binned.capacity()) * sizeof(uint32_t);
}

// splitmix64: the shuffle must be the same everywhere, which std::shuffle does not promise.
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

Diag over_budget(uint64_t draw_number, uint32_t budget) {
  return {{}, fmt::format("draw {}: a shader invocation took more than the allowed {} loop turns", draw_number, budget),
          std::string(kOverBudgetId)};
}

}  // namespace

// One thing of a wave, in API order.
struct FrameRunner::WaveItem {
  const ClearCommand* clear = nullptr;           // or
  const ResolveCommand* resolve = nullptr;       // or, where both are null, the job
  bool is_job() const { return clear == nullptr && resolve == nullptr; }
  ChunkJob job;
  std::unique_ptr<Chunk> chunk;
  ChunkResult result;
};

struct FrameRunner::Worker {
  ChunkBuilder builder;
  TileBuffers tile_buffers;
  Counters tile_counters;
  int64_t failed_draw = -1;
};

FrameRunner::FrameRunner(const RendererOptions& options, TaskArena& arena) : options_(options), arena_(arena) {
  context_.simd = options.simd;
  context_.budget = options.instruction_budget;
  context_.null_texture = texture::bind_texture(texture::View{}, texture::Sampler{}, options.simd);
  for (uint32_t i = 0; i < arena.threads(); ++i) workers_.push_back(std::make_unique<Worker>());
}

FrameRunner::~FrameRunner() = default;

Status FrameRunner::run(const Framebuffer& target, std::span<const RecordedCommand> commands,
                        const QueryIntervals& intervals) {
  const CallerSpan span(log.get(), LogSpan::Kind::Frame);
  intervals_ = &intervals;
  begin_frame(target);
  Status status = Done{};
  if (states_.size() < commands.size()) states_.resize(commands.size());
  for (size_t first = 0; first < commands.size() && status; first += kWindowCommands)
    status = run_window(commands.subspan(first, std::min(commands.size() - first, kWindowCommands)), first);
  if (status) status = run_tiles();
  frame_.chunks.clear();
  frame_.target = {};
  wave_.clear();
  release_states();
  return status;
}

// Keeps the memory of the states of some draws, and nothing that they refer to.
void FrameRunner::release_states() {
  for (PreparedDraw& draw : prepared_) draw.release();
  if (states_.size() > kKeptStates) states_.resize(kKeptStates);
  for (std::shared_ptr<DrawState>& state : states_) {
    if (state.use_count() == 1) state->pipeline.reset();
    else state.reset();
  }
}

Status FrameRunner::run_window(std::span<const RecordedCommand> commands, size_t first_state) {
  if (prepared_.size() < commands.size()) prepared_.resize(commands.size());
  prepare(commands, first_state);
  if (watch) watch->note_scissored(frame_.target, std::span(prepared_).first(commands.size()));
  size_t command = 0;
  uint64_t triangle = 0;
  while (command < commands.size()) {
    next_wave(commands, command, triangle);
    build_wave(wave_);
    if (Status status = merge_wave(wave_); !status) return status;
  }
  return Done{};
}

void FrameRunner::prepare(std::span<const RecordedCommand> commands, size_t first_state) {
  const CallerSpan span(log.get(), LogSpan::Kind::Prepare);
  const uint32_t batches = uint32_t(commands.size() + kPrepareBatch - 1) / kPrepareBatch;
  arena_.parallel_for(batches, [&](uint32_t batch, uint32_t) {
    const size_t end = std::min(commands.size(), size_t{batch + 1} * kPrepareBatch);
    for (size_t i = size_t{batch} * kPrepareBatch; i < end; ++i) {
      const RecordedDraw* draw = std::get_if<RecordedDraw>(&commands[i]);
      if (draw == nullptr) continue;
      prepared_[i].state = std::move(states_[first_state + i]);
      prepare_draw(draw->call, frame_.target, draw->number, context_, prepared_[i], draw->interval);
      states_[first_state + i] = prepared_[i].state;
    }
  });
}

// Takes jobs from command `command`, triangle `triangle` on, until they may fill the wave's share of memory.
void FrameRunner::next_wave(std::span<const RecordedCommand> commands, size_t& command, uint64_t& triangle) {
  std::vector<WaveItem>& wave = wave_;
  wave.clear();
  uint64_t bytes = 0;
  for (; command < commands.size(); ++command, triangle = 0) {
    if (const ClearCommand* clear = std::get_if<ClearCommand>(&commands[command])) {
      wave.emplace_back().clear = clear;
      continue;
    }
    if (const ResolveCommand* resolve = std::get_if<ResolveCommand>(&commands[command])) {
      wave.emplace_back().resolve = resolve;
      continue;
    }
    const PreparedDraw& draw = prepared_[command];
    const uint64_t total = draw.primitive_count();
    const uint64_t step = job_step(draw, draw.geometry ? draw.geometry->chunk_primitives
                                                       : chunk_triangles(total, options_.binning_budget_bytes));
    while (triangle < total) {
      const uint64_t end = std::min(total, triangle + step);
      const uint64_t job_bytes = sizeof(Chunk) + (end - triangle) * kBytesATriangle;
      if (!wave.empty() && bytes + job_bytes > wave_limit(options_.binning_budget_bytes, frame_bytes_)) return;
      bytes += job_bytes;
      WaveItem& item = wave.emplace_back();
      item.job = {&draw, triangle, end};
      item.chunk = take_chunk();
      triangle = end;
    }
  }
}

void FrameRunner::build_wave(std::vector<WaveItem>& wave) {
  const CallerSpan span(log.get(), LogSpan::Kind::Vertices);
  // Tasks of about equal work: one large job, or some small ones.
  std::vector<uint32_t> batch_end;
  uint64_t triangles = 0, jobs = 0;
  for (uint32_t i = 0; i < wave.size(); ++i) {
    triangles += wave[i].job.end - wave[i].job.begin;
    if (++jobs == kBatchJobs || triangles >= kBatchTriangles || i + 1 == wave.size()) {
      batch_end.push_back(i + 1);
      triangles = jobs = 0;
    }
  }
  const TileGrid grid{uint32_t(std::countr_zero(uint32_t(frame_.tile_size_px))), uint32_t(frame_.tiles_y)};
  const ChunkLimits limits{options_.simd, grid, chunk_limit(options_.binning_budget_bytes)};
  arena_.parallel_for(uint32_t(batch_end.size()), [&](uint32_t batch, uint32_t worker) {
    for (uint32_t i = batch == 0 ? 0 : batch_end[batch - 1]; i < batch_end[batch]; ++i) {
      WaveItem& item = wave[i];
      if (item.is_job()) build_chunk(item, limits, worker);
    }
  });
}

void FrameRunner::build_chunk(WaveItem& item, const ChunkLimits& limits, uint32_t worker) {
  LogSpan span;
  if (log) span.begin = std::chrono::steady_clock::now();
  const uint64_t texels_before = texture::texels_read();
  item.result = workers_[worker]->builder.build(item.job, limits, *item.chunk);
  item.result.counters.texels += texture::texels_read() - texels_before;
  if (!log) return;
  span.kind = LogSpan::Kind::Chunk;
  span.end = std::chrono::steady_clock::now();
  span.draw = item.job.draw->draw_number;
  span.triangles = item.result.done - item.job.begin;
  log->add(worker, span);
}

Status FrameRunner::merge_wave(std::vector<WaveItem>& wave) {
  for (WaveItem& item : wave) {
    if (item.clear != nullptr) {
      append(*item.clear);
      continue;
    }
    if (item.resolve != nullptr) {
      append(*item.resolve);
      continue;
    }
    if (item.result.over_budget) return over_budget(item.job.draw->draw_number, context_.budget);
    count(item);
    append(std::move(item.chunk));
    if (item.result.done < item.job.end) {
      if (Status status = finish_job(item); !status) return status;
    }
    if (frame_bytes_ > frame_limit(options_.binning_budget_bytes)) {
      if (Status status = run_tiles(); !status) return status;
    }
  }
  return Done{};
}

// What a chunk counted, and what of it goes to stream output.
void FrameRunner::count(const WaveItem& item) {
  const ChunkResult& result = item.result;
  const PreparedDraw& draw = *item.job.draw;
  counters += result.counters;
  if (!result.streamed && intervals_->empty()) return;
  std::array<uint32_t, kVertexStreams> written{};
  if (result.streamed)
    written = write_streams(draw.pipeline->geometry.stream, *result.streamed, draw.geometry->targets);
  if (draw.state->query_interval == kNoInterval) return;
  QueryInterval& interval = *(*intervals_)[draw.state->query_interval];
  interval.counters += result.counters;
  interval.input_primitives += result.done - item.job.begin;
  if (!draw.pipeline->desc.rasterizer.discard) {
    interval.clipped_in += result.counters.primitives;
    interval.clipped_out += result.counters.primitives - result.counters.primitives_culled;
  }
  for (uint32_t s = 0; s < kVertexStreams; ++s) {
    StreamCounts& stream = interval.streams[s];
    stream.generated += draw.geometry ? result.generated[s] : s == 0 ? result.counters.primitives : 0;
    stream.captured += result.streamed ? result.streamed->primitives[s] : 0;
    stream.written += written[s];
  }
}

void FrameRunner::count_pixels(std::vector<PixelCounts>& counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    QueryInterval& interval = *(*intervals_)[i];
    interval.fragments += counts[i].fragments;
    interval.samples_passed += counts[i].samples_passed;
  }
  counts.clear();
}

// A job that stopped at its memory limit: its triangles cover so many tiles that the tiles' work outweighs the
// vertices' by far, so the rest is built here, piece after piece, each as long as the one before.
Status FrameRunner::finish_job(const WaveItem& item) {
  uint64_t begin = item.job.begin, done = item.result.done;
  uint32_t stipple = item.result.stipple;
  while (done < item.job.end) {
    if (Status status = run_tiles(); !status) return status;
    std::vector<WaveItem> wave(1);
    wave[0].job = {item.job.draw, done, std::min(item.job.end, done + std::max<uint64_t>(1, done - begin)), stipple};
    wave[0].chunk = take_chunk();
    build_wave(wave);
    if (wave[0].result.over_budget) return over_budget(item.job.draw->draw_number, context_.budget);
    count(wave[0]);
    append(std::move(wave[0].chunk));
    begin = done;
    done = wave[0].result.done;
    stipple = wave[0].result.stipple;
  }
  return Done{};
}

void FrameRunner::begin_frame(const Framebuffer& target) {
  frame_.target = target;
  frame_.tile_size_px = tile_size_for(target, options_.tile_size_px);
  if (!fits_frame(target, frame_.tile_size_px)) frame_.tile_size_px = tile_size_for(target);
  frame_.tiles_x = (int32_t(target.width) + frame_.tile_size_px - 1) / frame_.tile_size_px;
  frame_.tiles_y = (int32_t(target.height) + frame_.tile_size_px - 1) / frame_.tile_size_px;
  frame_.drop_hidden = options_.drop_hidden;
  frame_.clears.clear();
  frame_.resolves.clear();
  frame_.chunks.clear();
  frame_.tile_commands.resize(size_t(frame_.tiles_x) * size_t(frame_.tile_rows()));
  for (std::vector<TileCommand>& commands : frame_.tile_commands) commands.clear();
  frame_bytes_ = 0;
}

void FrameRunner::append(const ClearCommand& clear) {
  ClearCommand clipped = clear;
  IRect& r = clipped.rect;
  r = {std::max(r.x0, 0), std::max(r.y0, 0), std::min(r.x1, int32_t(frame_.target.width)),
       std::min(r.y1, int32_t(frame_.target.height))};
  if (r.empty()) return;
  const TileCommand command{TileCommand::Kind::Clear, uint32_t(frame_.clears.size()), 0, 0};
  frame_.clears.push_back(clipped);
  const int32_t size = frame_.tile_size_px;
  const uint32_t layers = frame_.target.layers, first_layer = std::min(clear.first_layer, layers);
  const uint32_t last_layer = first_layer + std::min(clear.layers, layers - first_layer);
  for (int32_t layer = int32_t(first_layer); layer < int32_t(last_layer); ++layer) {
    const int32_t layer_row = layer * frame_.tiles_y;
    for (int32_t ty = layer_row + r.y0 / size; ty <= layer_row + (r.y1 - 1) / size; ++ty) {
      for (int32_t tx = r.x0 / size; tx <= (r.x1 - 1) / size; ++tx)
        frame_.tile_commands[size_t(ty) * size_t(frame_.tiles_x) + size_t(tx)].push_back(command);
    }
  }
}

void FrameRunner::append(const ResolveCommand& resolve) {
  const TileCommand command{TileCommand::Kind::Resolve, uint32_t(frame_.resolves.size()), 0, 0};
  frame_.resolves.push_back(resolve);
  for (std::vector<TileCommand>& commands : frame_.tile_commands) commands.push_back(command);
}

void FrameRunner::append(std::unique_ptr<Chunk> chunk) {
  if (chunk->binned.empty()) return recycle(std::move(chunk));
  const uint32_t index = uint32_t(frame_.chunks.size());
  const IRect& r = chunk->tile_rect;
  uint32_t tile = 0;
  for (int32_t ty = r.y0; ty < r.y1; ++ty) {
    for (int32_t tx = r.x0; tx < r.x1; ++tx, ++tile) {
      const uint32_t begin = chunk->tile_begin[tile], end = chunk->tile_begin[tile + 1];
      if (begin == end) continue;
      frame_.tile_commands[size_t(ty) * size_t(frame_.tiles_x) + size_t(tx)].push_back(
          {TileCommand::Kind::Triangles, index, begin, end});
    }
  }
  frame_bytes_ += chunk_bytes(*chunk);
  frame_.chunks.push_back(std::move(chunk));
}

std::unique_ptr<Chunk> FrameRunner::take_chunk() {
  if (free_chunks_.empty()) return std::make_unique<Chunk>();
  FreeChunk free = std::move(free_chunks_.back());
  free_chunks_.pop_back();
  free_bytes_ -= free.bytes;
  return std::move(free.chunk);
}

void FrameRunner::recycle(std::unique_ptr<Chunk> chunk) {
  chunk->draw.reset();
  const uint64_t bytes = capacity_bytes(*chunk);
  if (free_bytes_ + bytes > frame_limit(options_.binning_budget_bytes)) return;
  free_bytes_ += bytes;
  free_chunks_.push_back({std::move(chunk), bytes});
}

// Tiles with work, row by row, or shuffled.
std::vector<TileRun> FrameRunner::ordered_runs() const {
  std::vector<TileRun> runs = tile_runs(frame_);
  if (options_.shuffle_tiles != 0) {
    uint64_t state = options_.shuffle_tiles + part_;
    for (size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[next_random(state) % i]);
  }
  return runs;
}

// Every tile for itself, without the watched one.
std::vector<TileRun> FrameRunner::runs_beside(const TileRun& watched) const {
  std::vector<TileRun> runs;
  for (const TileRun& run : tile_runs(frame_))
    for (int32_t x = run.x0; x < run.x1; ++x)
      if (run.y != watched.y || x != watched.x0) runs.push_back({run.y, x, x + 1});
  return runs;
}

void FrameRunner::run_watched(const TileRun& run) {
  Worker& own = *workers_[0];
  const TileResult result = run_watched_tile(frame_, run.x0, run.y, options_.simd, own.tile_buffers, *watch);
  own.tile_counters += result.counters;
  own.failed_draw = result.failed_draw;
}

// A strip of clears is one span over all of its tiles.
void FrameRunner::log_tiles(const TileRun& run, uint32_t worker, const TileResult& result,
                            std::chrono::steady_clock::time_point begin) {
  const Framebuffer& target = frame_.target;
  const int32_t size = frame_.tile_size_px, y = run.y % frame_.tiles_y * size;
  LogSpan span;
  span.kind = LogSpan::Kind::Tile;
  span.begin = begin;
  span.end = std::chrono::steady_clock::now();
  span.pixels = {run.x0 * size, y, std::min(run.x1 * size, int32_t(target.width)),
                 std::min(y + size, int32_t(target.height))};
  span.layer = uint32_t(run.y / frame_.tiles_y);
  span.target = (target.color_count ? target.color[0] : target.depth_stencil).storage.get();
  span.fragments = result.counters.fragments;
  span.blocks = result.counters.blocks;
  log->add(worker, span);
}

void FrameRunner::run_one(const TileRun& run, uint32_t worker, float* times_us) {
  Worker& own = *workers_[worker];
  own.tile_buffers.set_heat(log ? log->heat_of(frame_, run.y) : nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const int32_t tiles = run.x1 - run.x0;
  const TileResult result = tiles > 1 ? run_clear_strip(frame_, run, options_.simd)
                                      : run_tile(frame_, run.x0, run.y, options_.simd, own.tile_buffers);
  if (log) log_tiles(run, worker, result, begin);
  own.tile_counters += result.counters;
  if (result.failed_draw >= 0 && (own.failed_draw < 0 || result.failed_draw < own.failed_draw))
    own.failed_draw = result.failed_draw;
  if (times_us != nullptr) {
    const float us = std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - begin).count();
    std::fill_n(times_us, tiles, us / float(tiles));
  }
}

Status FrameRunner::run_tiles() {
  const CallerSpan span(log.get(), LogSpan::Kind::Tiles);
  const std::optional<TileRun> watched = watch ? watch->tile_of(frame_) : std::nullopt;
  if (watched) run_watched(*watched);
  const std::vector<TileRun> runs = watched ? runs_beside(*watched) : ordered_runs();
  std::vector<size_t> first_time;                // of a run, in tile_times_us
  if (options_.time_tiles) {
    for (const TileRun& run : runs) {
      first_time.push_back(tile_times_us.size());
      tile_times_us.resize(tile_times_us.size() + size_t(run.x1 - run.x0));
    }
  }
  arena_.parallel_for(uint32_t(runs.size()), [&](uint32_t i, uint32_t worker) {
    run_one(runs[i], worker, options_.time_tiles ? &tile_times_us[first_time[i]] : nullptr);
  });

  int64_t failed_draw = -1;
  for (const std::unique_ptr<Worker>& worker : workers_) {
    counters += worker->tile_counters;
    worker->tile_counters = {};
    count_pixels(worker->tile_buffers.pixel_counts());
    if (worker->failed_draw >= 0 && (failed_draw < 0 || worker->failed_draw < failed_draw))
      failed_draw = worker->failed_draw;
    worker->failed_draw = -1;
  }
  if (!runs.empty() || watched) {
    ++counters.flushes;
    ++part_;
  }
  frame_.clears.clear();
  frame_.resolves.clear();
  for (std::unique_ptr<Chunk>& chunk : frame_.chunks) recycle(std::move(chunk));
  frame_.chunks.clear();
  for (std::vector<TileCommand>& commands : frame_.tile_commands) commands.clear();
  frame_bytes_ = 0;
  if (failed_draw >= 0) return over_budget(uint64_t(failed_draw), context_.budget);
  return Done{};
}

}  // namespace tessera::raster
