#include "frontend/tool/command.h"
#include "frontend/tool/command_list.h"

namespace tessera::tool {
namespace {

struct Form {
  const char* name;
  std::string (*write)(const CommandList& commands);
};
constexpr Form kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Form& shell : kShells) names.emplace_back(shell.name);
  return names;
}

}  // namespace

Run declare_manual(CLI::App& app, CommonOptions&) {
  return [&app] {
    print(manual_page(list_commands(*app.get_parent())));
    return kSuccess;
  };
}

Run declare_completions(CLI::App& app, CommonOptions&) {
  auto name = std::make_shared<std::string>();
  app.add_option("SHELL", *name, "the shell")->required()->check(CLI::IsMember(shell_names()));
  return [&app, name] {
    for (const Form& shell : kShells)
      if (*name == shell.name) print(shell.write(list_commands(*app.get_parent())));
    return kSuccess;
  };
}

}  // namespace tessera::tool
