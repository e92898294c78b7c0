#include "frontend/view/scene_subject.h"

#include <algorithm>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "frontend/view/fresh_state.h"

namespace tessera::view {
namespace {

bool is_check(const scene::Command& command) {
  return std::holds_alternative<scene::Probe>(command.action) ||
         std::holds_alternative<scene::ProbeBuffer>(command.action) ||
         std::holds_alternative<scene::ExpectImage>(command.action) ||
         std::holds_alternative<scene::ExpectQuery>(command.action);
}

bool looks_alike(const Camera& a, const Camera& b) {
  return a.center == b.center && a.distance == b.distance && a.yaw_turns == b.yaw_turns &&
         a.pitch_turns == b.pitch_turns;
}

// The largest box of the picture's shape in the middle of the target.
BlitBox fitted(const ResourceDesc& picture, uint32_t width, uint32_t height) {
  const uint64_t by_width = uint64_t{width} * picture.height / picture.width;
  const uint32_t box_height = static_cast<uint32_t>(std::clamp<uint64_t>(by_width, 1, height));
  const uint64_t by_height = uint64_t{box_height} * picture.width / picture.height;
  const uint32_t box_width =
      by_width <= height ? width : static_cast<uint32_t>(std::clamp<uint64_t>(by_height, 1, width));
  const int32_t x = static_cast<int32_t>((width - box_width) / 2), y = static_cast<int32_t>((height - box_height) / 2);
  return {.x0 = x, .y0 = y, .x1 = x + static_cast<int32_t>(box_width), .y1 = y + static_cast<int32_t>(box_height)};
}

}  // namespace

Result<std::unique_ptr<SceneSubject>> SceneSubject::open(const std::string& path) {
  std::unique_ptr<SceneSubject> subject(new SceneSubject(path));
  if (Status s = subject->reload(); !s) return s.diags();
  return subject;
}

SceneSubject::Times SceneSubject::times() const {
  Times found;
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  found[path_] = std::filesystem::last_write_time(path_, ignored);
  if (folder.empty()) folder = ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (text_.find(entry.path().filename().string()) != std::string::npos)
      found[entry.path().string()] = entry.last_write_time(ignored);
  return found;
}

bool SceneSubject::is_outdated() const { return times() != read_times_; }

Diag SceneSubject::report(const std::vector<Diag>& diags, const std::string& text) const {
  return error(format_diags(diags, path_, text));
}

Status SceneSubject::reload() {
  Result<std::vector<uint8_t>> file = read_file(path_);
  if (!file) return report(file.diags(), {});
  Status s = use_text(std::string(file->begin(), file->end()));
  read_times_ = times();
  return s;
}

Status SceneSubject::use_text(std::string text) {
  const Result<scene::Scene> parsed = scene::parse_scene(text);
  if (!parsed) return report(parsed.diags(), text);
  std::optional<SceneCamera> camera = find_scene_camera(text);
  if (device_)
    if (Status s = render(text, camera, camera ? camera->camera : Camera{}); !s) return s;
  text_ = std::move(text);
  camera_ = camera;
  return Done{};
}

Status SceneSubject::start(Device& device) {
  device_ = &device;
  drawn_camera_.reset();
  return Done{};
}

Status SceneSubject::render(const std::string& text, const std::optional<SceneCamera>& from, const Camera& to) {
  const bool has_moved = from && !looks_alike(from->camera, to);
  Result<scene::Scene> scene = scene::parse_scene(has_moved ? move_scene_camera(text, *from, to) : text);
  if (!scene) return report(scene.diags(), text);
  std::erase_if(scene->commands, is_check);
  const Result<scene::SceneResult> result = scene::run_scene(*device_, *scene, scene::directory_of(path_));
  if (Status s = use_fresh_state(device_->context()); !s) return s;
  if (!result) return report(result.diags(), text);
  if (result->failure) return report({*result->failure}, text);
  const Image& image = result->picture;
  if (image.rgba_un8.empty()) return error(path_ + ": the scene has no colour target to show");
  Result<ResourceRef> picture = device_->create_image({.width = image.width, .height = image.height});
  if (!picture) return picture.diags();
  const Box box{.width = image.width, .height = image.height};
  const auto texels = std::as_bytes(std::span(image.rgba_un8));
  if (Status s = device_->context().write_texels(*picture, 0, box, texels); !s) return s;
  picture_ = std::move(*picture);
  drawn_camera_ = to;
  return Done{};
}

Status SceneSubject::draw(Context& context, const FrameInput& frame) {
  Status drawn = Done{};
  if (!drawn_camera_ || !looks_alike(*drawn_camera_, frame.camera)) drawn = render(text_, camera_, frame.camera);
  if (!drawn && !picture_) return drawn;
  if (Status s = context.set_color_target(0, {frame.color}); !s) return s;   // the scene had its own
  if (Status s = context.clear_color({0.08f, 0.08f, 0.09f, 1}); !s) return s;
  const ResourceDesc& desc = picture_->desc();
  const BlitBox to = fitted(desc, frame.width, frame.height);
  const bool is_larger = to.x1 - to.x0 >= static_cast<int32_t>(desc.width);
  const BlitBox whole{.x1 = static_cast<int32_t>(desc.width), .y1 = static_cast<int32_t>(desc.height)};
  const Status shown = context.blit({.from = {.resource = picture_, .box = whole},
                                     .to = {.resource = frame.color, .box = to},
                                     .filter = is_larger ? BlitFilter::Nearest : BlitFilter::Linear});
  return drawn ? shown : drawn;
}

}  // namespace tessera::view
