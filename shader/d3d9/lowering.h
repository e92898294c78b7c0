// shader/d3d9/lowering.h: what the parts of the lowering share: where registers live, and the instruction at hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "shader/builder.h"
#include "shader/d3d9/lower.h"
#include "shader/d3d9/names.h"

namespace tessera::d3d9 {

using ir::Builder;
using ir::Op;
using ir::Region;
using ir::Value;
using ir::Var;
using Vec4 = std::array<Value, 4>;

// Registers as variables of the builder or, where they are addressed relatively, in private arrays of the lane.
class Registers {
 public:
  Registers(Builder& b, const Program& p);

  Value read(const Register& reg, uint32_t component);
  void write(const Register& reg, uint32_t component, Value value);
  void write_outputs();                              // the program's results from their registers
  void set_depth(Value depth);                       // in place of the interpolated one

  Value coordinate(uint32_t stage, uint32_t component);   // t# as it was interpolated
  Value int_constant(uint32_t number, uint32_t component);
  Value bool_constant(uint32_t number);              // not 0: true
  bool is_known_number(const Register& reg, uint32_t component) const;   // a constant of the program that is no NaN

  std::vector<Var> loop_counters;                    // aL of the loops around the instruction at hand

 private:
  using Key = std::pair<File, uint32_t>;

  void find_uses();
  void note(const Register& reg);
  void make_arrays();
  bool is_variable(File file) const;
  const Declaration* declaration_of(File file, uint32_t number) const;
  Value initial(File file, uint32_t number, uint32_t component);
  Value input(const Register& reg, uint32_t component);
  Value attribute(uint32_t number, uint32_t component);
  Value varying(const Declaration& dcl, uint32_t component);
  Value varying(SemanticName name, uint32_t component, bool centroid);
  Value misc(uint32_t number, uint32_t component);
  Value constant(const Register& reg, uint32_t component);
  Value relative_constant(Value index_v, uint32_t component);
  Value limited(Value constant);                     // ps_1_x: to -1..1
  Value index_of(const Register& reg);
  Value array_word(const Register& reg, uint32_t component);
  void write_rasterizer_outputs();
  void write_declared_outputs();
  void write_pixel_outputs();

  Builder& b_;
  const Program& p_;
  const VersionInfo& version_;
  std::map<Key, std::array<Var, 4>> variables_;
  std::map<Key, const Declaration*> declared_;
  std::map<Key, const Definition*> defined_;
  std::map<File, uint32_t> arrays_;                  // of files that are addressed relatively
};

class Lowering {
 public:
  Lowering(const Program& program, const LowerOptions& options);
  Result<ir::Program> run();

  // ---- for the handlers of lowerings.def: the instruction at hand ----
  Builder& b() { return b_; }
  Registers& registers() { return registers_; }
  const Program& program() const { return program_; }
  const VersionInfo& version() const { return version_info(program_.version); }
  const LowerOptions& options() const { return options_; }
  const Instruction& inst() const { return *inst_; }
  const Source& source(uint32_t i) const { return program_.srcs(*inst_)[i]; }
  const Destination& destination() const { return program_.dsts(*inst_)[0]; }
  bool enabled(uint32_t component) const { return mask_ >> component & 1; }
  Value src(uint32_t i, uint32_t component);             // after swizzle and modifier
  Value scalar(uint32_t i) { return src(i, 3); }  // an operand without a replicate swizzle gives its last component
  Value row(uint32_t i, uint32_t register_offset, uint32_t component);   // the same of a register behind the source's
  void set(uint32_t component, Value value) { results_[component] = value; }
  void set_all(Value value) { results_.fill(value); }
  bool is_known_number(uint32_t i, uint32_t component) const;

  Value op(Op op, std::initializer_list<Value> args) { return b_.op(op, args); }
  Value number(float value) { return b_.f32(value); }
  Value multiply(Value a, Value b) { return b_.op(options_.zero_wins ? Op::FMulZ : Op::FMul, {a, b}); }
  Value multiply_add(Value a, Value b, Value c) { return b_.op(options_.zero_wins ? Op::FFmaZ : Op::FFma, {a, b, c}); }
  Value compare(Comparison comparison, Value a, Value b);
  // One fused chain, x first.
  template <class A, class B>
  Value dot(uint32_t count, A a, B b) {
    Value sum = multiply(a(0), b(0));
    for (uint32_t c = 1; c < count; ++c) sum = multiply_add(a(c), b(c), sum);
    return sum;
  }

  std::array<Value, 16>& matrix_rows() { return matrix_rows_; }   // ps_1_x: what texm3x2pad and texm3x3pad leave

  // ---- flow (lower_flow.cpp) ----
  Value condition(const Source& source);                 // of b#, p0 and their negations
  void begin_loop(const Source& counts, bool has_counter);
  void end_loop();
  void leave_loop() { b_.exit(loops_.back().region); }
  void call(uint32_t label);
  void leave_call() { b_.exit(calls_.back()); }
  bool is_last() const;                                  // of the main program or of a subroutine

 private:
  struct Loop {
    Region region;
    Var turns_left;
    std::optional<Value> step;                           // of aL
  };
  // Results that wait to be written.
  struct Pending {
    const Instruction* inst = nullptr;
    Vec4 results;
  };

  void find_labels();
  void lower_body(uint32_t first);                       // to the label behind it
  void lower_instruction();
  void write(const Pending& pending);
  void write_scalar(const Pending& pending, const Destination& dst);
  Value shifted(const Destination& dst, Value value);
  Value read_source(const Source& s, const Register& reg, uint32_t component);
  bool reads_half_pair() const;                          // the next instruction belongs to this one

  const Program& program_;
  const LowerOptions& options_;
  Builder b_;
  Registers registers_;
  std::map<uint32_t, uint32_t> labels_;                  // by number: the instruction behind the label
  std::vector<Loop> loops_;
  std::vector<Region> calls_;
  std::vector<Diag> diags_;
  uint32_t steps_ = 0, pc_ = 0;

  const Instruction* inst_ = nullptr;
  uint8_t mask_ = 0;
  Vec4 results_;
  std::optional<Pending> first_of_pair_;
  std::array<Value, 16> matrix_rows_;
};

// The handlers that lowerings.def names: lower_alu.cpp, lower_flow.cpp, lower_texture.cpp, lower_texture_1.cpp.
#define LOWERING(name, lowering) lowering
#define EACH(op)
#define BY(handler) void lower_##handler(Lowering& l);
#define NOTHING
#include "shader/d3d9/lowerings.def"
#undef LOWERING
#undef EACH
#undef BY
#undef NOTHING

}  // namespace tessera::d3d9
