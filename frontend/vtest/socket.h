// frontend/vtest/socket.h: Unix stream sockets: whole messages in and out, and a descriptor beside one.
// Interrupted calls go on; a peer that is gone gives false, never a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"

namespace tessera::vtest {

class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool read(std::span<std::byte> bytes);            // all of them
  bool skip(uint64_t count_bytes);
  bool write(std::span<const std::byte> bytes);     // all of them
  bool write_descriptor(int descriptor);            // beside one byte, 0
  void shut_down();                                 // wakes a thread that reads or accepts

 private:
  int descriptor_;
};

// A socket file that only its owner may connect to; removed with the object.
class Listener {
 public:
  // Error: the path is too long, or something else lies there; a socket that nobody listens on is replaced.
  static Result<Listener> create(const std::string& path);
  Listener(Listener&& other) noexcept = default;
  Listener& operator=(Listener&& other) noexcept = default;
  ~Listener();

  Socket accept();                                  // not open: shut down; waits where the machine has no means
  void shut_down() { socket_.shut_down(); }
  const std::string& path() const { return path_; }

 private:
  Listener(Socket socket, std::string path) : socket_(std::move(socket)), path_(std::move(path)) {}
  Socket socket_;
  std::string path_;
};

}  // namespace tessera::vtest
