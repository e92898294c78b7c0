#include <fmt/format.h>

#include "frontend/test_report.h"

namespace tessera::suite {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tessera test</title><style>
body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#222;background:#fafafa}
h1{font-size:1.3em}h2{font-size:1.05em;margin:1.5em 0 .3em}
.pass{color:#18794e}.fail{color:#c02020}pre{background:#eee;padding:.6em;overflow:auto}
.views{display:flex;gap:1em;flex-wrap:wrap}figure{margin:0}figcaption{font-size:.85em;color:#555}
.window{width:min(30vw,480px);height:min(30vw,480px);overflow:auto;border:1px solid #bbb;background:#777}
.window img{image-rendering:pixelated;transform-origin:0 0;display:block}
table{border-collapse:collapse;margin:.5em 0}td,th{border:1px solid #ccc;padding:.15em .6em;text-align:right}
.only-failed .scene.ok{display:none}
.flicker .window{position:relative}.flicker .window img+img{position:absolute;left:0;top:0}
.mode-flicker figure:not(.flicker),.mode-difference figure:not(.difference){display:none}
.mode-side .flicker{display:none}
.mode-flicker .window,.mode-difference .window{width:min(92vw,1440px);height:min(70vh,960px)}
</style></head><body>
)";

// One slider scales the pictures of a comparison together; scrolling one scrolls the others; the pointer shows values.
// The flicker view shows expected and actual by turns; a click stops it at one of them.
constexpr std::string_view kScript = R"(<script>
document.querySelectorAll('.image').forEach(box => {
  box.querySelectorAll('.flicker img').forEach(p => { p.src = box.querySelector(`.${p.alt} img`).src; });
  const windows = [...box.querySelectorAll('.window')], pictures = [...box.querySelectorAll('img')];
  const zoom = box.querySelector('.zoom'), label = box.querySelector('.at');
  const scale = () => pictures.forEach(p => { p.style.width = p.naturalWidth * zoom.value + 'px'; });
  box.querySelectorAll('[name^=view]').forEach(b => b.onchange = () => { box.className = 'image mode-' + b.value; });
  const pair = [...box.querySelectorAll('.flicker img')], shown = box.querySelector('.flicker .shown');
  if (pair.length === 2) {
    const rate = box.querySelector('.rate'); let turn = 0, stopped = false, last = 0;
    const show = () => {
      pair[1].style.visibility = turn ? 'visible' : 'hidden';
      shown.textContent = turn ? 'actual' : 'expected';
    };
    const step = now => {
      if (!stopped && now - last > 1000 / rate.value) { turn ^= 1; last = now; show(); }
      requestAnimationFrame(step);
    };
    pair.forEach(p => p.onclick = () => { if (stopped) { turn ^= 1; show(); } stopped = true; });
    rate.oninput = () => { stopped = false; }; show(); requestAnimationFrame(step);
  }
  zoom.oninput = scale; pictures.forEach(p => p.complete ? scale() : p.onload = scale);
  const follow = (to, from) => { to.scrollLeft = from.scrollLeft; to.scrollTop = from.scrollTop; };
  windows.forEach(w => w.onscroll = () => windows.forEach(o => { if (o !== w) follow(o, w); }));
  const texels = new Map();
  const read = (p, x, y) => {
    if (!texels.has(p)) {
      const c = document.createElement('canvas'); c.width = p.naturalWidth; c.height = p.naturalHeight;
      const g = c.getContext('2d'); g.drawImage(p, 0, 0); texels.set(p, g.getImageData(0, 0, c.width, c.height));
    }
    const d = texels.get(p), i = (y * d.width + x) * 4;
    return x < d.width && y < d.height ? [...d.data.slice(i, i + 4)] : [];
  };
  pictures.forEach(p => p.onmousemove = e => {
    const x = Math.floor(e.offsetX / zoom.value), y = Math.floor(e.offsetY / zoom.value);
    const values = pictures.filter(q => !q.closest('.flicker') && q.alt !== 'difference')
        .map(q => [q.alt, read(q, x, y)]);
    // The picture of differences is lifted so that small ones show; the text tells the true ones.
    if (values.length === 2 && values.every(([, v]) => v.length))
      values.push(['difference', values[1][1].map((v, i) => v - values[0][1][i])]);
    label.textContent = `(${x}, ${y})  ` + values.map(([name, v]) => name + ': ' + v.join(' ')).join('   ');
  });
});
document.getElementById('failed').onchange = e => document.body.classList.toggle('only-failed', e.target.checked);
</script></body></html>
)";

std::string base64(const std::vector<uint8_t>& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string figure(std::string_view name, const Image& image) {
  if (image.width == 0) return fmt::format("<figure><figcaption>{}</figcaption>none</figure>\n", name);
  return fmt::format(
      "<figure class=\"{0}\"><figcaption>{0} {1} x {2}</figcaption><div class=\"window\"><img alt=\"{0}\" "
      "src=\"data:image/png;base64,{3}\"></div></figure>\n",
      name, image.width, image.height, base64(encode_png(image)));
}

std::string texel_table(const std::vector<DifferingTexel>& texels) {
  if (texels.empty()) return {};
  std::string html = "<table><tr><th>x</th><th>y</th><th>expected r g b a</th><th>actual r g b a</th></tr>\n";
  for (const DifferingTexel& t : texels)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{} {} {} {}</td><td>{} {} {} {}</td></tr>\n", t.x, t.y,
                        t.expected[0], t.expected[1], t.expected[2], t.expected[3], t.actual[0], t.actual[1],
                        t.actual[2], t.actual[3]);
  return html + "</table>\n";
}

// Both pictures on top of each other; the script takes them from the other views.
std::string flicker_figure(const ImageCheck& image) {
  if (image.comparison.difference.width == 0) return {};
  return "<figure class=\"flicker\"><figcaption><span class=\"shown\"></span> <label>turns a second "
         "<input class=\"rate\" type=\"range\" min=\"1\" max=\"20\" value=\"2\"></label> click: stop, next</figcaption>"
         "<div class=\"window\"><img alt=\"expected\"><img alt=\"actual\"></div></figure>\n";
}

std::string numbers_table(const ImageCheck& image) {
  const ImageComparison& c = image.comparison;
  const double texels = static_cast<double>(image.actual.width) * image.actual.height;
  if (c.difference.width == 0) return {};
  return fmt::format(
      "<table class=\"numbers\"><tr><th>differing texels</th><th>beyond the tolerance</th><th>largest r g b a</th>"
      "<th>mean</th><th>similarity (SSIM)</th><th>of the worst window</th></tr>\n"
      "<tr><td>{} ({:.3f} %)</td><td>{}</td><td>{} {} {} {}</td><td>{:.4f}</td><td>{:.5f}</td><td>{:.5f}</td></tr>"
      "</table>\n",
      c.differing, 100 * static_cast<double>(c.differing) / texels, c.beyond, c.largest[0], c.largest[1], c.largest[2],
      c.largest[3], c.mean, c.similarity.mean, c.similarity.least);
}

// `number` keeps the radio buttons of one comparison together.
std::string view_buttons(size_t number) {
  return fmt::format(
      "<label><input type=\"radio\" name=\"view{0}\" value=\"side\" checked> side by side</label> "
      "<label><input type=\"radio\" name=\"view{0}\" value=\"flicker\"> flicker</label> "
      "<label><input type=\"radio\" name=\"view{0}\" value=\"difference\"> difference</label> ",
      number);
}

std::string image_section(const ImageCheck& image, size_t number) {
  return fmt::format(
      "<div class=\"image mode-side\">{}{}<label>zoom <input class=\"zoom\" type=\"range\" min=\"1\" max=\"32\" "
      "value=\"1\"></label> <span class=\"at\"></span>\n<div class=\"views\">{}{}{}{}</div>\n{}</div>\n",
      numbers_table(image), view_buttons(number), figure("expected", image.expected), figure("actual", image.actual),
      figure("difference", image.comparison.difference), flicker_figure(image), texel_table(image.comparison.first));
}

std::string scene_section(const SceneReport& scene, size_t& images) {
  const bool ok = scene.passed();
  std::string html = fmt::format(
      "<div class=\"scene{}\"><h2><span class=\"{}\">{}</span> {} <small>{:.3f} s</small></h2>\n", ok ? " ok" : "",
      ok ? "pass" : "fail", ok ? "passed" : "failed", escape_xml(scene.path), scene.seconds);
  if (!scene.errors.empty()) html += fmt::format("<pre>{}</pre>\n", escape_xml(scene.errors));
  for (const Check& check : scene.checks) {
    html += fmt::format("<p class=\"{}\">line {}: {}</p>\n", check.passed ? "pass" : "fail", check.loc.line,
                        escape_xml(check.text));
    if (check.is_image && !check.passed) html += image_section(check.image, images++);
  }
  return html + "</div>\n";
}

}  // namespace

std::string html_report(const SuiteReport& report) {
  std::string html(kHead);
  html += fmt::format("<h1>tessera test: <span class=\"{}\">{} passed, {} failed</span></h1>\n"
                      "<label><input type=\"checkbox\" id=\"failed\"> failed only</label>\n",
                      report.failed || report.scenes.empty() ? "fail" : "pass", report.passed, report.failed);
  if (report.scenes.empty()) html += "<p class=\"fail\">No scene was found.</p>\n";
  for (const std::string& image : report.extra_images)
    html += fmt::format("<p class=\"fail\">{}: no scene expects this image</p>\n", escape_xml(image));
  size_t images = 0;
  for (const SceneReport& scene : report.scenes) html += scene_section(scene, images);
  return html.append(kScript);
}

}  // namespace tessera::suite
