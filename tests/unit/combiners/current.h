// tests/unit/combiners/current.h: a combiner object in initial state, current while it lives.
#pragma once

#include "combiners/context.h"

namespace tessera::tests {

class Current {
 public:
  Current() : object_(tsrCreateCombiners()) { tsrMakeCombinersCurrent(object_); }
  ~Current() { tsrDestroyCombiners(object_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

  combiners::FragmentState& state() { return object_->state; }

 private:
  TsrCombiners* object_;
};

}  // namespace tessera::tests
