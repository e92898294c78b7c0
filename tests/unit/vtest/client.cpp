#include "client.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <stdexcept>

namespace tessera::tests {

Mapping::Mapping(int descriptor_to_take, size_t size_bytes) : descriptor(descriptor_to_take) {
  void* at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) throw std::runtime_error("mmap of shared memory");
  bytes = {static_cast<std::byte*>(at), size_bytes};
}

Mapping::~Mapping() {
  if (!bytes.empty()) munmap(bytes.data(), bytes.size());
  if (descriptor >= 0) close(descriptor);
}

Client::Client(const vtest::SessionLimits& limits, uint64_t draw_limit) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
  server_side_ = vtest::Socket(ends[0]);
  client_side_ = vtest::Socket(ends[1]);
  thread_ = std::thread([this, limits, draw_limit] {
    vtest::Log log([this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      log_text_.append(line).append("\n");
    });
    auto device = std::move(Device::create({.raster = {.threads = 1, .draw_limit = draw_limit}}).value());
    vtest::Connection(server_side_, std::move(device), limits, log, nullptr).serve();
    server_side_.shut_down();
  });
}

Client::~Client() {
  client_side_.shut_down();
  if (thread_.joinable()) thread_.join();
}

void Client::send_bytes(std::span<const std::byte> bytes) {
  if (!client_side_.write(bytes)) throw std::runtime_error("the server has ended the connection");
}

void Client::send(std::initializer_list<uint32_t> words) {
  send_bytes(std::as_bytes(std::span(words.begin(), words.size())));
}

void Client::submit(const std::vector<uint32_t>& words) {
  send({static_cast<uint32_t>(words.size()), 6});
  send_bytes(std::as_bytes(std::span(words)));
}

std::vector<uint32_t> Client::receive(size_t count) {
  std::vector<uint32_t> words(count);
  if (!client_side_.read(std::as_writable_bytes(std::span(words)))) throw std::runtime_error("no answer");
  return words;
}

int Client::receive_descriptor() {
  char byte = 1;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  if (recvmsg(client_side_.descriptor(), &message, 0) != 1 || byte != 0) throw std::runtime_error("no descriptor");
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) throw std::runtime_error("no descriptor");
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

bool Client::is_alive() {
  send({2, 7, 0, 0});
  return receive(3) == std::vector<uint32_t>{1, 7, 0};
}

void Client::wait_for_end() { thread_.join(); }

void Client::create_resource(std::initializer_list<uint32_t> w) {
  send({11, 12});
  send(w);
}

Mapping Client::create_shared(std::initializer_list<uint32_t> w) {
  create_resource(w);
  return Mapping(receive_descriptor(), *(w.begin() + 10));
}

void Client::fetch(uint32_t resource, uint32_t width, uint32_t height) {
  send({10, 13, resource, 0, 0, 0, 0, width, height, 1, width * height * 4, 0});
  if (!is_alive()) throw std::runtime_error("no answer to the wait");
}

std::string Client::log_text() {
  const std::lock_guard lock(mutex_);
  return log_text_;
}

std::vector<uint32_t> command(uint32_t number, uint32_t object_type, std::vector<uint32_t> payload) {
  payload.insert(payload.begin(), number | object_type << 8 | static_cast<uint32_t>(payload.size()) << 16);
  return payload;
}

std::vector<uint32_t> joined(std::initializer_list<std::vector<uint32_t>> commands) {
  std::vector<uint32_t> all;
  for (const std::vector<uint32_t>& c : commands) all.insert(all.end(), c.begin(), c.end());
  return all;
}

std::vector<uint32_t> program(uint32_t handle, uint32_t stage, std::string_view text) {
  std::vector<uint32_t> payload = {handle, stage, static_cast<uint32_t>(text.size() + 1), 100, 0};
  payload.resize(5 + text.size() / 4 + 1);
  std::memcpy(payload.data() + 5, text.data(), text.size());
  return command(1, 4, payload);
}

uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

}  // namespace tessera::tests
