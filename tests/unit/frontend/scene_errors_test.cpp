// Wrong scene files: each gives an error at its place, before anything is opened or drawn.
#include <catch2/catch.hpp>

#include "frontend/scene_parser.h"

using namespace tessera;
using namespace tessera::scene;

namespace {

struct WrongScene {
  std::string_view text;       // a [test] that would pass is appended where there is none
  SourceLoc loc;
  std::string_view message;    // part of the first error
};

constexpr WrongScene kWrongScenes[] = {
    // the file
    {"hello\n", {1, 1}, "expected a section in brackets, found 'hello'"},
    {"[target\nsize 1 1\n", {1, 1}, "no ']'"},
    {"[target] x\n", {1, 9}, "expected the end of the line"},
    {"[nosuch]\n", {1, 1}, "no section [nosuch]"},
    {"[]\n", {1, 1}, "no section []"},
    {"[target 5]\n", {1, 9}, "'5' is no name of a section"},
    {"[target main]\n", {1, 9}, "'main' is no name of a section"},
    {"[target]\n[target]\n", {2, 1}, "given before"},
    {"[test fast]\n", {1, 1}, "no section [test fast]"},
    {"[test]\nclear color 0 0 0 1\n[test]\n", {3, 1}, "given before"},
    {"[test]\n", {1, 1}, "has no commands"},
    // stages between vertex shading and clipping, queries
    {"[geometry shader glsl]\n", {1, 18}, "expected tgsi"},
    {"[tessellation shader tgsi]\n", {1, 1}, "no section [tessellation shader tgsi]"},
    {"[stream output]\n", {1, 1}, "writes at least one output"},
    {"[stream output]\n0 POSITION\n", {1, 1}, "target 0 has no line `target 0 buffer ...`"},
    {"[stream output]\n4 POSITION\n", {2, 1}, "from 0 to 3"},
    {"[stream output]\n0 NOWHERE\n", {2, 3}, "'NOWHERE' is no output"},
    {"[stream output]\n0 POSITION.xz\n", {2, 3}, "neighbouring components"},
    {"[stream output]\ntarget 0 buffer 7\n0 POSITION\n", {2, 10}, "there is no [buffer 7]"},
    {"[stream output]\nstride 0 3000\n", {2, 10}, "from 4 to 2048"},
    {"[test]\nuse geometry shader fur\n", {2, 21}, "there is no [geometry shader fur]"},
    {"[test]\nuse tessellation control shader main\n", {2, 33}, "there is no [tessellation control shader]"},
    {"[test]\nuse stream output a\n", {2, 19}, "there is no [stream output a]"},
    {"[test]\ndraw streamed points 0\n", {2, 1}, "there is no [stream output] with a target 0"},
    {"[test]\ndraw indirect points buffer 3\n", {2, 29}, "there is no [buffer 3]"},
    {"[test]\ndraw patches 0 4 vertices 33\n", {2, 27}, "from 1 to 32"},
    {"[test]\nquery end a\n", {2, 11}, "no query a has begun"},
    {"[test]\nquery begin a everything\n", {2, 15}, "one of samples_passed"},
    {"[test]\nexpect query a 1\n", {2, 14}, "no query a has begun"},
    {"[test]\nquery begin a statistics\nexpect query a 1\n", {3, 16}, "one of input_vertices"},
    {"[test]\ncondition a\n", {2, 11}, "no query a has begun"},
    {"[state]\ntessellation_levels 1 2 3\n", {2, 26}, "four levels of the edges"},
    // targets
    {"[target]\nsize 0 100\n", {2, 6}, "the width must be from 1 to 16384"},
    {"[target]\nsize 16385 1\n", {2, 6}, "the width must be from 1 to 16384, found 16385"},
    {"[target]\nsize 99999999999 1\n", {2, 6}, "the width (an integer)"},
    {"[target]\nsize -1 1\n", {2, 6}, "the width (an integer)"},
    {"[target]\nsize 10\n", {2, 8}, "found the end of the line"},
    {"[target]\nsize 10 10 10\n", {2, 12}, "expected the end of the line, found '10'"},
    {"[target]\ncolor 8 r8g8b8a8_unorm\n", {2, 7}, "from 0 to 7"},
    {"[target]\ncolor 0 rgba\n", {2, 9}, "name of a format, found 'rgba'"},
    {"[target]\ncolor 0 z32_float\n", {2, 18}, "needs a colour format"},
    {"[target]\ndepth r8g8b8a8_unorm\n", {2, 21}, "needs a depth or stencil format"},
    {"[target]\nwidth 5\n", {2, 1}, "no line 'width'"},
    {"[target]\nsamples 3\n", {2, 9}, "one of 1, 2, 4, 8, 16, found '3'"},
    {"[target]\n[test]\nresolve main main\n", {3, 1}, "one sample a pixel"},
    {"[target]\nsamples 4\n[test]\nresolve main main\n", {4, 1}, "needs one sample"},
    {"[target]\nsamples 4\n[test]\nresolve main other\n", {4, 14}, "no [target other]"},
    {"[state]\nmin_samples 0\n", {2, 13}, "from 1 to 16"},
    {"[state]\nalpha_to_coverage maybe\n", {2, 19}, "on"},
    // textures and samplers
    {"[texture x]\nsolid 1 1 0 0 0 0\n", {1, 10}, "a number (an integer)"},
    {"[texture 0]\n", {1, 1}, "takes one source"},
    {"[texture 0]\nsolid 1 1 0 0 0 0\nchecker 2 2 1 0 0 0 0 1 1 1 1\n", {3, 1}, "given before"},
    {"[texture 0]\nsolid 5000 1 0 0 0 0\n", {2, 7}, "from 1 to 4096"},
    {"[texture 0]\nsolid 1 1 0 0 0\n", {2, 16}, "red, green, blue and alpha"},
    {"[texture 0]\ncube\nface +x solid 1 1 0 0 0 0\n", {1, 1}, "a cube has six, found 1"},
    {"[texture 0]\nface +w solid 1 1 0 0 0 0\n", {2, 6}, "one of +x, -x"},
    {"[texture 0]\ncube\nface +x solid 1 1 0 0 0 0\nface +x solid 1 1 0 0 0 0\n", {4, 1}, "given before"},
    {"[texture 0]\nface +x solid 1 1 0 0 0 0\n", {2, 1}, "no faces, layers or slices"},
    {"[texture 0]\nlayer 1\n", {2, 8}, "expected file, checker, solid"},
    {"[texture 0]\nlayer 2048 solid 1 1 0 0 0 0\n", {2, 7}, "from 0 to 2047"},
    {"[texture 0]\narray\ncube\n", {3, 1}, "the kind was given before"},
    {"[texture 0]\narray\nlayer 1 solid 1 1 0 0 0 0\n", {1, 1}, "level 0 has no slice 0"},
    {"[texture 0]\nsolid 4 4 0 0 0 0\nlevel 2 solid 1 1 0 0 0 0\n", {1, 1}, "level 1 has no slice 0"},
    {"[texture 0]\nsolid 2 2 0 0 0 0\nlevel 1 solid 1 1 0 0 0 0\nmips\n", {3, 1}, "every level but the first"},
    {"[texture 0]\nvolume\nslice 0 solid 2 2 0 0 0 0\nslice 1 solid 2 2 0 0 0 0\nlevel 1 slice 1 solid 1 1 0 0 0 0\n",
     {5, 1}, "this level has 1 slices"},
    {"[texture 0]\nload\n", {2, 5}, "the name of a DDS or KTX file"},
    {"[texture 0]\nload a.dds\nload b.dds\n", {3, 1}, "loads one file"},
    {"[texture 0]\nload a.dds\nsolid 1 1 0 0 0 0\n", {1, 1}, "takes one source"},
    {"[texture 0]\nload a.dds\nformat r8_unorm\n", {2, 1}, "brings its own size, format"},
    {"[texture 0]\ncube\nload a.dds\n", {3, 1}, "brings its own size, format"},
    {"[texture 0]\nsize 4 4\nload a.dds\n", {3, 1}, "brings its own size, format"},
    {"[texture 0]\nformat dxt1_rgb\nsolid 4 4 0 0 0 0\n", {1, 1}, "`load` takes them from a DDS or KTX file"},
    {"[texture 0]\ntexels\n1 0 0 1\n", {1, 1}, "need a `size` line"},
    {"[texture 0]\nsize 2 1\ntexels\n1 0 0 1\n", {3, 1}, "has 2 texels, found 1"},
    {"[texture 0]\nsize 2 2\nlevels 3\ntexels\n1 0 0 1\n", {1, 1}, "at most 2 levels"},
    {"[texture 0]\nsize 1 1\ntexels level 1\n1 0 0 1\n", {1, 1}, "at most 1 levels"},
    {"[texture 0]\nsize 2 2\nlevels 1\ntexels level 1\n1 0 0 1\n", {4, 1}, "no such level"},
    {"[texture 0]\ntarget nosuch color 0\n", {1, 1}, "no [target nosuch]"},
    {"[target t]\n[texture 0]\ntarget t depth\n", {2, 1}, "has no such image"},
    {"[texture 0]\nfile\n", {2, 5}, "name of a file"},
    {"[sampler 0]\nfilter cubic linear\n", {2, 8}, "one of nearest, linear, found 'cubic'"},
    {"[sampler 0]\nwrap around\n", {2, 6}, "one of repeat"},
    {"[sampler 0]\nanisotropy 17\n", {2, 12}, "from 1 to 16"},
    {"[sampler 0]\nreduction mean\n", {2, 11}, "one of average, min, max"},
    {"[sampler 0]\nlevel_rule opengl d3d9\n", {2, 19}, "the end of the line"},
    {"[sampler 0]\nlod low 3\n", {2, 5}, "the smallest level (a number)"},
    // shaders
    {"[vertex shader]\n", {1, 15}, "expected tgsi"},
    {"[vertex program tgsi]\n", {1, 9}, "expected shader, found 'program'"},
    {"[fragment shader glsl]\n", {1, 18}, "expected tgsi or d3d9, the language of the shader, found 'glsl'"},
    // geometry
    {"[vertex data]\n", {1, 1}, "at least one row"},
    {"[vertex data]\n0/r32_float\n", {1, 1}, "at least one row"},
    {"[vertex data]\nr32_float\n1\n", {2, 1}, "attribute/format"},
    {"[vertex data]\n0/nosuch\n1\n", {2, 1}, "no format of a vertex attribute"},
    {"[vertex data]\n0/z32_float\n1\n", {2, 1}, "no format of a vertex attribute"},
    {"[vertex data]\n32/r32_float\n1\n", {2, 1}, "attributes are below 32"},
    {"[vertex data]\n0/r32_float 0/r32_float\n1 1\n", {2, 13}, "given before"},
    {"[vertex data]\n1/r32_float\n1\n", {1, 1}, "attribute 0 is missing"},
    {"[vertex data]\n0/r32g32_float\n1\n", {3, 2}, "channels (a number), found the end of the line"},
    {"[vertex data]\n0/r32_float\n1 2\n", {3, 3}, "expected the end of the line"},
    {"[vertex data]\n0/r32_float\none\n", {3, 1}, "found 'one'"},
    {"[vertex data]\n0/r32_float/1\n1\n", {2, 1}, "only [instance data] takes a divisor"},
    {"[instance data]\n0/r32_float/0\n1\n", {2, 1}, "at least 1"},
    {"[indices]\n", {1, 1}, "no indices"},
    {"[indices]\nbits 8\n256\n", {3, 1}, "from 0 to 255"},
    {"[indices]\nbits 12\n1\n", {2, 6}, "one of 8, 16, 32"},
    {"[mesh]\n", {1, 1}, "takes a file or a shape"},
    {"[mesh]\ncube\ncube\n", {3, 1}, "one file or shape"},
    {"[mesh]\nsphere 2 2\n", {2, 8}, "from 3 to 4096"},
    {"[mesh]\ncube\n[vertex data]\n0/r32_float\n1\n", {3, 1}, "not both"},
    // constants and state
    {"[constants]\npixel 0: 1\n", {2, 1}, "one of vertex, fragment"},
    {"[constants]\nvertex 0 1\n", {2, 8}, "a colon"},
    {"[constants]\nvertex 65536: 1\n", {2, 8}, "below 65536"},
    {"[constants]\nvertex 16[0]: 1\n", {2, 8}, "buffers below 16"},
    {"[constants]\nvertex 0: nosuch(1)\n", {2, 11}, "no function 'nosuch'"},
    {"[constants]\nvertex 65535: identity()\n", {2, 8}, "beyond the last register"},
    {"[state]\nblend nosuch one\n", {2, 7}, "one of zero, one"},
    {"[state]\nblend[8] one one\n", {2, 1}, "an index below 8"},
    {"[state]\ndepth_test maybe\n", {2, 12}, "one of never"},
    {"[state]\nstencil both always 256 0 0\n", {2, 21}, "from 0 to 255"},
    {"[state]\nviewport 0 0 0 10\n", {2, 18}, "no area"},
    {"[state]\ncolour_mask rgb\n", {2, 1}, "no state 'colour_mask'"},
    {"[state]\ncolor_mask rgx\n", {2, 12}, "channels of rgba"},
    {"[state]\nfill solid\n", {2, 6}, "one of fill, line, point"},
    {"[state]\nline_stipple 300 0xff\n", {2, 14}, "from 1 to 256"},
    {"[state]\nline_stipple 1 0x10000\n", {2, 16}, "from 0 to 65535"},
    {"[state]\nline_width 0\n", {2, 13}, "above 0"},
    {"[state]\npoint_size -2\n", {2, 14}, "above 0"},
    {"[state]\npolygon_stipple\n", {2, 16}, "rows of 32 bits, or off"},
    {"[state]\nsprite_coord 1 left\n", {2, 16}, "left"},
    {"[state]\noffset 1 1 0 lines\n", {2, 14}, "one of fill, line, point"},
    // commands
    {"[test]\nfly\n", {2, 1}, "no command 'fly'"},
    {"[test]\nclear colour 0 0 0 1\n", {2, 1}, "clear what?"},
    {"[test]\nclear color[1] 0 0 0 1\n", {2, 1}, "no colour 1"},
    {"[test]\nclear depth 1\n", {2, 1}, "the target has no depth"},
    {"[test]\nclear stencil 1\n", {2, 1}, "the target has no stencil"},
    {"[test]\ndraw squares 0 3\n", {2, 6}, "one of triangles"},
    {"[test]\ndraw triangles\n", {2, 1}, "no [vertex data] to count"},
    {"[test]\ndraw mesh\n", {2, 1}, "no [mesh]"},
    {"[test]\ndraw indexed triangles\n", {2, 1}, "no [indices]"},
    {"[vertex data]\n0/r32_float\n1\n[test]\ndraw triangles 0 3\n", {5, 1}, "reads vertex 2; there are 1"},
    {"[vertex data]\n0/r32_float\n1\n[indices]\n0 1 0\n[test]\ndraw indexed triangles\n",
     {7, 1},
     "index 1 reads vertex 1; there are 1"},
    {"[vertex data]\n0/r32_float\n1\n[indices]\n0 0 0\n[test]\ndraw indexed triangles 0 3 base -1\n",
     {7, 1},
     "reads vertex -1; there are 1"},
    {"[vertex data]\n0/r32_float\n1\n[indices]\n0 0 0\n[test]\ndraw indexed triangles 1 3\n",
     {7, 1},
     "has 3 indices, the draw reads up to 4"},
    {"[vertex data]\n0/r32_float\n1\n[instance data]\n1/r32_float\n1\n[test]\ndraw triangles instances 2\n",
     {8, 1},
     "reads instance row 1; there are 1"},
    {"[test]\ndraw rect 0 0 1\n", {2, 16}, "in clip space (a number)"},
    {"[test]\nuse fragment shader nosuch\n", {2, 21}, "no [fragment shader nosuch]"},
    {"[test]\nuse everything\n", {2, 5}, "expected vertex, fragment or compute shader"},
    {"[test]\nuse texture 32 0\n", {2, 13}, "from 0 to 31"},
    {"[test]\nuse texture 0 0\n", {2, 15}, "no [texture 0]"},
    {"[texture 0]\nsolid 1 1 0 0 0 0\n[test]\nuse texture 0 0 sampler 1\n", {4, 25}, "no [sampler 1]"},
    {"[test]\nset nosuch on\n", {2, 5}, "no state 'nosuch'"},
    {"[test]\nprobe 256 0 0 0 0 1\n", {2, 7}, "outside the target of 256 x 256"},
    {"[test]\nprobe rect 0 0 0 1 0 0 0 1\n", {2, 16}, "the width must be from 1"},
    {"[test]\nprobe 0 0 0 0 0 1 tolerance -1\n", {2, 31}, "none below 0"},
    {"[test]\nprobe depth 0 0 1\n", {2, 1}, "the target has no depth"},
    {"[test]\nexpect picture x.png\n", {2, 8}, "expected image"},
    {"[test]\nexpect image x.png tolerance 256\n", {2, 33}, "at most 255"},
    {"[target]\ncube\nsize 4 5\n", {1, 1}, "faces of a cube are square"},
    {"[target]\nvolume 0\n", {2, 8}, "the number of slices"},
    {"[target]\nvolume 3\nsamples 4\n", {1, 1}, "flat or an array"},
    {"[target]\nempty\ncolor 0 r8_unorm\n", {1, 1}, "neither colours nor depth"},
    {"[target]\narray 3\n[test]\nuse target main layer 3\n", {4, 23}, "from 0 to 2"},
    {"[state]\nviewport[16] 0 0 1 1\n", {2, 14}, "index below 16"},
    {"[state]\nscissor[1] 0 0 1\n", {2, 17}, "the height"},
    {"[test]\nclear color 0 0 0 1 rect 1 2 3\n", {2, 31}, "the height"},
    {"[test]\nclear color 0 0 0 1 twice\n", {2, 21}, "expected rect, layers or mask"},
    {"[test]\nblit texture 0 0 0 1 1 to target main color 0 0 0 1 1\n", {2, 6}, "no [texture 0]"},
    {"[test]\nblit target main depth 0 0 1 1 to target main color 0 0 0 1 1\n", {2, 6}, "no such image"},
    {"[test]\nblit target main color 0 0 0 1 1 target main\n", {2, 34}, "expected to"},
    {"[test]\ncopy target main color 0 4 4 2 2 to target main color 0 0 0\n", {2, 26}, "run backwards"},
    {"[test]\nfill buffer 0\n", {2, 6}, "expected texture or target"},
    {"[test]\npixel size 4\n", {2, 7}, "expected zoom, scale, bias, depth or stencil"},
    {"[test]\ndraw pixels target main color 0\n", {2, 13}, "copied from a target"},
    {"[test]\ndraw bitmap A\n", {2, 13}, "no [bitmap A]"},
    {"[bitmap A]\nxx\nx\n", {3, 1}, "equally long"},
    {"[bitmap A]\nmove 1 1\n", {1, 1}, "rows of 'x' and '.'"},
    {"[bitmap A]\nabc\n", {2, 1}, "no line 'abc'"},
};

}  // namespace

TEST_CASE("each wrong scene gives an error with its place", "[bad input]") {
  for (const WrongScene& wrong : kWrongScenes) {
    std::string text(wrong.text);
    if (text.find("[test") == std::string::npos) text += "[test]\nclear color 0 0 0 1\n";
    CAPTURE(text);
    const Result<Scene> scene = parse_scene(text);
    REQUIRE_FALSE(scene);
    const Diag& first = scene.diags().front();
    CHECK(first.loc.line == wrong.loc.line);
    CHECK(first.loc.column == wrong.loc.column);
    CHECK_THAT(first.text, Catch::Contains(std::string(wrong.message)));
  }
}

TEST_CASE("a scene without [test] is an error, since nothing would be drawn", "[bad input]") {
  const Result<Scene> scene = parse_scene("[target]\nsize 4 4\n");
  REQUIRE_FALSE(scene);
  CHECK_THAT(scene.diags().front().text, Catch::Contains("no [test]"));
}
