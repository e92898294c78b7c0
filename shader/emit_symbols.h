// shader/emit_symbols.h: names of compiled functions for profilers and debuggers, on request by the environment:
//     TESSERA_PERF_MAP   Linux perf: /tmp/perf-PID.map, a line for each function
//     TESSERA_GDB        gdb: an object file in memory for each function, through gdb's interface for such compilers
// Threads: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera::emit {

void add_symbol(std::string_view name, const std::byte* entry, size_t size_bytes);
void remove_symbol(const std::byte* entry);

}  // namespace tessera::emit
