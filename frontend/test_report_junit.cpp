#include <fmt/format.h>

#include "frontend/test_report.h"

namespace tessera::suite {
namespace {

// Length of the UTF-8 sequence at the beginning of `text` if XML 1.0 allows its character, else 0.
size_t xml_character(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u; };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' ? 1 : 0;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  uint32_t code = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool allowed =
      code >= kSmallest[length] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && (code & ~1u) != 0xfffe;
  return allowed && lead >= 0xc2 && lead < 0xf8 ? length : 0;
}

std::string failure_text(const SceneReport& scene) {
  std::string text = scene.errors;
  for (const Check& check : scene.checks)
    if (!check.passed) text += fmt::format("{}:{}:{}: {}\n", scene.path, check.loc.line, check.loc.column, check.text);
  return text;
}

std::string test_case(const SceneReport& scene) {
  std::string xml = fmt::format("    <testcase classname=\"scene\" name=\"{}\" time=\"{:.3f}\"", escape_xml(scene.path),
                                scene.seconds);
  if (scene.passed()) return xml + "/>\n";
  const std::string text = failure_text(scene);
  return xml + fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                           scene.unreadable ? "error" : "failure", escape_xml(text.substr(0, text.find('\n'))),
                           escape_xml(text));
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = xml_character(text);
    switch (length == 1 ? text.front() : '\0') {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += length == 0 ? std::string_view("?") : text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return out;
}

std::string junit_xml(const SuiteReport& report) {
  size_t failures = report.extra_images.size(), errors = 0;
  double seconds = 0;
  std::string cases;
  for (const SceneReport& scene : report.scenes) {
    if (!scene.passed()) ++(scene.unreadable ? errors : failures);
    seconds += scene.seconds;
    cases += test_case(scene);
  }
  for (const std::string& image : report.extra_images)
    cases += fmt::format(
        "    <testcase classname=\"image\" name=\"{0}\">\n      <failure message=\"no scene expects this "
        "image\">{0}</failure>\n"
        "    </testcase>\n",
        escape_xml(image));
  if (report.scenes.empty()) {
    ++failures;
    cases +=
        "    <testcase classname=\"scene\" name=\"none\">\n      <failure message=\"no scene was found\"/>\n    "
        "</testcase>\n";
  }
  const size_t tests = report.scenes.size() + report.extra_images.size() + (report.scenes.empty() ? 1 : 0);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"tessera\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\">\n{}  "
      "</testsuite>\n</testsuites>\n",
      tests, failures, errors, seconds, cases);
}

}  // namespace tessera::suite
