// What one client can take: memory, numbers of things, work; and what it can write into logs.
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "client.h"

using namespace tessera;
using tests::Client;
using tests::command;
using tests::joined;
using Catch::Matchers::Contains;

namespace {

constexpr std::string_view kVertexText = "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\n"
                                         "  0: MOV OUT[0], IMM[0]\n  1: END\n";
constexpr std::string_view kFragmentText = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\n"
                                           "  0: MOV OUT[0], IMM[0]\n  1: END\n";

size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("constants and programs count as a client's memory, and come back when they go") {
  Client client({.memory_bytes = 4096});
  std::vector<uint32_t> constants(2 + 1000);              // 4000 bytes, of the vertex stage's buffer 0
  client.submit(command(12, 0, constants));
  client.submit(tests::program(5, 0, std::string(200, ' ') + "VERT\n"));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("CREATE_OBJECT: text: 206 bytes are more than a client may have"));
  client.submit(joined({command(12, 0, constants), command(12, 0, {0, 0}), tests::program(6, 0, kVertexText),
                        command(31, 0, {6, 0})}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), !Contains("BIND_SHADER"));
  constants.resize(2 + 1100);
  client.submit(command(12, 0, constants));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("SET_CONSTANT_BUFFER: 4400 bytes are more than a client may have"));
}

TEST_CASE("shared memory counts, too; a client that may not have it gets as much of its own") {
  Client client({.memory_bytes = 1 << 20, .resource_bytes = 1 << 19});
  client.create_resource({1, 0, 64, 0x10, 16, 1, 1, 1, 0, 0, 1u << 20});
  const int too_large = client.receive_descriptor();
  struct stat found{};
  REQUIRE(fstat(too_large, &found) == 0);
  CHECK(found.st_size == 1 << 20);
  CHECK(ftruncate(too_large, 0) != 0);
  close(too_large);
  CHECK_THAT(client.log_text(), Contains("no shared memory: 1048576 bytes are more than a resource may have"));
  for (uint32_t handle = 2; handle < 5; ++handle) {
    client.create_resource({handle, 0, 64, 0x10, 16, 1, 1, 1, 0, 0, 400'000});
    close(client.receive_descriptor());
  }
  CHECK_THAT(client.log_text(), Contains("no shared memory: 400000 bytes are more than a client may have"));
  client.send({1, 3, 2});                                 // one goes, another may come
  client.submit(command(43, 0, {4, 0, 0, 0, 0, 0, 0, 0, 16, 1, 1, 0, 1}));
  client.create_resource({6, 0, 64, 0x10, 16, 1, 1, 1, 0, 0, 400'000});
  close(client.receive_descriptor());
  client.submit(command(43, 0, {6, 0, 0, 0, 0, 0, 0, 0, 16, 1, 1, 399'990, 1}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("go beyond the 0 of shared memory") && Contains("go beyond the 400000"));
}

TEST_CASE("resources take no descriptors of the server's once the client has theirs") {
  Client client;
  client.send({4, 8, 0x0074});
  REQUIRE(client.is_alive());
  const size_t before = open_descriptors();
  for (uint32_t handle = 1; handle <= 50; ++handle) {
    client.create_resource({handle, 0, 64, 0x10, 16, 1, 1, 1, 0, 0, 16});
    close(client.receive_descriptor());
  }
  REQUIRE(client.is_alive());
  CHECK(open_descriptors() == before);
}

TEST_CASE("numbers of resources, objects and sub-contexts have limits, objects in all sub-contexts together") {
  Client client({.resources = 2, .objects = 2, .sub_contexts = 3});
  for (uint32_t handle = 1; handle < 4; ++handle) client.create_resource({handle, 2, 1, 0, 4, 4, 1, 1, 0, 0, 0});
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("RESOURCE_CREATE2: too many resources"));
  client.submit(joined({command(29, 0, {1}), command(29, 0, {2}), command(28, 0, {1}), command(1, 8, {1, 1, 1, 0, 0}),
                        command(28, 0, {2}), command(1, 8, {1, 1, 1, 0, 0})}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), !Contains("too many objects") && !Contains("too many sub-contexts"));
  client.submit(joined({command(1, 8, {2, 1, 1, 0, 0}), command(29, 0, {3})}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("CREATE_OBJECT: too many objects"));
  CHECK_THAT(client.log_text(), Contains("CREATE_SUB_CTX: too many sub-contexts"));
}

TEST_CASE("a draw with more vertices than it may have is passed over, instances counted, direct or indirect") {
  Client client({}, 100);
  client.create_resource({1, 2, 1, 0x0a, 4, 4, 1, 1, 0, 0, 0});
  client.create_resource({2, 0, 64, 0x10, 16, 1, 1, 1, 0, 0, 0});
  client.submit(joined({command(1, 8, {1, 1, 1, 0, 0}), command(5, 0, {1, 0, 1}), tests::program(6, 0, kVertexText),
                        command(31, 0, {6, 0}), tests::program(7, 1, kFragmentText), command(31, 0, {7, 1}),
                        command(8, 0, {0, 10, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0})}));
  CHECK(client.is_alive());
  CHECK(client.log_text() == "");
  client.submit(joined({command(8, 0, {0, 0x80000000, 0, 0, 0x80000000, 0, 0, 0, 0, 0, 0, 0}),
                        command(9, 0, {2, 0, 0, 0, 0, 0, 0, 0, 16, 1, 1, 101, 1, 0, 0}),
                        command(8, 0, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 16, 1, 0, 0})}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("DRAW_VBO: info.count: 4611686018427387904 vertices in all are more than"));
  CHECK_THAT(client.log_text(), Contains("101 vertices in all are more than the 100"));
}

TEST_CASE("a grid of more invocations than it may have is passed over") {
  Client client({}, 100);
  client.submit(joined({tests::program(1, 5, "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nEND\n"), command(31, 0, {1, 5}),
                        command(37, 0, {8, 1, 1, 13, 1, 1, 0, 0})}));
  CHECK(client.is_alive());
  CHECK_THAT(client.log_text(), Contains("LAUNCH_GRID: groups: 104 invocations are more than the 100"));
}

TEST_CASE("what a client writes into the log has no control characters and an end") {
  Client client;
  client.send({4, 8, 0x0a1b5b78});                        // "x[", escape, end of line
  client.submit(tests::program(5, 0, "VERT\n\x1b[2J" + std::string(40'000, 'y') + "\n"));
  CHECK(client.is_alive());
  const std::string log = client.log_text();
  CHECK_THAT(log, Contains("x[\\x1b\\x0a: CREATE_OBJECT") && Contains("\\x1b[2J"));
  CHECK(log.find('\x1b') == log.npos);
  CHECK(log.size() < 20'000);
}
