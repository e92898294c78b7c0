// Requests and answers, byte by byte as the protocol's description has them; what breaks a connection and what does not.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstring>

#include "client.h"
#include "frontend/vtest/caps.h"
#include "frontend/vtest/objects.h"

using namespace tessera;
using tests::Client;
using tests::command;
using tests::joined;
using Catch::Matchers::Contains;

namespace {

void greet(Client& client) {
  client.send({8, 8, 0x746c6765, 0x00747365});   // CREATE_RENDERER, 8 bytes: "egltest"
}

}  // namespace

TEST_CASE("the handshake of a real client is answered as the reference server does") {
  Client client;
  greet(client);
  client.send({0, 10, 2, 7, 0, 0});                       // PING_PROTOCOL_VERSION, RESOURCE_BUSY_WAIT
  CHECK(client.receive(2) == std::vector<uint32_t>{0, 10});
  CHECK(client.receive(3) == std::vector<uint32_t>{1, 7, 0});
  client.send({1, 11, 2, 0, 9, 0, 1});                    // PROTOCOL_VERSION 2, GET_CAPS2, GET_CAPS
  CHECK(client.receive(3) == std::vector<uint32_t>{1, 11, 2});
  CHECK(client.receive(2) == std::vector<uint32_t>{0x561, 2});
  const std::vector<uint32_t> v2 = client.receive(1376 / 4);
  CHECK(client.receive(2) == std::vector<uint32_t>{0x135, 1});
  const std::vector<uint32_t> v1 = client.receive(308 / 4);
  CHECK(std::equal(v1.begin(), v1.end(), v2.begin()));
  client.send({11, 12, 1, 2, 7, 0x8a, 64, 64, 1, 1, 0, 0, 8192});
  const tests::Mapping area(client.receive_descriptor(), 8192);
  CHECK(area.bytes[8191] == std::byte{0});
  CHECK(client.log_text().empty());
}

TEST_CASE("a client of a later protocol is spoken to in version 2") {
  Client client;
  greet(client);
  client.send({1, 11, 4});
  CHECK(client.receive(3) == std::vector<uint32_t>{1, 11, 2});
}

TEST_CASE("the formats that are offered are those that OpenGL 4.3 asks for") {
  // The masks as measured with the real client (bit f of the mask: format number f).
  const uint32_t sampler[11] = {0xf0ff37fe, 0x0b0b0000, 0xd8002c0b, 0x721fff31, 0xbbb83748, 0x77760003,
                                0x000001ff, 0xa0009042, 0x00000007, 0, 0};
  const uint32_t render[11] = {0xb00037fe, 0x0b0b0000, 0xd8002c0b, 0x12000131, 0xb8003048, 0x77760003,
                               0x00000177, 0x20009042, 0, 0, 0};
  const uint32_t multisample[11] = {0xb07f37ff, 0x0b0b0000, 0xd8002c0b, 0x52000131, 0xb8003048, 0x77760003,
                                    0x00000177, 0x20009042, 0, 0, 0};
  const vtest::Caps caps = vtest::make_caps();
  for (size_t w = 0; w < 11; ++w) {
    CAPTURE(w);
    CHECK(caps.sampler[w] == sampler[w]);
    CHECK(caps.render[w] == render[w]);
    CHECK(caps.supported_multisample_formats[w] == multisample[w]);
  }
}

TEST_CASE("a unit of polygon offset is two steps of a depth buffer") {
  std::vector<uint32_t> payload(10, 0);
  payload[7] = tests::bits_of(-3);
  CHECK(vtest::read_rasterizer(vtest::Words(payload)).state.offset_units == -6);
}

TEST_CASE("shared memory cannot be made smaller under the server's feet") {
  Client client;
  greet(client);
  const tests::Mapping area = client.create_shared({1, 0, 64, 0x10, 4096, 1, 1, 1, 0, 0, 4096});
  CHECK(ftruncate(area.descriptor, 0) != 0);
  CHECK(client.is_alive());
}

TEST_CASE("what breaks the framing ends the connection, and says why") {
  const auto [name, words, reason] = GENERATE(table<const char*, std::vector<uint32_t>, const char*>({
      {"a request that does not exist", {0, 99}, "request 99 does not exist"},
      {"request 0", {0, 0}, "request 0 does not exist"},
      {"a payload that is too short", {1, 12, 5}, "expected 11 words, found 1"},
      {"a submission that is too long", {0x40000000, 6}, "is too long"},
  }));
  CAPTURE(name);
  Client client;
  greet(client);
  client.send_bytes(std::as_bytes(std::span(words)));
  client.wait_for_end();
  CHECK_THAT(client.log_text(), Contains(reason) && Contains("egltest"));
}

TEST_CASE("a payload that is longer than its request is read and dropped, but for the one that lies") {
  Client client;
  greet(client);
  client.send({3, 3, 1234, 5, 6});                        // RESOURCE_UNREF with two words more
  CHECK(client.is_alive());
  client.send({10 + 500, 14, 1, 0, 0, 0, 0, 1, 1, 1, 2000, 0});   // TRANSFER_PUT2 counts data that do not follow
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("resource 1 does not exist"));
}

TEST_CASE("a command that cannot be carried out is passed over, and those behind it run") {
  using Words = std::vector<uint32_t>;
  const auto [name, bad, reason] = GENERATE(table<const char*, Words, const char*>({
      {"unknown number", command(200, 0, {1, 2, 3}), "command 200 is not served"},
      {"payload too short", command(7, 0, {4}), "CLEAR: expected at least 8 words, found 1"},
      {"object that does not exist", command(2, 1, {77}), "BIND_OBJECT: object: does not exist"},
      {"object of another type", command(2, 1, {1}), "BIND_OBJECT: object: of another type"},
      {"surface of no resource", command(1, 8, {9, 55, 1, 0, 0}), "resource 55 does not exist"},
      {"format that is none", command(1, 8, {9, 1, 400, 0, 0}), "format: 400 is none"},
      {"stage that is none", command(31, 0, {0, 6}), "stage: 6 is none"},
      {"slots that are none", command(10, 0, {1, 31, 0, 0}), "slots: 2 from 31 on"},
      {"sub-context that does not exist", command(28, 0, {44}), "sub-context 44 does not exist"},
      {"box outside of its resource", command(43, 0, {1, 0, 0, 0, 0, 3, 3, 0, 2, 2, 1, 0, 1}), "is not inside 4 x 4"},
      {"box with a negative origin", command(43, 0, {1, 0, 0, 0, 0, ~0u, 0, 0, 1, 1, 1, 0, 1}), "-1 is negative"},
      {"rows behind the shared memory", command(43, 0, {1, 0, 0, 0, 0, 0, 0, 0, 4, 4, 1, 4, 1}), "shared memory"},
      {"huge offset", command(43, 0, {1, 0, 0, ~0u, ~0u, 0, 0, 0, 4, 4, 1, ~0u, 1}), "shared memory"},
      {"text that is no shader", tests::program(20, 0, "VERT\nNONSENSE\nEND\n"), "line 2"},
      {"draw without shaders", command(8, 0, {0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0}), "no vertex shader"},
  }));
  CAPTURE(name);
  Client client;
  greet(client);
  const tests::Mapping area = client.create_shared({1, 2, 1, 0x0a, 4, 4, 1, 1, 0, 0, 64});
  client.submit(joined({command(29, 0, {1}), command(28, 0, {1}), command(1, 8, {1, 1, 1, 0, 0}), bad,
                        command(5, 0, {1, 0, 1}),
                        command(7, 0, {4, tests::bits_of(1), tests::bits_of(0.5f), 0, tests::bits_of(1), 0, 0, 0})}));
  client.fetch(1, 4, 4);
  CHECK_THAT(client.log_text(), Contains(reason));
  const uint8_t expected[4] = {0, 128, 255, 255};         // 0.5 * 255 = 127.5, to even
  CHECK(std::memcmp(area.bytes.data() + 60, expected, 4) == 0);
}

TEST_CASE("a command that goes beyond its submission ends that submission only") {
  Client client;
  greet(client);
  client.submit({7 | 100u << 16, 0, 0});
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("goes beyond its submission"));
}

TEST_CASE("a client has no more memory than it may have, and a descriptor all the same") {
  Client client({.memory_bytes = 1 << 20, .resource_bytes = 1 << 19});
  greet(client);
  client.create_resource({1, 2, 1, 0, 1024, 1024, 1, 1, 0, 0, 1u << 22});   // 4 MiB
  close(client.receive_descriptor());
  CHECK_THAT(client.log_text(), Contains("more than a resource may have"));
  for (uint32_t handle = 2; handle < 6; ++handle) client.create_resource({handle, 2, 1, 0, 256, 256, 1, 1, 0, 0, 0});
  CHECK(client.is_alive());
  client.create_resource({6, 2, 1, 0, 256, 256, 1, 1, 0, 0, 0});            // the fifth quarter of a MiB
  client.submit(command(1, 8, {1, 6, 1, 0, 0}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("could not be made"));
}
