// shader/tgsi/lowering.h: what the parts of the lowering share: where registers live, and the instruction at hand.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "shader/builder.h"
#include "shader/tgsi/diagnostics.h"
#include "shader/tgsi/lower.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

using ir::Builder;
using ir::Op;
using ir::Region;
using ir::Value;
using ir::Var;

// Registers as variables of the builder, or, where they are indexed indirectly, in private arrays of the lane.
class Registers {
 public:
  Registers(Builder& b, const Program& p);

  // A register whose indirect indices have been read.
  struct Place {
    const Register* reg = nullptr;
    std::optional<Value> index_v, dimension_v;     // with their offsets added
  };
  Place resolve(const Register& reg);
  Value read(const Place& place, uint32_t channel);
  void write(const Place& place, uint32_t channel, Value value);
  Value index_value(const Index& index);
  void write_outputs();                            // the program's results from their registers
  void declare_emitted_outputs();                  // geometry: what each vertex has
  void emit_vertex(Value stream);                  // a vertex of what the outputs hold now
  void declare_patch_outputs();                    // tessellation control: what a patch's invocations share
  Value fetch_target(const Register& color_output, uint32_t channel);   // the pixel's colour from before the fragment
  uint32_t array_words() const { return array_words_; }
  const Declaration* declaration_of(File file, uint32_t reg) const;   // null: none
  ir::Input input_of(const Declaration& dcl, uint32_t reg, uint32_t channel) const;

 private:
  // Registers of a file that share a private array, or a part of such an array that an array id names.
  struct Range { uint32_t first = 0, count = 0, array = 0, array_first = 0; };

  void find_indirect_accesses();
  void make_variables();
  void make_arrays();
  void note_register(const Register& reg);
  void note_index(const Index& index);
  void note_use(File file, uint32_t reg);
  void make_array(File file, uint32_t first, uint32_t last);
  void fill_array(const Range& range, File file);
  const Range* range_of(File file, uint32_t reg) const;
  const Range* range_of_access(File file, uint32_t array_id) const;
  Value safe_word(const Range& range, Value index_v);
  Value input_word(const Declaration& dcl, uint32_t reg, uint32_t channel);
  std::optional<Value> subgroup_word(Semantic name, uint32_t channel);
  bool is_left_out(Semantic name, uint32_t channel) const;
  bool is_of_vertex(const Register& reg) const;    // an input that each vertex of a primitive has
  Value read_vertex(const Place& place, uint32_t channel);
  struct PatchRange { uint32_t first = 0, last = 0; bool of_vertex = false; };
  bool is_patch_output(const Register& reg) const;
  std::optional<PatchRange> patch_range(const Place& place) const;
  Value patch_vertex(const Place& place);
  Value patch_address(const Place& place, uint32_t channel);
  Value read_patch(const Place& place, uint32_t channel);
  void write_patch(const Place& place, uint32_t channel, Value value);
  template <class Visit>
  void for_each_output(Visit visit) const;         // (declaration, register, channel), each once
  Value direct_value(File file, uint32_t reg, uint32_t channel);
  Value read_constant(const Place& place, uint32_t channel);
  Value read_constant_of(uint32_t buffer, const Place& place, uint32_t channel);
  bool is_variable(File file) const { return file == File::Temp || file == File::Out || file == File::Addr; }

  Builder& b_;
  const Program& p_;
  std::map<std::pair<File, uint32_t>, std::array<Var, 4>> variables_;
  std::map<std::pair<File, uint32_t>, Range> arrays_;             // by file and first register
  std::map<std::pair<File, uint32_t>, Range> named_arrays_;       // by file and array id
  std::map<uint32_t, uint32_t> constant_count_;                   // declared registers of each buffer
  std::map<File, std::set<uint32_t>> indirect_ids_;               // the array ids of indirect accesses; 0: the whole file
  std::map<std::pair<File, uint32_t>, const Declaration*> declared_;
  std::map<uint32_t, uint32_t> patch_word_;                       // by output register: its first word of a vertex
  uint32_t array_words_ = 0;
};

struct NamedInput { uint32_t reg = 0; ir::Input input; };

class Lowering {
 public:
  Lowering(const Program& program, const LowerOptions& options);
  Result<ir::Program> run();

  // ---- for the handlers of ops.def: the instruction at hand ----
  Builder& b() { return b_; }
  const Instruction& inst() const { return *inst_; }
  const Source& source(uint32_t i) const { return program_.srcs(*inst_)[i]; }
  const Program& program() const { return program_; }
  // As declared, of an indirect view that of the first it may name; UNKNOWN if there is none.
  TextureTarget view_target(const Register& view) const;
  bool is_2007() const { return options_.dialect == Dialect::Tgsi2007; }
  bool legacy_math() const { return legacy_math_; }         // 0 times anything is 0
  Value src(uint32_t i, uint32_t channel);                  // after swizzle and modifiers
  Value modified(uint32_t i, Value value);                  // a source's value after its modifiers
  // The inputs that a source may read: of an indirect one all of its array or file, of undeclared ones none.
  std::vector<NamedInput> inputs_of(uint32_t i, uint32_t channel) const;
  bool enabled(uint32_t channel) const { return mask_ >> channel & 1; }
  void restrict_mask(uint8_t mask) { mask_ &= mask; }
  void set(uint32_t channel, Value value) { results_[channel] = value; }
  void set_all(Value value) { results_.fill(value); }
  void set_second(Value value) { second_result_ = value; }  // all channels of the second destination
  Value offset_word(const Offset& offset, uint32_t channel);
  Value handle(uint32_t i);                                 // of a bindless source: its first word
  Value fetch_target(uint32_t channel) { return registers_.fetch_target(source(0).reg, source(0).swizzle[channel]); }
  void emit_vertex(Value stream) { registers_.emit_vertex(stream); }
  Value index_value(const Index& index) { return registers_.index_value(index); }
  Value register_word(const Register& reg, uint32_t channel) { return registers_.read(registers_.resolve(reg), channel); }
  const Declaration* declaration_of(File file, uint32_t reg) const { return registers_.declaration_of(file, reg); }
  uint32_t private_memory(uint32_t words);                  // the array that holds it, the same at every call

 private:
  struct SwitchLabels { std::vector<uint32_t> pcs; };       // of its CASE and DEFAULT instructions
  struct Frame {
    enum class Kind : uint8_t { If, Loop, Switch, Call } kind = Kind::If;
    Region region;
    // Switch
    const SwitchLabels* labels = nullptr;
    std::vector<Value> conditions;                          // of each label
    Var entered;                                            // lanes that are inside, falling through
    size_t next_label = 0;
    bool in_section = false, falls_through = false;
  };

  bool check_stage();
  void set_facts();
  void set_primitive_facts();
  uint8_t declared_clip_distances() const;
  void find_labels();
  void lower_body(uint32_t first);                          // to the END or ENDSUB that closes it
  void lower_instruction();
  void commit();
  void lower_flow();
  void lower_switch();
  void lower_label();
  void lower_end_switch();
  void lower_call();
  void lower_break();
  void lower_continue();
  void lower_return();
  bool main_returns() const;

  const Program& program_;
  const LowerOptions& options_;
  DiagList diags_;
  Builder b_;
  Registers registers_;
  bool legacy_math_ = false, is_too_large_ = false;
  std::map<uint32_t, SwitchLabels> switch_labels_;          // by the place of SWITCH
  std::vector<Frame> frames_;
  uint32_t steps_ = 0;
  std::optional<uint32_t> private_memory_;

  const Instruction* inst_ = nullptr;
  uint32_t pc_ = 0;
  std::vector<Registers::Place> src_places_;
  uint8_t mask_ = 0;
  std::array<Value, 4> results_;
  Value second_result_;
};

// Where the 32-bit operands and results that belong to the pairs xy and zw are.
enum class NarrowChannels : uint8_t { XY, XZ };

// One operation for each enabled pair: PAIRS(...) and PACKED(...) of ops.def.
void lower_pairs(Lowering& l, Op op, NarrowChannels narrow_channels);

// The handlers that ops.def names with BY(...): lower_alu.cpp, lower_double.cpp, lower_int64.cpp, lower_texture.cpp,
// lower_interpolate.cpp, lower_memory.cpp.
#define OP(name, group, signature, stages, kind, lowering) lowering
#define EACH(op)
#define SCALAR(op)
#define PAIRS(op)
#define PACKED(op)
#define BY(handler) void lower_##handler(Lowering& l);
#define FLOW
#include "shader/tgsi/ops.def"
#undef OP
#undef EACH
#undef SCALAR
#undef PAIRS
#undef PACKED
#undef BY
#undef FLOW

}  // namespace tessera::tgsi
