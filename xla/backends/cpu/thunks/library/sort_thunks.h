// The thunks of sort and topk.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_SORT_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_SORT_THUNKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

class SortThunk : public Thunk {
 public:
  struct Spec {
    SortDesc desc;
    KernelTarget target;
    // The compiled comparator; null if the sort is by keys.
    KernelFunction less = nullptr;
    std::vector<Slice> operands, results;
  };

  // Errors: those of SortPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "sort"; }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(spec_.operands).Write(spec_.results);
  }
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  SortThunk(std::string name, Spec spec, std::unique_ptr<const SortPlan> plan)
      : Thunk(std::move(name)),
        spec_(std::move(spec)),
        plan_(std::move(plan)) {}

  const Spec spec_;
  const std::unique_ptr<const SortPlan> plan_;
};

class TopKThunk : public Thunk {
 public:
  struct Spec {
    TopKDesc desc;
    KernelTarget target;
    Slice operand, values, indices;
  };

  // Errors: those of TopKPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "topk"; }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }
  BufferUses buffer_uses() const override {
    return BufferUses()
        .Read(spec_.operand)
        .Write(spec_.values)
        .Write(spec_.indices);
  }
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  TopKThunk(std::string name, Spec spec, std::unique_ptr<const TopKPlan> plan)
      : Thunk(std::move(name)),
        spec_(std::move(spec)),
        plan_(std::move(plan)) {}

  const Spec spec_;
  const std::unique_ptr<const TopKPlan> plan_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_SORT_THUNKS_H_
