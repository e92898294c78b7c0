#include "frontend/view/window.h"

#include <SDL.h>
#include <fmt/format.h>

#include <algorithm>

namespace tessera::view {

struct Window::Impl {
  SDL_Window* window = nullptr;
  SDL_Renderer* renderer = nullptr;
  SDL_Texture* texture = nullptr;
  uint32_t texture_width = 0, texture_height = 0;
  bool waits = false;

  ~Impl() {
    if (texture) SDL_DestroyTexture(texture);
    if (renderer) SDL_DestroyRenderer(renderer);
    if (window) SDL_DestroyWindow(window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
  }

  bool make_texture(uint32_t width, uint32_t height) {
    if (texture && texture_width == width && texture_height == height) return true;
    if (texture) SDL_DestroyTexture(texture);
    texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING, static_cast<int>(width),
                                static_cast<int>(height));
    texture_width = width, texture_height = height;
    return texture != nullptr;
  }
};

namespace {

Diag no_window() {
  return error(fmt::format("no window can be opened: {}. Without a display, `--png FILE` writes a picture, and "
                           "SDL_VIDEODRIVER=dummy runs without showing anything", SDL_GetError()));
}

}  // namespace

Window::Window(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Window::~Window() = default;

Result<std::unique_ptr<Window>> Window::open(const std::string& title, uint32_t width, uint32_t height) {
  auto impl = std::make_unique<Impl>();
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) return no_window();
  impl->window = SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                  static_cast<int>(width), static_cast<int>(height),
                                  SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (!impl->window) return no_window();
  SDL_SetWindowMinimumSize(impl->window, 64, 64);
  impl->renderer = SDL_CreateRenderer(impl->window, -1, SDL_RENDERER_PRESENTVSYNC);
  if (!impl->renderer) impl->renderer = SDL_CreateRenderer(impl->window, -1, SDL_RENDERER_SOFTWARE);
  if (!impl->renderer) return no_window();
  SDL_RendererInfo info;
  impl->waits = SDL_GetRendererInfo(impl->renderer, &info) == 0 && (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0 &&
                (info.flags & SDL_RENDERER_ACCELERATED) != 0;
  return std::unique_ptr<Window>(new Window(std::move(impl)));
}

uint32_t Window::width() const {
  int width = 1, height = 1;
  SDL_GetRendererOutputSize(impl_->renderer, &width, &height);
  return static_cast<uint32_t>(std::clamp(width, 1, static_cast<int>(kMaxImageSide_px)));
}

uint32_t Window::height() const {
  int width = 1, height = 1;
  SDL_GetRendererOutputSize(impl_->renderer, &width, &height);
  return static_cast<uint32_t>(std::clamp(height, 1, static_cast<int>(kMaxImageSide_px)));
}

float Window::scale() const {
  int points = 1;
  SDL_GetWindowSize(impl_->window, &points, nullptr);
  return static_cast<float>(width()) / static_cast<float>(std::max(points, 1));
}

bool Window::waits_for_screen() const { return impl_->waits; }

WindowEvents Window::events() {
  WindowEvents found;
  const float pixels = scale();
  SDL_Event event;
  while (SDL_PollEvent(&event)) {
    switch (event.type) {
      case SDL_QUIT: found.closes = true; break;
      case SDL_KEYDOWN: found.keys.push_back(event.key.keysym.sym); break;
      case SDL_MOUSEWHEEL: found.pointer.wheel += static_cast<float>(event.wheel.y); break;
      case SDL_MOUSEMOTION:
        if (event.motion.state & SDL_BUTTON_LMASK) {
          found.drag_x += static_cast<float>(event.motion.xrel) * pixels;
          found.drag_y += static_cast<float>(event.motion.yrel) * pixels;
        }
        break;
    }
  }
  int x = 0, y = 0;
  const uint32_t buttons = SDL_GetMouseState(&x, &y);
  found.pointer.x = static_cast<float>(x) * pixels;
  found.pointer.y = static_cast<float>(y) * pixels;
  found.pointer.left = (buttons & SDL_BUTTON_LMASK) != 0;
  found.pointer.right = (buttons & SDL_BUTTON_RMASK) != 0;
  const uint8_t* held = SDL_GetKeyboardState(nullptr);
  found.forward = held[SDL_SCANCODE_W], found.back = held[SDL_SCANCODE_S];
  found.left = held[SDL_SCANCODE_A], found.right = held[SDL_SCANCODE_D];
  found.up = held[SDL_SCANCODE_PAGEUP], found.down = held[SDL_SCANCODE_PAGEDOWN];
  return found;
}

Status Window::show(Context& context, const ResourceRef& picture) {
  const ResourceDesc& desc = picture->desc();
  if (!impl_->make_texture(desc.width, desc.height)) return no_window();
  void* pixels = nullptr;
  int pitch = 0;
  if (SDL_LockTexture(impl_->texture, nullptr, &pixels, &pitch) != 0) return no_window();
  const Box box{.width = desc.width, .height = desc.height};
  const size_t size_bytes = static_cast<size_t>(pitch) * desc.height;
  const Status read = context.read_box(picture, 0, box, {static_cast<std::byte*>(pixels), size_bytes},
                                       {.row_bytes = static_cast<size_t>(pitch)});
  SDL_UnlockTexture(impl_->texture);
  if (!read) return read;
  SDL_RenderCopy(impl_->renderer, impl_->texture, nullptr, nullptr);
  SDL_RenderPresent(impl_->renderer);
  return Done{};
}

}  // namespace tessera::view
