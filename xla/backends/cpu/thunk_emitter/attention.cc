// Emits fusions of two dots and the operations on the rows between them: the
// thunk runs the kernel for blocks of rows, which calls native code for each
// block.
#include "xla/backends/cpu/kernels/products/attention.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

// The memory of the dots' operands and of the result.
struct AttentionSlices {
  Slice lhs, rhs, values, result;
};

class AttentionThunk : public Thunk {
 public:
  // `rows` are the operands of `function`. Number `block` of them has no slice,
  // since it is the current block of rows. The rows that it makes of them are
  // written over them, or to one more array if their elements differ in width.
  AttentionThunk(std::string name, std::unique_ptr<const AttentionPlan> plan,
                 const AttentionDesc& desc, AttentionSlices slices,
                 std::vector<Slice> rows, int64_t block,
                 KernelFunction function)
      : Thunk(std::move(name)),
        plan_(std::move(plan)),
        slices_(slices),
        rows_(std::move(rows)),
        block_(block),
        row_bytes_(desc.first.n * primitive_util::ByteWidth(desc.first.out)),
        left_bytes_(desc.first.n * primitive_util::ByteWidth(desc.second.lhs)),
        function_(function) {}
  absl::string_view kind() const override { return "attention"; }

  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses()
        .Read(slices_.lhs)
        .Read(slices_.rhs)
        .Read(slices_.values)
        .Read(rows_)
        .Write(slices_.result);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    absl::InlinedVector<char*, 8> operands;
    for (const Slice& slice : rows_) operands.push_back(run.At(slice));
    const auto row_function = [&](int64_t row, int64_t rows, char* block,
                                  char* left) {
      absl::InlinedVector<char*, 8> arrays = operands;
      arrays[block_] = RowZero(block, row, row_bytes_);
      if (left != block) arrays.push_back(RowZero(left, row, left_bytes_));
      function_(arrays.data(), row, row + rows);
    };
    plan_->Run(run.At(slices_.lhs), run.At(slices_.rhs), run.At(slices_.values),
               run.At(slices_.result), row_function, run.scratch(),
               run.runner());
    return ThunkResult{here + 1};
  }

 private:
  // Returns the address that row 0 would have if `row` is at `at`.
  static char* RowZero(char* at, int64_t row, int64_t row_bytes) {
    return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(at) -
                                   static_cast<uintptr_t>(row * row_bytes));
  }

  const std::unique_ptr<const AttentionPlan> plan_;
  const AttentionSlices slices_;
  const std::vector<Slice> rows_;
  const int64_t block_;
  const int64_t row_bytes_, left_bytes_;
  const KernelFunction function_;
};

// Returns the description of a dot in the form that FindAttention requires.
DotDesc ProductDescOf(const HloInstruction& dot) {
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  const Shape& lhs = dot.operand(0)->shape();
  const Shape& rhs = dot.operand(1)->shape();
  const int64_t batch = numbers.lhs_batch_dimensions_size();
  DotDesc desc;
  desc.lhs = lhs.element_type();
  desc.rhs = rhs.element_type();
  desc.out = dot.shape().element_type();
  desc.batch = batch == 0 ? 1 : lhs.dimensions(0);
  desc.lhs_transposed = numbers.lhs_contracting_dimensions(0) == batch;
  desc.rhs_transposed = numbers.rhs_contracting_dimensions(0) != batch;
  desc.m = lhs.dimensions(batch + (desc.lhs_transposed ? 1 : 0));
  desc.k = lhs.dimensions(batch + (desc.lhs_transposed ? 0 : 1));
  desc.n = rhs.dimensions(batch + (desc.rhs_transposed ? 0 : 1));
  return desc;
}

AttentionGroup GroupOf(const HloInstruction& fusion) {
  return *FindAttention(
      *fusion.fused_instructions_computation()->root_instruction());
}

}  // namespace

NativeKernel NativeRowsOf(const HloInstruction& fusion) {
  const AttentionGroup group = GroupOf(fusion);
  return {.rows = group.middle, .block = group.operand};
}

ThunkOr EmitAttentionThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const AttentionGroup group = GroupOf(hlo);
  const AttentionDesc desc = {ProductDescOf(*group.first),
                              ProductDescOf(*group.second)};
  absl::StatusOr<std::unique_ptr<const AttentionPlan>> plan =
      AttentionPlan::Make(desc, context.kernel_target());
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  const auto slice_of = [&](const HloInstruction* parameter) {
    return context.SliceOf(*hlo.operand(parameter->parameter_number()), 0);
  };
  AttentionSlices slices;
  TF_ASSIGN_OR_RETURN(slices.lhs, slice_of(group.first->operand(0)));
  TF_ASSIGN_OR_RETURN(slices.rhs, slice_of(group.first->operand(1)));
  TF_ASSIGN_OR_RETURN(slices.values, slice_of(group.second->operand(1)));
  TF_ASSIGN_OR_RETURN(slices.result, context.SliceOf(hlo, 0));
  std::vector<Slice> rows;
  for (int64_t i = 0; i < group.middle->operand_count(); ++i) {
    rows.emplace_back();
    if (i == group.operand) continue;
    TF_ASSIGN_OR_RETURN(rows.back(), slice_of(group.middle->operand(i)));
  }
  TF_ASSIGN_OR_RETURN(KernelFunction function, context.KernelOf(hlo));
  return std::make_unique<AttentionThunk>(hlo.name(), *std::move(plan), desc,
                                          slices, std::move(rows),
                                          group.operand, function);
}

}  // namespace xla::cpu
