#include "raster/fetch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "raster/fetch_words.h"

namespace tessera::raster {
namespace {

constexpr uint32_t kMaxTexelBytes = 32;    // four 64-bit fields

// How many 32-bit words of one kind the format is made of, in r, g, b, a order; 0 for every other format.
uint32_t plain_word_count(const FormatInfo& info) {
  uint32_t count = 0;
  const FieldKind kind = info.field[0].kind;
  if (kind != FieldKind::Float && kind != FieldKind::Uint && kind != FieldKind::Sint) return 0;
  while (count < 4 && info.field[count].kind != FieldKind::None) {
    const FormatField& f = info.field[count];
    if (f.kind != kind || f.bits != 32 || f.shift != 32 * count || info.swizzle[count] != Swizzle(count)) return 0;
    ++count;
  }
  for (uint32_t c = count; c < 4; ++c) {
    if (info.swizzle[c] != (c == 3 ? Swizzle::One : Swizzle::Zero)) return 0;
  }
  return info.block_bytes == 4 * count ? count : 0;
}

AttributeSource make_source(const VertexElement& element, std::span<const VertexBuffer> buffers,
                            const DrawInfo& info) {
  const FormatInfo& format = format_info(element.format);
  AttributeSource s;
  s.format = element.format;
  s.texel_bytes = format.block_bytes;
  s.word_count = plain_word_count(format);
  s.one = format.is_pure_integer() ? 1u : std::bit_cast<uint32_t>(1.0f);
  s.instance_divisor = element.instance_divisor;
  s.start_instance = info.start_instance;
  if (element.buffer < buffers.size() && buffers[element.buffer].storage) {
    const VertexBuffer& buffer = buffers[element.buffer];
    s.data = buffer.storage->data();
    s.size_bytes = buffer.storage->size_bytes();
    s.offset_bytes = uint64_t{buffer.offset_bytes} + element.offset_bytes;
    s.stride_bytes = buffer.stride_bytes;
  }
  return s;
}

AttributeSource& source_of(FetchPlan& plan, uint32_t attribute, std::span<const VertexElement> elements,
                           std::span<const VertexBuffer> buffers, const DrawInfo& info) {
  for (AttributeSource& s : plan.attributes) {
    if (s.attribute == attribute) return s;
  }
  AttributeSource& s = plan.attributes.emplace_back();
  if (attribute < elements.size()) s = make_source(elements[attribute], buffers, info);
  s.attribute = attribute;
  return s;
}

void fill(uint32_t* slot, uint32_t count, uint32_t word) { std::fill(slot, slot + count, word); }

// The last vertex number whose bytes lie inside the buffer, plus one; 0: none.
uint64_t readable_vertices(const AttributeSource& s) {
  const uint64_t first_end = s.offset_bytes + s.texel_bytes;
  if (s.data == nullptr || first_end > s.size_bytes) return 0;
  return s.stride_bytes == 0 ? UINT64_MAX : (s.size_bytes - first_end) / s.stride_bytes + 1;
}

template <uint32_t kWords>
void fetch_few(const std::byte* base, uint64_t stride, const uint32_t* numbers, uint32_t begin, uint32_t end,
               uint32_t* const out[4]) {
  for (uint32_t lane = begin; lane < end; ++lane) {
    uint32_t words[kWords];
    std::memcpy(words, base + numbers[lane] * stride, sizeof words);
    for (uint32_t c = 0; c < kWords; ++c) out[c][lane] = words[c];
  }
}

// `last`: the largest of the numbers. At a buffer's end nothing may be read behind a vertex.
void fetch_plain(const AttributeSource& s, const uint32_t* numbers, uint32_t count, uint32_t last,
                 uint32_t* const out[4], SimdTarget simd) {
  const std::byte* base = s.data + s.offset_bytes;
  const bool may_read_behind = s.offset_bytes + last * s.stride_bytes + kFetchedBytes <= s.size_bytes;
  const uint32_t many = may_read_behind ? count / kFetchedTogether * kFetchedTogether : 0;
  fetch_words(base, s.stride_bytes, numbers, many, s.word_count, out, simd);
  switch (s.word_count) {
    case 1: return fetch_few<1>(base, s.stride_bytes, numbers, many, count, out);
    case 2: return fetch_few<2>(base, s.stride_bytes, numbers, many, count, out);
    case 3: return fetch_few<3>(base, s.stride_bytes, numbers, many, count, out);
    default: return fetch_few<4>(base, s.stride_bytes, numbers, many, count, out);
  }
}

void fetch_converted(const AttributeSource& s, const uint32_t* numbers, uint32_t count, uint32_t* const out[4]) {
  alignas(16) std::byte packed[kBlockLanes * kMaxTexelBytes] = {};
  Texel texels[kBlockLanes];
  const std::byte* base = s.data + s.offset_bytes;
  for (uint32_t lane = 0; lane < count; ++lane)
    std::memcpy(packed + size_t{lane} * s.texel_bytes, base + numbers[lane] * s.stride_bytes, s.texel_bytes);
  unpack_row(s.format, packed, count, texels);
  for (uint32_t lane = 0; lane < count; ++lane) {
    for (uint32_t c = 0; c < 4; ++c) out[c][lane] = texels[lane].word[c];
  }
}

void fetch_attribute(const AttributeSource& s, const uint32_t* ids, const uint32_t* instances, uint32_t count,
                     uint32_t* slots, SimdTarget simd) {
  alignas(64) uint32_t unread[kBlockLanes];
  uint32_t* out[4];
  for (uint32_t c = 0; c < 4; ++c) out[c] = s.slot[c] == kNoSlot ? unread : slots + size_t{s.slot[c]} * kBlockLanes;
  if (s.format == Format::NONE) {
    for (uint32_t c = 0; c < 4; ++c) fill(out[c], count, c == 3 ? std::bit_cast<uint32_t>(1.0f) : 0);
    return;
  }

  uint32_t numbers[kBlockLanes];
  if (s.instance_divisor == 0) {
    std::copy(ids, ids + count, numbers);
  } else {
    for (uint32_t lane = 0; lane < count; ++lane)
      numbers[lane] = s.start_instance + instances[lane] / s.instance_divisor;
  }
  const uint64_t readable = readable_vertices(s);
  uint64_t outside = 0;                      // lanes that must not read
  uint32_t last = *std::max_element(numbers, numbers + count);
  if (last >= readable) {
    for (uint32_t lane = 0; lane < count; ++lane) {
      if (numbers[lane] < readable) continue;
      outside |= 1ull << lane;
      numbers[lane] = 0;
    }
    last = *std::max_element(numbers, numbers + count);
  }
  if (readable == 0) {
    for (uint32_t c = 0; c < 4; ++c) fill(out[c], count, 0);
    return;
  }
  if (s.word_count != 0) {
    fetch_plain(s, numbers, count, last, out, simd);
    for (uint32_t c = s.word_count; c < 4; ++c) fill(out[c], count, c == 3 ? s.one : 0);
  } else {
    fetch_converted(s, numbers, count, out);
  }
  for (; outside != 0; outside &= outside - 1) {
    for (uint32_t c = 0; c < 4; ++c) out[c][std::countr_zero(outside)] = 0;
  }
}

void fetch_system_value(const FetchPlan& plan, const SystemValueSlot& value, const uint32_t* ids,
                        const uint32_t* instances, uint32_t count, uint32_t* slots) {
  uint32_t* out = slots + size_t{value.slot} * kBlockLanes;
  switch (value.semantic) {
    case ir::Semantic::VertexId: std::copy(ids, ids + count, out); return;
    case ir::Semantic::VertexIdNoBase:
      for (uint32_t lane = 0; lane < count; ++lane) out[lane] = ids[lane] - plan.base_vertex;
      return;
    case ir::Semantic::InstanceId: std::copy(instances, instances + count, out); return;
    case ir::Semantic::BaseVertex: return fill(out, count, plan.base_vertex);
    case ir::Semantic::BaseInstance: return fill(out, count, plan.start_instance);
    case ir::Semantic::DrawId: return fill(out, count, plan.draw_id);
    default: return fill(out, count, 0);
  }
}

}  // namespace

void make_fetch_plan(const Executable& vertex, std::span<const VertexElement> elements,
                     std::span<const VertexBuffer> buffers, const DrawInfo& info, FetchPlan& plan) {
  plan.attributes.clear();
  plan.system_values.clear();
  plan.base_vertex = info.indexed ? uint32_t(info.base_vertex) : info.start;
  plan.start_instance = info.start_instance;
  plan.draw_id = info.draw_id;
  const std::vector<ir::Input>& inputs = vertex.program().inputs;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const uint32_t slot = vertex.input_slot(i);
    if (inputs[i].system_value)
      plan.system_values.push_back({inputs[i].semantic, slot});
    else
      source_of(plan, inputs[i].index, elements, buffers, info).slot[inputs[i].component & 3] = slot;
  }
}

void fetch_block(const FetchPlan& plan, const uint32_t* ids, const uint32_t* instances, uint32_t count,
                 uint32_t* slots) {
  for (const AttributeSource& source : plan.attributes) fetch_attribute(source, ids, instances, count, slots, plan.simd);
  for (const SystemValueSlot& value : plan.system_values)
    fetch_system_value(plan, value, ids, instances, count, slots);
}

}  // namespace tessera::raster
