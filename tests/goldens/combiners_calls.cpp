#include "tests/goldens/combiners_calls.h"

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "combiners/tsr_register_combiners.h"

namespace tessera::goldens {
namespace {

constexpr float kUntouched = -12345;     // what a query must overwrite
constexpr double kTolerance = 1e-6;

struct Arguments {
  const Json& json;

  const Json& at(size_t k) const {
    if (!json.is_array() || k >= json.size()) throw BadRecord("a call has too few arguments");
    return json[k];
  }
  GLenum token(size_t k) const { return at(k).get<GLenum>(); }
  GLint integer(size_t k) const { return at(k).get<GLint>(); }
  GLfloat real(size_t k) const { return at(k).get<GLfloat>(); }
  GLboolean boolean(size_t k) const { return static_cast<GLboolean>(at(k).get<int>()); }
  template <class T>
  std::vector<T> list(size_t k) const {
    std::vector<T> values = at(k).get<std::vector<T>>();
    values.resize(4);
    return values;
  }
};

using Values = std::vector<double>;      // what a query gives; as many numbers as the largest
using Call = Values (*)(const Arguments& a);

template <class T, class Query>
Values query(Query ask) {
  T values[4] = {static_cast<T>(kUntouched), 0, 0, 0};
  ask(values);
  return Values(values, values + 4);
}

const std::map<std::string, Call> kCalls = {
    {"CombinerParameterfvNV", [](const Arguments& a) { return tsrCombinerParameterfvNV(a.token(0), a.list<GLfloat>(1).data()), Values{}; }},
    {"CombinerParameterivNV", [](const Arguments& a) { return tsrCombinerParameterivNV(a.token(0), a.list<GLint>(1).data()), Values{}; }},
    {"CombinerParameterfNV", [](const Arguments& a) { return tsrCombinerParameterfNV(a.token(0), a.real(1)), Values{}; }},
    {"CombinerParameteriNV", [](const Arguments& a) { return tsrCombinerParameteriNV(a.token(0), a.integer(1)), Values{}; }},
    {"CombinerInputNV", [](const Arguments& a) {
       return tsrCombinerInputNV(a.token(0), a.token(1), a.token(2), a.token(3), a.token(4), a.token(5)), Values{};
     }},
    {"CombinerOutputNV", [](const Arguments& a) {
       return tsrCombinerOutputNV(a.token(0), a.token(1), a.token(2), a.token(3), a.token(4), a.token(5), a.token(6), a.boolean(7),
                                  a.boolean(8), a.boolean(9)), Values{};
     }},
    {"FinalCombinerInputNV", [](const Arguments& a) {
       return tsrFinalCombinerInputNV(a.token(0), a.token(1), a.token(2), a.token(3)), Values{};
     }},
    {"CombinerStageParameterfvNV", [](const Arguments& a) {
       return tsrCombinerStageParameterfvNV(a.token(0), a.token(1), a.list<GLfloat>(2).data()), Values{};
     }},
    {"Enable", [](const Arguments& a) { return tsrEnable(a.token(0)), Values{}; }},
    {"Disable", [](const Arguments& a) { return tsrDisable(a.token(0)), Values{}; }},
    {"TexEnvf", [](const Arguments& a) { return tsrTexEnvf(a.token(0), a.token(1), a.real(2)), Values{}; }},
    {"TexEnvi", [](const Arguments& a) { return tsrTexEnvi(a.token(0), a.token(1), a.integer(2)), Values{}; }},
    {"TexEnvfv", [](const Arguments& a) { return tsrTexEnvfv(a.token(0), a.token(1), a.list<GLfloat>(2).data()), Values{}; }},
    {"TexEnviv", [](const Arguments& a) { return tsrTexEnviv(a.token(0), a.token(1), a.list<GLint>(2).data()), Values{}; }},
    {"GetCombinerInputParameterivNV", [](const Arguments& a) {
       return query<GLint>([&](GLint* v) { tsrGetCombinerInputParameterivNV(a.token(0), a.token(1), a.token(2), a.token(3), v); });
     }},
    {"GetCombinerInputParameterfvNV", [](const Arguments& a) {
       return query<GLfloat>([&](GLfloat* v) { tsrGetCombinerInputParameterfvNV(a.token(0), a.token(1), a.token(2), a.token(3), v); });
     }},
    {"GetCombinerOutputParameterivNV", [](const Arguments& a) {
       return query<GLint>([&](GLint* v) { tsrGetCombinerOutputParameterivNV(a.token(0), a.token(1), a.token(2), v); });
     }},
    {"GetCombinerOutputParameterfvNV", [](const Arguments& a) {
       return query<GLfloat>([&](GLfloat* v) { tsrGetCombinerOutputParameterfvNV(a.token(0), a.token(1), a.token(2), v); });
     }},
    {"GetFinalCombinerInputParameterivNV", [](const Arguments& a) {
       return query<GLint>([&](GLint* v) { tsrGetFinalCombinerInputParameterivNV(a.token(0), a.token(1), v); });
     }},
    {"GetFinalCombinerInputParameterfvNV", [](const Arguments& a) {
       return query<GLfloat>([&](GLfloat* v) { tsrGetFinalCombinerInputParameterfvNV(a.token(0), a.token(1), v); });
     }},
    {"GetCombinerStageParameterfvNV", [](const Arguments& a) {
       return query<GLfloat>([&](GLfloat* v) { tsrGetCombinerStageParameterfvNV(a.token(0), a.token(1), v); });
     }},
    {"GetFloatv", [](const Arguments& a) { return query<GLfloat>([&](GLfloat* v) { tsrGetFloatv(a.token(0), v); }); }},
    {"GetTexEnvfv", [](const Arguments& a) { return query<GLfloat>([&](GLfloat* v) { tsrGetTexEnvfv(a.token(0), a.token(1), v); }); }},
};

Values call(const Json& json) {
  const std::string name = json.at("fn").get<std::string>();
  const auto found = kCalls.find(name);
  if (found == kCalls.end()) throw BadRecord(fmt::format("no call '{}'", name));
  return found->second(Arguments{json.at("args")});
}

std::string error_name(GLenum error) {
  switch (error) {
    case GL_NO_ERROR: return "NO_ERROR";
    case GL_INVALID_ENUM: return "INVALID_ENUM";
    case GL_INVALID_VALUE: return "INVALID_VALUE";
    case GL_INVALID_OPERATION: return "INVALID_OPERATION";
    default: return fmt::format("{:#x}", error);
  }
}

Outcome check(const Json& json) {
  const Values got = call(json);
  const std::vector<double> want = json.at("value").get<std::vector<double>>();
  for (size_t k = 0; k < want.size() && k < got.size(); ++k)
    if (!(std::abs(got[k] - want[k]) <= kTolerance))
      return failed(fmt::format("{}{}: expected {}, found {}", json.at("fn").get<std::string>(), json.at("args").dump(), want[k], got[k]));
  return {};
}

}  // namespace

Outcome run_call_record(const Json& record) {
  const std::unique_ptr<TsrCombiners, void (*)(TsrCombiners*)> combiners(tsrCreateCombiners(), tsrDestroyCombiners);
  tsrMakeCombinersCurrent(combiners.get());
  if (record.contains("setup"))
    for (const Json& json : record["setup"]) call(json);
  if (const GLenum error = tsrGetError()) return failed("the setup gives " + error_name(error));
  if (record.contains("call")) call(record["call"]);
  const std::string want = record.at("error").get<std::string>(), got = error_name(tsrGetError());
  if (want != got) return failed(fmt::format("expected {}, found {}", want, got));
  if (record.contains("check"))
    for (const Json& json : record["check"])
      if (Outcome outcome = check(json); outcome.kind == Outcome::Kind::Failed) return outcome;
  return {};
}

}  // namespace tessera::goldens
