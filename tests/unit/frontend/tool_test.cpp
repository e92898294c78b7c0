// The tool as a process: exit status, what it prints, and that nothing is written when something is wrong.
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "frontend/image_io.h"
#include "tests/support/data.h"
#include "tests/unit/frontend/temporary_folder.h"

using namespace tessera;

namespace {

constexpr std::string_view kShaders =
    "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
    "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.5, 0.0, 1.0}\n0: MOV OUT[0], IMM[0]\n1: "
    "END\n";

struct Outcome {
  int status = -1;
  std::string out, err;
};

struct Fixture {
  tests::TemporaryFolder folder;

  // `environment`: assignments in front of the command. Arguments are relative to the folder.
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder.path("") + "' && " + environment + " '" TESSERA_TOOL "' " + arguments +
                                " >out.txt 2>err.txt </dev/null";
    const int code = std::system(command.c_str());
    return {WIFEXITED(code) ? WEXITSTATUS(code) : -1, tests::read_file(folder.path("out.txt")),
            tests::read_file(folder.path("err.txt"))};
  }
  std::string good_scene() const {
    return std::string(kShaders) +
           "[target]\nsize 8 8\n[test]\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\nprobe all 1 0.5 0 1\n";
  }
};

struct WrongInput {
  std::string_view scene;      // wrong.scene; shaders are put in front where it has none
  std::string_view message;    // part of what is printed
};

constexpr WrongInput kWrongInputs[] = {
    {"[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MUL OUT[0], IN[0]\n1: END\n[test]\ndraw rect 0 0 "
     "1 1\n",
     "wrong.scene:5:"},
    {"[vertex shader tgsi]\nVERT\nnonsense\n[test]\ndraw rect 0 0 1 1\n", "wrong.scene:3:1"},
    {"[vertex shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1,1,1,1}\n0: MOV OUT[0], IMM[0]\n1: "
     "END\n[test]\ndraw rect 0 0 1 1\n",
     "expected a vertex shader"},
    {"[vertex shader tgsi]\n[test]\ndraw rect 0 0 1 1\n", "wrong.scene:"},
    {"[texture 0]\nfile nosuch.png\n[test]\ndraw rect 0 0 1 1\n", "nosuch.png"},
    {"[texture 0]\nfile text.txt\n[test]\ndraw rect 0 0 1 1\n", "neither a PNG nor a JPEG"},
    {"[texture 0]\nfile cut.png\n[test]\ndraw rect 0 0 1 1\n", "cut off"},
    {"[texture 0]\nfile damaged.png\n[test]\ndraw rect 0 0 1 1\n", "check sum"},
    {"[texture 0]\nfile .\n[test]\ndraw rect 0 0 1 1\n", "cannot read"},
    {"[texture 0]\ncube\nfile wide.png\n[test]\ndraw rect 0 0 1 1\n", "square"},
    {"[texture 0]\nsolid 4 4 0 0 0 0\nlevel 1 solid 4 2 0 0 0 0\n[test]\ndraw rect 0 0 1 1\n",
     "wrong.scene:3:1: error: level 1 has 2 x 2 texels, found 4 x 2"},
    {"[texture 0]\ncube_array\nsolid 4 4 0 0 0 0\n[test]\ndraw rect 0 0 1 1\n", "a multiple of 6"},
    {"[mesh]\nfile nosuch.obj\n[test]\ndraw mesh\n", "nosuch.obj"},
    {"[mesh]\nfile wrong.obj\n[test]\ndraw mesh\n", "vertex 7 does not exist"},
    {"[mesh]\nfile text.txt\n[test]\ndraw mesh\n", "no faces"},
    {"[target]\nsize 100000 1\n[test]\ndraw rect 0 0 1 1\n", "from 1 to 16384"},
    {"[state]\nfill_rule left\n[test]\ndraw rect 0 0 1 1\n", "one of top, bottom"},
    {"[test]\ndraw triangles 0 3\n", "reads IN[0]"},
    {"[test]\ndraw rect 0 0 1 1\ndraw points 0 1\n", "wrong.scene:"},
    {"[vertex data]\n0/r32g32_float\n0 0\n[indices]\n0 1 2\n[test]\ndraw indexed triangles\n",
     "index 1 reads vertex 1"},
};

}  // namespace

TEST_CASE_METHOD(Fixture, "render draws a scene to a PNG file, and the same file each time") {
  folder.write("good.scene", good_scene());
  CHECK(run("render good.scene -o a.png").status == 0);
  CHECK(run("render good.scene -o b.png --simd sse4 --threads 3 --quiet").out.empty());
  const Result<Image> picture = read_image_file(folder.path("a.png"));
  REQUIRE(picture);
  CHECK(picture->texel(3, 3)[0] == 255);
  CHECK(picture->texel(3, 3)[1] == 128);
  CHECK(tests::read_file(folder.path("a.png")) == tests::read_file(folder.path("b.png")));
}

TEST_CASE_METHOD(Fixture, "wrong input gives an error with its place, exit status 2, and writes nothing",
                 "[bad input]") {
  folder.write("text.txt", "just text\n");
  folder.write("wrong.obj", "v 0 0 0\nf 1 1 7\n");
  const Image image{4, 2, std::vector<uint8_t>(32, 200)};
  const std::vector<uint8_t> png = encode_png(image);
  folder.write("wide.png", std::string(png.begin(), png.end()));
  folder.write("cut.png", std::string(png.begin(), png.end() - 20));
  std::string damaged(png.begin(), png.end());
  damaged[45] = static_cast<char>(damaged[45] ^ 1);
  folder.write("damaged.png", damaged);
  for (const WrongInput& wrong : kWrongInputs) {
    const bool has_shader = wrong.scene.starts_with("[vertex shader");
    const std::string scene = std::string(wrong.scene) + (has_shader ? "" : std::string(kShaders));
    CAPTURE(scene);
    folder.write("wrong.scene", scene);
    const Outcome outcome = run("render wrong.scene -o out.png");
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains(std::string(wrong.message)));
    CHECK_THAT(outcome.err, Catch::Contains("wrong.scene:"));
    CHECK_FALSE(folder.has("out.png"));
  }
}

TEST_CASE_METHOD(Fixture, "wrong use has exit status 2 and says what is wrong", "[bad input]") {
  folder.write("good.scene", good_scene());
  folder.write("good.tgsi", "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1,1,1,1}\n0: MOV OUT[0], IMM[0]\n1: END\n");
  for (const char* arguments : {"",
                                "nosuch",
                                "render",
                                "render good.scene",
                                "render -o x.png",
                                "render nosuch.scene -o x.png",
                                "render good.scene -o nosuch/x.png",
                                "render good.scene -o x.png --threads -1",
                                "render good.scene -o x.png --threads 1000",
                                "render good.scene -o x.png --threads two",
                                "render good.scene -o x.png --simd mmx",
                                "render good.scene -o x.png --executor magic",
                                "render good.scene -o x.png --nosuch",
                                "test",
                                "test nosuch",
                                "test good.scene --jobs 0",
                                "test good.scene --junit nosuch/x.xml",
                                "shader",
                                "shader check",
                                "shader check nosuch.tgsi",
                                "shader check good.scene",
                                "shader assemble good.scene",
                                "shader assemble nosuch.psh -o a.pso",
                                "shader disassemble good.scene",
                                "shader run good.tgsi --in nonsense",
                                "shader run good.tgsi --in COLOR=1",
                                "shader run good.tgsi --const x=1",
                                "shader run good.tgsi --const 0=one",
                                "bench nosuch",
                                "selfcheck extra"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == 2);
    CHECK_FALSE((outcome.err + outcome.out).empty());
    CHECK_FALSE(folder.has("x.png"));
  }
}

TEST_CASE_METHOD(Fixture,
                 "a frame over its instruction budget names the draw, has exit status 1, and writes no image") {
  folder.write("endless.scene",
               "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
               "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n0: BGNLOOP\n1: "
               "ENDLOOP\n2: MOV OUT[0], IMM[0]\n3: END\n"
               "[target]\nsize 8 8\n[test]\ndraw rect -1 -1 2 2\n");
  const Outcome outcome = run("render endless.scene -o out.png");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err, Catch::Contains("draw 0") || Catch::Contains("draw 1"));
  CHECK_FALSE(folder.has("out.png"));
}

TEST_CASE_METHOD(Fixture, "test prints a line each and a closing line, and writes both reports") {
  folder.write("good.scene", good_scene());
  const Outcome good = run("test good.scene --report report --junit junit.xml");
  CHECK(good.status == 0);
  CHECK_THAT(good.out, Catch::Contains("pass  good.scene\n") && Catch::EndsWith("1 passed, 0 failed, 0 skipped\n"));
  CHECK(folder.has("report/index.html"));
  CHECK(folder.has("junit.xml"));
  folder.write("bad.scene", good_scene() + "probe 0 0 0 0 0 0\n");
  const Outcome bad = run("test . --jobs 2");
  CHECK(bad.status == 1);
  CHECK_THAT(bad.out, Catch::Contains("FAIL  bad.scene\n") && Catch::EndsWith("1 passed, 1 failed, 0 skipped\n"));
}

TEST_CASE_METHOD(Fixture, "shaders are checked, printed and run") {
  folder.write("sum.tgsi",
               "FRAG\nDCL IN[0], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..1]\n0: ADD OUT[0], IN[0], "
               "CONST[1]\n1: END\n");
  CHECK(run("shader check sum.tgsi").status == 0);
  CHECK_THAT(run("shader print sum.tgsi").out, Catch::Contains("ADD OUT[0], IN[0], CONST[1]"));
  CHECK_THAT(run("shader print sum.tgsi --ir").out, Catch::Contains("; as lowered") && Catch::Contains("; dead") && Catch::Contains("FAdd"));
  CHECK_THAT(run("shader print sum.tgsi --optimized").out, Catch::StartsWith("stage fragment"));
  const Outcome outcome = run("shader run sum.tgsi --in 'GENERIC[2]=1,2,3,4;10,20,30,40' --const 1=0.5,0x3f000000,1,1");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Catch::Contains("lane 0\nCOLOR[0].x  0x3fc00000  1.5  ") &&
                              Catch::Contains("COLOR[0].y  0x41a40000  20.5  "));
  folder.write("wrong.tgsi", "FRAG\nDCL OUT[0], COLOR\n0: MUL OUT[0], OUT[0]\n1: END\n");
  const Outcome wrong = run("shader check wrong.tgsi");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Catch::Contains("wrong.tgsi:3:"));
}

TEST_CASE_METHOD(Fixture, "Direct3D 9 shaders are assembled and disassembled, and known by their content") {
  const std::string text = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c1\nmov oC0, r0\n";
  folder.write("water.psh", "// water\n" + text);
  CHECK_THAT(run("shader check water.psh").out, Catch::Contains("correct; ps_2_0, 3 instructions"));
  CHECK(run("shader assemble water.psh -o water.pso").status == 0);
  CHECK(tests::read_file(folder.path("water.pso")).substr(0, 4) == std::string("\x00\x02\xff\xff", 4));
  CHECK(run("shader disassemble water.pso").out == text);
  CHECK(run("shader print water.pso").out == text);
  CHECK(run("shader check water.pso").status == 0);
  CHECK(run("shader disassemble water.pso -o again.psh").out.empty());
  CHECK(tests::read_file(folder.path("again.psh")) == text);
  folder.write("wrong.psh", "ps_2_0\nmul r0, t9, c1\n");
  CHECK_THAT(run("shader assemble wrong.psh -o wrong.pso").err, Catch::Contains("wrong.psh:2:9: error: register number 9"));
  folder.write("wrong.pso", std::string("\x00\x02\xff\xff\x4b\x00\x00\x00", 8));
  const Outcome wrong = run("shader check wrong.pso");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Catch::Contains("wrong.pso: word 1: error: 0000004b holds no known opcode"));
  folder.write("ports.vsh", "vs_2_0\nadd oPos, c0, c1\n");
  CHECK(run("shader check ports.vsh").status == 0);
  CHECK(run("shader check ports.vsh --hardware").status == 2);
}

TEST_CASE_METHOD(Fixture, "a geometry shader runs on the vertices of a primitive and prints those it emits") {
  folder.write("turn.tgsi",
               "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
               "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], GENERIC[3]\nDCL OUT[0].xy, GENERIC[5]\n"
               "DCL OUT[1].x, GENERIC[6], STREAM(1, 0, 0, 0)\nIMM[0] UINT32 {0, 1, 0, 0}\n"
               "MOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nMOV OUT[1].x, IN[0][0].yyyy\nEMIT IMM[0].yyyy\nEND\n");
  const Outcome outcome = run("shader run turn.tgsi --in 'GENERIC[3]=1,2;3,4'");
  CHECK(outcome.status == 0);
  CHECK(outcome.out ==
        "vertex 0, stream 0, a new primitive\nGENERIC[5].x  0x40400000  3  1077936128\n"
        "GENERIC[5].y  0x40800000  4  1082130432\nvertex 1, stream 1, a new primitive\n"
        "GENERIC[6].x  0x40000000  2  1073741824\n");
}

TEST_CASE_METHOD(Fixture, "a geometry shader with several invocations prints the vertices of each") {
  folder.write("twice.tgsi",
               "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
               "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nPROPERTY GS_INVOCATIONS 2\nDCL SV[0], INVOCATIONID\n"
               "DCL OUT[0].x, GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0].x, SV[0].xxxx\n"
               "EMIT IMM[0].xxxx\nEND\n");
  CHECK(run("shader run twice.tgsi").out ==
        "invocation 0\nvertex 0, stream 0, a new primitive\nGENERIC[0].x  0x00000000  0  0\n"
        "invocation 1\nvertex 0, stream 0, a new primitive\nGENERIC[0].x  0x00000001  1e-45  1\n");
}

TEST_CASE_METHOD(Fixture, "a tessellation control shader prints the vertices of its patch, then what belongs to it all") {
  folder.write("patch.tgsi",
               "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
               "DCL OUT[][0], GENERIC[7]\nDCL OUT[1], TESSOUTER\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n"
               "MOV OUT[ADDR[0].x][0].y, IN[ADDR[0].x][0].xxxx\nMOV OUT[1].z, IN[4][0].xxxx\nEND\n");
  const Outcome outcome = run("shader run patch.tgsi --in 'GENERIC[0]=1;2;3;4;5'");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Catch::StartsWith("vertex 0\nGENERIC[7].x  0x00000000  0  0\nGENERIC[7].y  0x3f800000  1  "));
  CHECK_THAT(outcome.out, Catch::Contains("vertex 4\nGENERIC[7].x  0x00000000  0  0\nGENERIC[7].y  0x40a00000  5  "));
  CHECK_THAT(outcome.out, Catch::Contains("patch\nTESSOUTER[0].x  0x00000000  0  0\n") &&
                              Catch::Contains("TESSOUTER[0].z  0x40a00000  5  "));
}

TEST_CASE_METHOD(Fixture, "a tessellation evaluation shader prints its outputs") {
  folder.write("point.tgsi",
               "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH\nDCL SV[0], TESSCOORD\n"
               "DCL OUT[0].xyz, POSITION\nMUL OUT[0].x, IN[1][0].xxxx, SV[0].yyyy\nMOV OUT[0].y, IN[1].wwww\n"
               "MOV OUT[0].z, IN[9][0].wwww\nEND\n");
  const Outcome outcome = run("shader run point.tgsi --in 'GENERIC[0]=1;2' --in 'PATCH[0]=0,0,0,9' --in 'TESSCOORD[0]=0,0.5'");
  CHECK(outcome.out == "POSITION[0].x  0x3f800000  1  1065353216\nPOSITION[0].y  0x41100000  9  1091567616\n"
                       "POSITION[0].z  0x3f800000  1  1065353216\n");
}

TEST_CASE_METHOD(Fixture, "shader print shows the fixed-function sections of a scene as equations") {
  folder.write("bump.scene", "# a comment\n[register combiners bump]\nstage\nrgb spare0 = expand(texture0) dot expand(primary)\n"
                             "final rgb = spare0\n[texture environment]\nunit 0 replace\n");
  const Outcome outcome = run("shader print bump.scene");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Catch::Contains("[register combiners bump]\n") && Catch::Contains("[texture environment]\n") &&
                              Catch::Contains("spare0.rgb = dot((2 * max(0, texture0.rgb) - 1), (2 * max(0, primary.rgb) - 1))"));
  folder.write("wrong.scene", "[register combiners]\nstage\nrgb spare0 = texture0\n");
  const Outcome wrong = run("shader print wrong.scene");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Catch::Contains("wrong.scene:3:"));
  folder.write("empty.scene", "[target]\nsize 4 4\n");
  CHECK(run("shader print empty.scene").status == 2);
}

TEST_CASE_METHOD(Fixture, "a traced run prints every operation with its results in the lanes asked for") {
  folder.write("half.tgsi",
               "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0]\n0: MUL TEMP[0].x, IN[0].xxxx, IN[0].xxxx\n"
               "1: BGNLOOP\n2: FSLT TEMP[0].y, IN[0].yyyy, TEMP[0].xxxx\n3: UIF TEMP[0].yyyy\n4: BRK\n5: ENDIF\n"
               "6: ADD TEMP[0].x, TEMP[0].xxxx, IN[0].xxxx\n7: ENDLOOP\n8: MOV OUT[0], TEMP[0].xxxx\n9: END\n");
  const Outcome both = run("shader run half.tgsi --trace --in 'GENERIC[0]=1,1.5;2,1.5'");
  CHECK(both.status == 0);
  CHECK_THAT(both.out, Catch::Contains("5: 0: MUL TEMP[0].x, IN[0].xxxx, IN[0].xxxx\n    %") &&
                           Catch::Contains("FMul %") && Catch::Contains("lane 0: 0x3f800000 (1)") &&
                           Catch::Contains("lane 1: 0x40800000 (4)"));
  CHECK_THAT(both.out, Catch::Contains("lane 0: 0x40000000 (2)\n        lane 1: does not run"));
  const Outcome second = run("shader run half.tgsi --trace --lanes 1 --in 'GENERIC[0]=1,1.5;2,1.5'");
  CHECK_THAT(second.out, Catch::Contains("lane 1: 0x40800000 (4)") && !Catch::Contains("lane 0: "));
  CHECK(run("shader run half.tgsi --trace --lanes 4").status == 2);
}

TEST_CASE_METHOD(Fixture, "compute shaders run over a grid, and their buffers and images are printed") {
  folder.write("ids.tgsi",
               "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], BLOCK_SIZE\nDCL CONST[0]\nDCL BUFFER[1]\n"
               "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0..1]\nIMM[0] UINT32 {4, 0, 0, 0}\n"
               "UMAD TEMP[0].x, SV[1].xxxx, SV[2].xxxx, SV[0].xxxx\nUMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
               "UADD TEMP[0].z, TEMP[0].xxxx, CONST[0].xxxx\nSTORE BUFFER[1].x, TEMP[1].xxxx, TEMP[0].zzzz\n"
               "MOV TEMP[0].y, IMM[0].yyyy\nSTORE IMAGE[0], TEMP[0], TEMP[0].zzzz, 2D, PIPE_FORMAT_R32_UINT\nEND\n");
  const Outcome outcome =
      run("shader run ids.tgsi --grid 2 --block 2 --const 0=100u --buffer 1=zeros:5 --image 0=4x1:r32_uint");
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("BUFFER[1]    12  0x00000067") != std::string::npos);
  CHECK(outcome.out.find("BUFFER[1]    16  0x00000000") != std::string::npos);
  CHECK(outcome.out.find("IMAGE[0] 3,0,0  0x00000067") != std::string::npos);
  for (const std::string arguments : {"--grid 2", "--grid 70000 --block 1", "--grid x --block 1", "--block 2 --buffer 1=zeros:0",
                                      "--block 2 --buffer 40=1u", "--block 2 --image 0=4x1", "--block 2 --shared 100000"}) {
    CAPTURE(arguments);
    const bool has_buffer = arguments.find("--buffer") != std::string::npos, has_image = arguments.find("--image") != std::string::npos;
    const Outcome wrong = run("shader run ids.tgsi " + arguments + (has_buffer ? "" : " --buffer 1=zeros:5") +
                              (has_image ? "" : " --image 0=4x1:r32_uint"));
    CHECK(wrong.status == 2);
    CHECK(!wrong.err.empty());
  }
  CHECK(run("shader run ids.tgsi --block 2 --image 0=4x1:r32_uint").err.find("Buffer 1: the shader uses it") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a scene whose picture may depend on the order of invocations is drawn with a note, or strictly") {
  folder.write("order.scene", "[buffer 0]\nsize 4\n[target]\nsize 8 8\n[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                              "MOV OUT[0], IN[0]\nEND\n[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\n"
                              "IMM[0] UINT32 {0, 1, 0, 0}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nU2F OUT[0], TEMP[0].xxxx\n"
                              "END\n[test]\ndraw rect -1 -1 2 2\nprobe buffer 0 0 int 64\n");
  const Outcome noted = run("render order.scene -o a.png");
  CHECK(noted.status == 0);
  CHECK(noted.err.find("order.scene:17:1: note: Buffer 0 gives the result of an atomic operation") != std::string::npos);
  const Outcome strict = run("render order.scene -o b.png --strict");
  CHECK(strict.status == 0);
  CHECK(strict.err.empty());
  CHECK(run("test order.scene").status == 0);
}

TEST_CASE_METHOD(Fixture, "selfcheck prints one line, and its hash depends on neither threads nor instruction set") {
  const Outcome plain = run("selfcheck");
  REQUIRE(plain.status == 0);
  CHECK(std::count(plain.out.begin(), plain.out.end(), '\n') == 1);
  CHECK(run("selfcheck --threads 1 --simd sse4").out.substr(0, 16) == plain.out.substr(0, 16));
}

TEST_CASE_METHOD(Fixture, "text is read and written the same way in any locale, and without an environment") {
  folder.write("good.scene", good_scene());
  REQUIRE(run("render good.scene -o plain.png").status == 0);
  for (const char* environment : {"LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8", "env -i"}) {
    CHECK(run("render good.scene -o other.png", environment).status == 0);
    CHECK(tests::read_file(folder.path("plain.png")) == tests::read_file(folder.path("other.png")));
  }
}

TEST_CASE_METHOD(Fixture, "every command explains itself with examples") {
  for (const char* command : {"render", "test", "shader", "selfcheck", "bench"}) {
    const Outcome help = run(std::string(command) + " --help");
    CHECK(help.status == 0);
    CHECK_THAT(help.out, Catch::Contains("Examples:") && Catch::Contains("--threads"));
  }
  CHECK_THAT(run("--version").out, Catch::StartsWith("tessera "));
}
