// Reduce, reduce-window, select-and-scatter, map, scan.
#include "xla/hlo/builder/ops/reduction.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/control_flow.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/builder/window_lists.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::Joined;
using builder_internal::MakeWindow;

// Returns the padding of that name for windows over `operand`.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingFor(
    const XlaBuilder& b, XlaOp operand, absl::Span<const int64_t> window,
    absl::Span<const int64_t> strides, Padding padding) {
  TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
  return builder_internal::PaddingOf(shape->dimensions(), window, strides,
                                     padding);
}

// The state of a loop over the elements of operands: the number of iterations
// so far, the results, the operands as vectors, and the static operands.
constexpr int kMapIteration = 0;
constexpr int kMapResults = 1;
constexpr int kFirstMapOperand = 2;

// A tuple -> pred[]: true while fewer than `count` elements are done.
absl::StatusOr<XlaComputationId> MapCondition(XlaBuilder& b, const Shape& state,
                                              int64_t count) {
  auto inner = b.CreateSubBuilder("map_condition");
  XlaOp carry = Parameter(inner.get(), 0, state, "carry");
  Lt(GetTupleElement(carry, kMapIteration),
     ConstantR0<int64_t>(inner.get(), count));
  return inner->BuildSubComputation();
}

// Returns the next state, after calling `computation` on the elements of one
// position.
absl::StatusOr<XlaComputationId> MapBody(XlaBuilder& b, const Shape& state,
                                         const CalledComputation& computation,
                                         int num_operands) {
  auto inner = b.CreateSubBuilder("map_body");
  XlaOp carry = Parameter(inner.get(), 0, state, "carry");
  std::vector<XlaOp> values;
  for (int i = 0; i < state.tuple_shapes_size(); ++i) {
    values.push_back(GetTupleElement(carry, i));
  }
  XlaOp place = values[kMapIteration];
  std::vector<XlaOp> arguments(values.begin() + kFirstMapOperand, values.end());
  for (int i = 0; i < num_operands; ++i) {
    arguments[i] = Reshape(DynamicSlice(arguments[i], {place}, {1}), {});
  }
  values[kMapResults] = DynamicUpdateSlice(
      values[kMapResults],
      Reshape(Call(inner.get(), computation, arguments), {1}), {place});
  values[kMapIteration] = Add(place, ConstantR0<int64_t>(inner.get(), 1));
  Tuple(inner.get(), values);
  return inner->BuildSubComputation();
}

absl::Status CheckStaticOperands(XlaBuilder& b,
                                 absl::Span<const XlaOp> static_operands,
                                 absl::Span<const Shape> parameters) {
  for (size_t i = 0; i < static_operands.size(); ++i) {
    TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(static_operands[i]));
    // map_static_c2: parameters have the shapes of static operands.
    if (!ShapeUtil::Compatible(*shape, parameters[i])) {
      return RuleError("map_static_c2",
                       absl::StrCat("static operand ", i, " is ",
                                    ShapeUtil::HumanString(*shape), ", not ",
                                    ShapeUtil::HumanString(parameters[i])));
    }
  }
  return absl::OkStatus();
}

// Returns the result shape of a map with arrays as static operands, by the
// rules of map and those above.
absl::StatusOr<Shape> MapInLoopShape(XlaBuilder& b,
                                     absl::Span<const XlaOp> operands,
                                     const CalledComputation& computation,
                                     absl::Span<const int64_t> dimensions,
                                     absl::Span<const XlaOp> static_operands) {
  std::vector<const Shape*> shapes;
  for (XlaOp operand : operands) {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(), b.GetShapePtr(operand));
    if (!shapes.back()->is_static()) {
      return absl::UnimplementedError(
          absl::StrCat("map: operands of dynamic sizes with an array as a "
                       "static operand are not implemented, got ",
                       ShapeUtil::HumanString(*shapes.back())));
    }
  }
  TF_ASSIGN_OR_RETURN(const HloComputation* function,
                      b.FindComputation(computation));
  ProgramShape signature = function->ComputeProgramShape();
  // map_static_c1: the computation has a parameter for each operand.
  if (signature.parameters_size() !=
      static_cast<int>(operands.size() + static_operands.size())) {
    return RuleError(
        "map_static_c1",
        absl::StrCat("the computation must have ",
                     operands.size() + static_operands.size(),
                     " parameters, got ", signature.parameters_size()));
  }
  ProgramShape of_elements;
  for (size_t i = 0; i < operands.size(); ++i) {
    of_elements.AddParameter(signature.parameters(i), "");
  }
  *of_elements.mutable_result() = signature.result();
  const ProgramShape* signatures[] = {&of_elements};
  InferArgs args;
  args.operands = shapes;
  args.computations = signatures;
  TF_ASSIGN_OR_RETURN(
      Shape result,
      InferMap(args, MapAttrs{{dimensions.begin(), dimensions.end()}}));
  TF_RETURN_IF_ERROR(CheckStaticOperands(
      b, static_operands,
      absl::MakeConstSpan(signature.parameters()).subspan(operands.size())));
  return result;
}

// Maps when every call gets whole arrays, which the op cannot express: one call
// after the other.
absl::StatusOr<XlaOp> MapInLoop(XlaBuilder& b, absl::Span<const XlaOp> operands,
                                const CalledComputation& computation,
                                absl::Span<const int64_t> dimensions,
                                absl::Span<const XlaOp> static_operands) {
  TF_ASSIGN_OR_RETURN(
      const Shape shape,
      MapInLoopShape(b, operands, computation, dimensions, static_operands));
  const int64_t count = ShapeUtil::ElementsIn(shape);
  XlaOp zero = ConstantLiteral(&b, LiteralUtil::Zero(shape.element_type()));
  if (count == 0) {
    return builder_internal::Done(b, Broadcast(zero, shape.dimensions()));
  }
  std::vector<XlaOp> values = {ConstantR0<int64_t>(&b, 0),
                               Broadcast(zero, {count})};
  for (XlaOp operand : operands) values.push_back(Reshape(operand, {count}));
  values.insert(values.end(), static_operands.begin(), static_operands.end());
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                      b.GetOperandShapes(values));
  const Shape state = ShapeUtil::MakeTupleShape(shapes);
  TF_ASSIGN_OR_RETURN(const XlaComputationId condition,
                      MapCondition(b, state, count));
  TF_ASSIGN_OR_RETURN(
      const XlaComputationId body,
      MapBody(b, state, computation, static_cast<int>(operands.size())));
  XlaOp loop = While(condition, body, Tuple(&b, values));
  return builder_internal::Done(
      b, Reshape(GetTupleElement(loop, kMapResults), shape.dimensions()));
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
      if (operands.empty()) break;
      if (!ShapeUtil::IsScalar(*shape)) {
        return MapInLoop(b, operands, computation, dimensions, static_operands);
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
        !SizesFit(*scan_dimension_size, shape->dimensions(scan_dimension))) {
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
