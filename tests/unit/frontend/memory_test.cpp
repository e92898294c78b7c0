// Buffers and images that programs write: from draws, from grids, in order with everything else, and what is refused.
#include <catch2/catch.hpp>

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "frontend/device.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

using namespace tessera;
using ir::MemorySpace;
using ir::Stage;

namespace {

constexpr std::string_view kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n";
constexpr std::string_view kRed = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
// Counts fragments in word 0 of BUFFER[0].
constexpr std::string_view kCount =
    "FRAG\n{}DCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {{0, 1, 0, 0}}\nIMM[1] FLT32 {{0, 1, 0, 1}}\n"
    "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n{}MOV OUT[0], IMM[1]\nEND\n";
// Fragment (x, y) stores its number 16 y + x + CONST[0].x at its texel of IMAGE[0].
constexpr std::string_view kNumber =
    "FRAG\nDCL IN[0], POSITION\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL "
    "TEMP[0..1]\n"
    "IMM[0] UINT32 {16, 0, 0, 0}\nIMM[1] FLT32 {0, 0, 1, 1}\nF2U TEMP[0], IN[0]\nUMAD TEMP[1].x, TEMP[0].yyyy, "
    "IMM[0].xxxx, TEMP[0].xxxx\n"
    "UADD TEMP[1].x, TEMP[1].xxxx, CONST[0].xxxx\nSTORE IMAGE[0], TEMP[0], TEMP[1].xxxx, 2D, PIPE_FORMAT_R32_UINT\n"
    "MOV OUT[0], IMM[1]\nEND\n";

struct Fixture {
  std::unique_ptr<Device> device;
  Context& c;
  ResourceRef target, depth, corners, words;

  explicit Fixture(DeviceOptions options = {.raster = {.threads = 2, .tile_size_px = 16}})
      : device(std::move(Device::create(options).value())), c(device->context()) {
    target = device->create_image({.width = 64, .height = 64}).value();
    depth = device->create_image({.format = Format::Z32_FLOAT, .width = 64, .height = 64}).value();
    const float positions[] = {-1, -1, 0, 3, -1, 0, -1, 3, 0};
    corners = device->create_buffer(std::as_bytes(std::span(positions))).value();
    words = buffer(std::vector<uint32_t>(64));
    const raster::VertexElement element{.format = Format::R32G32B32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    REQUIRE(c.set_vertex_buffer(0, corners, 12));
    REQUIRE(c.set_color_target(0, {target}));
    REQUIRE(c.set_depth_target({depth}));
    REQUIRE(c.clear_color({0, 0, 0, 1}));
    REQUIRE(c.clear_depth(0.5f));
    use(Stage::Vertex, kVertex);
    use(Stage::Fragment, kRed);
  }

  ResourceRef buffer(const std::vector<uint32_t>& contents) {
    return device->create_buffer(std::as_bytes(std::span(contents))).value();
  }
  void use(Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  std::vector<uint32_t> read(const ResourceRef& buffer) {
    const Result<std::vector<std::byte>> bytes = c.read_bytes(buffer);
    REQUIRE(bytes.ok());
    std::vector<uint32_t> found(bytes->size() / 4);
    std::memcpy(found.data(), bytes->data(), found.size() * 4);
    return found;
  }
  void count_fragments(std::string_view properties = "", std::string_view code = "") {
    use(Stage::Fragment, fmt::format(fmt::runtime(kCount), properties, code));
    REQUIRE(c.set_memory(Stage::Fragment, MemorySpace::Buffer, 0, {.resource = words}));
  }
};

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }

}  // namespace

TEST_CASE_METHOD(Fixture, "every covered fragment updates a buffer once; helpers do not", "[memory]") {
  count_fragments();
  REQUIRE(c.draw({.count = 3}));
  CHECK(read(words)[0] == 64 * 64);
  const float small[] = {-1, -1, 0, -0.9f, -1, 0, -1, -0.9f, 0};    // some pixels of a corner
  REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(small))).value(), 12));
  c.renderer().reset_counters();
  REQUIRE(c.draw({.count = 3}));
  const uint32_t counted = read(words)[0] - 64 * 64;
  CHECK(counted == c.renderer().counters().fragments);
  CHECK(counted > 0);
  CHECK(counted < 16);
}

TEST_CASE_METHOD(Fixture, "fragments that fail the depth test still write memory, unless the test is early by property",
                 "[memory]") {
  c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true, .depth_func = raster::Compare::Greater});
  REQUIRE(c.clear_depth(1.0f));                                     // everything fails
  count_fragments();
  REQUIRE(c.draw({.count = 3}));
  CHECK(read(words)[0] == 64 * 64);
  count_fragments("PROPERTY FS_EARLY_DEPTH_STENCIL 1\n");
  REQUIRE(c.draw({.count = 3}));
  CHECK(read(words)[0] == 64 * 64);
}

TEST_CASE_METHOD(Fixture, "early depth by property is written before the program kills its fragment", "[memory]") {
  c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true, .depth_func = raster::Compare::Always});
  for (const bool early : {false, true}) {
    REQUIRE(c.clear_depth(0.25f));
    count_fragments(early ? "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n" : "", "KILL\n");
    REQUIRE(c.draw({.count = 3}));
    const float found = std::bit_cast<float>(c.read_texels(depth).value()[100].word[0]);
    CHECK(found == (early ? 0.5f : 0.25f));
  }
  CHECK(read(words)[0] == 2 * 64 * 64);
}

TEST_CASE_METHOD(Fixture, "killed fragments write no memory after they are killed", "[memory]") {
  use(Stage::Fragment,
      "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 4, 0}\nIMM[1] FLT32 {0, 1, 0, 1}\n"
      "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nDEMOTE\n"
      "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].zzzz, IMM[0].yyyy\nSTORE BUFFER[0].z, IMM[0].xxxx, IMM[0].yyyy\nMOV "
      "OUT[0], IMM[1]\nEND\n");
  REQUIRE(c.set_memory(Stage::Fragment, MemorySpace::Buffer, 0, {.resource = words}));
  REQUIRE(c.draw({.count = 3}));
  const auto found = read(words);
  CHECK(found[0] == 64 * 64);
  CHECK(found[1] == 0);
  CHECK(found[2] == 0);
}

TEST_CASE_METHOD(Fixture, "a draw that later ones hide still writes memory", "[memory]") {
  count_fragments();
  REQUIRE(c.draw({.count = 3}));
  use(Stage::Fragment, kRed);
  REQUIRE(c.draw({.count = 3}));                                    // opaque, over all of it
  CHECK(read(words)[0] == 64 * 64);
}

TEST_CASE_METHOD(Fixture, "fragments store to an image, and the next draw samples it", "[memory]") {
  const ResourceRef image = device->create_image({.format = Format::R32_UINT, .width = 16, .height = 16}).value();
  REQUIRE(c.set_image(Stage::Fragment, 0, {.resource = image}));
  const uint32_t first = 1000;
  REQUIRE(c.set_constants(Stage::Fragment, 0, {&first, 1}));
  use(Stage::Fragment, kNumber);
  REQUIRE(c.draw({.count = 3}));
  // IMAGE[1] = texture + 1: a second draw, which must see what the first one stored.
  const ResourceRef other = device->create_image({.format = Format::R32_UINT, .width = 16, .height = 16}).value();
  REQUIRE(c.set_image(Stage::Fragment, 0, {}));
  REQUIRE(c.set_image(Stage::Fragment, 1, {.resource = other}));
  REQUIRE(c.set_texture(Stage::Fragment, 0, {.resource = image}));
  use(Stage::Fragment,
      "FRAG\nDCL IN[0], POSITION\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, UINT\nDCL IMAGE[1], 2D, "
      "PIPE_FORMAT_R32_UINT, WR\n"
      "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 0, 0}\nIMM[1] FLT32 {0, 0, 1, 1}\nF2U TEMP[0], IN[0]\nMOV TEMP[0].w, "
      "IMM[0].xxxx\n"
      "TXF TEMP[1], TEMP[0], SAMP[0], 2D\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
      "STORE IMAGE[1], TEMP[0], TEMP[1].xxxx, 2D, PIPE_FORMAT_R32_UINT\nMOV OUT[0], IMM[1]\nEND\n");
  REQUIRE(c.draw({.count = 3}));
  const auto texels = c.read_texels(other).value();
  for (uint32_t n = 0; n < 256; ++n) CHECK(texels[n].word[0] == 1001 + n);
}

TEST_CASE_METHOD(Fixture, "vertices write memory even where nothing is rasterized, and feed the next draw",
                 "[memory]") {
  // Vertex i stores its position, doubled, at 12 i: a vertex buffer for the next draw.
  const ResourceRef made = buffer(std::vector<uint32_t>(9));
  use(Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL BUFFER[2]\nDCL TEMP[0..1]\nIMM[0] UINT32 {12, "
      "0, 0, 0}\n"
      "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nADD TEMP[1], IN[0], IN[0]\nSTORE BUFFER[2].xyz, TEMP[0].xxxx, TEMP[1]\n"
      "MOV OUT[0], IN[0]\nEND\n");
  REQUIRE(c.set_memory(Stage::Vertex, MemorySpace::Buffer, 2, {.resource = made}));
  c.set_rasterizer({.discard = true});
  REQUIRE(c.draw({.count = 3}));
  c.set_rasterizer({});
  use(Stage::Vertex, kVertex);
  REQUIRE(c.set_vertex_buffer(0, made, 12));
  REQUIRE(c.draw({.count = 3}));
  const float expected[] = {-2, -2, 0, 6, -2, 0, -2, 6, 0};
  const auto found = read(made);
  for (uint32_t i = 0; i < 9; ++i) CHECK(std::bit_cast<float>(found[i]) == expected[i]);
  CHECK(c.read_image(target).value().texel(5, 5)[0] == 255);
}

TEST_CASE_METHOD(Fixture, "draws that touch the same buffer run one after the other; the CPU writes in order",
                 "[memory]") {
  count_fragments();
  REQUIRE(c.draw({.count = 3}));
  const uint32_t start[] = {7};
  REQUIRE(c.write_buffer(words, 0, std::as_bytes(std::span(start))));
  REQUIRE(c.draw({.count = 3}));
  use(Stage::Vertex,   // every vertex stores what it finds in word 0 in word 1
      "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
      "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\nSTORE BUFFER[0].y, IMM[0].xxxx, TEMP[0].xxxx\nMOV OUT[0], IN[0]\nEND\n");
  REQUIRE(c.set_memory(Stage::Vertex, MemorySpace::Buffer, 0, {.resource = words}));
  use(Stage::Fragment, kRed);
  REQUIRE(c.draw({.count = 3}));
  const auto found = read(words);
  CHECK(found[0] == 7 + 64 * 64);
  CHECK(found[1] == 7 + 64 * 64);
}

TEST_CASE_METHOD(Fixture, "a grid sees what draws wrote before it, and draws see the grid's results", "[memory]") {
  count_fragments();
  REQUIRE(c.draw({.count = 3}));
  use(Stage::Compute,
      "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[3]\nDCL MEMORY[0], INPUT\nDCL "
      "MEMORY[1], GLOBAL\n"
      "DCL TEMP[0..3]\nIMM[0] UINT32 {0, 4, 0, 0}\nLOAD TEMP[0].x, BUFFER[3], IMM[0].xxxx\nUMUL TEMP[1].x, SV[0].xxxx, "
      "IMM[0].yyyy\n"
      "LOAD TEMP[2].x, MEMORY[0], IMM[0].yyyy\nUADD TEMP[0].x, TEMP[0].xxxx, TEMP[2].xxxx\nSTORE MEMORY[1].x, "
      "TEMP[1].xxxx, TEMP[0].xxxx\nEND\n");
  const ResourceRef global = buffer(std::vector<uint32_t>(8));
  REQUIRE(c.set_memory(Stage::Compute, MemorySpace::Buffer, 3, {.resource = words}));
  REQUIRE(c.set_memory(Stage::Compute, MemorySpace::Global, 0, {.resource = global}));
  const uint32_t arguments[] = {1, 20};
  REQUIRE(c.dispatch({}, arguments));
  for (const uint32_t word : read(global)) CHECK(word == 64 * 64 + 20);
}

TEST_CASE_METHOD(Fixture,
                 "a range of a buffer begins at its offset and ends at its size; read-only ranges keep their words",
                 "[memory]") {
  use(Stage::Compute,
      "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL "
      "TEMP[0..1]\nIMM[0] UINT32 {4, 1, 0, 0}\n"
      "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].x, "
      "TEMP[0].xxxx, IMM[0].yyyy\nEND\n");
  const ResourceRef kept = buffer(std::vector<uint32_t>(8));
  REQUIRE(
      c.set_memory(Stage::Compute, MemorySpace::Buffer, 0, {.resource = words, .offset_bytes = 8, .size_bytes = 12}));
  REQUIRE(c.set_memory(Stage::Compute, MemorySpace::Buffer, 1, {.resource = kept, .read_only = true}));
  REQUIRE(c.dispatch({}));
  const auto found = read(words);
  for (uint32_t i = 0; i < 64; ++i) CHECK(found[i] == (i >= 2 && i < 5 ? 1 : 0));
  CHECK(read(kept) == std::vector<uint32_t>(8));
}

TEST_CASE_METHOD(Fixture, "memory that does not fit is refused, and nothing changes", "[memory]") {
  const ResourceRef image = device->create_image({.format = Format::R8G8B8A8_UNORM, .width = 4, .height = 4}).value();
  CHECK(text_of(c.set_memory(static_cast<Stage>(9), MemorySpace::Buffer, 0, {})).starts_with("stage:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Shared, 0, {})).starts_with("space:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Buffer, 32, {})).starts_with("slot:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Global, 1, {})).starts_with("slot:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Buffer, 0, {.resource = image}))
            .starts_with("range.resource:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Buffer, 0, {.resource = words, .offset_bytes = 2}))
            .starts_with("range.offset_bytes:"));
  CHECK(text_of(c.set_memory(Stage::Compute, MemorySpace::Buffer, 0,
                             {.resource = words, .offset_bytes = 8, .size_bytes = 252}))
            .starts_with("range:"));
  CHECK(text_of(c.set_image(Stage::Compute, 32, {})).starts_with("slot:"));
  CHECK(text_of(c.set_image(Stage::Compute, 0, {.resource = image, .level = 1})).starts_with("image.level:"));
  CHECK(text_of(c.set_image(Stage::Compute, 0, {.resource = depth})).starts_with("image.format:"));
  CHECK(text_of(c.dispatch({})) == "compute shader: none is set");
}

TEST_CASE_METHOD(Fixture, "a grid is refused when something is missing that its program names", "[memory]") {
  const auto use_with = [&](std::string_view declaration, std::string_view load) {
    use(Stage::Compute,
        fmt::format("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\n{}DCL TEMP[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\n{}END\n",
                    declaration, load));
  };
  use_with("DCL BUFFER[4]\n", "STORE BUFFER[4], IMM[0].xxxx, IMM[0]\n");
  CHECK(text_of(c.dispatch({})) == "Buffer 4: the shader uses it, and none is set");
  use_with("DCL IMAGE[2], 2D, PIPE_FORMAT_R32_UINT, WR\n",
           "STORE IMAGE[2], IMM[0], IMM[0], 2D, PIPE_FORMAT_R32_UINT\n");
  CHECK(text_of(c.dispatch({})) == "Image 2: the shader uses it, and none is set");
  use_with("DCL MEMORY[0], GLOBAL\n", "STORE MEMORY[0], IMM[0].xxxx, IMM[0]\n");
  CHECK(text_of(c.dispatch({})) == "Global 0: the shader uses it, and none is set");
  use_with("DCL MEMORY[0], INPUT\nDCL MEMORY[1], SHARED\n",
           "LOAD TEMP[0], MEMORY[0], IMM[0].xxxx\nSTORE MEMORY[1], IMM[0].xxxx, TEMP[0]\n");
  CHECK(text_of(c.dispatch({})) == "arguments: the shader reads them, and there are none");
  use_with("DCL MEMORY[0], SHARED\n", "LOAD TEMP[0], MEMORY[0], IMM[0].xxxx\nSTORE MEMORY[0], IMM[0].xxxx, TEMP[0]\n");
  CHECK(c.dispatch({}).ok());
}

TEST_CASE_METHOD(Fixture, "a draw is refused when its image is a target or of another kind or format", "[memory]") {
  use(Stage::Fragment, kNumber);
  REQUIRE(c.set_image(Stage::Fragment, 0, {.resource = target, .format = Format::R32_UINT}));
  CHECK(text_of(c.draw({.count = 3})) == "image 0: it is also drawn into");
  const ResourceRef array =
      device
          ->create_image(
              {.kind = ResourceKind::Tex2DArray, .format = Format::R32_UINT, .width = 4, .height = 4, .layers = 2})
          .value();
  REQUIRE(c.set_image(Stage::Fragment, 0, {.resource = array}));
  CHECK(text_of(c.draw({.count = 3})) == "image 0: the shader accesses another kind of image than is set");
  use(Stage::Compute,
      "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 "
      "{0, 0, 0, 0}\n"
      "ATOMUADD TEMP[0].x, IMAGE[0], IMM[0], IMM[0], 2D, PIPE_FORMAT_R32_UINT\nEND\n");
  const ResourceRef bytes = device->create_image({.format = Format::R8G8B8A8_UNORM, .width = 4, .height = 4}).value();
  REQUIRE(c.set_image(Stage::Compute, 0, {.resource = bytes}));
  CHECK(text_of(c.dispatch({})).starts_with("image 0: atomic operations need one 32-bit channel"));
}

TEST_CASE("programs whose results depend on the order of invocations are reported, others are not", "[memory]") {
  Fixture f;
  const auto count = [&](std::string_view code) {
    const auto shader = f.device->create_shader(
        Stage::Compute,
        fmt::format("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\n"
                    "DCL MEMORY[0], SHARED\nDCL TEMP[0..1]\nIMM[0] UINT32 {{0, 1, 0, 0}}\n{}END\n",
                    code));
    if (!shader) FAIL(shader.diags()[0].text);
    return (*shader)->unordered().size();
  };
  CHECK(count("LOAD TEMP[0].x, BUFFER[0], SV[0].xxxx\nSTORE BUFFER[1].x, SV[0].xxxx, TEMP[0].xxxx\n") == 0);
  CHECK(count("ATOMUADD TEMP[0].x, BUFFER[0], SV[0].xxxx, IMM[0].yyyy\n") == 0);
  CHECK(
      count("ATOMUADD TEMP[0].x, MEMORY[0], SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0].x, SV[0].xxxx, TEMP[0].xxxx\n") ==
      0);
  CHECK(
      count("ATOMUADD TEMP[0].x, BUFFER[0], SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].x, SV[0].xxxx, TEMP[0].xxxx\n") ==
      1);
  CHECK(count("ATOMXCHG TEMP[0].x, BUFFER[0], SV[0].xxxx, IMM[0].yyyy\n") == 1);
  CHECK(count("LOAD TEMP[0].x, BUFFER[0], SV[0].xxxx\nSTORE BUFFER[0].x, SV[0].xxxx, TEMP[0].xxxx\n") == 1);
  CHECK(count("ATOMUADD TEMP[0].x, BUFFER[0], SV[0].xxxx, IMM[0].yyyy\nATOMUMAX TEMP[0].x, BUFFER[0], SV[0].xxxx, "
              "IMM[0].yyyy\n") == 1);
  CHECK(count("ATOMUADD TEMP[0].x, BUFFER[0], SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0].x, SV[0].xxxx, IMM[0].xxxx\n") ==
        1);
}

TEST_CASE("strict devices number fragments quad by quad and row by row of tiles, with the picture of others",
          "[memory]") {
  Fixture f({.raster = {.threads = 4, .tile_size_px = 16}, .strict = true});
  CHECK(f.device->options().raster.threads == 1);
  // Each fragment takes a number and stores it at its pixel; within a quad numbers follow each other by lane.
  const ResourceRef image = f.device->create_image({.format = Format::R32_UINT, .width = 64, .height = 64}).value();
  REQUIRE(f.c.set_image(Stage::Fragment, 0, {.resource = image}));
  REQUIRE(f.c.set_memory(Stage::Fragment, MemorySpace::Buffer, 0, {.resource = f.words}));
  f.use(Stage::Fragment,
        "FRAG\nDCL IN[0], POSITION\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL "
        "TEMP[0..2]\n"
        "IMM[0] UINT32 {0, 1, 0, 0}\nIMM[1] FLT32 {0.015625, 0.015625, 0, 0}\nF2U TEMP[0], IN[0]\n"
        "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nSTORE IMAGE[0], TEMP[0], TEMP[1].xxxx, 2D, "
        "PIPE_FORMAT_R32_UINT\n"
        "MUL OUT[0], IN[0], IMM[1]\nEND\n");
  REQUIRE(f.c.draw({.count = 3}));
  const auto texels = f.c.read_texels(image).value();
  const auto at = [&](uint32_t x, uint32_t y) { return texels[y * 64 + x].word[0]; };
  for (uint32_t y = 0; y < 64; y += 2)
    for (uint32_t x = 0; x < 64; x += 2) {
      const uint32_t first = at(x, y);
      CHECK(first % 4 == 0);
      CHECK(at(x + 1, y) == first + 1);
      CHECK(at(x, y + 1) == first + 2);
      CHECK(at(x + 1, y + 1) == first + 3);
      CHECK(first / 256 == y / 16 * 4 + x / 16);          // tiles of 16 x 16, row by row
    }
  const Image picture = f.c.read_image(f.target).value();
  for (uint32_t n = 0; n < 64; ++n)
    CHECK(picture.texel(n, 63 - n)[0] == (2 * n + 1) * 255 / 128 + ((2 * n + 1) * 255 % 128 >= 64));
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kScene = R"([target]
size 4 4
[buffer 0]
size 32
int 5 -1
1.5 2*4
[texture 1]
format r32_uint
solid 4 4  9 0 0 0
[image 0]
texture 1
[compute shader tgsi]
COMP
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL CONST[0]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT
DCL TEMP[0..1]
IMM[0] UINT32 {4, 16, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
LOAD TEMP[1], IMAGE[0], SV[0], 2D, PIPE_FORMAT_R32_UINT
UADD TEMP[1].x, TEMP[1].xxxx, CONST[0].xxxx
UADD TEMP[1].x, TEMP[1].xxxx, SV[0].xxxx
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
END
[constants]
compute 0: int 100
[test]
clear color 0 0 0 1
dispatch 1 block 3
probe buffer 0 0 int 5 -1
probe buffer 0 8 float 1.5 8
probe buffer 0 8 tolerance 0.6 float 2 8.5
probe buffer 0 16 int 109 110 111 0
)";

std::string scene_error(std::string_view from, std::string_view to) {
  std::string text(kScene);
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto scene = scene::parse_scene(text);
  return scene
             ? ""
             : fmt::format("{}:{}: {}", scene.diags()[0].loc.line, scene.diags()[0].loc.column, scene.diags()[0].text);
}

}  // namespace

TEST_CASE("a scene runs a grid over its buffers and images, and probes the words", "[memory]") {
  const auto scene = scene::parse_scene(kScene);
  if (!scene) FAIL(format_diags(scene.diags(), "scene", kScene));
  const auto device = std::move(Device::create({.raster = {.threads = 2}}).value());
  const auto result = scene::run_scene(*device, *scene, "");
  if (!result) FAIL(format_diags(result.diags(), "scene", kScene));
  REQUIRE(result->probes.size() == 4);
  for (const scene::ProbeOutcome& probe : result->probes) {
    CAPTURE(probe.text);
    CHECK(probe.passed);
  }
}

TEST_CASE("a scene's dispatch passes words to its program", "[memory]") {
  constexpr std::string_view kPasses =
      "[buffer 0]\nsize 16\n[compute shader tgsi]\nCOMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nDCL SV[0], CS_USER_DATA_AMD\n"
      "DCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nSTORE BUFFER[0], IMM[0].xxxx, SV[0]\nEND\n"
      "[test]\ndispatch 1 user 7 0x10 3\nprobe buffer 0 0 int 7 16 3 0\n";
  const auto scene = scene::parse_scene(std::string(kPasses));
  if (!scene) FAIL(format_diags(scene.diags(), "scene", kPasses));
  const auto device = std::move(Device::create({.raster = {.threads = 2}}).value());
  const auto result = scene::run_scene(*device, *scene, "");
  if (!result) FAIL(format_diags(result.diags(), "scene", kPasses));
  REQUIRE(result->probes.size() == 1);
  CHECK(result->probes[0].passed);
}

TEST_CASE("mistakes in a scene's memory have their place", "[memory]") {
  CHECK(scene_error("size 32", "size 30") == "4:1: the size is a multiple of 4 bytes");
  CHECK(scene_error("size 32", "size 8") == "3:1: the values take 16 bytes, more than the size says");
  CHECK(scene_error("[buffer 0]\nsize 32\nint 5 -1\n1.5 2*4", "[buffer 0]") == "3:1: a [buffer] has a size or values");
  CHECK(scene_error("[buffer 0]", "[buffer 32]").starts_with("3:"));
  CHECK(scene_error("texture 1\n[compute", "texture 2\n[compute") == "10:1: there is no [texture 2]");
  CHECK(scene_error("texture 1\n[compute", "level 0\n[compute") == "10:1: an [image] needs a `texture` line");
  CHECK(scene_error("probe buffer 0 0 ", "probe buffer 1 0 ").ends_with("there is no [buffer 1]"));
  CHECK(scene_error("probe buffer 0 0 ", "probe buffer 0 2 ").ends_with("the offset is a multiple of 4"));
  CHECK(scene_error("probe buffer 0 16 ", "probe buffer 0 20 ")
            .ends_with("the probe reads beyond the buffer's 32 bytes"));
  CHECK(scene_error("dispatch 1 block 3", "dispatch 1 blocks 3").find("expected block, shared or user") != std::string::npos);
}
