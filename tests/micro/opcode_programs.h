// tests/micro/opcode_programs.h: TGSI programs that do one thing several times, for each opcode.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::micro {

inline constexpr uint32_t kCopies = 8;   // of the opcode in its program

// What the registers IN[0..7] hold: floats from 0.5 to 2; texture coordinates of a pixel grid; texels of it; byte
// offsets, 16 apart; words that are 0 but in a few lanes, which differ from register to register.
enum class Data : uint8_t { Floats, Coordinates, Texels, Offsets, Sparse };

// The textures of the units that the programs name.
enum Unit : uint32_t { kColor, kDepth, kSamples, kCubes, kDepthCubes, kUnits };

struct OpcodeProgram {
  std::string group, name;   // an opcode, or those that make sense together only
  Data data = Data::Floats;
  std::string text;
  std::string rest;          // what else the text does: its time does not count
};

std::vector<OpcodeProgram> opcode_programs();

}  // namespace tessera::micro
