// The committed pages about opcodes are those that the tables give, and know every opcode of the language.
#include "shader/reference.h"

#include <catch2/catch.hpp>

#include <set>
#include <sstream>

#include "shader/tgsi/opcodes.h"
#include "shader/tgsi/reference.h"
#include "tests/support/data.h"

using namespace tessera;

TEST_CASE("the page of TGSI opcodes is current: tessera shader reference tgsi > shader/tgsi/OPCODES.md", "[tgsi]") {
  CHECK(tgsi::opcode_reference() == tests::read_file(tests::source_path("shader/tgsi/OPCODES.md")));
}

TEST_CASE("the page of IR operations is current: tessera shader reference ir > shader/OPCODES.md", "[ir]") {
  CHECK(ir::opcode_reference() == tests::read_file(tests::source_path("shader/OPCODES.md")));
}

// Rows of the list look like `| MOV | float | 1/1 | ...`: name, group, counts of destinations and sources.
TEST_CASE("the page has every opcode of the opcode list, in its group", "[tgsi]") {
  const auto list = tests::data_path("spec/opcodes.md");
  if (!list) return;
  const std::string page = tgsi::opcode_reference();
  std::set<std::string> groups;
  for (const tgsi::OpcodeInfo& info : tgsi::all_opcodes()) groups.emplace(tgsi::op_group_name(info.group));
  std::istringstream lines(tests::read_file(*list));
  size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string bar, name, group;
    cells >> bar >> name >> bar >> group >> bar;
    if (!line.starts_with("| ") || !groups.contains(group)) continue;
    ++rows;
    INFO(name);
    const size_t section = page.find("\n## " + group + "\n"), row = page.find("\n| " + name + " |");
    REQUIRE(row != std::string::npos);
    CHECK(section < row);
    CHECK(page.find("\n## ", section + 1) > row);
  }
  CHECK(rows == tgsi::all_opcodes().size());
}
