// Reduce, reduce-window, select-and-scatter, map, scan.
#include "xla/hlo/builder/ops/reduction.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/window_lists.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::Joined;
using builder_internal::MakeWindow;

// The padding of that name for windows over `operand`.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingFor(
    const XlaBuilder& b, XlaOp operand, absl::Span<const int64_t> window,
    absl::Span<const int64_t> strides, Padding padding) {
  TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
  TF_RETURN_IF_ERROR(
      ValidatePaddingValues(shape->dimensions(), window, strides));
  return MakePadding(shape->dimensions(), window, strides, padding);
}

}  // namespace

XlaOp Reduce(XlaOp operand, XlaOp init_value,
             const CalledComputation& computation,
             absl::Span<const int64_t> dimensions_to_reduce) {
  return Reduce(BuilderOf({operand, init_value}), {operand}, {init_value},
                computation, dimensions_to_reduce);
}

XlaOp Reduce(XlaBuilder* builder, absl::Span<const XlaOp> operands,
             absl::Span<const XlaOp> init_values,
             const CalledComputation& computation,
             absl::Span<const int64_t> dimensions_to_reduce) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(
        HloOpcode::kReduce, Joined({operands, init_values}),
        ReduceAttrs{{dimensions_to_reduce.begin(), dimensions_to_reduce.end()}},
        {computation});
  });
}

XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                const CalledComputation& computation) {
  return Emit(BuilderOf({operand, init_value}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
                return Reduce(operand, init_value, computation,
                              builder_internal::AllDimensions(shape->rank()));
              });
}

XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                   const CalledComputation& computation,
                   absl::Span<const int64_t> window_dimensions,
                   absl::Span<const int64_t> window_strides, Padding padding) {
  return ReduceWindow(absl::Span<const XlaOp>(&operand, 1),
                      absl::Span<const XlaOp>(&init_value, 1), computation,
                      window_dimensions, window_strides, padding);
}

XlaOp ReduceWindow(absl::Span<const XlaOp> operands,
                   absl::Span<const XlaOp> init_values,
                   const CalledComputation& computation,
                   absl::Span<const int64_t> window_dimensions,
                   absl::Span<const int64_t> window_strides, Padding padding) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(
        auto amounts,
        PaddingFor(b, operands[0], window_dimensions, window_strides, padding));
    return ReduceWindowWithGeneralPadding(operands, init_values, computation,
                                          window_dimensions, window_strides, {},
                                          {}, amounts);
  });
}

XlaOp ReduceWindowWithGeneralPadding(
    XlaOp operand, XlaOp init_value, const CalledComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  return ReduceWindowWithGeneralPadding(
      absl::Span<const XlaOp>(&operand, 1),
      absl::Span<const XlaOp>(&init_value, 1), computation, window_dimensions,
      window_strides, base_dilations, window_dilations, padding);
}

XlaOp ReduceWindowWithGeneralPadding(
    absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
    const CalledComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  const std::vector<XlaOp> all = Joined({operands, init_values});
  return Emit(BuilderOf(all), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(Window window,
                        MakeWindow({window_dimensions, window_strides, padding,
                                    base_dilations, window_dilations}));
    return b.AddOp(HloOpcode::kReduceWindow, all, ReduceWindowAttrs{window},
                   {computation});
  });
}

XlaOp SelectAndScatter(XlaOp operand, const CalledComputation& select,
                       absl::Span<const int64_t> window_dimensions,
                       absl::Span<const int64_t> window_strides,
                       Padding padding, XlaOp source, XlaOp init_value,
                       const CalledComputation& scatter) {
  return Emit(BuilderOf({operand, source, init_value}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(auto amounts,
                                    PaddingFor(b, operand, window_dimensions,
                                               window_strides, padding));
                return SelectAndScatterWithGeneralPadding(
                    operand, select, window_dimensions, window_strides, amounts,
                    source, init_value, scatter);
              });
}

XlaOp SelectAndScatterWithGeneralPadding(
    XlaOp operand, const CalledComputation& select,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding, XlaOp source,
    XlaOp init_value, const CalledComputation& scatter) {
  return Emit(BuilderOf({operand, source, init_value}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(
                    Window window,
                    MakeWindow({window_dimensions, window_strides, padding}));
                return b.AddOp(
                    HloOpcode::kSelectAndScatter, {operand, source, init_value},
                    SelectAndScatterAttrs{window}, {select, scatter});
              });
}

XlaOp Map(XlaBuilder* builder, absl::Span<const XlaOp> operands,
          const CalledComputation& computation,
          absl::Span<const int64_t> dimensions,
          absl::Span<const XlaOp> static_operands) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    std::vector<XlaOp> all(operands.begin(), operands.end());
    for (XlaOp operand : static_operands) {
      TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
      if (!ShapeUtil::IsScalar(*shape) || operands.empty()) {
        return absl::UnimplementedError(
            absl::StrCat("map: a static operand must be a scalar, got ",
                         ShapeUtil::HumanString(*shape)));
      }
      TF_ASSIGN_OR_RETURN(const Shape* array, b.GetShapePtr(operands[0]));
      const std::vector<int64_t> sizes(array->dimensions().begin(),
                                       array->dimensions().end());
      all.push_back(Broadcast(operand, sizes));
    }
    return b.AddOp(HloOpcode::kMap, all,
                   MapAttrs{{dimensions.begin(), dimensions.end()}},
                   {computation});
  });
}

XlaOp Scan(absl::Span<const XlaOp> inputs, absl::Span<const XlaOp> inits,
           const CalledComputation& computation, int64_t scan_dimension,
           std::optional<int64_t> scan_dimension_size, bool is_reverse,
           TriState is_associative) {
  const std::vector<XlaOp> all = Joined({inputs, inits});
  return Emit(BuilderOf(all), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    if (inputs.empty()) {
      return absl::UnimplementedError("scan: there must be an input");
    }
    TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(inputs[0]));
    // scan_size_c1: a size that is given is that of the inputs.
    if (scan_dimension_size.has_value() && scan_dimension >= 0 &&
        scan_dimension < shape->rank() &&
        *scan_dimension_size != shape->dimensions(scan_dimension)) {
      return RuleError(
          "scan_size_c1",
          absl::StrCat("scan_dimension_size ", *scan_dimension_size,
                       " is not that of ", ShapeUtil::HumanString(*shape)));
    }
    ScanAttrs attrs;
    attrs.dimensions = {scan_dimension};
    attrs.num_carries = static_cast<int64_t>(inits.size());
    attrs.is_reverse = is_reverse;
    if (is_associative != TRI_STATE_UNSPECIFIED) {
      attrs.is_associative = is_associative;
    }
    return b.AddOp(HloOpcode::kScan, all, std::move(attrs), {computation});
  });
}

}  // namespace xla
