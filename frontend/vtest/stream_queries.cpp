// Queries, conditional rendering and stream output.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "frontend/vtest/command_stream.h"

namespace tessera::vtest {
namespace {

// What the client finds in the query's buffer: it waits until the state says done.
struct QueryResult {
  uint32_t state = 0;
  uint32_t size_bytes = 8;
  uint64_t value = 0;
};
static_assert(sizeof(QueryResult) == kQueryResultBytes);
constexpr uint32_t kDone = 1;

// The value as a client's integer of one of four types, saturated.
std::span<const std::byte> as_result_type(const uint64_t& value, uint32_t type, uint64_t& storage) {
  constexpr uint64_t largest[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
  storage = std::min(value, largest[type]);
  return std::as_bytes(std::span(&storage, 1)).first(type < 2 ? 4 : 8);   // little-endian
}

}  // namespace

Status CommandStream::begin_query(SubContext& sub, Words d) {
  const auto query = find_object<const Query>(sub.objects, d[1]);
  if (!query) return query.diags();
  return session_.context.begin_query((*query)->query);
}

Status CommandStream::end_query(SubContext& sub, Words d) {
  const auto query = find_object<const Query>(sub.objects, d[1]);
  if (!query) return query.diags();
  return session_.context.end_query((*query)->query);
}

// The state becomes `done` in every case: the client would ask again for ever.
Status CommandStream::get_query_result(SubContext& sub, Words d) {
  const auto query = find_object<const Query>(sub.objects, d[1]);
  if (!query) return query.diags();
  const Result<uint64_t> value = session_.context.query_result((*query)->query);
  const QueryResult result{.state = 0, .value = value ? *value : 0};
  ClientResource& buffer = *(*query)->result;
  const std::span<std::byte> area = buffer.area.bytes();
  std::memcpy(area.data(), &result, sizeof result);
  std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(area.data())).store(kDone, std::memory_order_release);
  QueryResult done = result;
  done.state = kDone;
  ++buffer.writes;
  Status stored = session_.context.write_buffer(buffer.resource, 0, std::as_bytes(std::span(&done, 1)));
  return value ? stored : Status(value.diags());
}

Status CommandStream::store_query_result(SubContext& sub, Words d) {
  const auto query = find_object<const Query>(sub.objects, d[1]);
  if (!query) return query.diags();
  const Result<ClientResourceRef> buffer = session_.resources.find(d[2]);
  if (!buffer) return buffer.diags();
  if (!(*buffer)->resource || !(*buffer)->is_buffer()) return error("resource: expected a buffer");
  if (d[4] > 3) return error(fmt::format("result type: {} is none", d[4]));
  constexpr int32_t kAvailability = -1;
  uint64_t value = 1;
  if (d.as_int(6) != kAvailability) {
    const Result<uint64_t> result = session_.context.query_result((*query)->query);
    if (!result) return result.diags();
    value = *result;
  }
  uint64_t storage;
  ++(*buffer)->writes;
  return session_.context.write_buffer((*buffer)->resource, d[5], as_result_type(value, d[4], storage));
}

Status CommandStream::set_render_condition(SubContext& sub, Words d) {
  const auto query = find_or_null<const Query>(sub.objects, d[1]);
  sub.condition = query ? *query : nullptr;
  sub.is_condition_inverted = d[2] != 0;
  sub.changes.other = true;
  return query ? Status(Done{}) : Status(query.diags());
}

Status CommandStream::set_stream_targets(SubContext& sub, Words d) {
  if (d.size() - 2 > raster::kMaxStreamBuffers) return error(fmt::format("targets: {} are too many", d.size() - 2));
  std::vector<uint32_t> handles(d.from(2).span().begin(), d.from(2).span().end());
  std::vector<std::shared_ptr<const StreamTarget>> targets;
  for (const uint32_t handle : handles) {
    const auto target = find_or_null<const StreamTarget>(sub.objects, handle);
    if (!target) return target.diags();
    targets.push_back(*target);
  }
  for (const auto& ended : sub.stream_targets) {
    if (!ended) continue;
    std::erase_if(sub.ended_targets, [&](const auto& before) { return before.expired() || before.lock() == ended; });
    sub.ended_targets.push_back(ended);
  }
  sub.stream_targets = std::move(targets);
  if (handles.empty()) return session_.context.set_stream_targets({});
  const bool goes_on = !sub.seen_target_lists.insert(handles).second;
  std::vector<StreamTargetRef> refs;
  for (const auto& target : sub.stream_targets) refs.push_back(target ? target->target : nullptr);
  return session_.context.set_stream_targets(refs, goes_on ? ~0u : 0);
}

}  // namespace tessera::vtest
