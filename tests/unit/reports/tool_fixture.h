// tests/unit/reports/tool_fixture.h: the tool as a process in a folder of its own.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/data.h"
#include "tests/unit/frontend/temporary_folder.h"

namespace tessera::tests {

struct ToolOutcome {
  int status = -1;
  std::string out, err;
};

struct ToolFixture {
  TemporaryFolder folder;

  ToolOutcome run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder.path("") + "' && '" TESSERA_TOOL "' " + arguments + " >out.txt 2>err.txt </dev/null";
    const int code = std::system(command.c_str());
    return {WIFEXITED(code) ? WEXITSTATUS(code) : -1, read_file(folder.path("out.txt")),
            read_file(folder.path("err.txt"))};
  }
  std::string text(const std::string& file) const { return read_file(folder.path(file)); }
};

// Two rectangles on the left half, one over all: 2, 1 and nothing but a clear on the lowest 16 rows.
constexpr const char* kHeatScene =
    "[target]\nsize 128 80\n"
    "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
    "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0.5, 0, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n"
    "[state]\nblend one one\n"
    "[test]\nclear color 0 0 0 1\ndraw rect -1 -0.6 2 1.6\ndraw rect -1 -0.6 1 1.6\nprobe rect 100 10 1 1  1 0.5 0 1\n";

}  // namespace tessera::tests
