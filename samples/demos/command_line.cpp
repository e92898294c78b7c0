#include "samples/demos/command_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "frontend/tool/command.h"
#include "frontend/view/options.h"
#include "frontend/view/scene_subject.h"
#include "frontend/view/viewer.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

Made make_demo(const std::string& name, const Words& words) {
  std::string names;
  for (const DemoEntry& demo : kDemos) {
    if (name == demo.name) return demo.make(words);
    names += fmt::format("\n  {:<13} {}", demo.name, demo.what);
  }
  return error(fmt::format("there is no demo '{}'; there are:{}", name, names));
}

Made open_subject(const view::ViewOptions& options) {
  if (!options.demo.empty()) return make_demo(options.demo, options.words);
  if (options.words.size() != 1) return error("expected one scene file, or --demo NAME");
  Result<std::unique_ptr<view::SceneSubject>> scene = view::SceneSubject::open(options.words.front());
  if (!scene) return scene.diags();
  return std::unique_ptr<view::Subject>(std::move(*scene));
}

int run(CLI::App& app, view::ViewOptions& options, const tool::CommonOptions& common, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    Made subject = open_subject(options);
    if (subject) return view::show(**subject, options, common.device);
    std::fputs(fmt::format("{}: {}\n", app.get_name(), subject.diags().front().text).c_str(), stderr);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? tool::kSuccess : tool::kWrongUse;
  } catch (const std::exception& e) {   // such as memory that is not there
    std::fputs(fmt::format("{}: {}\n", app.get_name(), e.what()).c_str(), stderr);
  }
  return tool::kWrongUse;
}

}  // namespace

int run_viewer(int argc, char** argv) {
  CLI::App app("Scenes and demos in a window", "tessera-view");
  view::ViewOptions options;
  tool::CommonOptions common;
  view::declare_view_options(app, options);
  tool::add_common_options(app, common);
  return run(app, options, common, argc, argv);
}

int run_demo_program(const char* name, int argc, char** argv) {
  CLI::App app("A demo of Tessera in a window", name);
  view::ViewOptions options;
  tool::CommonOptions common;
  app.add_option("FILE", options.words, "what the demo takes, such as the files of `obj`");
  view::declare_demo_options(app, options);
  tool::add_common_options(app, common);
  options.demo = name;
  return run(app, options, common, argc, argv);
}

}  // namespace tessera::demos
