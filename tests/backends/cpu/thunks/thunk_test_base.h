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
#include "xla/backends/cpu/thunks/scratch.h"
#include "xla/base/checked_math.h"
#include "xla/distributed/process_run.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {

// Devices with `allocations` blocks of `bytes` bytes each, initially zero, at
// multiples of 64 bytes.
class TestDevices {
 public:
  static constexpr int64_t kBytes = 256;

  TestDevices(int64_t count, int allocations)
      : TestDevices(DeviceCounts{count, 1}, allocations) {}
  TestDevices(DeviceCounts counts, int allocations, int64_t bytes = kBytes)
      : group_(counts) {
    bytes = RoundUpTo(bytes, MemoryChunk::kAlignment);
    for (int64_t d = 0; d < counts.devices(); ++d) {
      Device& device = *devices_.emplace_back(std::make_unique<Device>());
      device.memory = *MemoryChunk::Allocate(allocations * bytes);
      std::memset(device.memory.data(), 0, allocations * bytes);
      for (int i = 0; i < allocations; ++i) {
        device.table.push_back(device.memory.data() + i * bytes);
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

  // Devices run on `pool`; loops too with `loops_on_pool`, else each on its
  // thread.
  absl::Status Run(const ThunkSequence& thunks, ThreadPool* pool = nullptr,
                   bool loops_on_pool = false) {
    const absl::Status status = RunAgain(thunks, pool, loops_on_pool);
    group_.Reset();
    return status;
  }
  // The same, but the next run must have the same thunks, unless it follows a
  // Run.
  absl::Status RunAgain(const ThunkSequence& thunks, ThreadPool* pool,
                        bool loops_on_pool) {
    ParallelRunner* runner = &runner_;
    if (loops_on_pool && pool != nullptr) runner = pool;
    scratch_.resize(PlaceScratch(thunks, runner->num_threads(), 0));
    for (const auto& device : devices_) {
      device->run->Begin(device->table.data(), scratch_.data(), &options_,
                         runner);
    }
    std::vector<DeviceRun*> here = runs_;
    for (size_t d = 0; d < here.size(); ++d) {
      if (options_.processes != nullptr && !options_.processes->is_local(d)) {
        here[d] = nullptr;
      }
    }
    const absl::Status status = RunDevices(thunks, here, pool);
    for (DeviceRun* run : runs_) run->End();
    group_.EndRun();
    return status;
  }

  Executable::RunOptions& options() { return options_; }

 private:
  struct Device {
    MemoryChunk memory;
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

// Calls `function` once, with the first `count` allocations as arrays.
inline std::unique_ptr<Thunk> Kernel(int count, KernelFunction function) {
  std::vector<Slice> arrays;
  for (int i = 0; i < count; ++i) {
    arrays.push_back(Whole(i, TestDevices::kBytes));
  }
  return std::make_unique<KernelThunk>("kernel", function, 1, 1,
                                       std::move(arrays), BufferUses());
}

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_THUNKS_THUNK_TEST_BASE_H_
