// ConcurrentThunk: independent chains of thunks, which run side by side.
#ifndef XLA_BACKENDS_CPU_THUNKS_CONCURRENT_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_CONCURRENT_THUNK_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// Runs chains of thunks, the thunks of a chain in their order and the chains at
// the same time, on as many threads as the runner has; on one thread, all run
// in the order of the program. No thunk conflicts with one of another chain, so
// results are the same for any number of threads. A chain ends at its first
// error, the others continue; the result is the error that would come first in
// the order of the program.
class ConcurrentThunk : public Thunk {
 public:
  // `thunks`, at least one, are in the order of the program, and
  // may_run_concurrently() holds for each; `chain_of[i]` is the number of thunk
  // i's chain; the numbers have no gaps.
  ConcurrentThunk(ThunkSequence thunks, const std::vector<int>& chain_of);

  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "concurrent"; }
  BufferUses buffer_uses() const override;
  // Scratch has one slot for each chain that runs at a time; all thunks of the
  // chain use it.
  int64_t scratch_bytes(int num_threads) const override;
  void set_scratch(int64_t offset, int num_threads) override;
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

  const ThunkSequence& thunks() const { return thunks_; }
  // The numbers in thunks() of the thunks of each chain, in order.
  const std::vector<std::vector<int>>& chains() const { return chains_; }

 private:
  int64_t SlotBytes(int num_threads) const;

  const ThunkSequence thunks_;
  std::vector<std::vector<int>> chains_;
  int64_t slot_bytes_ = 0;  // once scratch is laid out
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_CONCURRENT_THUNK_H_
