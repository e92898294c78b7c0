// tests/fuzz/vtest_seeds.cpp: writes the streams that fuzzing of the vtest server begins with: `vtest_seeds FOLDER`.
// Each is what a real client could send, with the contents of buffers inside the stream: its shared memory is all
// zeros.
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/unit/vtest/client.h"

namespace {

using tessera::tests::bits_of;
using tessera::tests::command;
using tessera::tests::joined;
using tessera::tests::program;
using Words = std::vector<uint32_t>;

// Handles of resources.
enum : uint32_t { kTarget = 1, kDepth, kVertices, kIndices, kTexture, kBuffer, kResult, kSamples, kIndirect };
constexpr uint32_t kSide_px = 16, kBgra = 1, kDepthStencil = 19, kR32Uint = 193, kFloat4 = 31;

constexpr std::string_view kVertexText =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0]\n"
    "  0: ADD OUT[0], IN[0], CONST[0]\n  1: MOV OUT[1], IN[1]\n  2: END\n";
constexpr std::string_view kFragmentText =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, "
    "FLOAT\n"
    "IMM[0] FLT32 {1.0, 0.5, 0.25, 0.0}\n  0: TEX TEMP[0], IN[0], SAMP[0], 2D\n  1: DDX TEMP[1], IN[0]\n"
    "  2: FSLT TEMP[1].x, IN[0].xxxx, IMM[0].yyyy\n  3: UIF TEMP[1].xxxx\n  4: ADD TEMP[0], TEMP[0], IN[0]\n  5: "
    "ENDIF\n"
    "  6: MOV OUT[0], TEMP[0]\n  7: END\n";
constexpr std::string_view kGeometryText =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "  0: MOV OUT[0], IN[0][0]\n  1: MOV OUT[1], IN[0][1]\n  2: EMIT IMM[0].xxxx\n"
    "  3: MOV OUT[0], IN[1][0]\n  4: MOV OUT[1], IN[1][1]\n  5: EMIT IMM[0].xxxx\n"
    "  6: MOV OUT[0], IN[2][0]\n  7: MOV OUT[1], IN[2][1]\n  8: EMIT IMM[0].xxxx\n  9: ENDPRIM IMM[0].xxxx\n 10: END\n";
constexpr std::string_view kControlText =
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
    "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\nDCL ADDR[0]\n"
    "IMM[0] FLT32 {3.0, 2.0, 1.0, 0.0}\n  0: UARL ADDR[0].x, SV[0].xxxx\n  1: MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
    "  2: MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n  3: MOV OUT[2], IMM[0]\n  4: MOV OUT[3].xy, IMM[0].xxxx\n  5: "
    "END\n";
constexpr std::string_view kEvaluationText =
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 1\nPROPERTY TES_VERTEX_ORDER_CW 0\n"
    "PROPERTY TES_POINT_MODE 0\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], TESSCOORD\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n  0: MUL TEMP[0], IN[0][0], SV[0].xxxx\n"
    "  1: MAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]\n  2: MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]\n"
    "  3: MOV OUT[1], IN[0][1]\n  4: END\n";
constexpr std::string_view kComputeText =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
    "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\nDCL "
    "TEMP[0..2]\n"
    "IMM[0] UINT32 {4, 0, 7, 1}\n  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n  1: STORE MEMORY[0].x, TEMP[0].xxxx, "
    "SV[0]\n"
    "  2: BARRIER\n  3: LOAD TEMP[1].x, MEMORY[0], TEMP[0].xxxx\n  4: ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].yyyy, "
    "TEMP[1].xxxx\n"
    "  5: STORE IMAGE[0], SV[0].xyyy, TEMP[2].xxxx, 2D, PIPE_FORMAT_R32_UINT\n  6: END\n";

Words request(uint32_t id, Words payload) {
  payload.insert(payload.begin(), {static_cast<uint32_t>(payload.size()), id});
  return payload;
}

// RESOURCE_CREATE2 with shared memory for `area_bytes`.
Words resource(uint32_t handle, uint32_t target, uint32_t format, uint32_t width, uint32_t height, uint32_t area_bytes,
               uint32_t samples = 0) {
  return request(12, {handle, target, format, 0xff, width, height, 1, 1, 0, samples, area_bytes});
}

// RESOURCE_INLINE_WRITE of a whole buffer.
Words fill_buffer(uint32_t handle, const Words& contents) {
  Words payload = {handle, 0, 0, 0, 0, 0, 0, 0, static_cast<uint32_t>(4 * contents.size()), 1, 1};
  payload.insert(payload.end(), contents.begin(), contents.end());
  return command(9, 0, payload);
}

Words floats(std::initializer_list<float> values) {
  Words words;
  for (const float value : values) words.push_back(bits_of(value));
  return words;
}

// Requests before the first draw, and a submission that sets up sub-context 1: targets, objects, programs, buffers.
Words start() {
  return joined({{4, 8, 0x0074},
                 request(10, {}),
                 request(7, {0, 0}),
                 request(11, {2}),
                 request(9, {}),
                 request(1, {}),
                 resource(kTarget, 2, kBgra, kSide_px, kSide_px, kSide_px * kSide_px * 4),
                 resource(kDepth, 2, kDepthStencil, kSide_px, kSide_px, kSide_px * kSide_px * 4),
                 resource(kVertices, 0, 64, 128, 1, 128),
                 resource(kIndices, 0, 64, 16, 1, 16),
                 resource(kTexture, 2, kBgra, 8, 8, 256),
                 resource(kBuffer, 0, 64, 256, 1, 256),
                 resource(kResult, 0, 64, 16, 1, 16),
                 resource(kSamples, 2, kBgra, kSide_px, kSide_px, 0, 4),
                 resource(kIndirect, 0, 64, 40, 1, 40)});
}

Words set_up() {
  const uint32_t rasterizer = 1u << 1 | 1u << 7 | 1u << 15 | 1u << 29;
  const float half = kSide_px / 2;
  Words vertices = joined({floats({-1, -1, 0, 1, 0, 0, 0, 1}), floats({1, -1, 0, 1, 1, 0, 0, 1}),
                           floats({-1, 1, 0, 1, 0, 1, 0, 1}), floats({1, 1, 0.5f, 1, 1, 1, 0, 1})});
  return joined({command(29, 0, {1}),
                 command(28, 0, {1}),
                 command(1, 8, {1, kTarget, kBgra, 0, 0}),
                 command(1, 8, {2, kDepth, kDepthStencil, 0, 0}),
                 command(5, 0, {1, 2, 1}),
                 command(38, 0, {0, 0}),
                 command(1, 1, {3, 0, 0, 15u << 27, 15u << 27, 0, 0, 0, 0, 0, 0}),
                 command(2, 1, {3}),
                 command(1, 2, {4, rasterizer, bits_of(1), 0, 0, bits_of(1), 0, 0, 0}),
                 command(2, 2, {4}),
                 command(1, 3, {5, 3 | 3u << 2, 0, 0, 0}),
                 command(2, 3, {5}),
                 command(1, 5, {6, 0, 0, 0, kFloat4, 16, 0, 0, kFloat4}),
                 command(2, 5, {6}),
                 joined({{4 | 7u << 16, 0}, floats({half, half, 0.5f, half, half, 0.5f})}),
                 command(15, 0, {0, 0, kSide_px | kSide_px << 16}),
                 program(7, 0, kVertexText),
                 command(31, 0, {7, 0}),
                 program(8, 1, kFragmentText),
                 command(31, 0, {8, 1}),
                 command(12, 0, {0, 0, 0, 0, 0, 0}),
                 fill_buffer(kVertices, vertices),
                 fill_buffer(kIndices, {0x00020100, 0x03010202, 0, 0}),
                 command(6, 0, {32, 0, kVertices}),
                 command(1, 7, {9, 0x1200, 0, 0, bits_of(4), 0, 0, 0, 0}),
                 command(18, 0, {1, 0, 9}),
                 command(1, 6, {10, kTexture, kBgra | 2u << 24, 0, 0, 0 | 1 << 3 | 2 << 6 | 3 << 9}),
                 command(10, 0, {1, 0, 10}),
                 command(47, 0, {kTexture, 0, 0, 0, 0, 8, 8, 1, 0xff8040c0, 0, 0, 0})});
}

Words clear_all() {
  const uint64_t one = std::bit_cast<uint64_t>(1.0);
  return command(7, 0,
                 {7, bits_of(0.5f), 0, 0, bits_of(1), static_cast<uint32_t>(one), static_cast<uint32_t>(one >> 32), 0});
}

Words draw(uint32_t mode, uint32_t count) { return command(8, 0, {0, count, mode, 0, 1, 0, 0, 0, 0, 0, ~0u, 0}); }

// The rest of a stream: one submission, the picture fetched, a wait, and the window gone.
Words stream(std::initializer_list<Words> commands) {
  Words all = set_up();
  const Words more = joined(commands);
  all.insert(all.end(), more.begin(), more.end());
  return joined({start(), request(6, all),
                 request(13, {kTarget, 0, 0, 0, 0, kSide_px, kSide_px, 1, kSide_px * kSide_px * 4, 0}),
                 request(7, {kTarget, 1}), request(3, {kTarget})});
}

Words drawing() {
  return stream({clear_all(), draw(5, 4), command(11, 0, {kIndices, 1, 0}),
                 command(8, 0, {0, 6, 4, 1, 2, 0, 0, 1, 0xff, 0, 3, 0}), command(13, 0, {0x0101}),
                 command(24, 0, {~0u}), command(14, 0, floats({0.5f, 0.5f, 0.5f, 1})), draw(1, 4), draw(0, 4)});
}

Words indirect() {
  return stream({clear_all(), fill_buffer(kIndirect, {3, 1, 0, 0, 4, 1, 0, 0, 0, 0}),
                 command(8, 0, {0, 0, 5, 0, 1, 0, 0, 0, 0, 0, ~0u, 0, 0, 0, kIndirect, 0, 16, 2, 0, 0})});
}

Words copies() {
  return stream(
      {clear_all(), command(43, 0, {kTexture, 0, 2, 0, 0, 0, 0, 0, 8, 8, 1, 0, 1}),
       command(45, 0, {kTexture, 0, 2, 8, 0, 6, 1, 0, 2, 2, 1, kBuffer, 16, 1}),
       command(17, 0, {kTarget, 0, 0, 0, 0, kTexture, 0, 0, 0, 0, 8, 8, 1}),
       command(16, 0, {0x10f, 0, 0, kTarget, 0, kBgra, 0, 0, 0, 16, 16, 1, kTexture, 0, kBgra, 8, 8, 0, ~7u, ~7u, 1}),
       command(1, 8, {20, kSamples, kBgra, 0, 0}), command(5, 0, {1, 0, 20}), draw(5, 4),
       command(16, 0, {0xf, 0, 0, kTarget, 0, kBgra, 0, 0, 0, 16, 16, 1, kSamples, 0, kBgra, 0, 0, 0, 16, 16, 1})});
}

Words queries() {
  Words streamed = program(30, 0, kVertexText);  // one output: OUT[0].xyzw to buffer 0
  streamed[0] += 6u << 16;
  streamed[5] = 1;
  const Words layout = {4, 0, 0, 0, 0 | 4u << 10, 0};
  streamed.insert(streamed.begin() + 6, layout.begin(), layout.end());
  return stream({clear_all(), command(1, 9, {21, 0, 0, kResult}), command(19, 0, {21}), draw(5, 4),
                 command(20, 0, {21}), command(21, 0, {21, 0}), command(42, 0, {21, kBuffer, 1, 1, 0, 0}),
                 command(26, 0, {21, 0, 0}), draw(4, 3), command(26, 0, {0, 0, 0}), streamed, command(31, 0, {30, 0}),
                 command(1, 10, {22, kBuffer, 0, 256}), command(25, 0, {0, 22}), draw(4, 3), command(25, 0, {0}),
                 command(6, 0, {16, 0, kBuffer}), command(8, 0, {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, ~0u, 256})});
}

Words geometry() { return stream({clear_all(), program(11, 2, kGeometryText), command(31, 0, {11, 2}), draw(5, 4)}); }

Words tessellation() {
  return stream({clear_all(), program(12, 3, kControlText), command(31, 0, {12, 3}), program(13, 4, kEvaluationText),
                 command(31, 0, {13, 4}), command(32, 0, floats({2, 2, 2, 2, 2, 2})),
                 command(8, 0, {0, 3, 14, 0, 1, 0, 0, 0, 0, 0, ~0u, 0, 3, 0})});
}

Words grids() {
  Words compute = program(14, 5, kComputeText);
  compute[5] = 32;  // bytes of shared memory
  return joined({start(), resource(20, 2, kR32Uint, 8, 8, 256),
                 request(6, joined({set_up(), compute, command(31, 0, {14, 5}), command(34, 0, {5, 0, 0, 256, kBuffer}),
                                    command(35, 0, {5, 0, kR32Uint, 3, 0, 0, 20}), command(36, 0, {1}),
                                    command(37, 0, {8, 1, 1, 2, 1, 1, 0, 0})})),
                 request(13, {20, 0, 0, 0, 0, 8, 8, 1, 256, 0}), request(7, {20, 1})});
}

bool write_stream(const std::filesystem::path& file, const Words& words) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (!out) return false;
  std::fputc(0, out);  // the executor
  const size_t written = std::fwrite(words.data(), 4, words.size(), out);
  return std::fclose(out) == 0 && written == words.size();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  const std::pair<const char*, Words> streams[] = {
      {"drawing", drawing()},   {"indirect", indirect()},         {"copies", copies()}, {"queries", queries()},
      {"geometry", geometry()}, {"tessellation", tessellation()}, {"grids", grids()}};
  for (const auto& [name, words] : streams)
    if (!write_stream(folder / name, words)) return 1;
  return 0;
}
