// samples/demos/command_line.h: the programs of this folder. Exit status: 0 success, 1 a frame failed, 2 wrong use.
#pragma once

namespace tessera::demos {

int run_viewer(int argc, char** argv);                              // tessera-view SCENE, tessera-view --demo NAME
int run_demo_program(const char* name, int argc, char** argv);

}  // namespace tessera::demos
