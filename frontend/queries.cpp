// frontend/queries.cpp: queries, and rendering that depends on their results.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/context_impl.h"

namespace tessera {
namespace {

using raster::QueryInterval;

bool is_time(QueryKind kind) { return kind == QueryKind::Timestamp || kind == QueryKind::TimeElapsed; }

uint64_t overflow_of(const QueryInterval& interval, uint32_t stream) {
  return interval.streams[stream].captured - interval.streams[stream].written;
}

uint64_t nanoseconds(std::chrono::steady_clock::duration time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

}  // namespace

uint64_t Query::sum() const {
  if (kind_ == QueryKind::Timestamp) return nanoseconds(end_.time_since_epoch());
  if (kind_ == QueryKind::TimeElapsed) return nanoseconds(end_ - begin_);
  uint64_t sum = 0;
  for (const auto& interval : intervals_) {
    switch (kind_) {
      case QueryKind::SamplesPassed:
      case QueryKind::AnySamplesPassed: sum += interval->samples_passed; break;
      case QueryKind::PrimitivesGenerated: sum += interval->streams[stream_].generated; break;
      case QueryKind::PrimitivesWritten: sum += interval->streams[stream_].written; break;
      case QueryKind::StreamOverflow: sum += overflow_of(*interval, stream_); break;
      case QueryKind::AnyStreamOverflow:
        for (uint32_t s = 0; s < kVertexStreams; ++s) sum += overflow_of(*interval, s);
        break;
      case QueryKind::PipelineStatistics:
      case QueryKind::Timestamp:
      case QueryKind::TimeElapsed: break;
    }
  }
  const bool is_yes_or_no = kind_ == QueryKind::AnySamplesPassed || kind_ == QueryKind::StreamOverflow ||
                            kind_ == QueryKind::AnyStreamOverflow;
  return is_yes_or_no ? std::min<uint64_t>(sum, 1) : sum;
}

PipelineStatistics Query::statistics() const {
  PipelineStatistics s;
  for (const auto& interval : intervals_) {
    s.input_vertices += interval->input_vertices;
    s.input_primitives += interval->input_primitives;
    s.vertex_invocations += interval->counters.vertices;
    s.control_patches += interval->counters.patches;
    s.evaluation_invocations += interval->counters.evaluations;
    s.geometry_invocations += interval->counters.geometry_invocations;
    s.geometry_primitives += interval->counters.geometry_primitives;
    s.clipped_in += interval->clipped_in;
    s.clipped_out += interval->clipped_out;
    s.fragment_invocations += interval->fragments;
    s.compute_invocations += interval->compute_invocations;
  }
  return s;
}

// Whenever a query begins or ends, what is counted from now on counts for others.
void Context::Impl::begin_interval() {
  interval = active_queries.empty() ? nullptr : std::make_shared<QueryInterval>();
  for (const QueryRef& query : active_queries) query->intervals_.push_back(interval);
  renderer.set_query_interval(interval);
}

Result<QueryRef> Context::create_query(QueryKind kind, uint32_t stream) {
  if (stream >= kVertexStreams)
    return error(fmt::format("stream: expected less than {}, found {}", kVertexStreams, stream));
  return std::make_shared<Query>(kind, stream);
}

Status Context::begin_query(const QueryRef& query) {
  if (!query) return error("query: null");
  if (query->kind_ == QueryKind::Timestamp) return error("query: a timestamp has no beginning, only an end");
  if (query->is_active_) return error("query: it has begun and not ended");
  if (is_time(query->kind_))
    if (Status s = flush(); !s) return s;
  query->begin_ = std::chrono::steady_clock::now();
  query->intervals_.clear();
  query->has_ended_ = false;
  query->is_active_ = true;
  if (is_time(query->kind_)) return Done{};
  impl_->active_queries.push_back(query);
  impl_->begin_interval();
  return Done{};
}

Status Context::end_query(const QueryRef& query) {
  if (!query) return error("query: null");
  if (!query->is_active_ && query->kind_ != QueryKind::Timestamp) return error("query: it has not begun");
  if (is_time(query->kind_))
    if (Status s = flush(); !s) return s;
  query->end_ = std::chrono::steady_clock::now();
  query->is_active_ = false;
  query->has_ended_ = true;
  if (is_time(query->kind_)) return Done{};
  std::erase(impl_->active_queries, query);
  impl_->begin_interval();
  return Done{};
}

Result<uint64_t> Context::query_result(const QueryRef& query) {
  if (!query) return error("query: null");
  if (!query->has_ended_) return error("query: it has not ended");
  if (query->kind_ == QueryKind::PipelineStatistics) return error("query: its result is not one number");
  if (Status s = flush(); !s) return s.diags();
  return query->sum();
}

Result<PipelineStatistics> Context::query_statistics(const QueryRef& query) {
  if (!query) return error("query: null");
  if (!query->has_ended_) return error("query: it has not ended");
  if (query->kind_ != QueryKind::PipelineStatistics) return error("query: it counts something else");
  if (Status s = flush(); !s) return s.diags();
  return query->statistics();
}

Status Context::set_render_condition(const QueryRef& query, bool is_inverted) {
  if (query && !query->has_ended_) return error("query: it has not ended");
  if (query && (is_time(query->kind_) || query->kind_ == QueryKind::PipelineStatistics))
    return error("query: its result is no condition");
  impl_->condition = query;
  impl_->is_condition_inverted = is_inverted;
  impl_->condition_holds.reset();
  return Done{};
}

// The answer is waited for once: to go ahead without it would make the picture depend on time.
Result<bool> Context::Impl::may_render() {
  if (!condition) return true;
  if (!condition_holds) {
    if (Status s = flush(); !s) return s.diags();
    condition_holds = (condition->sum() != 0) != is_condition_inverted;
  }
  return *condition_holds;
}

}  // namespace tessera
