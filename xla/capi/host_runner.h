// HostRunner: loops of programs on the threads of the program that uses the C
// API.
#ifndef XLA_CAPI_HOST_RUNNER_H_
#define XLA_CAPI_HOST_RUNNER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/capi/include/tessera/tessera.h"
#include "xla/runtime/parallel.h"

namespace xla::capi {

class HostRunner : public ParallelRunner {
 public:
  HostRunner(tessera_parallel_for_fn parallel_for, void* data, int num_threads)
      : parallel_for_(parallel_for), data_(data), num_threads_(num_threads) {}

  int num_threads() const override { return num_threads_; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    if (count <= 0) return;
    parallel_for_(
        data_, count,
        [](void* task, int64_t index) {
          (*static_cast<absl::FunctionRef<void(int64_t)>*>(task))(index);
        },
        &fn);
  }

 private:
  const tessera_parallel_for_fn parallel_for_;
  void* const data_;
  const int num_threads_;
};

}  // namespace xla::capi

#endif  // XLA_CAPI_HOST_RUNNER_H_
