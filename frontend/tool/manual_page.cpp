#include <fmt/format.h>

#include "frontend/tool/command_list.h"

namespace tessera::tool {
namespace {

// As text in roff: a hyphen that can be copied, and no line that begins as a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') out += "\\-";
    else if (c == '\\') out += "\\e";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += fmt::format("\\&{}", c);
    else out += c;
  }
  return out;
}

std::string option_heading(const ListedOption& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  const std::string value = option.choices.empty() ? option.value : joined(option.choices, "|");
  return value.empty() ? names : names + " \\fI" + roff(value) + "\\fR";
}

std::string option_list(const std::vector<ListedOption>& options) {
  std::string text;
  for (const ListedOption& option : options)
    text += fmt::format(".TP\n{}\n{}\n", option_heading(option), roff(option.description));
  return text;
}

std::string usage_line(const ListedCommand& command) {
  std::string line = fmt::format("\\fBtessera {}\\fR", roff(joined(command.path, " ")));
  if (!command.commands.empty()) line += " \\fICOMMAND\\fR";
  line += " [\\fIOPTION\\fR...]";
  for (const ListedOption& argument : command.arguments) line += " \\fI" + roff(argument.names.front()) + "\\fR";
  return line;
}

bool is_option_of(const ListedCommand& command, const ListedOption& option) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [&](const ListedOption& o) { return o.names == option.names; });
}

// Those that every command of the first level has.
std::vector<ListedOption> common_options(const ListedCommand& program) {
  std::vector<ListedOption> common;
  if (program.commands.empty()) return common;
  for (const ListedOption& option : program.commands.front()->options)
    if (std::all_of(program.commands.begin(), program.commands.end(),
                    [&](const ListedCommand* c) { return is_option_of(*c, option); }))
      common.push_back(option);
  return common;
}

std::string command_section(const ListedCommand& command, const std::vector<ListedOption>& common) {
  std::vector<ListedOption> own;
  for (const ListedOption& option : command.options)
    if (std::none_of(common.begin(), common.end(), [&](const ListedOption& o) { return o.names == option.names; }))
      own.push_back(option);
  std::string text = fmt::format(".SS \"tessera {}\"\n{}\n.PP\n{}\n", joined(command.path, " "), usage_line(command),
                                 roff(command.description));
  text += option_list(command.arguments) + option_list(own);
  if (!command.examples.empty()) text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const std::string& example : command.examples) text += roff(example) + "\n";
  if (!command.examples.empty()) text += ".RE\n.fi\n";
  return text;
}

}  // namespace

std::string manual_page(const CommandList& commands) {
  const ListedCommand& program = *commands.front();
  const std::vector<ListedOption> common = common_options(program);
  std::string text = fmt::format(
      ".TH TESSERA 1 \"\" \"tessera {}\" \"User Commands\"\n.SH NAME\ntessera \\- {}\n.SH SYNOPSIS\n"
      ".B tessera\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n.SH OPTIONS\n{}",
      TESSERA_VERSION, roff(program.description), option_list(program.options));
  text += ".SH \"OPTIONS OF ALL COMMANDS\"\n" + option_list(common) + ".SH COMMANDS\n";
  for (const auto& command : commands)
    if (!command->path.empty()) text += command_section(*command, common);
  text += ".SH \"EXIT STATUS\"\n.TP\n.B 0\nsuccess\n.TP\n.B 1\nthe thing tested failed\n.TP\n.B 2\n"
          "wrong use or unreadable input\n";
  return text;
}

}  // namespace tessera::tool
