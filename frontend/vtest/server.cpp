#include "frontend/vtest/server.h"

#include <algorithm>

namespace tessera::vtest {

Result<std::unique_ptr<Server>> Server::create(const ServerOptions& options, Log::Sink sink) {
  Result<std::unique_ptr<Observer>> observer = Observer::create(options.observer);
  if (!observer) return observer.diags();
  Result<Listener> listener = Listener::create(options.socket_path);
  if (!listener) return listener.diags();
  return std::unique_ptr<Server>(new Server(options, std::move(*listener), std::move(*observer), std::move(sink)));
}

Server::Server(const ServerOptions& options, Listener listener, std::unique_ptr<Observer> observer, Log::Sink sink)
    : options_(options), listener_(std::move(listener)), observer_(std::move(observer)), sink_(std::move(sink)) {}

Server::~Server() = default;

void Server::stop() { listener_.shut_down(); }

void Server::serve(Client& client) {
  Log log(sink_);
  if (Result<std::unique_ptr<Device>> device = Device::create(options_.device))
    Connection(client.socket, std::move(*device), options_.limits, log, observer_.get()).serve();
  else log.write(device.diags().front().text);
  client.socket.shut_down();
  const std::lock_guard lock(mutex_);
  client.has_left = true;
}

void Server::join_clients_that_left() {
  std::list<Client> left;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = clients_.begin(); it != clients_.end();)
      if (const auto here = it++; here->has_left) left.splice(left.end(), clients_, here);
  }
  for (Client& client : left) client.thread.join();
}

void Server::run() {
  for (;;) {
    Socket socket = listener_.accept();
    join_clients_that_left();
    if (!socket.is_open()) break;
    const std::lock_guard lock(mutex_);
    if (clients_.size() >= options_.most_clients) {
      sink_("too many clients: one more is refused");
      continue;
    }
    Client& client = clients_.emplace_back();
    client.socket = std::move(socket);
    client.thread = std::thread([this, &client] { serve(client); });
  }
  {
    const std::lock_guard lock(mutex_);
    for (Client& client : clients_) client.socket.shut_down();
  }
  for (Client& client : clients_) client.thread.join();
}

}  // namespace tessera::vtest
