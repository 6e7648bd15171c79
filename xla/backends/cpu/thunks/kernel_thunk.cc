// Splits kernels and copies.
#include "xla/backends/cpu/thunks/kernel_thunk.h"

#include <algorithm>
#include <cstring>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// A copy of less is over before another thread has begun.
constexpr int64_t kPieceBytes = int64_t{1} << 20;

// The number of the allocation at whose start the first array lies, where each
// other one lies at the start of the allocation behind that; else -1.
int64_t FirstAllocation(const std::vector<Slice>& arrays) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].offset != 0 || arrays[i].allocation < 0 ||
        arrays[i].allocation !=
            arrays[0].allocation + static_cast<int64_t>(i)) {
      return -1;
    }
  }
  return arrays.empty() ? 0 : arrays[0].allocation;
}

}  // namespace

KernelThunk::KernelThunk(std::string name, KernelFunction function,
                         int64_t workgroups, int64_t workgroups_per_task,
                         std::vector<Slice> arrays, BufferUses uses,
                         bool joins_workgroups)
    : Thunk(std::move(name)),
      function_(function),
      uses_(std::move(uses)),
      arrays_(std::move(arrays)),
      first_allocation_(FirstAllocation(arrays_)),
      workgroups_(workgroups),
      workgroups_per_task_(std::max<int64_t>(workgroups_per_task, 1)),
      joins_workgroups_(joins_workgroups) {}

absl::Status KernelThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kKernel, *this);
  writer(function_, workgroups_, workgroups_per_task_, arrays_, uses_,
         joins_workgroups_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> KernelThunk::Read(std::string name,
                                                         ThunkReader& reader) {
  KernelFunction function = nullptr;
  int64_t workgroups = 0, workgroups_per_task = 0;
  std::vector<Slice> arrays;
  BufferUses uses;
  bool joins_workgroups = false;
  reader(function, workgroups, workgroups_per_task, arrays, uses,
         joins_workgroups);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<KernelThunk>(std::move(name), function, workgroups,
                                       workgroups_per_task, std::move(arrays),
                                       std::move(uses), joins_workgroups);
}

absl::StatusOr<ThunkResult> KernelThunk::Run(DeviceRun& run,
                                             int64_t here) const {
  if (first_allocation_ >= 0) {
    Call(run, run.allocations() + first_allocation_);
  } else {
    char* few[kFewArrays];
    char** const arrays =
        scratch_bytes(1) == 0 ? few : reinterpret_cast<char**>(run.scratch());
    for (size_t i = 0; i < arrays_.size(); ++i) arrays[i] = run.At(arrays_[i]);
    Call(run, arrays);
  }
  return ThunkResult{here + 1};
}

void KernelThunk::Call(DeviceRun& run, char* const* arrays) const {
  if (workgroups_ <= workgroups_per_task_) {
    function_(arrays, 0, workgroups_);
    return;
  }
  ParallelRunner& runner = run.runner();
  const int64_t each =
      joins_workgroups_
          ? std::max(workgroups_per_task_,
                     CeilOfRatio(workgroups_, runner.num_threads()))
          : workgroups_per_task_;
  runner.ParallelFor(CeilOfRatio(workgroups_, each), [&](int64_t task) {
    const int64_t begin = task * each;
    function_(arrays, begin, begin + std::min(each, workgroups_ - begin));
  });
}

template <typename Archive>
void Fields(Archive& archive, CopyThunk::Move& move) {
  archive(move.from, move.to);
}

absl::Status CopyThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kCopy, *this);
  writer(moves_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> CopyThunk::Read(std::string name,
                                                       ThunkReader& reader) {
  std::vector<Move> moves;
  reader(moves);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<CopyThunk>(std::move(name), std::move(moves));
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

bool SplitsCopy(int64_t bytes) { return bytes >= 2 * kPieceBytes; }

void CopyBytes(ParallelRunner& runner, const char* from, char* to,
               int64_t bytes) {
  if (from == to || bytes <= 0) return;
  const bool apart = from + bytes <= to || to + bytes <= from;
  if (!SplitsCopy(bytes) || !apart || runner.num_threads() == 1) {
    std::memmove(to, from, bytes);
    return;
  }
  runner.ParallelFor(CeilOfRatio(bytes, kPieceBytes), [&](int64_t i) {
    const int64_t begin = i * kPieceBytes;
    std::memcpy(to + begin, from + begin, std::min(kPieceBytes, bytes - begin));
  });
}

}  // namespace xla::cpu
