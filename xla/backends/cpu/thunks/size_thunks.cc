// Writes sizes of dynamic dimensions.
#include "xla/backends/cpu/thunks/size_thunks.h"

#include <cstring>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"

namespace xla::cpu {

absl::StatusOr<ThunkResult> FillSizesThunk::Run(DeviceRun& run,
                                                int64_t here) const {
  if (char* memory = run.At(result_)) {
    std::memcpy(memory, sizes_.data(), sizes_.size() * sizeof(int32_t));
  }
  return ThunkResult{here + 1};
}

BufferUses SetSizeThunk::buffer_uses() const {
  BufferUses uses;
  uses.Read(size_).Read(source_).Write(result_).Write(changed_);
  if (!fixed_.empty()) uses.Write(sizes_);
  return uses;
}

absl::StatusOr<ThunkResult> SetSizeThunk::Run(DeviceRun& run,
                                              int64_t here) const {
  int32_t size;
  std::memcpy(&size, run.At(size_), sizeof(size));
  if (source_.size > 0 && run.At(source_) != run.At(result_)) {
    CopyBytes(run.runner(), run.At(source_), run.At(result_), source_.size);
  }
  if (!fixed_.empty()) {
    std::memcpy(run.At(sizes_), fixed_.data(), fixed_.size() * sizeof(int32_t));
  }
  std::memcpy(run.At(changed_), &size, sizeof(size));
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
