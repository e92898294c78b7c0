#include <catch2/catch.hpp>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "raster/fetch.h"
#include "tests/support/random.h"
#include "tests/unit/raster/copy_shader.h"

using namespace tessera;
using namespace tessera::raster;
using tessera::tests::copy_vertex_shader;

namespace {

constexpr uint32_t kBytes = 4099;

std::shared_ptr<Storage> random_buffer(uint32_t bytes, std::mt19937& random) {
  ResourceDesc desc;
  desc.kind = ResourceKind::Buffer;
  desc.format = Format::R8_UINT;
  desc.width = bytes;
  auto storage = std::make_shared<Storage>(desc);
  for (uint32_t i = 0; i < bytes; ++i) storage->data()[i] = std::byte(random());
  return storage;
}

struct Fetched {
  std::vector<uint32_t> words;     // slots of 64
  uint32_t at(uint32_t component, uint32_t lane) const { return words[component * kBlockLanes + lane]; }
};

Fetched fetch(const VertexElement& element, const VertexBuffer& buffer, const DrawInfo& info,
              const std::vector<uint32_t>& ids, const std::vector<uint32_t>& instances) {
  const auto shader = copy_vertex_shader(0);
  FetchPlan plan;
  make_fetch_plan(*shader, {&element, 1}, {&buffer, 1}, info, plan);
  Fetched out{std::vector<uint32_t>(shader->slot_count() * kBlockLanes, 0xdeadbeef)};
  fetch_block(plan, ids.data(), instances.data(), uint32_t(ids.size()), out.words.data());
  return out;
}

// What a vertex reads, from the definition: the element's bytes, or zeros where they are not all there.
Texel expected(const VertexElement& element, const VertexBuffer& buffer, uint64_t number) {
  const uint64_t at = uint64_t{buffer.offset_bytes} + element.offset_bytes + number * buffer.stride_bytes;
  if (at + format_info(element.format).block_bytes > buffer.storage->size_bytes()) return {};
  return unpack_texel(element.format, buffer.storage->data() + at);
}

}  // namespace

TEST_CASE("every vertex format is fetched as unpack_texel reads it, at any stride and offset", "[fetch]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  const auto storage = random_buffer(kBytes, random);
  for (size_t f = 1; f < all_formats().size(); ++f) {
    const FormatInfo& info = all_formats()[f];
    if (info.block_bytes == 0 || info.is_compressed || info.is_depth_or_stencil()) continue;
    for (const uint32_t stride : {0u, 1u, 4u, 13u, 32u}) {
      VertexElement element;
      element.format = Format(f);
      element.offset_bytes = random() % 9;
      const VertexBuffer buffer{storage, uint32_t(random() % 30), stride};
      std::vector<uint32_t> ids(1 + random() % kBlockLanes), instances(ids.size(), 0);
      for (uint32_t& id : ids) id = random() % 400;
      const Fetched got = fetch(element, buffer, {}, ids, instances);
      CAPTURE(info.name, stride);
      uint32_t wrong = 0;
      for (uint32_t lane = 0; lane < ids.size(); ++lane) {
        const Texel texel = expected(element, buffer, ids[lane]);
        for (uint32_t c = 0; c < 4; ++c) wrong += got.at(c, lane) != texel.word[c];
      }
      CHECK(wrong == 0);
      if (ids.size() < kBlockLanes) CHECK(got.at(0, uint32_t(ids.size())) == 0xdeadbeef);
    }
  }
}

TEST_CASE("a vertex that is not wholly inside its buffer reads as zeros", "[fetch]") {
  std::mt19937 random(3);
  const auto storage = random_buffer(64, random);
  VertexElement element;
  element.format = Format::R32G32B32_FLOAT;
  const VertexBuffer buffer{storage, 4, 12};
  const std::vector<uint32_t> ids = {0, 4, 5, 6, 0x7fffffff, 0xffffffff}, instances(6, 0);
  const Fetched got = fetch(element, buffer, {}, ids, instances);
  for (uint32_t lane = 0; lane < ids.size(); ++lane) {
    const Texel texel = expected(element, buffer, ids[lane]);
    CAPTURE(lane);
    for (uint32_t c = 0; c < 4; ++c) CHECK(got.at(c, lane) == texel.word[c]);
  }
  CHECK(got.at(3, 0) == 0x3f800000);
  CHECK(got.at(3, 2) == 0);

  const VertexBuffer empty{storage, 60, 4};
  CHECK(fetch(element, empty, {}, ids, instances).at(3, 0) == 0);
}

TEST_CASE("instance divisors step through the buffer from the start instance on", "[fetch]") {
  std::mt19937 random(4);
  const auto storage = random_buffer(256, random);
  VertexElement element;
  element.format = Format::R32_UINT;
  element.instance_divisor = 3;
  const VertexBuffer buffer{storage, 0, 4};
  DrawInfo info;
  info.start_instance = 5;
  const std::vector<uint32_t> ids = {9, 9, 9, 9}, instances = {0, 2, 3, 7};
  const Fetched got = fetch(element, buffer, info, ids, instances);
  CHECK(got.at(0, 0) == expected(element, buffer, 5).word[0]);
  CHECK(got.at(0, 1) == expected(element, buffer, 5).word[0]);
  CHECK(got.at(0, 2) == expected(element, buffer, 6).word[0]);
  CHECK(got.at(0, 3) == expected(element, buffer, 7).word[0]);
}

TEST_CASE("an attribute that no element feeds reads 0, 0, 0, 1", "[fetch]") {
  const auto shader = copy_vertex_shader(0);
  FetchPlan plan;
  make_fetch_plan(*shader, {}, {}, {}, plan);
  std::vector<uint32_t> slots(shader->slot_count() * kBlockLanes, 7);
  const uint32_t zero = 0;
  fetch_block(plan, &zero, &zero, 1, slots.data());
  for (uint32_t c = 0; c < 4; ++c) CHECK(slots[c * kBlockLanes] == (c == 3 ? 0x3f800000u : 0u));
}

TEST_CASE("system values number vertices and instances as OpenGL does", "[fetch]") {
  using ir::Semantic;
  std::vector<ir::Input> inputs;
  for (const Semantic s : {Semantic::VertexId, Semantic::VertexIdNoBase, Semantic::BaseVertex, Semantic::InstanceId,
                           Semantic::BaseInstance, Semantic::DrawId}) {
    ir::Input in;
    in.semantic = s;
    in.system_value = true;
    inputs.push_back(in);
  }
  const tests::CopyShader shader(ir::Stage::Vertex, inputs, {}, {});
  DrawInfo info;
  info.indexed = true;
  info.start = 2;
  info.base_vertex = 10;
  info.start_instance = 4;
  std::vector<uint32_t> slots(shader.slot_count() * kBlockLanes);
  const uint32_t ids[] = {13, 11}, instances[] = {0, 1};
  const auto word = [&](uint32_t input, uint32_t lane) { return slots[input * kBlockLanes + lane]; };

  FetchPlan plan;
  make_fetch_plan(shader, {}, {}, info, plan);
  fetch_block(plan, ids, instances, 2, slots.data());
  CHECK(word(0, 0) == 13);
  CHECK(word(1, 0) == 3);
  CHECK(word(1, 1) == 1);
  CHECK(word(2, 1) == 10);
  CHECK(word(3, 1) == 1);
  CHECK(word(4, 0) == 4);
  CHECK(word(5, 0) == 0);

  info.indexed = false;            // the first vertex takes the base's place
  make_fetch_plan(shader, {}, {}, info, plan);
  fetch_block(plan, ids, instances, 2, slots.data());
  CHECK(word(1, 0) == 11);
  CHECK(word(2, 0) == 2);
}
