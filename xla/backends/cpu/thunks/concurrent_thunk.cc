// Runs chains as tasks of the run's threads.
#include "xla/backends/cpu/thunks/concurrent_thunk.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/backends/cpu/thunks/thunk_tracer.h"
#include "xla/base/checked_math.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Slots of scratch begin at multiples of a cache line's bytes.
constexpr int64_t kSlotAlignment = 64;

// Returns the chains as "dot.1 > add.1 | dot.2".
std::string NameOf(const ThunkSequence& thunks,
                   const std::vector<int>& chain_of) {
  std::vector<std::string> chains;
  for (size_t i = 0; i < thunks.size(); ++i) {
    const size_t chain = chain_of[i];
    if (chain >= chains.size()) chains.resize(chain + 1);
    absl::StrAppend(&chains[chain], chains[chain].empty() ? "" : " > ",
                    thunks[i]->name());
  }
  std::string name;
  for (const std::string& chain : chains) {
    absl::StrAppend(&name, name.empty() ? "" : " | ", chain);
  }
  return name;
}

// The error of the thunk that comes first in the order of the program.
class FirstError {
 public:
  void Report(int thunk, absl::Status status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!status_.ok() && thunk_ < thunk) return;
    thunk_ = thunk;
    status_ = std::move(status);
  }
  // To be called when nobody reports any more.
  const absl::Status& status() const { return status_; }

 private:
  std::mutex mutex_;
  int thunk_ = 0;
  absl::Status status_;
};

}  // namespace

ConcurrentThunk::ConcurrentThunk(ThunkSequence thunks,
                                 const std::vector<int>& chain_of)
    : Thunk(NameOf(thunks, chain_of)), thunks_(std::move(thunks)) {
  for (size_t i = 0; i < thunks_.size(); ++i) {
    const size_t chain = chain_of[i];
    if (chain >= chains_.size()) chains_.resize(chain + 1);
    chains_[chain].push_back(static_cast<int>(i));
  }
}

absl::Status ConcurrentThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kConcurrent, *this);
  std::vector<int> chain_of(thunks_.size());
  for (size_t chain = 0; chain < chains_.size(); ++chain) {
    for (const int thunk : chains_[chain]) {
      chain_of[thunk] = static_cast<int>(chain);
    }
  }
  writer(chain_of);
  return writer.WriteSequence(thunks_);
}

BufferUses ConcurrentThunk::buffer_uses() const {
  BufferUses uses;
  for (const auto& thunk : thunks_) {
    for (const BufferUse& use : thunk->buffer_uses()) uses.Add(use);
  }
  return uses;
}

int64_t ConcurrentThunk::SlotBytes(int num_threads) const {
  int64_t bytes = 0;
  for (const auto& thunk : thunks_) {
    bytes = std::max(bytes, thunk->scratch_bytes(num_threads));
  }
  return RoundUpTo(bytes, kSlotAlignment);
}

int64_t ConcurrentThunk::scratch_bytes(int num_threads) const {
  return WorkerSlots(static_cast<int64_t>(chains_.size()), num_threads) *
         SlotBytes(num_threads);
}

void ConcurrentThunk::set_scratch(int64_t offset, int num_threads) {
  Thunk::set_scratch(offset, num_threads);
  slot_bytes_ = SlotBytes(num_threads);
  // On one thread the thunks run in the order of the program.
  for (const auto& thunk : thunks_) {
    thunk->set_scratch(num_threads == 1 ? offset : 0, num_threads);
  }
}

absl::StatusOr<ThunkResult> ConcurrentThunk::Run(DeviceRun& run,
                                                 int64_t here) const {
  if (run.runner().num_threads() == 1) {
    for (const auto& thunk : thunks_) {
      run.Enter(*thunk);
      TF_RETURN_IF_ERROR(RunThunk(*thunk, run, here).status());
      // The executor makes an error of it.
      if (run.cancellation().cancelled()) break;
    }
    return ThunkResult{here + 1};
  }
  FirstError error;
  ForEachTask(run.runner(), static_cast<int64_t>(chains_.size()),
              [&](int64_t chain, int64_t slot) {
                DeviceRun own(run, run.scratch() + slot * slot_bytes_);
                const CancellationScope scope(own.cancellation());
                std::optional<ThunkTracer> tracer;
                if (run.tracer() != nullptr) {
                  own.Trace(&tracer.emplace(*run.tracer()), &*tracer);
                }
                for (const int thunk : chains_[chain]) {
                  if (own.cancellation().cancelled()) return;
                  own.Enter(*thunks_[thunk]);
                  absl::Status status =
                      RunThunk(*thunks_[thunk], own, here).status();
                  if (status.ok()) continue;
                  error.Report(thunk, std::move(status));
                  return;
                }
              });
  TF_RETURN_IF_ERROR(error.status());
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
