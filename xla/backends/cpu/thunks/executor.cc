// Runs one thunk after the other. Whether thunks are recorded or counted is
// decided once for a run, so that the loops of other runs do not ask.
#include "xla/backends/cpu/thunks/executor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/thunk_tracer.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"

namespace xla::cpu {
namespace {

template <bool kWatched>
absl::StatusOr<ThunkResult> RunOne(const Thunk& thunk, DeviceRun& run,
                                   int64_t at) {
  run.Enter(thunk);
  if constexpr (kWatched) {
    if (Activity* const activity = run.activity()) activity->Advance();
    return RunThunk(thunk, run, at);
  }
  return thunk.Run(run, at);
}

// The caller knows the program's name.
absl::Status CancelledAt(const ThunkSequence& thunks, int64_t at) {
  const Thunk& thunk = *thunks[at];
  return absl::CancelledError(absl::StrCat("cancelled at thunk ", thunk.name(),
                                           " (", thunk.kind(), ")"));
}

// No other device exists that could fail or resume this one.
template <bool kWatched>
absl::Status RunAlone(const ThunkSequence& thunks, DeviceRun& run) {
  const VectorLevelScope scope(run.vector_level());
  const CancellationToken token = run.cancellation();
  const CancellationScope cancellation(run.cancellation());
  const int64_t end = static_cast<int64_t>(thunks.size());
  int64_t at = 0;
  if (at < end && token.cancelled()) return CancelledAt(thunks, at);
  while (at < end) {
    const absl::StatusOr<ThunkResult> result =
        RunOne<kWatched>(*thunks[at], run, at);
    // Comes first, and after the last thunk too: the loops of kernels, which
    // cannot fail, then end early.
    if (token.cancelled()) return CancelledAt(thunks, at);
    if (!result.ok()) return result.status();
    if (result->suspended) {
      return absl::AbortedError(
          absl::StrCat("deadlock: no device can go on; device ", run.number(),
                       " waits for ", thunks[at]->WaitsFor(run)));
    }
    at = result->next;
  }
  return absl::OkStatus();
}

template <bool kWatched>
class SeveralDevices : public DeviceScheduler::Devices {
 public:
  SeveralDevices(const ThunkSequence& thunks,
                 absl::Span<DeviceRun* const> devices)
      : thunks_(thunks), devices_(devices) {}

  std::optional<absl::Status> Advance(int64_t device) override {
    DeviceRun& run = *devices_[device];
    const VectorLevelScope scope(run.vector_level());
    const CancellationToken token = run.cancellation();
    const CancellationScope cancellation(run.cancellation());
    DeviceScheduler& scheduler = run.group().scheduler();
    const int64_t end = static_cast<int64_t>(thunks_.size());
    int64_t at = run.next();
    if (at < end && token.cancelled()) return CancelledAt(thunks_, at);
    while (at < end) {
      if (scheduler.failed()) return scheduler.failure();
      const absl::StatusOr<ThunkResult> result =
          RunOne<kWatched>(*thunks_[at], run, at);
      if (token.cancelled()) return CancelledAt(thunks_, at);
      if (!result.ok()) return result.status();
      if (result->suspended) {
        run.set_next(result->next);
        run.set_waits_in(thunks_[at].get());
        return std::nullopt;
      }
      at = result->next;
    }
    return absl::OkStatus();
  }

  bool IsHere(int64_t device) const override {
    return devices_[device] != nullptr;
  }

  std::string WaitsFor(int64_t device) const override {
    const DeviceRun& run = *devices_[device];
    return run.waits_in()->WaitsFor(run);
  }

 private:
  const ThunkSequence& thunks_;
  const absl::Span<DeviceRun* const> devices_;
};

// `here` is one of the devices of this process.
template <bool kWatched>
absl::Status Run(const ThunkSequence& thunks,
                 absl::Span<DeviceRun* const> devices, DeviceRun& here,
                 ThreadPool* pool) {
  if (devices.size() == 1) return RunAlone<kWatched>(thunks, here);
  SeveralDevices<kWatched> several(thunks, devices);
  return here.group().scheduler().Run(static_cast<int64_t>(devices.size()),
                                      pool, several);
}

}  // namespace

absl::Status RunDevices(const ThunkSequence& thunks,
                        absl::Span<DeviceRun* const> devices,
                        ThreadPool* pool) {
  DeviceRun& here = **absl::c_find_if(
      devices, [](const DeviceRun* device) { return device != nullptr; });
  const bool watched = here.tracer() != nullptr || here.activity() != nullptr;
  return watched ? Run<true>(thunks, devices, here, pool)
                 : Run<false>(thunks, devices, here, pool);
}

}  // namespace xla::cpu
