// samples/demos/demos.h: the table of demos.
#pragma once

#include "samples/demos/demo.h"

namespace tessera::demos {

#define DEMO(name, what) Made make_##name(const Words& words);
#include "samples/demos/demos.def"
#undef DEMO

struct DemoEntry {
  const char* name;
  const char* what;
  Made (*make)(const Words& words);
};

inline constexpr DemoEntry kDemos[] = {
#define DEMO(name, what) {#name, what, make_##name},
#include "samples/demos/demos.def"
#undef DEMO
};

// For a demo that takes no words.
template <class Demo>
Made make_without_words(const Words& words) {
  if (!words.empty()) return error("the demo takes no files, found '" + words.front() + "'");
  return std::unique_ptr<view::Subject>(new Demo);
}

}  // namespace tessera::demos
