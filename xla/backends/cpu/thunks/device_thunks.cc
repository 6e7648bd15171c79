// Writes numbers of devices, their random state, and sizes.
#include "xla/backends/cpu/thunks/device_thunks.h"

#include <cstring>

#include "absl/numeric/int128.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/random_state.h"

namespace xla::cpu {

absl::Status DeviceNumberThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kDeviceNumber, *this);
  writer(which_, result_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> DeviceNumberThunk::Read(
    std::string name, ThunkReader& reader) {
  Which which = Which::kReplica;
  Slice result;
  reader(which, result);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<DeviceNumberThunk>(std::move(name), which, result);
}

absl::StatusOr<ThunkResult> DeviceNumberThunk::Run(DeviceRun& run,
                                                   int64_t here) const {
  const auto number = static_cast<uint32_t>(
      which_ == Which::kReplica ? run.replica_id() : run.partition_id());
  std::memcpy(run.At(result_), &number, sizeof(number));
  return ThunkResult{here + 1};
}

absl::StatusOr<ThunkResult> RngStateThunk::Run(DeviceRun& run,
                                               int64_t here) const {
  std::optional<absl::uint128>& state = run.rng_state();
  if (!state.has_value()) {
    state = InitialRngState(run.options().seed, run.number());
  }
  const uint64_t halves[] = {absl::Uint128Low64(*state),
                             absl::Uint128High64(*state)};
  std::memcpy(run.At(result_), halves, sizeof(halves));
  *state += static_cast<absl::uint128>(absl::int128(delta_));
  return ThunkResult{here + 1};
}

absl::StatusOr<ThunkResult> RandomKeyThunk::Run(DeviceRun& run,
                                                int64_t here) const {
  std::optional<uint64_t>& counter = run.random_counter();
  if (!counter.has_value()) {
    counter = InitialRandomCounter(run.options().seed, run.number());
  }
  const uint64_t key = NextRandomBits(*counter);
  if (char* memory = run.At(result_)) std::memcpy(memory, &key, sizeof(key));
  return ThunkResult{here + 1};
}

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
