// frontend/tool/shader_d3d9.cpp: the parts of `tessera shader` for Direct3D 9 shaders, as text or bytecode.
#include <fmt/format.h>

#include "frontend/image_io.h"
#include "frontend/tool/shader_command.h"
#include "shader/d3d9/load.h"
#include "shader/d3d9/parser.h"
#include "shader/d3d9/printer.h"
#include "shader/d3d9/reader.h"
#include "shader/d3d9/validate.h"
#include "shader/d3d9/writer.h"

namespace tessera::tool {
namespace {

// Bytecode has no lines to show.
int report_shader(const std::vector<Diag>& diags, const std::string& file, const std::string& content) {
  return report_wrong_use(diags, file, d3d9::is_bytecode(content) ? std::string_view() : content);
}

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes;
  bytes.reserve(words.size() * 4);
  for (uint32_t word : words)
    for (uint32_t shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(word >> shift));
  return bytes;
}

int write_result(const std::string& path, const void* data, size_t size_bytes) {
  const Status written = write_file(path, data, size_bytes);
  return written ? kSuccess : report_wrong_use(written.diags(), path);
}

}  // namespace

int check_d3d9(const ShaderOptions& options, const CommonOptions& common, const std::string& content) {
  const Result<d3d9::Program> program = d3d9::load(content);
  const std::vector<Diag> diags =
      program ? d3d9::validate(*program, {.strict = options.hardware_rules}) : program.diags();
  if (!diags.empty()) return report_shader(diags, options.file, content);
  if (!common.quiet)
    print(fmt::format("{}: correct; {}, {} instructions, {} declarations, {} definitions\n", options.file,
                      d3d9::version_info(program->version).name, program->instructions.size(),
                      program->declarations.size(), program->definitions.size()));
  return kSuccess;
}

int print_d3d9(const ShaderOptions& options, const std::string& content) {
  const Result<d3d9::Program> program = d3d9::load(content);
  if (!program) return report_shader(program.diags(), options.file, content);
  print(d3d9::print(*program));
  return kSuccess;
}

int assemble_shader(const ShaderOptions& options) {
  const Result<std::string> text = read_text(options.file);
  if (!text) return report_wrong_use(text.diags(), options.file);
  const Result<d3d9::Program> program = d3d9::parse(*text);
  if (!program) return report_wrong_use(program.diags(), options.file, *text);
  const std::vector<uint8_t> bytes = bytes_of(d3d9::write(*program));
  return write_result(options.output, bytes.data(), bytes.size());
}

int disassemble_shader(const ShaderOptions& options) {
  const Result<std::string> content = read_text(options.file);
  if (!content) return report_wrong_use(content.diags(), options.file);
  const Result<d3d9::Program> program = d3d9::read(d3d9::words_of(*content));
  if (!program) return report_wrong_use(program.diags(), options.file);
  const std::string text = d3d9::print(*program);
  if (!options.output.empty()) return write_result(options.output, text.data(), text.size());
  print(text);
  return kSuccess;
}

}  // namespace tessera::tool
