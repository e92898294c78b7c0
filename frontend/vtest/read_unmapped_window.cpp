// Preloaded into the programs of `tessera run`: Mesa's virpipe driver reads back what a single-buffered window shows when
// it makes the window's buffer. X refuses that for windows that are not on the screen (BadMatch), which by default ends
// the program: `glxinfo` does so. Such a window shows nothing, so the refusal is dropped, and the buffer stays as it is.
#include <dlfcn.h>

// The few declarations of Xlib that are needed: programs without X must not need its library, nor this its headers.
extern "C" {
struct XErrorEvent {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char error_code, request_code, minor_code;
};
}

namespace {

constexpr unsigned char kGetImage = 73, kBadMatch = 8;

using ErrorHandler = int (*)(void* display, XErrorEvent* event);
ErrorHandler program_handler;

int drop_refusal(void* display, XErrorEvent* event) {
  if (event->request_code == kGetImage && event->error_code == kBadMatch) return 0;
  return program_handler ? program_handler(display, event) : 0;
}

template <class Function>
Function find(const char* name) {
  void* library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* XGetSubImage(
    void* display, unsigned long drawable, int x, int y, unsigned width, unsigned height, unsigned long planes,
    int format, void* image, int to_x, int to_y) {
  static const auto next = find<decltype(&XGetSubImage)>("XGetSubImage");
  static const auto set_handler = find<ErrorHandler (*)(ErrorHandler)>("XSetErrorHandler");
  if (!next || !set_handler) return nullptr;
  program_handler = set_handler(drop_refusal);   // the call waits for its answer: errors come before it returns
  void* result = next(display, drawable, x, y, width, height, planes, format, image, to_x, to_y);
  set_handler(program_handler);
  return result;
}
