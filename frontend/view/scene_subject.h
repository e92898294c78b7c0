// frontend/view/scene_subject.h: a scene file in a window: its picture fitted into the target, drawn again when the
// camera has moved or a file has changed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "frontend/view/scene_camera.h"
#include "frontend/view/subject.h"

namespace tessera::view {

class SceneSubject : public Subject {
 public:
  // Error: the file cannot be read, or is no right scene.
  static Result<std::unique_ptr<SceneSubject>> open(const std::string& path);

  Status start(Device& device) override;
  Status draw(Context& context, const FrameInput& frame) override;
  std::string title() const override { return path_; }
  Camera camera() const override { return camera_ ? camera_->camera : Camera{}; }
  bool is_outdated() const override;
  Status reload() override;

 private:
  using Times = std::map<std::string, std::filesystem::file_time_type>;

  explicit SceneSubject(std::string path) : path_(std::move(path)) {}
  Status use_text(std::string text);
  // Draws the scene with the camera there; its picture becomes picture_.
  Status render(const std::string& text, const std::optional<SceneCamera>& from, const Camera& to);
  Times times() const;               // of the scene and of the files beside it
  Diag report(const std::vector<Diag>& diags, const std::string& text) const;

  std::string path_, text_;
  std::optional<SceneCamera> camera_;
  std::optional<Camera> drawn_camera_;   // empty: it has to be drawn
  Times read_times_;
  Device* device_ = nullptr;
  ResourceRef picture_;
};

}  // namespace tessera::view
