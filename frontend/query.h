// frontend/query.h: what a Context counts between the beginning and the end of a query (Context::begin_query).
// Out:     numbers that are the same for any number of threads, times apart.
// Threads: belongs to the Device's calling thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "raster/query.h"

namespace tessera {

enum class QueryKind : uint8_t {
  SamplesPassed,         // samples that passed all tests
  AnySamplesPassed,      // 1 or 0
  PrimitivesGenerated,   // points, lines and triangles that reached a stream; stream 0: the rasterizer, too
  PrimitivesWritten,     // of them, those that stream output wrote
  StreamOverflow,        // 1: one found no room
  AnyStreamOverflow,     // of any stream
  PipelineStatistics,    // read with Context::query_statistics
  Timestamp,             // nanoseconds when all work before end_query was done; begin_query is not needed
  TimeElapsed            // nanoseconds
};

// Triangles stand for the quads and polygons that they are parts of.
struct PipelineStatistics {
  uint64_t input_vertices = 0, input_primitives = 0;
  uint64_t vertex_invocations = 0;                 // a vertex that is used again is not always shaded again
  uint64_t control_patches = 0, evaluation_invocations = 0;
  uint64_t geometry_invocations = 0, geometry_primitives = 0;
  uint64_t clipped_in = 0, clipped_out = 0;        // into clipping; of them, those that draw something after culling
  uint64_t fragment_invocations = 0, compute_invocations = 0;
  bool operator==(const PipelineStatistics&) const = default;
};

class Query {
 public:
  Query(QueryKind kind, uint32_t stream) : kind_(kind), stream_(stream) {}
  QueryKind kind() const { return kind_; }
  bool is_active() const { return is_active_; }
  bool has_ended() const { return has_ended_; }

 private:
  friend class Context;
  uint64_t sum() const;                            // of the intervals; all recorded work has run
  PipelineStatistics statistics() const;

  QueryKind kind_;
  uint32_t stream_;
  bool is_active_ = false, has_ended_ = false;
  std::vector<std::shared_ptr<raster::QueryInterval>> intervals_;
  std::chrono::steady_clock::time_point begin_, end_;   // of times
};
using QueryRef = std::shared_ptr<Query>;

}  // namespace tessera
