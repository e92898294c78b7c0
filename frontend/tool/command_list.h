// frontend/tool/command_list.h: what the declared commands and options say of themselves, and its forms besides --help.
// Everything comes from the one CLI::App that also reads the command line; nothing is listed a second time.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tessera::tool {

struct ListedOption {
  std::vector<std::string> names;            // "-o", "--output"
  std::string description;
  std::string value;                         // what follows it, "TEXT"; empty: nothing
  std::vector<std::string> choices;          // all values there are; empty: any
};

struct ListedCommand {
  std::vector<std::string> path;             // "shader", "run"; empty: the program itself
  std::string description;
  std::vector<ListedOption> arguments;       // positional; one name each
  std::vector<std::string> examples;         // command lines
  std::vector<ListedOption> options;
  std::vector<const ListedCommand*> commands;   // below it
};

// The program first, then its commands, each followed by its own. The elements stay where they are.
std::vector<std::unique_ptr<ListedCommand>> list_commands(const CLI::App& app);
using CommandList = std::vector<std::unique_ptr<ListedCommand>>;

std::string joined(const std::vector<std::string>& words, std::string_view between);

std::string manual_page(const CommandList& commands);
std::string bash_completion(const CommandList& commands);
std::string zsh_completion(const CommandList& commands);
std::string fish_completion(const CommandList& commands);

}  // namespace tessera::tool
