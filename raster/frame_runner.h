// raster/frame_runner.h: recorded work -> pixels. Vertex work runs in parallel over chunks, whose results are put into
// the Frame in API order; then tiles run in parallel. Where memory would pass the budget the Frame is run and begun
// anew in the middle: tiles hold exact bits between, so no image shows it.
// In:     a framebuffer and checked commands.
// Errors: a draw over its instruction budget; the targets' contents are then undefined.
// Threads: one caller; uses every worker of the arena. What is where never depends on them.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "raster/chunk.h"
#include "raster/clear.h"
#include "raster/frame_log.h"
#include "raster/pixel_watch.h"
#include "raster/tile.h"

namespace tessera::raster {

struct RecordedDraw {
  DrawCall call;
  uint32_t number = 0;
  uint32_t interval = kNoInterval;               // of those that run() is given
};
using QueryIntervals = std::vector<std::shared_ptr<QueryInterval>>;
using RecordedCommand = std::variant<ClearCommand, ResolveCommand, RecordedDraw>;

class FrameRunner {
 public:
  FrameRunner(const RendererOptions& options, TaskArena& arena);
  ~FrameRunner();

  // Draws of an interval add to it what they count.
  Status run(const Framebuffer& target, std::span<const RecordedCommand> commands, const QueryIntervals& intervals);

  Counters counters;                     // added to by run()
  std::vector<float> tile_times_us;      // appended to by run() where options.time_tiles
  std::shared_ptr<PixelWatch> watch;     // null: no pixel is watched
  std::shared_ptr<FrameLog> log;         // null: nothing is written down

 private:
  struct WaveItem;
  struct Worker;

  Status run_window(std::span<const RecordedCommand> commands, size_t first_state);
  void release_states();
  void next_wave(std::span<const RecordedCommand> commands, size_t& command, uint64_t& triangle);
  void prepare(std::span<const RecordedCommand> commands, size_t first_state);
  void build_wave(std::vector<WaveItem>& wave);
  void build_chunk(WaveItem& item, const ChunkLimits& limits, uint32_t worker);
  Status merge_wave(std::vector<WaveItem>& wave);
  Status finish_job(const WaveItem& item);
  void count(const WaveItem& item);
  void count_pixels(std::vector<PixelCounts>& counts);
  Status run_tiles();

  void begin_frame(const Framebuffer& target);
  void append(const ClearCommand& clear);
  void append(const ResolveCommand& resolve);
  void append(std::unique_ptr<Chunk> chunk);
  std::unique_ptr<Chunk> take_chunk();
  void recycle(std::unique_ptr<Chunk> chunk);
  std::vector<TileRun> ordered_runs() const;
  std::vector<TileRun> runs_beside(const TileRun& watched) const;
  void run_watched(const TileRun& run);
  void run_one(const TileRun& run, uint32_t worker, float* times_us);
  void log_tiles(const TileRun& run, uint32_t worker, const TileResult& result,
                 std::chrono::steady_clock::time_point begin);

  const RendererOptions options_;
  TaskArena& arena_;
  DrawContext context_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<PreparedDraw> prepared_;                          // by place in the window; unused for clears
  std::vector<std::shared_ptr<DrawState>> states_;              // by command of the run; empty ones between runs
  std::vector<WaveItem> wave_;
  const QueryIntervals* intervals_ = nullptr;
  Frame frame_;
  uint64_t frame_bytes_ = 0;
  uint64_t part_ = 0;                                           // parts run so far; varies the shuffled order
  struct FreeChunk { std::unique_ptr<Chunk> chunk; uint64_t bytes; };
  std::vector<FreeChunk> free_chunks_;
  uint64_t free_bytes_ = 0;
};

}  // namespace tessera::raster
