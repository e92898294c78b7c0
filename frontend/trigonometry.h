// frontend/trigonometry.h: sine and cosine for scenes and meshes, of an angle in turns: whole turns change nothing,
// and quarter turns are exact. On core/math.h, so the same bits on every machine.
#pragma once

namespace tessera {

double sin_turns(double turns);
double cos_turns(double turns);

}  // namespace tessera
