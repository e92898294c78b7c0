// frontend/view/options.h: the options of `tessera view` and of tessera-view, declared once for both.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::view {

struct ViewOptions {
  std::string demo;                        // empty: the first of `words` is a scene
  std::vector<std::string> words;          // the scene; or what the demo takes
  uint32_t width = 960, height = 720;      // points
  uint64_t frames = 0;                     // 0: until the window is closed
  std::string screenshot, picture;         // files; empty: none
  double seconds = 0;                      // the picture's time
  bool shows_panel = false, shows_heatmap = false;
  std::vector<std::string> actions;        // NAME@FRAME
};

void declare_view_options(CLI::App& app, ViewOptions& options);
void declare_demo_options(CLI::App& app, ViewOptions& options);   // of a program that is one demo

}  // namespace tessera::view
