// frontend/tool/private_screen.h: an X server without a screen (Xvfb) for one program.
#pragma once

#include "frontend/tool/child_process.h"
#include "frontend/tool/private_folder.h"

namespace tessera::tool {

struct ScreenSize { uint32_t width_px = 1280, height_px = 1024; };

// "640x480".
Result<ScreenSize> read_screen_size(std::string_view text);

bool has_xvfb();                                  // is it installed?

class PrivateScreen {
 public:
  // Only who can read `folder` may draw on it. Error: Xvfb is not installed or does not start.
  static Result<PrivateScreen> create(const PrivateFolder& folder, const ScreenSize& size);
  // What a program needs in its environment to find it.
  const Environment& environment() const { return environment_; }

 private:
  PrivateScreen(ChildProcess server, Environment environment)
      : server_(std::move(server)), environment_(std::move(environment)) {}
  ChildProcess server_;
  Environment environment_;
};

}  // namespace tessera::tool
