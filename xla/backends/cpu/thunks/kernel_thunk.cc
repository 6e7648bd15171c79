// Splitting kernels and copies.
#include "xla/backends/cpu/thunks/kernel_thunk.h"

#include <cstring>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// A copy of less is over before another thread has begun.
constexpr int64_t kPieceBytes = int64_t{1} << 20;

}  // namespace

absl::StatusOr<ThunkResult> KernelThunk::Run(DeviceRun& run,
                                             int64_t here) const {
  if (arrays_.empty()) {
    Call(run, run.allocations());
  } else {
    absl::InlinedVector<char*, 16> arrays;
    for (const Slice& slice : arrays_) {
      arrays.push_back(run.At(slice));
    }
    Call(run, arrays.data());
  }
  return ThunkResult{here + 1};
}

void KernelThunk::Call(DeviceRun& run, char* const* arrays) const {
  if (workgroups_ <= workgroups_per_task_) {
    function_(arrays, 0, workgroups_);
    return;
  }
  const int64_t tasks = CeilOfRatio(workgroups_, workgroups_per_task_);
  run.runner().ParallelFor(tasks, [&](int64_t task) {
    const int64_t begin = task * workgroups_per_task_;
    function_(arrays, begin,
              begin + std::min(workgroups_per_task_, workgroups_ - begin));
  });
}

BufferUses CopyThunk::buffer_uses() const {
  BufferUses uses;
  for (const Move& move : moves_) uses.Read(move.from).Write(move.to);
  return uses;
}

absl::StatusOr<ThunkResult> CopyThunk::Run(DeviceRun& run, int64_t here) const {
  for (const Move& move : moves_) {
    CopyBytes(run.runner(), run.At(move.from), run.At(move.to), move.to.size);
  }
  return ThunkResult{here + 1};
}

void CopyBytes(ParallelRunner& runner, const char* from, char* to,
               int64_t bytes) {
  if (from == to || bytes <= 0) return;
  const bool apart = from + bytes <= to || to + bytes <= from;
  if (bytes < 2 * kPieceBytes || !apart || runner.num_threads() == 1) {
    std::memmove(to, from, bytes);
    return;
  }
  runner.ParallelFor(CeilOfRatio(bytes, kPieceBytes), [&](int64_t i) {
    const int64_t begin = i * kPieceBytes;
    std::memcpy(to + begin, from + begin, std::min(kPieceBytes, bytes - begin));
  });
}

}  // namespace xla::cpu
