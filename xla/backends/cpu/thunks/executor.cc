// Runs one thunk after the other. Whether thunks are recorded is decided once
// for a run, so that the loops of other runs do not ask.
#include "xla/backends/cpu/thunks/executor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/thunk_tracer.h"

namespace xla::cpu {
namespace {

template <bool kTraced>
absl::StatusOr<ThunkResult> RunOne(const Thunk& thunk, DeviceRun& run,
                                   int64_t at) {
  run.Enter(thunk);
  if constexpr (kTraced) return run.tracer()->Run(thunk, run, at);
  return thunk.Run(run, at);
}

// No other device exists that could fail or resume this one.
template <bool kTraced>
absl::Status RunAlone(const ThunkSequence& thunks, DeviceRun& run) {
  const VectorLevelScope scope(run.vector_level());
  const int64_t end = static_cast<int64_t>(thunks.size());
  int64_t at = 0;
  while (at < end) {
    const absl::StatusOr<ThunkResult> result =
        RunOne<kTraced>(*thunks[at], run, at);
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

template <bool kTraced>
class SeveralDevices : public DeviceScheduler::Devices {
 public:
  SeveralDevices(const ThunkSequence& thunks,
                 absl::Span<DeviceRun* const> devices)
      : thunks_(thunks), devices_(devices) {}

  std::optional<absl::Status> Advance(int64_t device) override {
    DeviceRun& run = *devices_[device];
    const VectorLevelScope scope(run.vector_level());
    DeviceScheduler& scheduler = run.group().scheduler();
    const int64_t end = static_cast<int64_t>(thunks_.size());
    int64_t at = run.next();
    while (at < end) {
      if (scheduler.failed()) return scheduler.failure();
      const absl::StatusOr<ThunkResult> result =
          RunOne<kTraced>(*thunks_[at], run, at);
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
template <bool kTraced>
absl::Status Run(const ThunkSequence& thunks,
                 absl::Span<DeviceRun* const> devices, DeviceRun& here,
                 ThreadPool* pool) {
  if (devices.size() == 1) return RunAlone<kTraced>(thunks, here);
  SeveralDevices<kTraced> several(thunks, devices);
  return here.group().scheduler().Run(static_cast<int64_t>(devices.size()),
                                      pool, several);
}

}  // namespace

absl::Status RunDevices(const ThunkSequence& thunks,
                        absl::Span<DeviceRun* const> devices,
                        ThreadPool* pool) {
  DeviceRun& here = **absl::c_find_if(
      devices, [](const DeviceRun* device) { return device != nullptr; });
  return here.tracer() == nullptr ? Run<false>(thunks, devices, here, pool)
                                  : Run<true>(thunks, devices, here, pool);
}

}  // namespace xla::cpu
