// shader/tgsi/validation.h: what the parts of the validator share: the program, what it declares, the errors so far.
#pragma once

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "shader/tgsi/diagnostics.h"
#include "shader/tgsi/names.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

inline constexpr uint32_t kMaxPatchVertices = 32;
constexpr uint8_t stage_bit(Stage stage) { return static_cast<uint8_t>(1u << static_cast<uint32_t>(stage)); }

constexpr bool is_compared_sample(Opcode op) { return op == Opcode::Op_SAMPLE_C || op == Opcode::Op_SAMPLE_C_LZ; }

// Which declaration names a register, as ranges: as small as the text, however many registers a line declares.
class DeclaredRegisters {
 public:
  // The declaration of another range that `d` overlaps and may not, if there is one.
  const Declaration* add(uint32_t dimension, const Declaration& d);
  const Declaration* find(File file, uint32_t dimension, uint32_t reg) const;

 private:
  struct Range { uint64_t first; const Declaration* declaration; };
  std::map<uint64_t, Range> by_last_;    // by file, dimension and last register
};

class Validation {
 public:
  Validation(const Program& program, DiagList& diags);

  // Each checks one kind of rule over the whole program.
  void check_declarations();        // validate_declarations.cpp; the others rely on it
  void check_properties();          // validate_properties.cpp; semantics: validate_semantics.cpp
  void check_operands();            // validate_operands.cpp
  void check_textures();            // validate_textures.cpp
  void check_memory();              // validate_memory.cpp
  void check_flow();                // validate_flow.cpp

 private:
  template <class... Args>
  void fail(Rule rule, SourceLoc loc, fmt::format_string<Args...> format, Args&&... args) {
    diags_.add(rule, loc, fmt::format(format, std::forward<Args>(args)...));
  }
  static std::string_view file_name(File file) { return name_of(kFileNames, file); }
  static std::string_view op_name(const Instruction& inst) { return opcode_info(inst.opcode).name; }

  // declarations
  void check_order();
  void check_declaration(const Declaration& d);
  void check_dimension(const Declaration& d);
  void check_semantic(const Declaration& d);
  void check_stage_words(const Declaration& d);
  void declare(const Declaration& d);
  void check_array_id(const Declaration& d);
  void check_immediate_count();
  const Declaration* declared(File file, uint32_t dimension, uint32_t reg) const {
    return declared_.find(file, dimension, reg);
  }
  const Declaration* array(File file, uint32_t id) const;

  // properties
  void check_property(const Property& property);
  void check_needed_properties();
  void check_sums_of_properties();
  const Property* given(PropertyName name) const;
  uint32_t vertex_count(File file) const;

  // operands
  void check_destination(const Instruction& inst, const Destination& dst, char type);
  void check_source(const Instruction& inst, uint32_t i);
  void check_modifiers(const Source& src, char type);
  bool check_source_file(const Instruction& inst, const Source& src, char type);
  void check_register(const Register& reg);
  void check_index(const Register& reg, const Index& index);
  void check_array(const Register& reg, const Index& index);
  bool is_per_vertex(const Register& reg) const;
  void check_brackets(const Register& reg);
  const Immediate* integer_immediate(const Source& src) const;   // that it names, without modifiers; else null

  // textures
  void check_target(const Instruction& inst);
  void check_declared_target(const Instruction& inst);
  void check_view_target(const Instruction& inst);
  void check_texel_offsets(const Instruction& inst);
  void check_offset_values(const Offset& offset);

  // memory
  void check_constant_operand(const Instruction& inst, uint32_t limit);
  void check_resource(const Instruction& inst, const Register& resource, bool is_written);
  void check_image(const Instruction& inst, const Register& resource, bool is_written);
  void check_some_image(const Instruction& inst, const Register& resource, bool is_written);

  // flow: one body is the main program or a subroutine
  struct Open {
    Opcode opcode;
    uint32_t pc;
    bool had_else = false, had_default = false;
    std::unordered_set<uint32_t> values;
  };
  struct Body {
    uint32_t begin = 0;
    std::vector<uint32_t> calls;       // CAL instructions
    size_t next_call = 0;              // of the walk over the calls
    uint32_t depth = 0;                // calls below it
    enum class State : uint8_t { New, OnPath, Done } state = State::New;
  };
  void check_step(uint32_t pc);
  void open_flow(uint32_t pc);
  void close_flow(uint32_t pc);
  void check_jump(const Instruction& inst);
  void check_label(uint32_t pc);
  void check_case_value(const Instruction& inst, Open& open);
  void end_body(const Instruction& inst);
  void check_calls();
  Body& body_at(uint32_t pc);
  void walk_calls(Body& root);

  const Program& p;
  DiagList& diags_;
  DeclaredRegisters declared_;
  std::unordered_map<uint64_t, const Declaration*> arrays_;          // by file and id
  std::unordered_map<uint64_t, uint8_t> semantic_masks_;             // by file, semantic, index: channels taken
  bool is_declared_[16] = {};                                        // by file: some register is
  std::map<PropertyName, const Property*> properties_;               // by name: the first one given
  bool has_vertices_[16] = {};                                       // the same: some registers are each vertex's own
  std::vector<Open> open_;
  uint32_t open_loops_ = 0, open_switches_ = 0;                      // of those in open_
  std::vector<Body> bodies_;
  bool after_end_ = false, in_body_ = true;
};

}  // namespace tessera::tgsi
