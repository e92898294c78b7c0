// shader/passes/passes.h: each pass by itself; pipeline.h runs them in order.
#pragma once

#include "shader/ir.h"

namespace tessera::ir {

// Operations on constants become constants, through the interpreter's own steps. A NaN of arithmetic is 0x7fc00000.
void fold_constants(Program& program);

// FMulZ and FFmaZ become FMul and FFma where it is plain that no factor is 0 beside one that is infinite or NaN.
void make_products_plain(Program& program);

// Identities that keep every bit: x + 0 of integers, --x; a + -b becomes a - b, and so on for all signs.
void simplify(Program& program);

// Uniform operations (pure, on constants and constant buffers alone) move to the front of the program, out of all regions.
void hoist_uniforms(Program& program);

// One instruction for all that compute the same. Operations that look at other lanes are shared only where the same
// lanes run.
void share_common(Program& program);

// Region results that always have one and the same value become that value; blocks that nobody leaves early disappear.
void propagate_copies(Program& program);

// What no output and no effect needs goes: instructions, results of regions one by one, whole Ifs. Loops stay: they may
// run over the budget.
void remove_dead(Program& program);

// Two exits from one region with the same values, a few quick operations apart, become one under either condition.
void merge_exits(Program& program);

// Ifs whose halves hold a few quick operations at most run both halves and select.
void select_short_ifs(Program& program);

// FCanon behind arithmetic whose result's bits become visible: used as an integer, stored, or written to an output that
// is no colour or depth.
void canonicalize_nans(Program& program);

// Inputs that no instruction reads go: they would be fetched or interpolated for nothing.
void drop_unread_inputs(Program& program);

}  // namespace tessera::ir
