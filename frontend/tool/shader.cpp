#include <fmt/format.h>

#include <memory>

#include "frontend/image_io.h"
#include "frontend/scene_parser.h"
#include "frontend/tool/shader_command.h"
#include "shader/d3d9/compile.h"
#include "shader/d3d9/load.h"
#include "shader/d3d9/validate.h"
#include "shader/jit.h"
#include "shader/passes/pipeline.h"
#include "shader/print.h"
#include "shader/reference.h"
#include "shader/tgsi/compile.h"
#include "shader/tgsi/lower.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/printer.h"
#include "shader/tgsi/reference.h"
#include "shader/tgsi/validate.h"
#include "shader/unordered.h"

namespace tessera::tool {
namespace {

tgsi::Dialect dialect_of(const ShaderOptions& options) {
  return options.dialect == Dialect::Tgsi2007 ? tgsi::Dialect::Tgsi2007 : tgsi::Dialect::Current;
}

CLI::App& add_part(CLI::App& app, const char* name, const char* description, ShaderOptions& options,
                   const char* what = "a shader in TGSI text, or a Direct3D 9 shader") {
  CLI::App& part = *app.add_subcommand(name, description);
  part.add_option("FILE", options.file, what)->required();
  part.add_option_function<std::string>(
          "--dialect",
          [&options](const std::string& name) {
            options.dialect = name == "2007" ? Dialect::Tgsi2007 : Dialect::Current;
          },
          "current (default) or 2007")
      ->check(CLI::IsMember({"current", "2007"}));
  return part;
}

// Gives the option that names the result.
CLI::Option* add_translation(CLI::App& app, const char* name, const char* description, ShaderOptions& options) {
  CLI::App& part = *app.add_subcommand(name, description);
  part.add_option("IN", options.file, "the file to read")->required();
  return part.add_option("-o", options.output, "the file to write");
}

Result<ir::Program> lower_tgsi(const std::string& text, const ShaderOptions& options) {
  const Result<tgsi::Program> tree = tgsi::parse(text);
  if (!tree) return tree.diags();
  if (std::vector<Diag> broken = tgsi::validate(*tree, dialect_of(options)); !broken.empty()) return broken;
  return tgsi::lower(*tree, {dialect_of(options)});
}

Result<ir::Program> lower_d3d9(const std::string& content) {
  const Result<d3d9::Program> tree = d3d9::load(content);
  if (!tree) return tree.diags();
  if (std::vector<Diag> broken = d3d9::validate(*tree); !broken.empty()) return broken;
  return d3d9::lower(*tree);
}

// The program as it was lowered, and after each pass that changed it.
int print_passes(const std::string& text, const ShaderOptions& options) {
  Result<ir::Program> program = d3d9::is_shader(text) ? lower_d3d9(text) : lower_tgsi(text, options);
  if (!program) return report_wrong_use(program.diags(), options.file, text);
  std::string before = ir::print(*program);
  print(fmt::format("; as lowered\n{}", before));
  for (const ir::Pass& pass : ir::passes()) {
    pass.run(*program);
    std::string after = ir::print(*program);
    print(after == before ? fmt::format("\n; {}: no change\n", pass.name)
                          : fmt::format("\n; {}: {}\n{}", pass.name, pass.what, after));
    before = std::move(after);
  }
  return kSuccess;
}

int print_assembly(const ir::Program& program) {
  if (!jit_refusal().empty())
    return report_wrong_use({error(fmt::format("no machine code: {}", jit_refusal()))}, "tessera shader print");
  print(jit_listing(program));
  return kSuccess;
}

}  // namespace

Result<std::string> read_text(const std::string& path) {
  const Result<std::vector<uint8_t>> file = read_file(path);
  if (!file) return file.diags();
  return std::string(file->begin(), file->end());
}

int check_shader(const ShaderOptions& options, const CommonOptions& common) {
  const Result<std::string> text = read_text(options.file);
  if (!text) return report_wrong_use(text.diags(), options.file);
  if (d3d9::is_shader(*text)) return check_d3d9(options, common, *text);
  const Result<ir::Program> program = tgsi::compile(*text, dialect_of(options));
  if (!program) return report_wrong_use(program.diags(), options.file, *text);
  if (!common.quiet)
    print(fmt::format("{}: correct; {} operations, {} inputs, {} outputs\n", options.file, program->code.size(),
                      program->inputs.size(), program->outputs.size()));
  if (!common.quiet) report_unordered(ir::find_unordered(*program), options.file);
  return kSuccess;
}

int print_shader(const ShaderOptions& options) {
  const Result<std::string> text = read_text(options.file);
  if (!text) return report_wrong_use(text.diags(), options.file);
  const bool is_d3d9 = d3d9::is_shader(*text);
  if (is_d3d9 && !options.ir && !options.optimized && !options.assembly) return print_d3d9(options, *text);
  if (scene::looks_like_scene(*text)) return print_fixed_function(*text, options);
  if (options.ir) return print_passes(*text, options);
  if (options.optimized || options.assembly) {
    const Result<ir::Program> program = is_d3d9 ? d3d9::compile(*text) : tgsi::compile(*text, dialect_of(options));
    if (!program) return report_wrong_use(program.diags(), options.file, *text);
    return options.assembly ? print_assembly(*program) : (print(ir::print(*program)), kSuccess);
  }
  const Result<tgsi::Program> tree = tgsi::parse(*text);
  if (!tree) return report_wrong_use(tree.diags(), options.file, *text);
  print(tgsi::print(*tree));
  return kSuccess;
}

int print_reference(const ShaderOptions& options) {
  print(options.language == "ir" ? ir::opcode_reference() : tgsi::opcode_reference());
  return kSuccess;
}

Run declare_shader(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<ShaderOptions>();
  app.require_subcommand(1);
  app.fallthrough();
  CLI::App& check = add_part(app, "check", "report every error of a shader", *options);
  check.add_flag("--hardware", options->hardware_rules, "Direct3D 9: also what hardware of the time refused, as read ports");
  CLI::App& print = add_part(app, "print", "print a shader, or a scene's fixed-function sections, as understood",
                             *options, "a shader in TGSI text; a Direct3D 9 shader; a scene with [register combiners] or the like");
  print.add_flag("--ir", options->ir, "its intermediate representation, before and after each pass");
  print.add_flag("--optimized", options->optimized, "its intermediate representation, as it runs");
  print.add_flag("--asm", options->assembly, "the machine code that runs it, its intermediate representation between");
  CLI::App& run = add_part(app, "run", "execute a shader and print its outputs", *options);
  run.add_option("--in", options->inputs,
                 "an input: SEMANTIC[index]=x,y,z,w (IN[n] in vertex shaders); further lanes or vertices behind ';'.\n"
                 "Numbers: 1.5, 0x3fc00000 (bits), 3i, 3u. Default 0,0,0,1")
      ->allow_extra_args(false);
  run.add_option("--const", options->constants, "constants: register=x,y,z,w or buffer[register]=x,y,z,w")
      ->allow_extra_args(false);
  run.add_flag("--trace", options->trace, "print every operation as it runs, with its results");
  run.add_option("--lanes", options->lanes, "the lanes that --trace shows, as in 0,3 (default: those that have inputs)")
      ->delimiter(',')->check(CLI::Range(0, 31))->allow_extra_args(false);
  add_translation(app, "assemble", "turn Direct3D 9 assembler text into bytecode", *options)->required();
  add_translation(app, "disassemble", "turn Direct3D 9 bytecode into text (default: on standard output)", *options);
  CLI::App& reference = *app.add_subcommand("reference", "print the page about all opcodes");
  reference.add_option("LANGUAGE", options->language, "tgsi (default), or ir: the intermediate representation")
      ->check(CLI::IsMember({"tgsi", "ir"}));
  run.add_option("--grid", options->grid, "compute: work groups in x,y,z; default 1");
  run.add_option("--block", options->block, "compute: invocations of a group in x,y,z, where the shader leaves them open");
  run.add_option("--shared", options->shared_bytes, "compute: bytes of shared memory of a group");
  run.add_option("--user-data", options->user_data, "compute: up to four words for CS_USER_DATA_AMD, as numbers of --in");
  run.add_option("--buffer", options->buffers, "compute: BUFFER[n], printed afterwards: n=word,word,... or n=zeros:COUNT")
      ->allow_extra_args(false);
  run.add_option("--image", options->images, "compute: IMAGE[n] of zeros, printed afterwards: n=WIDTHxHEIGHTxDEPTH:FORMAT")
      ->allow_extra_args(false);
  return [&app, options, &common] {
    const std::string part = app.get_subcommands().front()->get_name();
    if (part == "reference") return print_reference(*options);
    if (part == "assemble") return assemble_shader(*options);
    if (part == "disassemble") return disassemble_shader(*options);
    if (part == "check") return check_shader(*options, common);
    return part == "print" ? print_shader(*options) : run_shader(*options, common);
  };
}

}  // namespace tessera::tool
