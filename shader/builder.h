// shader/builder.h: writes IR for front ends. Variables in, SSA out: a front end declares mutable variables and
// reads and writes them anywhere; the builder makes the joins.
//
//     Builder b(ir::Stage::Fragment);
//     Var x = b.var(b.f32(0.0f));
//     b.begin_if(cond);  b.write(x, b.op(Op::FAdd, b.read(x), one));  b.begin_else();  ...  b.end_if();
//     b.output(Semantic::Color, 0, 0, b.read(x));
//     Result<ir::Program> p = b.finish();
//
// Folds nothing and shares nothing: that is the passes' work. Misuse (an operand out of scope, wrong counts) CHECKs:
// front ends validate before they lower.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "shader/ir.h"

namespace tessera::ir {

struct Value { ValueId id = kNoValue; };
struct Var { uint32_t id = ~0u; };
struct Region { uint32_t id = ~0u; };   // a Block or Loop to leave or repeat

class Builder {
 public:
  explicit Builder(Stage stage);
  ~Builder();

  void at(SourceLoc loc);                                    // location of the instructions that follow

  Value u32(uint32_t bits);                                  // constants
  Value f32(float value);
  Value input(const Input& input);                           // the same Input twice is one entry
  Value vertex_input(Input input, Value vertex);             // of one vertex of the lane's primitive
  Value constant(uint32_t buffer, uint32_t word);            // word of a constant buffer at a fixed place
  Value constant_at(uint32_t buffer, Value word);            // at a place a lane; beyond the end reads 0

  Value op(Op op, std::initializer_list<Value> args);        // one result; pure and derivative operations
  void op_multi(Op op, std::span<const Value> args, uint32_t imm, std::span<Value> results);
  void texture(const TextureOp& t, std::span<const Value, tex_arg::Count> args, Value results[4]);
  uint32_t texture_binding(uint32_t view, uint32_t sampler); // index for TextureOp::binding

  // `op`: a memory operation. results.size(): as many as verify() allows; `args` as mem_arg says.
  void memory(Op op, const MemoryOp& m, std::span<const Value, mem_arg::Count> args, std::span<Value> results);
  void barrier();

  Var var(Value initial);
  Value read(Var v);
  void write(Var v, Value value);

  uint32_t private_array(uint32_t words);                    // per-lane memory, initially 0
  Value array_load(uint32_t array, Value index);             // out of range: 0
  void array_store(uint32_t array, Value index, Value value);   // out of range: dropped; running lanes only

  void begin_if(Value condition);                            // lanes where condition != 0
  void begin_else();
  void end_if();
  Region begin_block();
  void end_block();
  Region begin_loop();                                       // end_loop falls into the next turn; exit() leaves
  void end_loop();
  void exit(Region target);                                  // running lanes leave the region
  void again(Region target);                                 // running lanes go to the loop's next turn
  bool reachable() const;                                    // false after exit/again until the region ends

  void kill_if(Value condition);                             // lanes become helpers where condition != 0
  void output(Semantic semantic, uint32_t index, uint32_t component, Value value);
  // Geometry: what Emit's words are, in their order.
  void emitted_output(Semantic semantic, uint32_t index, uint32_t component, uint32_t stream);
  void emit(Value stream, std::span<const Value> words);     // a word for each emitted output

  size_t size() const;                                       // operands so far, and values that jumps carry
  Program& program();                                        // for the facts that are not code
  Program finish();                                          // closes the program; verify() holds for it

 private:
  struct State;
  std::unique_ptr<State> s_;
};

}  // namespace tessera::ir
