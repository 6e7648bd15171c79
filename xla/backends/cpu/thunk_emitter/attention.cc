// Emits fusions of two dots and the operations on the rows between them: the
// thunk runs the kernel for blocks of rows, which calls native code for each
// block. And fusions of one dot and the transposes of its operands.
#include "xla/backends/cpu/kernels/attention/attention.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/fusion/attention_mask.h"
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
    const auto row_function = [&](int64_t row, int64_t rows,
                                  ColumnRange columns, char* block,
                                  char* left) {
      absl::InlinedVector<char*, 8> arrays = operands;
      arrays[block_] = RowZero(block, row, row_bytes_);
      if (left != block) arrays.push_back(RowZero(left, row, left_bytes_));
      // The last array, if the function has it (NativeKernel::column_range).
      int64_t range[] = {columns.begin, columns.end};
      arrays.push_back(reinterpret_cast<char*>(range));
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

// Returns the description of a dot in the form that FindAttention requires, but
// for strides and the orders of dimensions of operands.
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
  desc.k = lhs.dimensions(numbers.lhs_contracting_dimensions(0));
  desc.m = dot.shape().dimensions(batch);
  desc.n = dot.shape().dimensions(batch + 1);
  return desc;
}

AttentionDesc AttentionDescOf(const AttentionGroup& group,
                              const AttentionStrides& strides) {
  AttentionDesc desc = {ProductDescOf(*group.first),
                        ProductDescOf(*group.second)};
  desc.first.lhs_transposed = !strides.lhs_by_rows;
  desc.first.rhs_transposed = strides.rhs_by_rows;
  desc.second.rhs_transposed = !strides.values_by_rows;
  if (!strides.lhs_by_rows) desc.first.lhs_stride = strides.lhs_stride;
  desc.first.rhs_stride = strides.rhs_stride;
  desc.second.rhs_stride = strides.values_stride;
  const auto dims = [](const std::vector<AttentionStrides::Dim>& from) {
    std::vector<AttentionDim> to;
    for (const AttentionStrides::Dim& dim : from) {
      to.push_back({dim.size, dim.lhs, dim.rhs, dim.values, dim.out});
    }
    if (to.empty()) to.push_back({});
    return to;
  };
  desc.batch = dims(strides.batch);
  desc.rows = dims(strides.rows);
  return desc;
}

// A dot whose operands are read in place.
class DotInPlaceThunk : public Thunk {
 public:
  // The plan multiplies the items of the last dimension of the batch; the
  // others have these offsets, in bytes.
  struct Offsets {
    int64_t lhs, rhs, result;
  };

  DotInPlaceThunk(std::string name, std::unique_ptr<const DotPlan> plan,
                  Slice lhs, Slice rhs, Slice result,
                  std::vector<Offsets> items, absl::string_view algorithm)
      : Thunk(std::move(name)),
        algorithm_(algorithm),
        plan_(std::move(plan)),
        lhs_(lhs),
        rhs_(rhs),
        result_(result),
        items_(std::move(items)) {}
  absl::string_view kind() const override { return "dot"; }
  std::string algorithm() const override {
    return absl::StrCat(algorithm_, ", in place");
  }

  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(lhs_).Read(rhs_).Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    for (const Offsets& at : items_) {
      plan_->Run(run.At(lhs_) + at.lhs, run.At(rhs_) + at.rhs,
                 run.At(result_) + at.result, run.scratch(), run.runner());
    }
    return ThunkResult{here + 1};
  }

 private:
  const absl::string_view algorithm_;
  const std::unique_ptr<const DotPlan> plan_;
  const Slice lhs_, rhs_, result_;
  const std::vector<Offsets> items_;
};

// Returns the offsets of the items of all dimensions but the last of the batch.
std::vector<DotInPlaceThunk::Offsets> OffsetsOf(const DotStrides& strides,
                                                const DotDesc& desc) {
  const int64_t lhs_bytes = primitive_util::ByteWidth(desc.lhs);
  const int64_t rhs_bytes = primitive_util::ByteWidth(desc.rhs);
  const int64_t result_bytes =
      desc.batch * desc.m * desc.n * primitive_util::ByteWidth(desc.out);
  std::vector<DotInPlaceThunk::Offsets> all = {{0, 0, 0}};
  for (size_t d = 0; d + 1 < strides.batch.size(); ++d) {
    const DotStrides::Dim& dim = strides.batch[d];
    std::vector<DotInPlaceThunk::Offsets> next;
    for (const DotInPlaceThunk::Offsets& at : all) {
      for (int64_t i = 0; i < dim.size; ++i) {
        next.push_back({at.lhs + i * dim.lhs * lhs_bytes,
                        at.rhs + i * dim.rhs * rhs_bytes,
                        static_cast<int64_t>(next.size()) * result_bytes});
      }
    }
    all = std::move(next);
  }
  return all;
}

AttentionGroup GroupOf(const HloInstruction& fusion) {
  return *FusedAttention(fusion);
}

AttentionMask MaskOf(const AttentionGroup& group,
                     const HloInstruction& fusion) {
  const Shape& shape = group.first->shape();
  return AttentionMask(*group.middle, group.operand,
                       shape.dimensions(shape.rank() - 2), &fusion);
}

}  // namespace

NativeKernel NativeRowsOf(const HloInstruction& fusion) {
  const AttentionGroup group = GroupOf(fusion);
  return {.rows = group.middle,
          .block = group.operand,
          .column_range = MaskOf(group, fusion).leaves_zeros()};
}

ThunkOr EmitAttentionThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const AttentionGroup group = GroupOf(hlo);
  AttentionDesc desc = AttentionDescOf(group, *FindStrides(group));
  const AttentionMask mask = MaskOf(group, hlo);
  desc.narrows_rows = mask.leaves_zeros();
  if (mask.has_selects()) {
    desc.columns_read = [&](int64_t row, int64_t rows) {
      const auto [begin, end] = mask.ColumnsRead(row, rows);
      return ColumnRange{begin, end};
    };
  }
  absl::StatusOr<std::unique_ptr<const AttentionPlan>> plan =
      AttentionPlan::Make(desc, context.TunedTarget(hlo));
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  const auto slice_of = [&](const HloInstruction* parameter) {
    return context.SliceOf(*hlo.operand(parameter->parameter_number()), 0);
  };
  AttentionSlices slices;
  TF_ASSIGN_OR_RETURN(slices.lhs, slice_of(group.lhs));
  TF_ASSIGN_OR_RETURN(slices.rhs, slice_of(group.rhs));
  TF_ASSIGN_OR_RETURN(slices.values, slice_of(group.values));
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

ThunkOr EmitDotInPlaceThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const DotInPlaceGroup group = *FusedDotInPlace(hlo);
  const DotStrides strides = *FindDotStrides(group);
  DotDesc desc = ProductDescOf(*group.dot);
  if (strides.swapped) std::swap(desc.lhs, desc.rhs);
  desc.m = strides.rows;
  desc.n = strides.columns;
  desc.lhs_transposed = !strides.lhs_by_rows;
  desc.rhs_transposed = !strides.rhs_by_rows;
  desc.lhs_stride = strides.lhs_stride;
  desc.rhs_stride = strides.rhs_stride;
  desc.batch = 1;
  if (!strides.batch.empty()) {
    desc.batch = strides.batch.back().size;
    desc.lhs_batch_stride = strides.batch.back().lhs;
    desc.rhs_batch_stride = strides.batch.back().rhs;
  }
  const auto algorithm_of = [&](const KernelTarget& target) {
    return DotAlgorithmOf(desc, target);
  };
  const KernelTarget target = context.TunedTarget(hlo, algorithm_of);
  absl::StatusOr<std::unique_ptr<const DotPlan>> plan =
      DotPlan::Make(desc, target);
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  const auto slice_of = [&](const HloInstruction* parameter) {
    return context.SliceOf(*hlo.operand(parameter->parameter_number()), 0);
  };
  TF_ASSIGN_OR_RETURN(const Slice lhs,
                      slice_of(strides.swapped ? group.rhs : group.lhs));
  TF_ASSIGN_OR_RETURN(const Slice rhs,
                      slice_of(strides.swapped ? group.lhs : group.rhs));
  TF_ASSIGN_OR_RETURN(const Slice result, context.SliceOf(hlo, 0));
  return std::make_unique<DotInPlaceThunk>(
      hlo.name(), *std::move(plan), lhs, rhs, result, OffsetsOf(strides, desc),
      DotAlgorithmName(algorithm_of(target)));
}

}  // namespace xla::cpu
