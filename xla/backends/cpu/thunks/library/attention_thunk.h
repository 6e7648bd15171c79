// The thunk of attention: two dots and native code on the rows between them.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_ATTENTION_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_ATTENTION_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/attention/attention.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

class AttentionThunk : public Thunk {
 public:
  struct Spec {
    AttentionDesc desc;
    KernelTarget target;
    Slice lhs, rhs, values, result;
    // The operands of `function`. Number `block` of them has no slice, since it
    // is the current block of rows. The rows that it makes of them are written
    // over them, or to one more array if their elements differ in width.
    std::vector<Slice> rows;
    int64_t block = 0;
    KernelFunction function = nullptr;
    // What desc.columns_read returns for each row, which is only known for
    // thunks that are to be written, and is then used in its place.
    std::vector<ColumnRange> columns_of_rows;
  };

  // Errors: those of AttentionPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  // Errors: Internal if the columns of rows are not known.
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "attention"; }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }
  BufferUses buffer_uses() const override;
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  AttentionThunk(std::string name, Spec spec, bool hides_columns,
                 std::unique_ptr<const AttentionPlan> plan);

  const Spec spec_;
  // Whether the plan has columns that the spec does not tell.
  const bool hides_columns_;
  const std::unique_ptr<const AttentionPlan> plan_;
  const int64_t row_bytes_, left_bytes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_ATTENTION_THUNK_H_
