// frontend/tool/server_options.h: what `tessera serve` and `tessera run` have in common: limits of clients, observing.
#pragma once

#include "frontend/tool/command.h"
#include "frontend/vtest/server.h"

namespace tessera::tool {

struct ServerFlags {
  vtest::ServerOptions server;
  std::vector<std::string> screenshots;          // FRAME:FILE.png
};

void add_server_options(CLI::App& app, CommonOptions& common, ServerFlags& flags);

// The options as the server takes them. Error: a screenshot that cannot be understood.
Result<vtest::ServerOptions> server_options(const ServerFlags& flags, const CommonOptions& common,
                                            const std::string& socket_path);

}  // namespace tessera::tool
