#include "frontend/vtest/socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tessera::vtest {
namespace {

constexpr useconds_t kWaitForMeans_us = 100'000;   // until a client has left that holds them

Diag failed(std::string_view what) { return error(fmt::format("{}: {}", what, std::strerror(errno))); }

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return error(fmt::format("socket path: expected 1 to {} bytes, found {}", sizeof address.sun_path - 1, path.size()));
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

bool is_served(const sockaddr_un& address) {
  const Socket probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Makes way for a new socket, but for nothing else.
Status remove_stale(const sockaddr_un& address) {
  struct stat found{};
  if (lstat(address.sun_path, &found) != 0) return Done{};
  if (!S_ISSOCK(found.st_mode)) return error(fmt::format("{}: exists and is no socket", address.sun_path));
  if (is_served(address)) return error(fmt::format("{}: another server listens there", address.sun_path));
  if (unlink(address.sun_path) != 0) return failed(address.sun_path);
  return Done{};
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Socket::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

bool Socket::skip(uint64_t count_bytes) {
  std::byte dropped[4096];
  while (count_bytes > 0) {
    const size_t part = static_cast<size_t>(std::min<uint64_t>(count_bytes, sizeof dropped));
    if (!read({dropped, part})) return false;
    count_bytes -= part;
  }
  return true;
}

bool Socket::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

bool Socket::write_descriptor(int descriptor) {
  char zero = 0;
  iovec data{&zero, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  ssize_t count;
  do count = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count == 1;
}

void Socket::shut_down() {
  if (descriptor_ >= 0) ::shutdown(descriptor_, SHUT_RDWR);
}

Result<Listener> Listener::create(const std::string& path) {
  const Result<sockaddr_un> address = address_of(path);
  if (!address) return address.diags();
  if (Status s = remove_stale(*address); !s) return s.diags();
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return failed("socket");
  const mode_t before = umask(0177);   // so that the file never has more than mode 0600
  const int bound = ::bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  umask(before);
  if (bound != 0) return failed(path);
  Listener listener(std::move(socket), path);
  if (::listen(listener.socket_.descriptor(), SOMAXCONN) != 0) return failed(path);
  return listener;
}

Listener::~Listener() {
  if (socket_.is_open()) unlink(path_.c_str());
}

Socket Listener::accept() {
  for (;;) {
    const int descriptor = ::accept4(socket_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor >= 0) return Socket(descriptor);
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) usleep(kWaitForMeans_us);
    else if (errno != EINTR && errno != ECONNABORTED) return Socket();
  }
}

}  // namespace tessera::vtest
