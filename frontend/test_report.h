// frontend/test_report.h: a suite's report as text for other programs: JUnit XML for CI, one HTML file for people.
#pragma once

#include <string>

#include "frontend/test_suite.h"

namespace tessera::suite {

// One test case a scene, one for each extra image. Valid whatever file names and messages contain.
std::string junit_xml(const SuiteReport& report);

// Self-contained: pictures are embedded. Expected, actual and difference side by side, zoomable; the first differing
// texels with coordinates and values.
std::string html_report(const SuiteReport& report);

// `text` for use in XML and HTML: markup escaped; what is no UTF-8 or not allowed in XML becomes '?'.
std::string escape_xml(std::string_view text);

}  // namespace tessera::suite
