// Pad, slices, concatenation, gather and scatter.
#include "xla/hlo/builder/ops/slicing.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::EmitOp;
using builder_internal::Joined;

// Returns a RuleError unless `dimension` is one of an array of `shape`.
absl::Status CheckDimension(absl::string_view rule, const Shape& shape,
                            int64_t dimension) {
  if (shape.IsArray() && dimension >= 0 && dimension < shape.rank()) {
    return absl::OkStatus();
  }
  return RuleError(rule, absl::StrCat("dimension ", dimension, " is not in ",
                                      ShapeUtil::HumanString(shape)));
}

}  // namespace

XlaOp Pad(XlaOp operand, XlaOp padding_value,
          const PaddingConfig& padding_config) {
  return EmitOp(HloOpcode::kPad, {operand, padding_value},
                PadAttrs{padding_config});
}

XlaOp PadInDim(XlaOp operand, XlaOp padding_value, int64_t dimno,
               int64_t pad_lo, int64_t pad_hi) {
  return Emit(
      BuilderOf({operand, padding_value}),
      [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        // pad_in_dim_c1: the dimension is one of the operand.
        TF_RETURN_IF_ERROR(CheckDimension("pad_in_dim_c1", *shape, dimno));
        PadAttrs attrs;
        for (int64_t i = 0; i < shape->rank(); ++i) {
          attrs.padding.add_dimensions();
        }
        auto* dimension = attrs.padding.mutable_dimensions(dimno);
        dimension->set_edge_padding_low(pad_lo);
        dimension->set_edge_padding_high(pad_hi);
        return b.AddOp(HloOpcode::kPad, {operand, padding_value},
                       std::move(attrs));
      });
}

XlaOp Slice(XlaOp operand, absl::Span<const int64_t> start_indices,
            absl::Span<const int64_t> limit_indices,
            absl::Span<const int64_t> strides) {
  return Emit(BuilderOf({operand}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                // slice_lists_c1: starts, limits and strides are as many.
                if (start_indices.size() != limit_indices.size() ||
                    start_indices.size() != strides.size()) {
                  return RuleError(
                      "slice_lists_c1",
                      absl::StrCat(start_indices.size(), " start indices, ",
                                   limit_indices.size(), " limits and ",
                                   strides.size(), " strides must be as many"));
                }
                SliceAttrs attrs;
                for (size_t i = 0; i < strides.size(); ++i) {
                  attrs.slice.push_back(
                      {start_indices[i], limit_indices[i], strides[i]});
                }
                return b.AddOp(HloOpcode::kSlice, {operand}, std::move(attrs));
              });
}

XlaOp SliceInDim(XlaOp operand, int64_t start_index, int64_t limit_index,
                 int64_t stride, int64_t dimno) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        // slice_in_dim_c1: the dimension is one of the operand.
        TF_RETURN_IF_ERROR(CheckDimension("slice_in_dim_c1", *shape, dimno));
        SliceAttrs attrs;
        for (int64_t size : shape->dimensions()) {
          const int64_t d = static_cast<int64_t>(attrs.slice.size());
          // slice_in_dim_c2: sizes of the other dimensions have bounds.
          if (size == Shape::kUnboundedSize && d != dimno) {
            return RuleError("slice_in_dim_c2",
                             absl::StrCat("dimension ", d, " of ",
                                          ShapeUtil::HumanString(*shape),
                                          " has no bound to slice to"));
          }
          attrs.slice.push_back({0, size, 1});
        }
        attrs.slice[dimno] = {start_index, limit_index, stride};
        return b.AddOp(HloOpcode::kSlice, {operand}, std::move(attrs));
      });
}

XlaOp ConcatInDim(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                  int64_t dimension) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kConcatenate, operands,
                   ConcatenateAttrs{{dimension}});
  });
}

XlaOp DynamicSlice(XlaOp operand, absl::Span<const XlaOp> start_indices,
                   absl::Span<const int64_t> slice_sizes) {
  return EmitOp(HloOpcode::kDynamicSlice, Joined({{operand}, start_indices}),
                DynamicSliceAttrs{{slice_sizes.begin(), slice_sizes.end()}});
}

XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update,
                         absl::Span<const XlaOp> start_indices) {
  return EmitOp(HloOpcode::kDynamicUpdateSlice,
                Joined({{operand, update}, start_indices}));
}

namespace builder_internal {

XlaOp DynamicSliceAtVector(XlaOp operand, XlaOp start_indices,
                           absl::Span<const int64_t> slice_sizes) {
  return DynamicSlice(operand, absl::Span<const XlaOp>(&start_indices, 1),
                      slice_sizes);
}

XlaOp DynamicUpdateSliceAtVector(XlaOp operand, XlaOp update,
                                 XlaOp start_indices) {
  return DynamicUpdateSlice(operand, update,
                            absl::Span<const XlaOp>(&start_indices, 1));
}

}  // namespace builder_internal

XlaOp Gather(XlaOp input, XlaOp start_indices,
             const GatherDimensionNumbers& dimension_numbers,
             absl::Span<const int64_t> slice_sizes, bool indices_are_sorted) {
  return EmitOp(HloOpcode::kGather, {input, start_indices},
                GatherAttrs{dimension_numbers,
                            {slice_sizes.begin(), slice_sizes.end()},
                            indices_are_sorted});
}

XlaOp Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
              const CalledComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted, bool unique_indices) {
  return EmitOp(
      HloOpcode::kScatter, {input, scatter_indices, updates},
      ScatterAttrs{dimension_numbers, indices_are_sorted, unique_indices},
      {update_computation});
}

XlaOp Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
              absl::Span<const XlaOp> updates,
              const CalledComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted, bool unique_indices) {
  return EmitOp(
      HloOpcode::kScatter, Joined({inputs, {scatter_indices}, updates}),
      ScatterAttrs{dimension_numbers, indices_are_sorted, unique_indices},
      {update_computation});
}

}  // namespace xla
