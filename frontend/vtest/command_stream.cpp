#include "frontend/vtest/command_stream.h"

#include <fmt/format.h>

#include <array>

namespace tessera::vtest {

const CommandStream::Command& CommandStream::command(uint32_t number) {
  static const auto table = [] {
    std::array<Command, 256> t{};
#define COMMAND(no, name, least_words, run, fields) \
  t[no] = {#name, fields, least_words, &CommandStream::run, nullptr};
#define IN_CONTEXT(no, name, least_words, run, fields) \
  t[no] = {#name, fields, least_words, nullptr, &CommandStream::run};
#define SKIP(no, name, fields) t[no] = {#name, fields, 0, nullptr, nullptr};
#include "frontend/vtest/commands.def"
#undef SKIP
#undef IN_CONTEXT
#undef COMMAND
    return t;
  }();
  return table[number];
}

void CommandStream::run(std::span<const uint32_t> words) {
  while (!words.empty()) {
    const uint32_t number = words[0] & 255, length = words[0] >> 16;
    const Command& c = command(number);
    if (length >= words.size()) {
      session_.log.write_once(fmt::format("command {} goes beyond its submission", number));
      return;
    }
    if (!c.name) session_.log.write_once(fmt::format("command {} is not served", number));
    else if (const Status s = run_command(c, Words(words.first(length + 1))); !s)
      session_.log.write_once(fmt::format("{}: {}", c.name, s.diags().front().text));
    words = words.subspan(length + 1);
  }
}

Status CommandStream::run_command(const Command& command, Words d) {
  const size_t found_words = d.size() - 1;
  if (found_words < command.least_words)
    return error(fmt::format("expected at least {} words, found {}", command.least_words, found_words));
  if (session_.observer) session_.observer->note_command(command.name, command.fields, d);
  if (command.handler) return (this->*command.handler)(d);
  if (!command.context_handler) return Done{};
  if (!session_.current) return error("no sub-context is set");
  return (this->*command.context_handler)(*session_.current, d);
}

Status CommandStream::create_sub_context(Words d) {
  if (session_.sub_contexts.contains(d[1])) return Done{};
  if (session_.sub_contexts.size() >= session_.limits.sub_contexts) return error("too many sub-contexts");
  session_.sub_contexts.emplace(d[1], std::make_unique<SubContext>());
  return Done{};
}

Status CommandStream::set_sub_context(Words d) {
  const auto found = session_.sub_contexts.find(d[1]);
  if (found == session_.sub_contexts.end()) return error(fmt::format("sub-context {} does not exist", d[1]));
  session_.current = found->second.get();
  return Done{};
}

Status CommandStream::destroy_sub_context(Words d) {
  const auto found = session_.sub_contexts.find(d[1]);
  if (d[1] == 0 || found == session_.sub_contexts.end())
    return error(fmt::format("sub-context {} does not exist", d[1]));
  if (session_.current == found->second.get()) session_.current = nullptr;
  if (session_.applied == found->second.get()) session_.applied = nullptr;
  session_.sub_contexts.erase(found);
  return Done{};
}

}  // namespace tessera::vtest
