// frontend/draws.cpp: draws whose numbers come from buffers: stream output in and out, indirect and multi-draws.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontend/context_impl.h"

namespace tessera {
namespace {

constexpr uint32_t kIndirectWords = 4, kIndexedIndirectWords = 5;

uint32_t word_at(const Storage& storage, uint64_t offset) {
  uint32_t word;
  std::memcpy(&word, storage.data() + offset, sizeof(word));
  return word;
}

Status check_words(const ResourceRef& buffer, uint64_t offset, uint64_t bytes, std::string_view field) {
  if (!buffer) return error(fmt::format("{}: null", field));
  if (buffer->desc().kind != ResourceKind::Buffer) return error(fmt::format("{}: an image is no buffer", field));
  if (offset % 4 != 0)
    return error(fmt::format("{}: expected an offset that is a multiple of 4, found {}", field, offset));
  const size_t size = buffer->storage()->size_bytes();
  if (offset > size || bytes > size - offset)
    return error(fmt::format("{}: {} bytes from {} on go beyond the buffer's {}", field, bytes, offset, size));
  return Done{};
}

}  // namespace

// ---- stream output ---------------------------------------------------------------------------------------------

Status Context::set_stream_output(const raster::StreamLayout& layout) {
  if (impl_->pipeline_desc.stream_output == layout) return Done{};
  impl_->pipeline_desc.stream_output = layout;
  impl_->pipeline_dirty = true;
  return Done{};
}

Result<StreamTargetRef> Context::create_stream_target(const ResourceRef& buffer, uint32_t offset_bytes,
                                                      std::optional<uint32_t> size_bytes) {
  if (Status s = check_words(buffer, offset_bytes, size_bytes.value_or(0), "buffer"); !s) return s.diags();
  const auto rest = static_cast<uint32_t>(std::min<size_t>(buffer->desc().width - offset_bytes, UINT32_MAX));
  return std::make_shared<StreamTarget>(buffer, offset_bytes, size_bytes.value_or(rest));
}

Status Context::set_stream_targets(std::span<const StreamTargetRef> targets, uint32_t append_mask) {
  if (targets.size() > raster::kMaxStreamBuffers)
    return error(fmt::format("targets: at most {}, found {}", raster::kMaxStreamBuffers, targets.size()));
  // Recorded draws append to where a target now stands.
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i] && (append_mask >> i & 1) == 0)
      if (Status s = impl_->finish_writes(*targets[i]->buffer_); !s) return s;
  impl_->stream_targets = {};
  for (size_t i = 0; i < targets.size(); ++i) {
    impl_->stream_targets[i] = targets[i];
    if (targets[i] && (append_mask >> i & 1) == 0) targets[i]->fill_->bytes = 0;
  }
  return Done{};
}

raster::StreamTargets Context::Impl::bound_stream_targets() const {
  raster::StreamTargets bound;
  if (pipeline_desc.stream_output.elements.empty()) return bound;
  for (size_t i = 0; i < stream_targets.size(); ++i) {
    const StreamTargetRef& target = stream_targets[i];
    if (!target) continue;
    target->stride_bytes_ = pipeline_desc.stream_output.stride_bytes[i];
    bound[i] = {target->buffer_->storage(), target->offset_bytes_, target->size_bytes_, target->fill_};
  }
  return bound;
}

Status Context::draw_stream_output(const raster::DrawInfo& info, const StreamTargetRef& target) {
  if (!target) return error("target: null");
  if (info.indexed) return error("info.indexed: what stream output wrote has no indices");
  if (Status s = impl_->finish_writes(*target->buffer_); !s) return s;
  raster::DrawInfo counted = info;
  counted.count = target->stride_bytes_ == 0 ? 0 : static_cast<uint32_t>(target->fill_->bytes / target->stride_bytes_);
  return draw(counted);
}

// ---- indirect --------------------------------------------------------------------------------------------------

Status Context::draw_indirect(const raster::DrawInfo& info, const IndirectDraws& indirect) {
  const uint32_t words = info.indexed ? kIndexedIndirectWords : kIndirectWords;
  const uint32_t stride = indirect.stride_bytes != 0 ? indirect.stride_bytes : words * 4;
  if (stride % 4 != 0) return error(fmt::format("stride_bytes: expected a multiple of 4, found {}", stride));
  uint32_t count = indirect.draw_count;
  if (indirect.count_buffer) {
    if (Status s = check_words(indirect.count_buffer, indirect.count_offset_bytes, 4, "count_buffer"); !s) return s;
    if (Status s = impl_->finish_writes(*indirect.count_buffer); !s) return s;
    count = std::min(count, word_at(*indirect.count_buffer->storage(), indirect.count_offset_bytes));
  }
  if (count == 0) return Done{};
  const uint64_t bytes = uint64_t{count - 1} * stride + uint64_t{words} * 4;
  if (Status s = check_words(indirect.buffer, indirect.offset_bytes, bytes, "buffer"); !s) return s;
  if (Status s = impl_->finish_writes(*indirect.buffer); !s) return s;
  const std::shared_ptr<Storage> storage = indirect.buffer->storage();
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = indirect.offset_bytes + uint64_t{i} * stride;
    raster::DrawInfo one = info;
    one.count = word_at(*storage, at);
    one.instance_count = word_at(*storage, at + 4);
    one.start = word_at(*storage, at + 8);
    if (info.indexed) one.base_vertex = static_cast<int32_t>(word_at(*storage, at + 12));
    one.start_instance = word_at(*storage, at + words * 4 - 4);
    one.draw_id = i;
    if (Status s = draw(one); !s) return s;
  }
  return Done{};
}

Status Context::draw_many(const raster::DrawInfo& info, std::span<const DrawRange> ranges) {
  raster::DrawInfo one = info;
  for (one.draw_id = 0; one.draw_id < ranges.size(); ++one.draw_id) {
    const DrawRange& range = ranges[one.draw_id];
    one.start = range.start;
    one.count = range.count;
    one.base_vertex = range.base_vertex;
    if (Status s = draw(one); !s) return s;
  }
  return Done{};
}

}  // namespace tessera
