// frontend/tool/bench_html.h: a run as one HTML file for people, with pictures drawn inside: rows, scaling, roofline,
// and the comparison with another run.
#pragma once

#include <string>

#include "frontend/tool/bench_run.h"

namespace tessera::bench {

// `before`: null: nothing is compared.
std::string html_report(const Run& run, const Run* before);

}  // namespace tessera::bench
