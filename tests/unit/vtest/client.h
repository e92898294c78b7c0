// tests/unit/vtest/client.h: a client of the vtest protocol, as small as one can be, on a connection of its own.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "frontend/vtest/connection.h"

namespace tessera::tests {

// What the other side shares: mapped until it goes.
class Mapping {
 public:
  Mapping(int descriptor, size_t size_bytes);      // takes the descriptor over
  Mapping(Mapping&& other) noexcept : descriptor(other.descriptor), bytes(other.bytes) {
    other.descriptor = -1, other.bytes = {};
  }
  ~Mapping();
  int descriptor;
  std::span<std::byte> bytes;
};

class Client {
 public:
  explicit Client(const vtest::SessionLimits& limits = {}, uint64_t draw_limit = 0);
  ~Client();

  void send(std::initializer_list<uint32_t> words);
  void send_bytes(std::span<const std::byte> bytes);
  void submit(const std::vector<uint32_t>& words);
  std::vector<uint32_t> receive(size_t words);
  int receive_descriptor();
  // Does the server still answer? (RESOURCE_BUSY_WAIT)
  bool is_alive();
  // Waits until the server has ended the connection by itself.
  void wait_for_end();

  void create_resource(std::initializer_list<uint32_t> w);     // without shared memory
  Mapping create_shared(std::initializer_list<uint32_t> w);
  void fetch(uint32_t resource, uint32_t width, uint32_t height);   // level 0 into shared memory

  std::string log_text();

 private:
  vtest::Socket server_side_, client_side_;
  std::thread thread_;
  std::mutex mutex_;
  std::string log_text_;
};

// A context command: its header and payload.
std::vector<uint32_t> command(uint32_t number, uint32_t object_type, std::vector<uint32_t> payload);
std::vector<uint32_t> joined(std::initializer_list<std::vector<uint32_t>> commands);
// CREATE_OBJECT of a program.
std::vector<uint32_t> program(uint32_t handle, uint32_t stage, std::string_view text);
uint32_t bits_of(float value);

}  // namespace tessera::tests
