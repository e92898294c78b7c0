// One demo as a program: its name is compiled in.
#include "samples/demos/command_line.h"

int main(int argc, char** argv) { return tessera::demos::run_demo_program(TESSERA_DEMO, argc, argv); }
