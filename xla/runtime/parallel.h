// ParallelRunner: the interface through which loops may run on several threads.
#ifndef XLA_RUNTIME_PARALLEL_H_
#define XLA_RUNTIME_PARALLEL_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace xla {

// Thread safe: several loops may run at once, and loops may nest.
class ParallelRunner {
 public:
  virtual ~ParallelRunner() = default;

  // Returns the most threads that run tasks at a time, at least one. Results
  // must not depend on it.
  virtual int num_threads() const = 0;

  // Runs fn(i) for each i in [0, count), in any order, on the calling thread
  // and others; returns when all have run.
  virtual void ParallelFor(int64_t count,
                           absl::FunctionRef<void(int64_t)> fn) = 0;
};

// Runs everything on the calling thread, in order.
class InlineRunner : public ParallelRunner {
 public:
  int num_threads() const override { return 1; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    for (int64_t i = 0; i < count; ++i) fn(i);
  }
};

}  // namespace xla

#endif  // XLA_RUNTIME_PARALLEL_H_
