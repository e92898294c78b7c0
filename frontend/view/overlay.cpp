#include "frontend/view/overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace tessera::view {
namespace {

constexpr ImGuiWindowFlags kPlain = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoFocusOnAppearing;

void lines(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) ImGui::TextUnformatted(text.c_str());
}

void caption(const OverlayContent& content) {
  if (content.caption.empty()) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({8, size.y - 8}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowBgAlpha(0.6f);
  ImGui::Begin("caption", nullptr, kPlain);
  lines(content.caption);
  ImGui::End();
}

void error_box(const OverlayContent& content) {
  if (content.error.empty()) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.35f, 0.05f, 0.05f, 0.9f));
  ImGui::Begin("error", nullptr, kPlain);
  ImGui::TextUnformatted(content.error.c_str());
  ImGui::End();
  ImGui::PopStyleColor();
}

void frame_times(const std::vector<float>& ms) {
  if (ms.empty()) return;
  std::vector<float> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const float median = sorted[sorted.size() / 2], largest = sorted.back();
  const std::string pace = fmt::format("{:.1f} ms, {:.0f} frames a second", median, 1000 / std::max(median, 1e-3f));
  ImGui::TextUnformatted(pace.c_str());
  const std::string label = fmt::format("to {:.1f} ms", largest);
  ImGui::PlotLines("##frames", ms.data(), static_cast<int>(ms.size()), 0, label.c_str(), 0, largest * 1.2f, {240, 48});
}

void counters(const Counters& c) {
  const std::pair<const char*, uint64_t> rows[] = {{"draws", c.draws},         {"vertices", c.vertices},
                                                   {"triangles", c.triangles_binned}, {"fragments", c.fragments},
                                                   {"failed tests", c.fragments_failed}, {"texels", c.texels},
                                                   {"tiles", c.tiles},         {"compiles", c.compiles}};
  for (const auto& [name, number] : rows) ImGui::TextUnformatted(fmt::format("{:<14}{:>14}", name, number).c_str());
}

void controls(const OverlayContent& content, OverlayChoice& choice) {
  if (ImGui::SmallButton(content.executor.c_str())) choice.switches_executor = true;
  ImGui::SameLine();
  ImGui::TextUnformatted("executor");
  int threads = static_cast<int>(content.threads);
  ImGui::SetNextItemWidth(120);
  if (ImGui::SliderInt("threads", &threads, 1, 64) && threads > 0) choice.threads = static_cast<uint32_t>(threads);
}

void panel(const OverlayContent& content, OverlayChoice& choice) {
  ImGui::SetNextWindowPos({8, 8}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowBgAlpha(0.7f);
  ImGui::Begin(content.is_paused ? "Tessera (paused)###panel" : "Tessera###panel", nullptr,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  frame_times(content.frame_ms);
  counters(content.counters);
  controls(content, choice);
  if (ImGui::CollapsingHeader("keys"))
    for (const auto& [key, what] : content.keys) ImGui::TextUnformatted(fmt::format("{:<10}{}", key, what).c_str());
  ImGui::End();
}

// From black over red and yellow to white, by time against the slowest tile.
ImU32 heat(float t) {
  const auto part = [](float x) { return static_cast<int>(std::clamp(x, 0.0f, 1.0f) * 255); };
  return IM_COL32(part(t * 3), part(t * 3 - 1), part(t * 3 - 2), 150);
}

void heatmap(const TileTimes& tiles) {
  if (tiles.us.empty()) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float largest = std::max(*std::max_element(tiles.us.begin(), tiles.us.end()), 1e-3f);
  const float tile_x = size.x / static_cast<float>(tiles.columns), tile_y = size.y / static_cast<float>(tiles.rows);
  for (size_t i = 0; i < tiles.us.size(); ++i) {
    const ImVec2 from(static_cast<float>(i % tiles.columns) * tile_x, static_cast<float>(i / tiles.columns) * tile_y);
    list.AddRectFilled(from, {from.x + tile_x - 1, from.y + tile_y - 1}, heat(tiles.us[i] / largest));
  }
  const std::string legend = fmt::format("microseconds a tile: black 0, red {:.0f}, yellow {:.0f}, white {:.0f}",
                                         largest / 3, largest * 2 / 3, largest);
  const ImVec2 extent = ImGui::CalcTextSize(legend.c_str());
  const ImVec2 at(size.x - extent.x - 12, size.y - extent.y - 10);
  list.AddRectFilled({at.x - 4, at.y - 2}, {at.x + extent.x + 4, at.y + extent.y + 2}, IM_COL32(0, 0, 0, 200));
  list.AddText(at, IM_COL32_WHITE, legend.c_str());
}

void lay_out(const OverlayContent& content, OverlayChoice& choice) {
  ImGui::NewFrame();
  if (content.shows_heatmap) heatmap(content.tiles);
  caption(content);
  if (content.shows_panel) panel(content, choice);
  error_box(content);
  ImGui::Render();
}

}  // namespace

Overlay::Overlay() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;              // nothing is written beside the program
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

Overlay::~Overlay() { ImGui::DestroyContext(); }

bool Overlay::wants_pointer() const { return ImGui::GetIO().WantCaptureMouse; }

Status Overlay::draw(Device& device, const ResourceRef& target, float scale, const OverlayContent& content,
                     const Pointer& pointer, OverlayChoice& choice) {
  ImGuiIO& io = ImGui::GetIO();
  io.FontGlobalScale = scale;
  io.DisplaySize = {static_cast<float>(target->desc().width), static_cast<float>(target->desc().height)};
  io.MousePos = {pointer.x, pointer.y};
  io.MouseDown[0] = pointer.left;
  io.MouseDown[1] = pointer.right;
  io.MouseWheel = pointer.wheel;
  if (!has_layout_) lay_out(content, choice);
  has_layout_ = true;
  lay_out(content, choice);
  return draw_.draw(device, *ImGui::GetDrawData(), target);
}

}  // namespace tessera::view
