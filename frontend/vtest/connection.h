// frontend/vtest/connection.h: one client: reads its requests from a socket until it leaves or its framing breaks.
#pragma once

#include <cstdint>
#include <functional>

#include "frontend/vtest/command_stream.h"
#include "frontend/vtest/socket.h"

namespace tessera::vtest {

// What hands over a new Device for each client.
using MakeDevice = std::function<Result<std::unique_ptr<Device>>()>;

class Connection {
 public:
  Connection(Socket& socket, std::unique_ptr<Device> device, const SessionLimits& limits, Log& log,
             Observer* observer);
  // Until the end of the connection.
  void serve();

 private:
  enum class Request : uint32_t {
    GetCaps = 1, ResourceCreate, ResourceUnref, TransferGet, TransferPut, SubmitCommands, ResourceBusyWait,
    CreateRenderer, GetCaps2, PingProtocolVersion, ProtocolVersion, ResourceCreate2, TransferGet2, TransferPut2
  };

  // False ends the connection.
  bool serve_one();
  bool run(Request request, uint32_t length);
  bool name_client(uint32_t length_bytes);
  bool submit(uint32_t length);
  bool create_resource();
  bool reply_caps(size_t bytes, uint32_t id);
  bool read_words(std::span<uint32_t> words);
  bool write_words(std::initializer_list<uint32_t> words);
  void note(const char* request, const Status& status);

  Socket& socket_;
  Log& log_;
  Session session_;
  CommandStream stream_;
  std::vector<uint32_t> words_;        // of the request that is being served
};

}  // namespace tessera::vtest
