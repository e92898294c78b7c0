#include "raster/stream_output.h"

#include <algorithm>
#include <cstring>

namespace tessera::raster {
namespace {

uint32_t primitives_that_fit(const StreamLink::Buffer& buffer, const StreamTarget& target, uint32_t vertices_each) {
  if (!target.storage) return 0;
  const uint64_t primitive_bytes = uint64_t{buffer.stride_words} * 4 * vertices_each;
  const uint64_t left = target.size_bytes - std::min<uint64_t>(target.size_bytes, target.fill->bytes);
  return static_cast<uint32_t>(std::min<uint64_t>(left / primitive_bytes, UINT32_MAX));
}

void write_buffer(const StreamLink::Buffer& buffer, std::span<const uint32_t> words, uint32_t vertices,
                  const StreamTarget& target) {
  std::byte* vertex = target.storage->data() + target.offset_bytes + target.fill->bytes;
  const uint32_t* from = words.data();
  for (uint32_t v = 0; v < vertices; ++v, vertex += size_t{buffer.stride_words} * 4)
    for (const StreamLink::Copy& copy : buffer.copies)
      std::memcpy(vertex + size_t{copy.at_word} * 4, from++, sizeof(uint32_t));
  target.fill->bytes += uint64_t{vertices} * buffer.stride_words * 4;
}

}  // namespace

void StreamCapture::add(const StreamLink& link, uint32_t stream, std::span<const uint32_t> record) {
  for (uint32_t b = 0; b < kMaxStreamBuffers; ++b) {
    if (link.buffer[b].stream != stream) continue;
    for (const StreamLink::Copy& copy : link.buffer[b].copies) words[b].push_back(record[copy.output]);
  }
}

std::array<uint32_t, kVertexStreams> write_streams(const StreamLink& link, const StreamCapture& capture,
                                                   const StreamTargets& targets) {
  std::array<uint32_t, kVertexStreams> written{};
  for (uint32_t stream = 0; stream < kVertexStreams; ++stream) {
    uint32_t fits = 0;
    bool is_first = true;
    const auto belongs = [&](uint32_t b) { return link.buffer[b].stream == stream && !link.buffer[b].copies.empty(); };
    for (uint32_t b = 0; b < kMaxStreamBuffers; ++b) {
      if (!belongs(b)) continue;
      const uint32_t here = primitives_that_fit(link.buffer[b], targets[b], capture.vertices_each);
      fits = is_first ? here : std::min(fits, here);
      is_first = false;
    }
    written[stream] = std::min(fits, capture.primitives[stream]);
    const uint32_t vertices = written[stream] * capture.vertices_each;
    for (uint32_t b = 0; b < kMaxStreamBuffers && vertices != 0; ++b)
      if (belongs(b)) write_buffer(link.buffer[b], capture.words[b], vertices, targets[b]);
  }
  return written;
}

}  // namespace tessera::raster
