#include "frontend/view/options.h"

namespace tessera::view {

void declare_demo_options(CLI::App& app, ViewOptions& options) {
  app.add_option("--size", "the window's or the picture's, as in 960x720")->each([&options](const std::string& text) {
    const std::vector<std::string> parts = CLI::detail::split(text, 'x');
    const auto is_side = [](const std::string& part, uint32_t& side) {
      return CLI::detail::lexical_cast(part, side) && side >= 16 && side <= 8192;
    };
    if (parts.size() != 2 || !is_side(parts[0], options.width) || !is_side(parts[1], options.height))
      throw CLI::ValidationError("--size", "expected WIDTHxHEIGHT, each 16 to 8192, found " + text);
  });
  app.add_option("--png", options.picture, "no window: draw one picture to this file");
  app.add_option("--time", options.seconds, "with --png: seconds since the start")->check(CLI::Range(0.0, 1e6));
  app.add_option("--frames", options.frames, "close the window after so many; each is then a sixtieth of a second");
  app.add_option("--screenshot", options.screenshot, "the PNG file that key P writes, and --frames at its end");
  app.add_flag("--panel", options.shows_panel, "begin with the panel: frame times, counters, controls");
  app.add_flag("--tiles", options.shows_heatmap, "begin with the time of every tile over the picture");
  app.add_option("--do", options.actions, "what a key does at a frame, as in pause@10; an unknown name lists them");
}

void declare_view_options(CLI::App& app, ViewOptions& options) {
  app.add_option("--demo", options.demo, "a demo in place of a scene; an unknown name lists them");
  app.add_option("SCENE", options.words, "the scene file; or what the demo takes, such as the files of `obj`");
  declare_demo_options(app, options);
}

}  // namespace tessera::view
