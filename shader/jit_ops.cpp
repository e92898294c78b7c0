#include "shader/jit_ops.h"

#include "core/check.h"

namespace tessera::jit {

using emit::Inst;
using emit::Ymm;

std::optional<uint32_t> Lane::constant(uint32_t operand) const {
  const ir::Instr* definition = plan.constant[value(operand)];
  return definition ? std::optional(definition->imm) : std::nullopt;
}

bool Lane::is_never_nan(uint32_t operand) const {
  const std::optional<uint32_t> bits = constant(operand);
  return bits && (*bits & 0x7fffffffu) <= 0x7f800000u;
}

void Lane::unary(Inst inst) {
  const emit::Operand a = r.any(0);
  const Ymm result = r.result();
  e.emit(inst, result, a);
  r.set_result(result);
}

void Lane::binary(Inst inst, bool commutes) {
  const bool swap = commutes && !r.is_in_register(0) && r.is_in_register(1);
  const Ymm a = r.in_register(swap ? 1 : 0);
  const emit::Operand b = r.any(swap ? 0 : 1);
  const Ymm result = r.result();
  e.emit(inst, result, a, b);
  r.set_result(result);
}

Ymm Lane::constant_register(uint32_t word) {
  const Ymm reg = r.temporary();
  e.emit(Inst::vmovaps, reg, e.constant(word));
  return reg;
}

Ymm Lane::zero() {
  const Ymm reg = r.temporary();
  e.emit(Inst::vxorps, reg, reg, reg);
  return reg;
}

// ---- the table -----------------------------------------------------------------------------------------------------

namespace {

// What the interpreter's steps run: rare ones, or long ones beside which a call is cheap ...
constexpr LaneWriter kNone = nullptr;
constexpr LaneWriter jit_FSin = kNone, jit_FCos = kNone, jit_FLdexp = kNone, jit_BitReverse = kNone,
    jit_PopCount = kNone, jit_LowBit = kNone, jit_UHighBit = kNone, jit_IHighBit = kNone, jit_UExtract = kNone,
    jit_IExtract = kNone, jit_Insert = kNone, jit_IMulHi = kNone, jit_UMulHi = kNone, jit_IDiv = kNone,
    jit_UDiv = kNone, jit_IMod = kNone, jit_UMod = kNone, jit_PackHalf = kNone, jit_PackUnorm16 = kNone,
    jit_PackSnorm8 = kNone, jit_UnpackHalf = kNone, jit_UnpackUnorm16 = kNone,
    jit_UnpackSnorm8 = kNone;
// ... those on 64-bit values ...
constexpr LaneWriter jit_DAdd = kNone, jit_DMul = kNone, jit_DDiv = kNone, jit_DFma = kNone, jit_DMin = kNone,
    jit_DMax = kNone, jit_DNeg = kNone, jit_DAbs = kNone, jit_DSign = kNone, jit_DFloor = kNone, jit_DCeil = kNone,
    jit_DTrunc = kNone, jit_DRound = kNone, jit_DFract = kNone, jit_DRcp = kNone, jit_DSqrt = kNone,
    jit_DRsq = kNone, jit_DLdexp = kNone, jit_DMantissa = kNone, jit_DExponent = kNone, jit_DLt = kNone,
    jit_DGe = kNone, jit_DEq = kNone, jit_DNe = kNone, jit_I64Add = kNone, jit_I64Mul = kNone, jit_I64Neg = kNone,
    jit_I64Abs = kNone, jit_I64Sign = kNone, jit_I64Min = kNone, jit_I64Max = kNone, jit_U64Min = kNone,
    jit_U64Max = kNone, jit_I64Div = kNone, jit_U64Div = kNone, jit_I64Mod = kNone, jit_U64Mod = kNone,
    jit_I64Shl = kNone, jit_I64Shr = kNone, jit_U64Shr = kNone, jit_I64Lt = kNone, jit_I64Ge = kNone,
    jit_U64Lt = kNone, jit_U64Ge = kNone, jit_I64Eq = kNone, jit_I64Ne = kNone, jit_FToD = kNone, jit_IToD = kNone,
    jit_UToD = kNone, jit_I64ToD = kNone, jit_U64ToD = kNone, jit_DToF = kNone, jit_I64ToF = kNone,
    jit_U64ToF = kNone, jit_DToI = kNone, jit_DToU = kNone, jit_DToI64 = kNone, jit_DToU64 = kNone,
    jit_FToI64 = kNone, jit_FToU64 = kNone;
// ... and those that work on the whole block, or know more than lanes.
constexpr LaneWriter jit_Const = kNone, jit_Input = kNone, jit_VertexInput = kNone, jit_LoadConst = kNone,
    jit_ArrayLoad = kNone, jit_ArrayStore = kNone, jit_VoteAny = kNone, jit_VoteAll = kNone, jit_VoteEq = kNone,
    jit_Ballot = kNone, jit_ReadFirst = kNone, jit_ReadLane = kNone, jit_LaneInQuad = kNone, jit_IsHelper = kNone,
    jit_Texture = kNone, jit_MemLoad = kNone, jit_MemStore = kNone, jit_MemAtomic = kNone, jit_MemSize = kNone,
    jit_MemFence = kNone, jit_Clock = kNone, jit_SamplePosX = kNone, jit_SamplePosY = kNone, jit_Emit = kNone,
    jit_EndPrimitive = kNone;
// jit_products.cpp writes several of these at once.
void never_alone(Lane&) { TESSERA_CHECK(false); }
constexpr LaneWriter jit_FMulZ = never_alone, jit_FFmaZ = never_alone;
// jit_function.cpp writes these as masks and branches.
constexpr LaneWriter jit_KillIf = kNone, jit_Barrier = kNone, jit_If = kNone, jit_Else = kNone, jit_EndIf = kNone,
    jit_Block = kNone, jit_EndBlock = kNone, jit_Loop = kNone, jit_EndLoop = kNone, jit_Exit = kNone,
    jit_Again = kNone;

constexpr LaneWriter kWriters[] = {
#define OP(name, ...) jit_##name,
#include "shader/opcodes.def"
#undef OP
};

}  // namespace

LaneWriter lane_writer(ir::Op op) { return kWriters[static_cast<size_t>(op)]; }

}  // namespace tessera::jit
