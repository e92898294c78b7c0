#include "frontend/view/viewer.h"

#include <SDL_keycode.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "frontend/view/stage.h"
#include "frontend/view/window.h"

namespace tessera::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSuccess = 0, kFailed = 1, kWrongUse = 2;
constexpr double kFrame_s = 1.0 / 60, kLookForChanges_s = 0.25;

int report(const std::vector<Diag>& diags, int status) {
  for (const Diag& d : diags) std::fputs(fmt::format("tessera-view: {}\n", d.text).c_str(), stderr);
  return status;
}

class Viewer {
 public:
  Viewer(Subject& subject, const ViewOptions& options, const DeviceOptions& device)
      : subject_(subject), options_(options), stage_(subject, device) {
    stage_.content.shows_panel = options.shows_panel;
    stage_.content.shows_heatmap = options.shows_heatmap;
  }

  int draw_picture();
  int run_window();

 private:
  struct Action {
    const char* name;
    int key;
    const char* key_name;
    const char* what;
    Status (Viewer::*apply)();
  };
  static const Action kActions[];

  Status quit() { return is_closed_ = true, Done{}; }
  Status pause() { return is_paused_ = !is_paused_, Done{}; }
  Status step() { return is_paused_ = true, steps_ = 1, Done{}; }
  Status reload();
  Status screenshot() { return write_picture(options_.screenshot.empty() ? "screenshot.png" : options_.screenshot); }
  Status executor() { return stage_.switch_executor(); }
  Status more_threads() { return stage_.set_threads(stage_.content.threads + 1); }
  Status fewer_threads() { return stage_.set_threads(stage_.content.threads - 1); }
  Status panel() { return stage_.content.shows_panel = !stage_.content.shows_panel, Done{}; }
  Status tiles() { return stage_.content.shows_heatmap = !stage_.content.shows_heatmap, Done{}; }
  Status fly() { return flies_ = !flies_, Done{}; }
  Status home() { return stage_.camera = subject_.camera(), Done{}; }

  Status check_actions() const;
  void apply_actions_of(uint64_t frame);
  void apply(const OverlayChoice& choice);
  void follow(const WindowEvents& events);
  Status draw_frame(Window& window, const WindowEvents& events);
  void keep_pace(const Window& window);
  Status write_picture(const std::string& path);
  // Tells it, and shows it until the next change.
  void note(const Status& status);

  Subject& subject_;
  ViewOptions options_;
  Stage stage_;
  bool is_closed_ = false, is_paused_ = false, flies_ = false;
  uint32_t steps_ = 0;
  uint64_t frame_ = 0;
  double seconds_ = 0;
  Clock::time_point last_frame_ = Clock::now(), next_frame_ = last_frame_, next_look_ = last_frame_;
  std::string reload_error_;
};

const Viewer::Action Viewer::kActions[] = {
    {"quit", SDLK_ESCAPE, "Escape", "close the window", &Viewer::quit},
    {"pause", SDLK_SPACE, "Space", "stop the time, or let it go on", &Viewer::pause},
    {"step", SDLK_PERIOD, ".", "one frame, then stop", &Viewer::step},
    {"screenshot", SDLK_p, "P", "write a PNG file", &Viewer::screenshot},
    {"reload", SDLK_F5, "F5", "read the scene again", &Viewer::reload},
    {"executor", SDLK_e, "E", "interpreter or machine code", &Viewer::executor},
    {"more-threads", SDLK_PLUS, "+", "one thread more", &Viewer::more_threads},
    {"fewer-threads", SDLK_MINUS, "-", "one thread less", &Viewer::fewer_threads},
    {"panel", SDLK_F1, "F1", "frame times, counters, controls", &Viewer::panel},
    {"tiles", SDLK_t, "T", "the time of every tile", &Viewer::tiles},
    {"fly", SDLK_f, "F", "the mouse looks around, or goes around", &Viewer::fly},
    {"home", SDLK_HOME, "Home", "the camera's first place", &Viewer::home},
};

// ---- one picture ------------------------------------------------------------------------------------------------

int Viewer::draw_picture() {
  if (Status s = stage_.start(); !s) return report(s.diags(), kWrongUse);
  if (Status s = stage_.resize(options_.width, options_.height); !s) return report(s.diags(), kWrongUse);
  if (Status s = stage_.draw_subject(options_.seconds); !s) return report(s.diags(), kFailed);
  OverlayChoice ignored;
  if (Status s = stage_.draw_overlay(1, {}, ignored); !s) return report(s.diags(), kFailed);
  const Status written = write_picture(options_.picture);
  return written ? kSuccess : report(written.diags(), kWrongUse);
}

Status Viewer::write_picture(const std::string& path) {
  Result<Image> image = stage_.device().context().read_image(stage_.picture());
  return image ? write_png_file(path, *image) : Status(image.diags());
}

// ---- what the user does -----------------------------------------------------------------------------------------

Status Viewer::check_actions() const {
  for (const std::string& text : options_.actions) {
    const std::string name = text.substr(0, text.find('@'));
    uint64_t frame = 0;
    const bool has_frame = name.size() < text.size() && CLI::detail::lexical_cast(text.substr(name.size() + 1), frame);
    std::string names;
    bool is_known = false;
    for (const Action& action : kActions) {
      is_known |= name == action.name;
      names += fmt::format("\n  {:<14} {:<8} {}", action.name, action.key_name, action.what);
    }
    if (!is_known || !has_frame)
      return error(fmt::format("--do {}: expected NAME@FRAME, with one of these names:{}", text, names));
  }
  return Done{};
}

void Viewer::apply_actions_of(uint64_t frame) {
  for (const std::string& text : options_.actions)
    for (const Action& action : kActions)
      if (text == fmt::format("{}@{}", action.name, frame)) note((this->*action.apply)());
}

void Viewer::note(const Status& status) {
  if (status) return;
  reload_error_ = status.diags().front().text;
  report(status.diags(), kFailed);
}

Status Viewer::reload() {
  reload_error_.clear();
  return subject_.reload();
}

void Viewer::apply(const OverlayChoice& choice) {
  if (choice.switches_executor) note(stage_.switch_executor());
  if (choice.threads) note(stage_.set_threads(*choice.threads));
}

void Viewer::follow(const WindowEvents& events) {
  is_closed_ |= events.closes;
  for (const int key : events.keys)
    for (const Action& action : kActions)
      if (action.key == key) note((this->*action.apply)());
  Camera& camera = stage_.camera;
  if (!stage_.overlay.wants_pointer()) {
    constexpr float kTurns_per_px = 1.0f / 1200;
    if (events.drag_x != 0 || events.drag_y != 0) {
      if (flies_) camera.look(-events.drag_x * kTurns_per_px, events.drag_y * kTurns_per_px);
      else camera.orbit(-events.drag_x * kTurns_per_px, events.drag_y * kTurns_per_px);
    }
    if (events.pointer.wheel != 0) camera.zoom(events.pointer.wheel > 0 ? 0.9f : 1 / 0.9f);
  }
  const float pace = camera.distance * 0.02f;
  const auto axis = [pace](bool plus, bool minus) { return (plus ? pace : 0) - (minus ? pace : 0); };
  const glm::vec3 way(axis(events.right, events.left), axis(events.up, events.down), axis(events.forward, events.back));
  if (way != glm::vec3(0.0f)) camera.fly(way);
}

// ---- frames -----------------------------------------------------------------------------------------------------

Status Viewer::draw_frame(Window& window, const WindowEvents& events) {
  if (Status s = stage_.resize(window.width(), window.height()); !s) return s;
  const Status drawn = stage_.draw_subject(seconds_);
  stage_.content.is_paused = is_paused_;
  stage_.content.error = !reload_error_.empty() ? reload_error_ : drawn ? "" : drawn.diags().front().text;
  OverlayChoice choice;
  if (Status s = stage_.draw_overlay(window.scale(), events.pointer, choice); !s) return s;
  if (Status s = window.show(stage_.device().context(), stage_.picture()); !s) return s;
  apply(choice);
  return drawn;
}

// One frame a sixtieth of a second; a late one is not made up for.
void Viewer::keep_pace(const Window& window) {
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kFrame_s));
  next_frame_ += period;
  const Clock::time_point now = Clock::now();
  if (next_frame_ < now) next_frame_ = now;
  else if (!window.waits_for_screen() && options_.frames == 0) std::this_thread::sleep_until(next_frame_);
  const Clock::time_point then = last_frame_;
  last_frame_ = Clock::now();
  if (is_paused_ && steps_ == 0) return;
  const double real = std::chrono::duration<double>(last_frame_ - then).count();
  seconds_ += options_.frames > 0 || steps_ > 0 ? kFrame_s : real;
  steps_ = 0;
}

int Viewer::run_window() {
  if (Status s = check_actions(); !s) return report(s.diags(), kWrongUse);
  Result<std::unique_ptr<Window>> window = Window::open(subject_.title(), options_.width, options_.height);
  if (!window) return report(window.diags(), kWrongUse);
  if (Status s = stage_.start(); !s) return report(s.diags(), kWrongUse);
  for (const Action& action : kActions) stage_.content.keys.emplace_back(action.key_name, action.what);
  Status last = Done{};
  while (!is_closed_) {
    if (Clock::now() >= next_look_ || options_.frames > 0) {
      if (subject_.is_outdated()) note(reload());
      next_look_ = Clock::now() + std::chrono::milliseconds(static_cast<int>(kLookForChanges_s * 1000));
    }
    const WindowEvents events = (*window)->events();
    follow(events);
    apply_actions_of(frame_);
    last = draw_frame(**window, events);
    keep_pace(**window);
    if (++frame_ == options_.frames) break;
  }
  if (options_.frames > 0 && !options_.screenshot.empty())
    if (Status s = screenshot(); !s) return report(s.diags(), kWrongUse);
  return last ? kSuccess : report(last.diags(), kFailed);
}

}  // namespace

int show(Subject& subject, const ViewOptions& options, const DeviceOptions& device) {
  Viewer viewer(subject, options, device);
  return options.picture.empty() ? viewer.run_window() : viewer.draw_picture();
}

}  // namespace tessera::view
