#include "shader/emitted.h"

#include <bit>

namespace tessera {

void EmittedVertices::begin(uint32_t max_vertices, uint32_t words) {
  max_vertices_ = max_vertices;
  words_of_vertex_ = words;
  count_.fill(0);
  ended_.fill(~uint64_t{0});
  const size_t vertices = size_t{max_vertices} * kBlockLanes;
  if (marks_.size() < vertices) marks_.resize(vertices);
  if (words_.size() < vertices * words) words_.resize(vertices * words);
}

void EmittedVertices::emit(uint64_t lanes, const uint32_t* stream, std::span<const uint32_t* const> words) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    if (stream[lane] >= kVertexStreams || count_[lane] >= max_vertices_) continue;
    const size_t at = place(lane, count_[lane]++);
    uint64_t& ended = ended_[stream[lane]];
    marks_[at] = {static_cast<uint8_t>(stream[lane]), (ended >> lane & 1) != 0};
    ended &= ~(uint64_t{1} << lane);
    uint32_t* to = words_.data() + at * words_of_vertex_;
    for (size_t k = 0; k < words_of_vertex_; ++k) to[k] = words[k][lane];
  }
}

void EmittedVertices::end_primitive(uint64_t lanes, const uint32_t* stream) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    if (stream[lane] < kVertexStreams) ended_[stream[lane]] |= uint64_t{1} << lane;
  }
}

EmittedVertices::Vertex EmittedVertices::vertex(uint32_t lane, uint32_t number) const {
  const size_t at = place(lane, number);
  return {std::span(words_).subspan(at * words_of_vertex_, words_of_vertex_), marks_[at].stream,
          marks_[at].begins_primitive};
}

}  // namespace tessera
