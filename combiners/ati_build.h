// combiners/ati_build.h: a program of ATI_fragment_shader, call by call, as the extension and text formats give it:
// routes of the first pass, its instructions, then perhaps routes and instructions of a second.
// Errors: what the extension refuses, with its class of error; a refused call changes nothing.
#pragma once

#include "combiners/rules.h"

namespace tessera::combiners {

class AtiBuilder {
 public:
  std::optional<Violation> route(uint32_t target, const AtiRoute& route);
  // A colour instruction begins a pair; an alpha instruction directly behind it completes the pair, else it begins one.
  std::optional<Violation> color(const AtiInstruction& instr);
  std::optional<Violation> alpha(const AtiInstruction& instr);
  // What can only be known at the end; the program is then of no use.
  std::optional<Violation> end() const;

  const AtiFragmentShader& shader() const { return shader_; }       // as it is so far; constants are the caller's

 private:
  AtiPass& pass() { return shader_.passes[shader_.pass_count - 1]; }
  const AtiPass& pass() const { return shader_.passes[shader_.pass_count - 1]; }
  std::optional<Violation> add(const AtiInstruction& instr, bool is_alpha);

  AtiFragmentShader shader_;
  bool has_instructions_ = false;            // of the current pass
  bool color_is_last_ = false;
  bool interpolates_early_ = false;          // an interpolator is read in the first pass
  std::array<std::optional<bool>, kTextureUnits> reads_q_;          // by coordinate: its third component is q, or r
};

// A whole program, whatever made it.
std::optional<Violation> check_ati(const AtiFragmentShader& shader);

}  // namespace tessera::combiners
