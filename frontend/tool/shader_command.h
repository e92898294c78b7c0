// frontend/tool/shader_command.h: the parts of `tessera shader`.
#pragma once

#include <string>
#include <vector>

#include "frontend/tool/command.h"

namespace tessera::tool {

struct ShaderOptions {
  std::string file, output;                     // output: assemble, disassemble
  bool hardware_rules = false;                  // check
  Dialect dialect = Dialect::Current;
  bool ir = false, optimized = false, assembly = false;   // print
  std::vector<std::string> inputs, constants;   // run: NAME[index]=x,y,z,w;...   [buffer[]register=x,y,z,w
  bool trace = false;                           // run
  std::vector<uint32_t> lanes;                  // run: those that --trace shows
  std::string language = "tgsi";                // reference
  std::string grid = "1", block;                // run, compute: x,y,z
  uint32_t shared_bytes = Grid{}.shared_bytes;
  std::string user_data;                        // run, compute: up to four words
  std::vector<std::string> buffers;             // N=words, or N=zeros:count
  std::vector<std::string> images;              // N=WIDTHxHEIGHTxDEPTH:FORMAT
};

using Constants = std::vector<std::vector<uint32_t>>;   // by buffer

int check_shader(const ShaderOptions& options, const CommonOptions& common);
int print_shader(const ShaderOptions& options);
int print_reference(const ShaderOptions& options);
int run_shader(const ShaderOptions& options, const CommonOptions& common);

// Runs a compute program over a grid and prints the buffers and images afterwards.
int run_compute(const ShaderOptions& options, const CommonOptions& common, ir::Program program, const Constants& constants);
// Direct3D 9 shaders; content is that of options.file.
int check_d3d9(const ShaderOptions& options, const CommonOptions& common, const std::string& content);
int print_d3d9(const ShaderOptions& options, const std::string& content);
int assemble_shader(const ShaderOptions& options);
int disassemble_shader(const ShaderOptions& options);

// The fixed-function sections of a scene, as equations.
int print_fixed_function(const std::string& text, const ShaderOptions& options);

// The file's text; an error names the file.
Result<std::string> read_text(const std::string& path);

}  // namespace tessera::tool
