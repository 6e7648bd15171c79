// Emits fusions of two dots and the operations on the rows between them: the
// thunk runs the kernel for blocks of rows, which calls native code for each
// block. And fusions of one dot and the transposes of its operands.
#include "xla/backends/cpu/kernels/attention/attention.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/fusion/attention_mask.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunks/library/attention_thunk.h"
#include "xla/backends/cpu/thunks/library/dot_thunk.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

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
  AttentionThunk::Spec spec;
  spec.desc = AttentionDescOf(group, *FindStrides(group));
  const AttentionMask mask = MaskOf(group, hlo);
  spec.desc.narrows_rows = mask.leaves_zeros();
  const auto columns_read = [&](int64_t row, int64_t rows) {
    const auto [begin, end] = mask.ColumnsRead(row, rows);
    return ColumnRange{begin, end};
  };
  if (mask.has_selects() && !context.writes_thunks()) {
    spec.desc.columns_read = columns_read;
  } else if (mask.has_selects()) {
    for (int64_t row = 0; row < spec.desc.first.m; ++row) {
      spec.columns_of_rows.push_back(columns_read(row, 1));
    }
  }
  spec.target = context.TunedTarget(hlo);
  const auto slice_of = [&](const HloInstruction* parameter) {
    return context.SliceOf(*hlo.operand(parameter->parameter_number()), 0);
  };
  TF_ASSIGN_OR_RETURN(spec.lhs, slice_of(group.lhs));
  TF_ASSIGN_OR_RETURN(spec.rhs, slice_of(group.rhs));
  TF_ASSIGN_OR_RETURN(spec.values, slice_of(group.values));
  TF_ASSIGN_OR_RETURN(spec.result, context.SliceOf(hlo, 0));
  spec.block = group.operand;
  for (int64_t i = 0; i < group.middle->operand_count(); ++i) {
    spec.rows.emplace_back();
    if (i == group.operand) continue;
    TF_ASSIGN_OR_RETURN(spec.rows.back(), slice_of(group.middle->operand(i)));
  }
  TF_ASSIGN_OR_RETURN(spec.function, context.KernelOf(hlo));
  ThunkOr thunk = AttentionThunk::Make(hlo.name(), std::move(spec));
  if (!thunk.ok()) return AddStatus(thunk.status(), hlo.name());
  return thunk;
}

ThunkOr EmitDotInPlaceThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const DotInPlaceGroup group = *FusedDotInPlace(hlo);
  const DotStrides strides = *FindDotStrides(group);
  DotInPlaceThunk::Spec spec;
  DotDesc& desc = spec.desc;
  desc = ProductDescOf(*group.dot);
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
  spec.target = context.TunedTarget(hlo, [&](const KernelTarget& target) {
    return DotAlgorithmOf(desc, target);
  });
  spec.items = OffsetsOf(strides, desc);
  const auto slice_of = [&](const HloInstruction* parameter) {
    return context.SliceOf(*hlo.operand(parameter->parameter_number()), 0);
  };
  TF_ASSIGN_OR_RETURN(spec.lhs,
                      slice_of(strides.swapped ? group.rhs : group.lhs));
  TF_ASSIGN_OR_RETURN(spec.rhs,
                      slice_of(strides.swapped ? group.lhs : group.rhs));
  TF_ASSIGN_OR_RETURN(spec.result, context.SliceOf(hlo, 0));
  ThunkOr thunk = DotInPlaceThunk::Make(hlo.name(), std::move(spec));
  if (!thunk.ok()) return AddStatus(thunk.status(), hlo.name());
  return thunk;
}

}  // namespace xla::cpu
