// Packed 8-bit unorm channels.
#include "shader/jit_ops.h"

namespace tessera::jit {

using emit::Inst;
using emit::Ymm;

// What fits no integer becomes the smallest one, NaN too; the packs saturate it, like every negative number, to 0.
void jit_PackUnorm8(Lane& lane) {
  constexpr uint32_t kOne = 0x3f800000u, kByte[4] = {0x0c080400u, 0x0d090501u, 0x0e0a0602u, 0x0f0b0703u};
  Registers& r = lane.r;
  const Ymm one = lane.constant_register(kOne);
  Ymm packed[2];
  for (uint32_t half = 0; half < 2; ++half) {
    Ymm channels[2];
    for (uint32_t k = 0; k < 2; ++k) {
      channels[k] = r.temporary();
      lane.e.emit(Inst::vminps, channels[k], one, r.any(2 * half + k));    // NaN stays NaN: the second operand
      lane.apply(Inst::vmulps, channels[k], lane.e.constant(255.0f));
      lane.e.emit(Inst::vcvtps2dq, channels[k], channels[k]);
    }
    packed[half] = channels[0];
    lane.apply(Inst::vpackssdw, packed[half], channels[1]);
    r.give_back(channels[1]);
  }
  lane.apply(Inst::vpackuswb, packed[0], packed[1]);
  lane.apply(Inst::vpshufb, packed[0],
             lane.e.constant({kByte[0], kByte[1], kByte[2], kByte[3], kByte[0], kByte[1], kByte[2], kByte[3]}));
  r.set_result(packed[0]);
}

// k / 255: 1/255 in two floats; their sum is rounded once, and comes out right for all 256 values.
void jit_UnpackUnorm8(Lane& lane) {
  Registers& r = lane.r;
  const Ymm a = r.in_register(0), number = r.temporary(), result = r.temporary();
  lane.e.emit(Inst::vpand, number, a, lane.e.constant(255u));
  lane.e.emit(Inst::vcvtdq2ps, number, number);
  lane.e.emit(Inst::vmulps, result, number, lane.e.constant(-0x1.fdfdfep-33f));
  lane.e.emit(Inst::vfmadd231ps, result, number, lane.e.constant(0x1.010102p-8f));
  r.set_result(result);
}

}  // namespace tessera::jit
