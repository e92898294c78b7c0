#include <fmt/format.h>

#include "frontend/tool/command_list.h"

namespace tessera::tool {
namespace {

std::vector<std::string> option_names(const ListedCommand& command) {
  std::vector<std::string> names;
  for (const ListedOption& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_names(const ListedCommand& command) {
  std::vector<std::string> names;
  for (const ListedCommand* below : command.commands) names.push_back(below->path.back());
  return names;
}

// Values of an argument with choices complete as commands do.
std::vector<std::string> first_words(const ListedCommand& command) {
  std::vector<std::string> words = command_names(command);
  for (const ListedOption& argument : command.arguments)
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  return words;
}

// In single quotes, for the shell: ' ends them, stands by itself, and begins them again.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// The text of an entry of zsh's _arguments: brackets and colons separate there.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string function_name(const ListedCommand& command) {
  std::string name = "_tessera";
  for (const std::string& word : command.path) name += "_" + word;
  return name;
}

std::string zsh_option(const ListedOption& option, const std::string& name) {
  std::string entry = fmt::format("{}[{}]", name, zsh_text(option.description));
  if (!option.choices.empty()) entry += fmt::format(":{}:({})", zsh_text(option.value), joined(option.choices, " "));
  else if (!option.value.empty()) entry += fmt::format(":{}:_files", zsh_text(option.value));
  return "    " + in_quotes(entry);
}

std::string zsh_function(const ListedCommand& command) {
  std::string text = fmt::format("{}() {{\n", function_name(command));
  std::vector<std::string> entries;
  for (const ListedOption& option : command.options)
    for (const std::string& name : option.names) entries.push_back(zsh_option(option, name));
  if (command.commands.empty()) {
    std::vector<std::string> words = first_words(command);
    const std::string action = words.empty() ? "_files" : "(" + joined(words, " ") + ")";
    entries.push_back("    " + in_quotes("*:argument:" + action));
    return text + fmt::format("  _arguments \\\n{}\n}}\n", joined(entries, " \\\n"));
  }
  entries.push_back("    " + in_quotes("1:command:->command"));
  entries.push_back("    " + in_quotes("*::argument:->rest"));
  text += fmt::format("  local -a commands\n  local state line\n  _arguments -C \\\n{}\n  case $state in\n    command)\n"
                      "      commands=(\n", joined(entries, " \\\n"));
  for (const ListedCommand* below : command.commands)
    text += fmt::format("        {}\n", in_quotes(below->path.back() + ":" + zsh_text(below->description)));
  text += "      )\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n";
  for (const ListedCommand* below : command.commands)
    text += fmt::format("        {}) {} ;;\n", below->path.back(), function_name(*below));
  return text + "      esac ;;\n  esac\n}\n";
}

std::string fish_condition(const ListedCommand& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  std::string text;
  for (const std::string& word : command.path)
    text += (text.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  return text;
}

// Before one of its own commands was said.
std::string fish_condition_above(const ListedCommand& command) {
  if (command.path.empty()) return fish_condition(command);
  return fish_condition(command) + "; and not __fish_seen_subcommand_from " + joined(command_names(command), " ");
}

std::string fish_option(const ListedCommand& command, const ListedOption& option) {
  std::string text = fmt::format("complete -c tessera -n {}", in_quotes(fish_condition(command)));
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty()) text += " -x -a " + in_quotes(joined(option.choices, " "));
  else if (!option.value.empty()) text += " -r";
  return text + " -d " + in_quotes(option.description) + "\n";
}

}  // namespace

std::string bash_completion(const CommandList& commands) {
  std::string cases, values;
  for (const auto& command : commands) {
    const std::string path = joined(command->path, " ");
    std::vector<std::string> words = first_words(*command);
    const std::vector<std::string> options = option_names(*command);
    words.insert(words.end(), options.begin(), options.end());
    cases += fmt::format("    {}) words={} ;;\n", in_quotes(path), in_quotes(joined(words, " ")));
    for (const ListedOption& option : command->options) {
      if (option.value.empty()) continue;
      const std::string choices = option.choices.empty() ? "files" : joined(option.choices, " ");
      for (const std::string& name : option.names)
        values += fmt::format("    {}) values={} ;;\n", in_quotes(path + " " + name), in_quotes(choices));
    }
  }
  std::string paths;
  for (const auto& command : commands)
    if (!command->path.empty()) paths += fmt::format(" {}", in_quotes(joined(command->path, " ")));
  return fmt::format(R"(# bash completion for tessera, printed by `tessera completions bash`
_tessera() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= word known words= values= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${{COMP_WORDS[i]}}
    for known in{}; do
      [ "${{command:+$command }}$word" != "$known" ] || {{ command=$known; break; }}
    done
  done
  case "$command $previous" in
{}  esac
  case "$command" in
{}  esac
  if [ "$values" = files ]; then COMPREPLY=($(compgen -f -- "$current"))
  elif [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [ -z "$command" ] || [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _tessera tessera
)",
                     paths, values, cases);
}

std::string zsh_completion(const CommandList& commands) {
  std::string text = "#compdef tessera\n# zsh completion for tessera, printed by `tessera completions zsh`\n";
  for (const auto& command : commands) text += zsh_function(*command);
  return text + "if [ \"$funcstack[1]\" = _tessera ]; then _tessera \"$@\"; else compdef _tessera tessera; fi\n";
}

std::string fish_completion(const CommandList& commands) {
  std::string text = "# fish completion for tessera, printed by `tessera completions fish`\n";
  for (const auto& command : commands) {
    for (const ListedCommand* below : command->commands)
      text += fmt::format("complete -c tessera -n {} -f -a {} -d {}\n", in_quotes(fish_condition_above(*command)),
                          in_quotes(below->path.back()), in_quotes(below->description));
    for (const ListedOption& argument : command->arguments)
      if (!argument.choices.empty())
        text += fmt::format("complete -c tessera -n {} -f -a {}\n", in_quotes(fish_condition(*command)),
                            in_quotes(joined(argument.choices, " ")));
    for (const ListedOption& option : command->options) text += fish_option(*command, option);
  }
  return text;
}

}  // namespace tessera::tool
