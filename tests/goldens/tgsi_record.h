// tests/goldens/tgsi_record.h: one line of a TGSI golden-vector file as plain data. Throws BadRecord.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "tests/goldens/golden.h"

namespace tessera::goldens {

inline constexpr uint32_t kLanes = 4;
using Lanes = std::array<uint32_t, kLanes>;      // a word in each lane
using RegisterWords = std::array<Lanes, 4>;      // by channel

struct TextureDesc {
  std::string target;
  uint32_t width = 1, height = 1, depth = 1, levels = 1, samples = 1;
  bool is_uint = false, is_shadow = false;
};

struct ImageDesc {
  uint32_t width = 1, height = 1, depth = 1;
  std::vector<uint32_t> texels;                    // four words each
};

using VertexWords = std::map<uint32_t, std::array<uint32_t, 4>>;     // by register: x y z w

struct EmittedPrimitive {
  uint32_t stream = 0;
  std::vector<VertexWords> vertices;
};

struct Tolerance {
  uint64_t ulp = 0, ulp64 = 0;
  double absolute = 0;
};

// An input as a plane over the window: (a0 + dadx * x + dady * y), in perspective divided by the lane's w.
struct InputPlane {
  bool perspective = false;
  std::array<uint32_t, 4> a0{}, dadx{}, dady{};    // by channel, bits of floats
};

struct TgsiRecord {
  std::string id, stage, text;
  bool is_2007 = false;
  std::map<uint32_t, RegisterWords> inputs, sysvals, outputs;
  std::map<uint32_t, RegisterWords> framebuffer;                       // by colour target
  std::vector<VertexWords> vertex_inputs;                              // geometry: by vertex
  std::vector<EmittedPrimitive> primitives;                            // geometry: stream by stream
  std::map<uint32_t, std::vector<uint32_t>> constants;                 // by buffer
  std::map<uint32_t, TextureDesc> textures;                            // by unit
  std::map<uint32_t, InputPlane> planes;                               // by input
  Lanes quad_w{};                                                      // given with planes
  std::map<uint32_t, std::vector<uint32_t>> buffers, buffers_out;      // by BUFFER; what changes
  std::map<uint32_t, ImageDesc> images;
  std::map<uint32_t, std::vector<uint32_t>> images_out;
  std::vector<uint32_t> shared;
  uint32_t live = 15, kill = 0;
  Tolerance tolerance;
  std::map<uint32_t, std::array<std::string, 4>> classes;              // by output: a letter a lane for each channel
  std::map<std::string, std::string> word_classes;                     // "buf0", "img0": a letter a word
  std::map<std::string, std::set<uint32_t>> alternatives;              // "register.channel.lane", "buf0.word"
};

TgsiRecord parse_tgsi_record(const Json& json);

}  // namespace tessera::goldens
