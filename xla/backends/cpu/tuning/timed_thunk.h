// TimedThunk: measures another thunk inside a program.
#ifndef XLA_BACKENDS_CPU_TUNING_TIMED_THUNK_H_
#define XLA_BACKENDS_CPU_TUNING_TIMED_THUNK_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// The seconds that kernels took, by TuningKey. Thread safe.
class KernelTimes {
 public:
  void Add(const std::string& key, double seconds);
  // Returns the sum of each kernel since the last call.
  std::map<std::string, double> Take();

 private:
  std::mutex mutex_;
  std::map<std::string, double> seconds_;
};

// Runs another thunk and adds its time to that of its key.
class TimedThunk : public Thunk {
 public:
  TimedThunk(std::unique_ptr<Thunk> thunk, std::string key,
             std::shared_ptr<KernelTimes> times)
      : Thunk(thunk->name()),
        thunk_(std::move(thunk)),
        key_(std::move(key)),
        times_(std::move(times)) {}

  absl::string_view kind() const override { return thunk_->kind(); }
  std::string algorithm() const override { return thunk_->algorithm(); }
  BufferUses buffer_uses() const override { return thunk_->buffer_uses(); }
  bool may_run_concurrently() const override {
    return thunk_->may_run_concurrently();
  }
  int64_t scratch_bytes(int num_threads) const override {
    return thunk_->scratch_bytes(num_threads);
  }
  std::string WaitsFor(const DeviceRun& run) const override {
    return thunk_->WaitsFor(run);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const std::unique_ptr<Thunk> thunk_;
  const std::string key_;
  const std::shared_ptr<KernelTimes> times_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_TUNING_TIMED_THUNK_H_
