#include "frontend/tool/command_list.h"

namespace tessera::tool {
namespace {

// "TEXT:{jit,interp}": the words in the braces; those of another validator stand in none.
std::vector<std::string> choices_in(const std::string& type) {
  const size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::string without_checks(const std::string& type) { return type.substr(0, type.find(':')); }

ListedOption list_option(const CLI::Option& option) {
  ListedOption listed;
  for (const std::string& name : option.get_snames()) listed.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) listed.names.push_back("--" + name);
  if (option.get_positional()) listed.names.push_back(option.get_name(true));
  listed.description = option.get_description();
  if (option.get_type_size() != 0) {
    listed.choices = choices_in(option.get_type_name());
    listed.value = without_checks(option.get_type_name());
  }
  return listed;
}

std::vector<std::string> examples_in(const std::string& footer) {
  std::vector<std::string> lines = CLI::detail::split(footer, '\n');
  std::erase_if(lines, [](const std::string& line) { return line.empty() || line == "Examples:"; });
  return lines;
}

ListedCommand& add_command(const CLI::App& app, std::vector<std::string> path, CommandList& all) {
  ListedCommand& listed = *all.emplace_back(std::make_unique<ListedCommand>());
  listed.path = std::move(path);
  listed.description = app.get_description();
  if (listed.path.size() <= 1) listed.examples = examples_in(app.get_footer());   // those below inherit it
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? listed.arguments : listed.options).push_back(list_option(*option));
  for (const CLI::App* below : app.get_subcommands({})) {
    std::vector<std::string> below_path = listed.path;
    below_path.push_back(below->get_name());
    listed.commands.push_back(&add_command(*below, std::move(below_path), all));
  }
  return listed;
}

}  // namespace

CommandList list_commands(const CLI::App& app) {
  CommandList all;
  add_command(app, {}, all);
  return all;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace tessera::tool
