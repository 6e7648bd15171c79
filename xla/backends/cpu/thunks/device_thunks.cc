// Writes numbers of devices, and their random state.
#include "xla/backends/cpu/thunks/device_thunks.h"

#include <cstring>

#include "absl/numeric/int128.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"

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

}  // namespace xla::cpu
