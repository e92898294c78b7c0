// combiners/terms.h: the text of sums and products, without what does not count: factors 1, terms 0.
#pragma once

#include <string>

namespace tessera::combiners {

// "0" and "1" are numbers; all else is an expression that is whole as it stands (a name, a call, or in parentheses).
inline std::string times(const std::string& a, const std::string& b) {
  if (a == "0" || b == "0") return "0";
  if (a == "1") return b;
  return b == "1" ? a : a + " * " + b;
}

inline std::string plus(const std::string& a, const std::string& b) {
  if (a == "0") return b;
  return b == "0" ? a : a + " + " + b;
}

inline std::string minus(const std::string& a, const std::string& b) {
  if (b == "0") return a;
  return a == "1" && b == "1" ? "0" : a + " - " + b;
}

inline std::string grouped(const std::string& sum) { return sum.find(' ') == std::string::npos ? sum : "(" + sum + ")"; }

inline std::string one_minus(const std::string& a) { return grouped(a == "0" ? "1" : minus("1", a)); }

}  // namespace tessera::combiners
