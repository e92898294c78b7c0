// The server as a whole: its socket, several clients at once, its end.
#include <catch2/catch.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "frontend/vtest/server.h"

using namespace tessera;
using Catch::Matchers::Contains;

namespace {

std::string socket_path(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::string("tessera-") + name + std::to_string(getpid()))).string();
}

vtest::Socket connect_to(const std::string& path) {
  vtest::Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  REQUIRE(connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

bool answers(vtest::Socket& socket) {
  const uint32_t wait[4] = {2, 7, 0, 0};
  uint32_t answer[3] = {};
  return socket.write(std::as_bytes(std::span(wait))) && socket.read(std::as_writable_bytes(std::span(answer))) &&
         answer[1] == 7;
}

}  // namespace

TEST_CASE("a server's socket is its owner's alone and goes with the server; clients do not end each other") {
  const std::string path = socket_path("served");
  {
    auto server = vtest::Server::create({.socket_path = path, .device = {.raster = {.threads = 1}}},
                                        [](std::string_view) {});
    REQUIRE(server.ok());
    struct stat found{};
    REQUIRE(stat(path.c_str(), &found) == 0);
    CHECK((found.st_mode & 0777) == 0600);
    std::thread serving([&] { (*server)->run(); });
    vtest::Socket first = connect_to(path), second = connect_to(path);
    CHECK(answers(first));
    CHECK(answers(second));
    const uint32_t nonsense[2] = {0, 77};
    first.write(std::as_bytes(std::span(nonsense)));
    CHECK_FALSE(answers(first));
    CHECK(answers(second));
    vtest::Socket third = connect_to(path);
    CHECK(answers(third));
    (*server)->stop();
    serving.join();
    CHECK_FALSE(answers(second));
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("one client too many is refused; it may come when another has left") {
  const std::string path = socket_path("full");
  std::string log;
  auto server = vtest::Server::create({.socket_path = path, .device = {.raster = {.threads = 1}}, .most_clients = 1},
                                      [&log](std::string_view line) { log += line; });
  REQUIRE(server.ok());
  std::thread serving([&] { (*server)->run(); });
  {
    vtest::Socket first = connect_to(path);
    CHECK(answers(first));
    vtest::Socket second = connect_to(path);
    CHECK_FALSE(answers(second));
    CHECK(answers(first));
  }
  bool has_come = false;
  for (int turn = 0; turn < 100 && !has_come; ++turn) {   // until the server has seen that the first one left
    usleep(10'000);
    vtest::Socket third = connect_to(path);
    has_come = answers(third);
  }
  CHECK(has_come);
  (*server)->stop();
  serving.join();
  CHECK_THAT(log, Contains("too many clients"));
}

TEST_CASE("a socket that nobody serves is replaced; whatever else lies at the path is left alone") {
  const std::string path = socket_path("stale");
  const auto sink = [](std::string_view) {};
  {
    auto first = vtest::Server::create({.socket_path = path}, sink);
    REQUIRE(first.ok());
    const auto second = vtest::Server::create({.socket_path = path}, sink);
    REQUIRE_FALSE(second.ok());
    CHECK_THAT(second.diags().front().text, Contains("another server listens there"));
  }
  std::ofstream(path) << "precious";
  const auto on_file = vtest::Server::create({.socket_path = path}, sink);
  REQUIRE_FALSE(on_file.ok());
  CHECK_THAT(on_file.diags().front().text, Contains("is no socket"));
  CHECK(std::filesystem::file_size(path) == 8);
  std::filesystem::remove(path);
  const auto too_long = vtest::Server::create({.socket_path = std::string(200, 'x')}, sink);
  REQUIRE_FALSE(too_long.ok());
  CHECK_THAT(too_long.diags().front().text, Contains("1 to 107 bytes, found 200"));
}
