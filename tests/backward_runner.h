// A runner that shows whether results depend on the order of tasks.
#ifndef TESTS_BACKWARD_RUNNER_H_
#define TESTS_BACKWARD_RUNNER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/runtime/parallel.h"

namespace xla {

// Claims to have threads, but runs tasks itself, from the last to the first.
class BackwardRunner : public ParallelRunner {
 public:
  explicit BackwardRunner(int num_threads) : num_threads_(num_threads) {}
  int num_threads() const override { return num_threads_; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    for (int64_t i = count - 1; i >= 0; --i) fn(i);
  }

 private:
  const int num_threads_;
};

}  // namespace xla

#endif  // TESTS_BACKWARD_RUNNER_H_
