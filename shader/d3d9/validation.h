// shader/d3d9/validation.h: what the parts of the validator share: the program, what it declares, the errors so far.
#pragma once

#include <fmt/format.h>

#include <unordered_map>

#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/names.h"
#include "shader/d3d9/program.h"
#include "shader/d3d9/validate.h"

namespace tessera::d3d9 {

class Validation {
 public:
  Validation(const Program& program, Checks checks, DiagList& diags);

  // Each checks one kind of rule over the whole program; each has its file.
  void check_declarations();
  void check_operands();
  void check_flow();
  void check_dataflow();
  void check_slots();
  void check_model_1();
  void check_strict();

 private:
  template <class... Args>
  void fail(Rule rule, SourceLoc loc, fmt::format_string<Args...> format, Args&&... args) {
    diags_.add(rule, loc, fmt::format(format, std::forward<Args>(args)...));
  }
  static std::string name(const Register& reg) { return register_name(reg.file, reg.number); }
  static uint64_t key(const Register& reg) { return static_cast<uint64_t>(reg.file) << 32 | reg.number; }
  bool in_version(Versions versions) const { return contains(versions, p.version); }
  SamplerType sampler_type(const Register& sampler) const;

  // declarations
  void check_order();
  void check_declaration(const Declaration& d);
  void check_number(const Register& reg, uint32_t count);
  void check_declared(const Register& reg);
  bool must_be_declared(File file) const;
  void check_position();
  template <class Function>
  void for_each_register(Function visit) const;   // visit(register, how many in a row)

  // operands
  void check_destination(const Instruction& inst, const Destination& dst);
  void check_result_modifiers(const Instruction& inst, const Destination& dst);
  void check_destination_kind(const Instruction& inst, const Destination& dst);
  void check_source(const Instruction& inst, const Source& src, char letter);
  void check_swizzle(const Instruction& inst, const Source& src, char letter);
  void check_modifier(const Instruction& inst, const Source& src, char letter);
  void check_source_kind(const Instruction& inst, const Source& src, char letter);
  void check_apart(const Instruction& inst);

  // flow: a body is the main program or a subroutine
  struct Depths { uint32_t static_ifs = 0, dynamic = 0, loops = 0, counters = 0; };   // counters: loops with an aL
  struct Open { const Instruction* inst; bool had_else; Depths depths; };             // depths: with this block
  void check_step(const Instruction& inst);
  void open_block(const Instruction& inst);
  void close_block(const Instruction& inst, std::initializer_list<Opcode> openers);
  void check_else(const Instruction& inst);
  void check_break(const Instruction& inst);
  void check_label(const Instruction& inst);
  void check_call(const Instruction& inst);
  void check_loop_counter(const Instruction& inst);
  void check_depth(const Instruction& inst, std::string_view what, uint32_t depth, uint32_t limit);
  Depths depths() const { return open_.empty() ? Depths{} : open_.back().depths; }
  void find_labels();

  // dataflow
  void check_reads(const Instruction& inst);
  void check_read(const Instruction& inst, const Register& reg, uint8_t components);
  uint8_t components_read(const Instruction& inst, size_t source) const;
  uint8_t coordinates_read(const Instruction& inst, const Source& src) const;
  void note_writes(const Instruction& inst);
  void note_subroutines();

  // model 1 pixel shaders
  void check_pair(const Instruction& first, const Instruction& second);
  void check_texture_order(const Instruction& inst);
  void check_texture_stage(const Instruction& inst);
  void check_phase(const Instruction& inst);

  // strict rules
  void check_ports(const Instruction& inst);
  void check_outputs(const Instruction& inst);
  void check_gradients();
  void check_dependent_reads();
  void check_color();

  using Written = std::unordered_map<uint64_t, uint8_t>;   // by key(): components

  const Program& p;
  const VersionInfo& v;
  const Checks checks_;
  DiagList& diags_;
  Written declared_;
  std::unordered_map<uint32_t, SourceLoc> usages_;          // by usage, index and whether it is an output
  std::unordered_map<uint32_t, SamplerType> samplers_;      // by number
  std::vector<Open> open_;
  struct Label { size_t position; uint32_t call_depth = 0; };
  std::unordered_map<uint32_t, Label> labels_;              // by number
  size_t position_ = 0;                                     // of the instruction that is checked
  uint32_t call_depth_ = 0, static_branches_ = 0;           // of the body; so far
  bool in_subroutine_ = false, after_ret_ = false;
  Written written_;
  std::unordered_map<uint32_t, Written> written_by_;        // by label: what its subroutine writes
  bool in_arithmetic_ = false, after_phase_ = false, has_phase_ = false;
  int last_stage_ = -1;
  std::vector<const Instruction*> pads_;                    // that wait for their end
};

}  // namespace tessera::d3d9
