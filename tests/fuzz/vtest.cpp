// tests/fuzz/vtest.cpp: libFuzzer target: what a client of the vtest server sends, framing and all. The first byte
// chooses the executor; the rest is the byte stream of one connection. TESSERA_FUZZ_LOG=1 shows what the server logs.
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "frontend/vtest/connection.h"
#include "tests/fuzz/vtest_mutations.h"

using namespace tessera;

namespace {

constexpr vtest::SessionLimits kLimits = {.memory_bytes = 1u << 20, .resource_bytes = 1u << 18, .resources = 64,
                                          .objects = 256, .sub_contexts = 8};
const raster::RendererOptions kRaster = {.threads = 1, .binning_budget_bytes = 16u << 20, .instruction_budget = 200,
                                             .draw_limit = 512};

// Takes whatever the server answers, as a client would, until the server is done.
void drop_answers(vtest::Socket& socket) {
  std::byte dropped[4096];
  while (recv(socket.descriptor(), dropped, sizeof dropped, 0) > 0) {
  }
}

void serve(std::span<const uint8_t> stream, ExecutorKind executor) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
  vtest::Socket server(ends[0]), client(ends[1]);
  static const bool shows_log = std::getenv("TESSERA_FUZZ_LOG") != nullptr;
  vtest::Log log([](std::string_view line) {
    if (shows_log) std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  });
  Result<std::unique_ptr<Device>> device = Device::create({.raster = kRaster, .executor = executor});
  if (!device) std::abort();
  std::thread answers([&client] { drop_answers(client); });
  std::thread sender([&client, stream] {
    client.write(std::as_bytes(stream));
    shutdown(client.descriptor(), SHUT_WR);
  });
  vtest::Connection(server, std::move(*device), kLimits, log, nullptr).serve();
  server.shut_down();
  sender.join();
  answers.join();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  serve({data + 1, size - 1}, data[0] & 1 ? ExecutorKind::Jit : ExecutorKind::Interpreter);
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const size_t changed = tests::mutate_stream({data, max_size}, size, seed);
  return changed != 0 ? changed : LLVMFuzzerMutate(data, size, max_size);
}
