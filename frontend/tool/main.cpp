#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "frontend/tool/command.h"

namespace {

using namespace tessera::tool;

constexpr Command kCommands[] = {
    {"render", "Draw a scene to a PNG file",
     "tessera render samples/triangle/triangle.scene -o triangle.png\n"
     "tessera render scene.scene -o out.png --threads 1 --simd sse4\n"
     "tessera render scene.scene -o out.png --heatmap heat.png --heatmap-of overdraw\n"
     "tessera render scene.scene -o out.png --trace trace.json\n",
     declare_render},
    {"test", "Run scenes and check their probes and expected images",
     "tessera test samples\n"
     "tessera test tests/scenes --report report --junit scenes.xml\n"
     "tessera test tests/scenes/blend.scene --update\n"
     "tessera test samples --baseline baselines/arm --jobs 4\n",
     declare_test},
    {"pixel", "Tell what happened to one pixel, and how a shader came to its values",
     "tessera pixel samples/vase/vase.scene 120 90\n"
     "tessera pixel scene.scene 10 20 --sample 3 --json\n"
     "tessera pixel scene.scene 10 20 --step 0\n",
     declare_pixel},
    {"shader", "Check, print or run a shader",
     "tessera shader check fog.tgsi\n"
     "tessera shader print fog.tgsi --ir\n"
     "tessera shader run fog.tgsi --in 'GENERIC[0]=0.5,0,0,1' --const 0=1,2,3,4 --trace\n"
     "tessera shader assemble water.psh -o water.pso\n"
     "tessera shader disassemble water.pso\n"
     "tessera shader reference tgsi\n",
     declare_shader},
    {"selfcheck", "Draw built-in scenes and print one line to compare between machines",
     "tessera selfcheck\n"
     "tessera selfcheck --simd sse4 --threads 1\n",
     declare_selfcheck},
    {"bench", "Measure the benchmark rows",
     "tessera bench\n"
     "tessera bench fill-flat blend --threads 2 --json\n"
     "tessera bench --scaling --report bench.html --against last-week.json\n",
     declare_bench},
    {"serve", "Draw for OpenGL programs that use Mesa's virpipe driver",
     "tessera serve\n"
     "LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=virpipe glxgears\n",
     declare_serve},
    {"run", "Run an OpenGL program, unmodified, on Tessera",
     "tessera run -- glxgears\n"
     "tessera run --size 640x480 --trace-commands gears.txt -- glxgears\n"
     "tessera run --screenshot 1:first.png --stats -- es2gears_x11\n",
     declare_run},
    {"view", "Show a scene or a demo in a window",
     "tessera view samples/vase/vase.scene\n"
     "tessera view --demo knot --panel\n"
     "tessera view --demo obj samples/vase/vase.obj samples/vase/glaze.png --png vase.png\n",
     declare_view},
    {"manual", "Print the manual page",
     "tessera manual | man -l -\n",
     declare_manual},
    {"completions", "Print what completes command lines in a shell",
     "tessera completions bash > ~/.local/share/bash-completion/completions/tessera\n"
     "tessera completions zsh > ~/.zfunc/_tessera\n"
     "tessera completions fish > ~/.config/fish/completions/tessera.fish\n",
     declare_completions},
};

int run_command_line(int argc, char** argv) {
  CLI::App app("Tessera: a software GPU with the same bits on every machine", "tessera");
  app.set_version_flag("--version", "tessera " TESSERA_VERSION);
  app.require_subcommand(1);
  CommonOptions common;
  std::vector<std::pair<CLI::App*, Run>> declared;
  for (const Command& command : kCommands) {
    CLI::App& sub = *app.add_subcommand(command.name, command.description);
    sub.footer(fmt::format("Examples:\n{}", command.examples));
    add_common_options(sub, common);
    declared.emplace_back(&sub, command.declare(sub, common));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kSuccess : kWrongUse;
  }
  for (const auto& [sub, run] : declared)
    if (sub->parsed()) return run();
  return kWrongUse;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const std::exception& e) {   // such as memory that is not there
    std::fputs(fmt::format("tessera: error: {}\n", e.what()).c_str(), stderr);
    return kWrongUse;
  }
}
