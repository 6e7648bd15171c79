// Thunks that run native code or move bytes.
#ifndef XLA_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Calls a kernel for all of its workgroups: in one call, on this thread, or in
// tasks of `workgroups_per_task`. If `joins_workgroups`, neighbouring ones cost
// less in one call, so that there are no more tasks than threads. Else the
// split does not depend on the number of threads.
class KernelThunk : public Thunk {
 public:
  // Requires workgroups >= 0. The code of `function`, which is called with
  // `arrays`, outlives the thunk. `uses` says which parts of the arrays it
  // reads and writes.
  KernelThunk(std::string name, KernelFunction function, int64_t workgroups,
              int64_t workgroups_per_task, std::vector<Slice> arrays,
              BufferUses uses, bool joins_workgroups = false);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "kernel"; }
  BufferUses buffer_uses() const override { return uses_; }
  bool may_run_concurrently() const override { return true; }
  // The list of the addresses of many arrays lies in scratch.
  int64_t scratch_bytes(int num_threads) const override {
    return first_allocation_ >= 0 || arrays_.size() <= kFewArrays
               ? 0
               : static_cast<int64_t>(arrays_.size() * sizeof(char*));
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  static constexpr size_t kFewArrays = 16;

  void Call(DeviceRun& run, char* const* arrays) const;

  const KernelFunction function_;
  const BufferUses uses_;
  const std::vector<Slice> arrays_;
  // If not negative, the arrays are whole allocations with consecutive numbers
  // from this one on, so the kernel can use the run's table of addresses.
  const int64_t first_allocation_;
  const int64_t workgroups_;
  const int64_t workgroups_per_task_;
  const bool joins_workgroups_;
};

// Copies slices in order; does nothing for a slice whose source and target are
// at one address.
class CopyThunk : public Thunk {
 public:
  struct Move {
    Slice from;
    Slice to;
  };
  // Source and target of a move have the same size, or neither has an
  // allocation.
  CopyThunk(std::string name, std::vector<Move> moves)
      : Thunk(std::move(name)), moves_(std::move(moves)) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "copy"; }
  BufferUses buffer_uses() const override;
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const std::vector<Move> moves_;
};

// Whether CopyBytes divides a copy of so many bytes among the threads.
bool SplitsCopy(int64_t bytes);

// Copies like memmove; large copies are split into tasks unless source and
// target overlap.
void CopyBytes(ParallelRunner& runner, const char* from, char* to,
               int64_t bytes);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_
