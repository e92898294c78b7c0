#include "tests/unit/raster/slow_advanced.h"

#include <algorithm>
#include <cmath>

#include "core/scalar.h"

namespace tessera::raster::tests {
namespace {

// ---- in single precision ------------------------------------------------------------------------------------------

float fma(float a, float b, float c) { return std::fma(a, b, c); }

float hard_light(float s, float d) {
  return s > 0.5f ? fma(-(2 - 2 * s), 1 - d, 1) : 2 * s * d;
}

float soft_light(float s, float d) {
  const float bias = fma(2, s, -1);
  if (!(s > 0.5f)) return fma(bias * d, 1 - d, d);
  if (!(d > 0.25f)) return fma(bias * d, fma(fma(16, d, -12), d, 3), d);
  return fma(bias, std::sqrt(d) - d, d);
}

float channel(AdvancedEquation equation, float s, float d) {
  switch (equation) {
    case AdvancedEquation::Multiply: return s * d;
    case AdvancedEquation::Screen: return fma(-s, d, s + d);
    case AdvancedEquation::Overlay: return hard_light(d, s);
    case AdvancedEquation::Darken: return std::min(s, d);
    case AdvancedEquation::Lighten: return std::max(s, d);
    case AdvancedEquation::ColorDodge: return d <= 0 ? 0 : s >= 1 ? 1 : std::min(1.0f, d / (1 - s));
    case AdvancedEquation::ColorBurn: return d >= 1 ? 1 : s <= 0 ? 0 : 1 - std::min(1.0f, (1 - d) / s);
    case AdvancedEquation::HardLight: return hard_light(s, d);
    case AdvancedEquation::SoftLight: return soft_light(s, d);
    case AdvancedEquation::Difference: return std::fabs(d - s);
    case AdvancedEquation::Exclusion: return fma(-(2 * s), d, s + d);
    default: return 0;
  }
}

struct Rgb32 {
  float c[3];
  float least() const { return std::min({c[0], c[1], c[2]}); }
  float most() const { return std::max({c[0], c[1], c[2]}); }
  float luminosity() const { return fma(0.11f, c[2], fma(0.59f, c[1], 0.30f * c[0])); }
};

Rgb32 with_luminosity(Rgb32 base, float wanted) {
  const float more = wanted - base.luminosity();
  for (float& c : base.c) c += more;
  const float lum = base.luminosity(), low = base.least(), high = base.most();
  for (float& c : base.c) {
    if (low < 0) c = lum + (c - lum) * lum / (lum - low);
    if (high > 1) c = lum + (c - lum) * (1 - lum) / (high - lum);
  }
  return base;
}

Rgb32 with_saturation(Rgb32 base, const Rgb32& like) {
  const float low = base.least(), range = base.most() - low, wanted = like.most() - like.least();
  for (float& c : base.c) c = range > 0 ? (c - low) * wanted / range : 0;
  return base;
}

Rgb32 mixed(AdvancedEquation equation, const Rgb32& s, const Rgb32& d) {
  switch (equation) {
    case AdvancedEquation::HslHue: return with_luminosity(with_saturation(s, d), d.luminosity());
    case AdvancedEquation::HslSaturation: return with_luminosity(with_saturation(d, s), d.luminosity());
    case AdvancedEquation::HslColor: return with_luminosity(s, d.luminosity());
    case AdvancedEquation::HslLuminosity: return with_luminosity(d, s.luminosity());
    default: break;
  }
  Rgb32 f;
  for (int c = 0; c < 3; ++c) f.c[c] = channel(equation, s.c[c], d.c[c]);
  return f;
}

// ---- in double, from the extension's text ---------------------------------------------------------------------------

double f64(AdvancedEquation equation, double cs, double cd) {
  switch (equation) {
    case AdvancedEquation::Multiply: return cs * cd;
    case AdvancedEquation::Screen: return cs + cd - cs * cd;
    case AdvancedEquation::Overlay: return cd <= 0.5 ? 2 * cs * cd : 1 - 2 * (1 - cs) * (1 - cd);
    case AdvancedEquation::Darken: return std::min(cs, cd);
    case AdvancedEquation::Lighten: return std::max(cs, cd);
    case AdvancedEquation::ColorDodge: return cd <= 0 ? 0 : cs < 1 ? std::min(1.0, cd / (1 - cs)) : 1;
    case AdvancedEquation::ColorBurn: return cd >= 1 ? 1 : cs > 0 ? 1 - std::min(1.0, (1 - cd) / cs) : 0;
    case AdvancedEquation::HardLight: return cs <= 0.5 ? 2 * cs * cd : 1 - 2 * (1 - cs) * (1 - cd);
    case AdvancedEquation::SoftLight:
      if (cs <= 0.5) return cd - (1 - 2 * cs) * cd * (1 - cd);
      return cd <= 0.25 ? cd + (2 * cs - 1) * cd * ((16 * cd - 12) * cd + 3)
                        : cd + (2 * cs - 1) * (std::sqrt(cd) - cd);
    case AdvancedEquation::Difference: return std::fabs(cd - cs);
    case AdvancedEquation::Exclusion: return cs + cd - 2 * cs * cd;
    default: return 0;
  }
}

double minv3(const Rgb64& c) { return std::min({c.r, c.g, c.b}); }
double maxv3(const Rgb64& c) { return std::max({c.r, c.g, c.b}); }
double lumv3(const Rgb64& c) { return 0.30 * c.r + 0.59 * c.g + 0.11 * c.b; }
double satv3(const Rgb64& c) { return maxv3(c) - minv3(c); }

Rgb64 clip_color(Rgb64 color) {
  const double lum = lumv3(color), mincol = minv3(color), maxcol = maxv3(color);
  for (double* c : {&color.r, &color.g, &color.b}) {
    if (mincol < 0) *c = lum + (*c - lum) * lum / (lum - mincol);
    if (maxcol > 1) *c = lum + (*c - lum) * (1 - lum) / (maxcol - lum);
  }
  return color;
}

Rgb64 set_lum(const Rgb64& cbase, const Rgb64& clum) {
  const double ldiff = lumv3(clum) - lumv3(cbase);
  return clip_color({cbase.r + ldiff, cbase.g + ldiff, cbase.b + ldiff});
}

Rgb64 set_lum_sat(const Rgb64& cbase, const Rgb64& csat, const Rgb64& clum) {
  const double minbase = minv3(cbase), sbase = satv3(cbase), ssat = satv3(csat);
  if (sbase <= 0) return set_lum({0, 0, 0}, clum);
  return set_lum({(cbase.r - minbase) * ssat / sbase, (cbase.g - minbase) * ssat / sbase,
                  (cbase.b - minbase) * ssat / sbase}, clum);
}

}  // namespace

void blend_advanced_slowly(AdvancedEquation equation, const float source[4], const float stored[4], float out[4]) {
  float s[4], d[4];
  for (int c = 0; c < 4; ++c) s[c] = scalar::saturate(source[c]), d[c] = scalar::saturate(stored[c]);
  Rgb32 cs, cd;
  for (int c = 0; c < 3; ++c) {
    cs.c[c] = s[3] > 0 ? std::min(s[c] / s[3], 1.0f) : 0;
    cd.c[c] = d[3] > 0 ? std::min(d[c] / d[3], 1.0f) : 0;
  }
  const Rgb32 f = mixed(equation, cs, cd);
  const float both = s[3] * d[3], only_s = s[3] * (1 - d[3]), only_d = d[3] * (1 - s[3]);
  for (int c = 0; c < 3; ++c) out[c] = fma(f.c[c], both, fma(cs.c[c], only_s, cd.c[c] * only_d));
  out[3] = fma(d[3], 1 - s[3], s[3]);
}

Rgb64 advanced_in_double(AdvancedEquation equation, const Rgb64& cs, const Rgb64& cd) {
  switch (equation) {
    case AdvancedEquation::HslHue: return set_lum_sat(cs, cd, cd);
    case AdvancedEquation::HslSaturation: return set_lum_sat(cd, cs, cd);
    case AdvancedEquation::HslColor: return set_lum(cs, cd);
    case AdvancedEquation::HslLuminosity: return set_lum(cd, cs);
    default: return {f64(equation, cs.r, cd.r), f64(equation, cs.g, cd.g), f64(equation, cs.b, cd.b)};
  }
}

}  // namespace tessera::raster::tests
