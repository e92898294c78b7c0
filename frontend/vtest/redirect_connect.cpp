// Preloaded into the programs of `tessera run`: Mesa 22.3 connects to one fixed path; here each program finds the socket
// of its own server instead. Everything else that is connected to stays as it is.
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kFixedPath = "/tmp/.virgl_test";
using Connect = int (*)(int, const sockaddr*, socklen_t);

bool is_fixed_path(const sockaddr* address, socklen_t length) {
  if (!address || length < sizeof(sa_family_t) || address->sa_family != AF_UNIX) return false;
  const auto* unix_address = reinterpret_cast<const sockaddr_un*>(address);
  const size_t path_bytes = length - offsetof(sockaddr_un, sun_path);
  return path_bytes > 0 && std::strncmp(unix_address->sun_path, kFixedPath, path_bytes) == 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int connect(int socket, const sockaddr* address, socklen_t length) {
  static const auto next = reinterpret_cast<Connect>(dlsym(RTLD_NEXT, "connect"));
  const char* own_path = std::getenv("TESSERA_VTEST_SOCKET");
  if (!own_path || !is_fixed_path(address, length)) return next(socket, address, length);
  sockaddr_un own{};
  own.sun_family = AF_UNIX;
  std::strncpy(own.sun_path, own_path, sizeof own.sun_path - 1);
  return next(socket, reinterpret_cast<const sockaddr*>(&own), sizeof own);
}
