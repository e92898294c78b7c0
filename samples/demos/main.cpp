// tessera-view: scenes and all demos in a window.
#include "samples/demos/command_line.h"

int main(int argc, char** argv) { return tessera::demos::run_viewer(argc, argv); }
