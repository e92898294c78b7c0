// frontend/vtest/server.h: listens on a socket and serves each client in a thread of its own.
#pragma once

#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "frontend/vtest/connection.h"

namespace tessera::vtest {

struct ServerOptions {
  std::string socket_path;
  DeviceOptions device;                // of each client's own device
  SessionLimits limits;
  size_t most_clients = 64;
  ObserverOptions observer;
};

class Server {
 public:
  static Result<std::unique_ptr<Server>> create(const ServerOptions& options, Log::Sink sink);
  ~Server();

  // Until stop() is called, from a thread or a signal handler; returns when every client has been served.
  void run();
  void stop();
  const Observer& observer() const { return *observer_; }

 private:
  struct Client {
    Socket socket;
    std::thread thread;
    bool has_left = false;
  };
  Server(const ServerOptions& options, Listener listener, std::unique_ptr<Observer> observer, Log::Sink sink);
  void serve(Client& client);
  void join_clients_that_left();

  ServerOptions options_;
  Listener listener_;
  std::unique_ptr<Observer> observer_;
  Log::Sink sink_;
  std::mutex mutex_;                   // guards clients_ and has_left
  std::list<Client> clients_;
};

}  // namespace tessera::vtest
