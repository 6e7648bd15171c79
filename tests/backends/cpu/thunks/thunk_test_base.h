// Shared by tests of thunks: programs of hand-written kernels, run on one or
// several devices with access to their memory.
#ifndef TESTS_BACKENDS_CPU_THUNKS_THUNK_TEST_BASE_H_
#define TESTS_BACKENDS_CPU_THUNKS_THUNK_TEST_BASE_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/executor.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Devices with `allocations` blocks of 256 bytes each, initially zero.
class TestDevices {
 public:
  static constexpr int64_t kBytes = 256;

  TestDevices(int64_t count, int allocations)
      : TestDevices(DeviceCounts{count, 1}, allocations) {}
  TestDevices(DeviceCounts counts, int allocations) : group_(counts) {
    for (int64_t d = 0; d < counts.devices(); ++d) {
      Device& device = *devices_.emplace_back(std::make_unique<Device>());
      device.memory.resize(allocations * kBytes / sizeof(double));
      for (int i = 0; i < allocations; ++i) {
        device.table.push_back(reinterpret_cast<char*>(device.memory.data()) +
                               i * kBytes);
      }
      device.run = std::make_unique<DeviceRun>(&group_, d);
      runs_.push_back(device.run.get());
    }
  }

  // Element `i` of an allocation.
  template <typename T>
  T& At(int64_t device, int allocation, int64_t i = 0) {
    return reinterpret_cast<T*>(devices_[device]->table[allocation])[i];
  }

  absl::Status Run(const ThunkSequence& thunks, ThreadPool* pool = nullptr) {
    scratch_.resize(PlaceScratch(thunks, runner_.num_threads(), 0));
    for (const auto& device : devices_) {
      device->run->Begin(device->table.data(), scratch_.data(), &options_,
                         &runner_);
    }
    const absl::Status status = RunDevices(thunks, runs_, pool);
    for (DeviceRun* run : runs_) run->End();
    group_.Reset();
    return status;
  }

  Executable::RunOptions& options() { return options_; }

 private:
  struct Device {
    std::vector<double> memory;
    std::vector<char*> table;
    std::unique_ptr<DeviceRun> run;
  };
  RunGroup group_;
  Executable::RunOptions options_;
  InlineRunner runner_;
  std::vector<char> scratch_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<DeviceRun*> runs_;
};

// The first `bytes` bytes of an allocation.
inline Slice Whole(int allocation, int64_t bytes) {
  return {allocation, 0, bytes};
}

inline std::unique_ptr<Thunk> Kernel(KernelFunction function) {
  return std::make_unique<KernelThunk>("kernel", function, 1, 1, BufferUses());
}

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_THUNKS_THUNK_TEST_BASE_H_
