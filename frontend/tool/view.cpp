#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "frontend/tool/command.h"
#include "frontend/view/options.h"

namespace tessera::tool {
namespace {

// The words of the command line, as they were: tessera-view declares the same options.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const std::vector<std::string>& values = option->results();
    for (const std::string& value : values) {
      if (!option->get_positional()) words.push_back(option->get_name());
      if (option->get_items_expected_max() != 0) words.push_back(value);
    }
  }
  return words;
}

int start_viewer(const CLI::App& app) {
  const std::filesystem::path viewer =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "tessera-view";
  std::vector<std::string> words = words_of(app);
  words.insert(words.begin(), viewer.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  return report_wrong_use({error(fmt::format("{} cannot be started: {}. -DTESSERA_VIEW=OFF leaves it out of a build",
                                             viewer.string(), std::strerror(errno)))}, "tessera");
}

}  // namespace

Run declare_view(CLI::App& app, CommonOptions&) {
  auto options = std::make_shared<view::ViewOptions>();
  view::declare_view_options(app, *options);
  return [options, &app] { return start_viewer(app); };
}

}  // namespace tessera::tool
