// Shape rules of reduce, reduce-window, select-and-scatter, scan and map.
#include "xla/hlo/ops/reduction/reduction.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

using ShapePtrs = absl::Span<const Shape* const>;

// A scalar of `type`, or of another floating-point type if that is one.
bool IsScalarLike(const Shape& shape, PrimitiveType type) {
  return ShapeUtil::IsScalar(shape) &&
         (shape.element_type() == type ||
          (primitive_util::IsFloatingPointType(type) &&
           primitive_util::IsFloatingPointType(shape.element_type())));
}

// The results of a computation: the elements of a tuple, or the one result.
std::vector<const Shape*> Results(const ProgramShape& program) {
  std::vector<const Shape*> results;
  if (!program.result().IsTuple()) return {&program.result()};
  for (const Shape& s : program.result().tuple_shapes()) results.push_back(&s);
  return results;
}

std::string List(ShapePtrs shapes) {
  return absl::StrJoin(shapes, ", ", [](std::string* out, const Shape* s) {
    absl::StrAppend(out, s->ToString());
  });
}

// Arrays of the same dimensions, at least one. A dimension that is not known
// yet equals any.
bool SameDimensions(ShapePtrs shapes) {
  return !shapes.empty() && absl::c_all_of(shapes, [&](const Shape* s) {
    if (!s->IsArray() || s->rank() != shapes[0]->rank()) return false;
    for (int64_t d = 0; d < s->rank(); ++d) {
      if (!SizesFit(s->dimensions(d), shapes[0]->dimensions(d))) return false;
    }
    return true;
  });
}

// Operands of reduce and reduce-window: k arrays, then k init values.
struct Reduction {
  ShapePtrs arrays;
  ShapePtrs inits;
};

absl::StatusOr<Reduction> SplitOperands(const InferArgs& args,
                                        const std::string& op,
                                        const std::string& even_rule,
                                        const std::string& dims_rule) {
  const size_t n = args.operands.size();
  if (n == 0 || n % 2 != 0) {
    return RuleError(even_rule, absl::StrCat("expected as many operands as "
                                             "init values, got ",
                                             n, " in all"));
  }
  Reduction r = {args.operands.first(n / 2), args.operands.last(n / 2)};
  if (!SameDimensions(r.arrays)) {
    return RuleError(dims_rule, absl::StrCat("operands must be arrays of the "
                                             "same dimensions, got ",
                                             List(r.arrays)));
  }
  std::vector<PrimitiveType> types;
  for (const Shape* s : r.arrays) types.push_back(s->element_type());
  TF_RETURN_IF_ERROR(CheckReducer(args.computation(0), r.inits, types, op));
  return r;
}

// The array, or the tuple of arrays, of the reducer's result types.
absl::StatusOr<Shape> ReductionResult(const ProgramShape& reducer,
                                      absl::Span<const int64_t> sizes,
                                      absl::Span<const bool> dynamic,
                                      absl::string_view rule) {
  std::vector<Shape> shapes;
  for (const Shape* result : Results(reducer)) {
    TF_ASSIGN_OR_RETURN(Shape shape, MakeResultShape(result->element_type(),
                                                     sizes, dynamic, rule));
    shapes.push_back(std::move(shape));
  }
  if (!reducer.result().IsTuple()) return shapes[0];
  return Shape(std::move(shapes));
}

}  // namespace

absl::Status CheckReducer(const ProgramShape& reducer, ShapePtrs inits,
                          absl::Span<const PrimitiveType> types,
                          absl::string_view op) {
  const int k = inits.size();
  const auto error = [&](absl::string_view rule, absl::string_view message) {
    return RuleError(rule, absl::StrCat(message, " in the computation ",
                                        reducer.ToString(), " of ", op));
  };
  // reducer_c1: there are an accumulator and a value for each array.
  if (reducer.parameters_size() != 2 * k) {
    return error("reducer_c1",
                 absl::StrCat("expected ", 2 * k, " parameters, got ",
                              reducer.parameters_size()));
  }
  // reducer_c2: there is a result, a scalar, for each array.
  const std::vector<const Shape*> results = Results(reducer);
  if (results.size() != inits.size() ||
      !absl::c_all_of(results,
                      [](const Shape* s) { return ShapeUtil::IsScalar(*s); })) {
    return error("reducer_c2",
                 absl::StrCat("expected ", k, " scalars as result"));
  }
  for (int i = 0; i < k; ++i) {
    const PrimitiveType type = results[i]->element_type();
    // reducer_c3: init values are scalars of the results' types.
    if (!IsScalarLike(*inits[i], type)) {
      return error("reducer_c3", absl::StrCat("init value ", i, " has shape ",
                                              inits[i]->ToString(),
                                              ", not that of the result"));
    }
    // reducer_c4: accumulators have the results' types.
    if (!ShapeUtil::IsScalarWithElementType(reducer.parameters(i), type)) {
      return error("reducer_c4", absl::StrCat("parameter ", i,
                                              ", an "
                                              "accumulator, does not have the "
                                              "type of result ",
                                              i));
    }
    // reducer_c5: values have the arrays' element types.
    if (!IsScalarLike(reducer.parameters(k + i), types[i])) {
      return error(
          "reducer_c5",
          absl::StrCat("parameter ", k + i, ", a value, must be a scalar ",
                       primitive_util::LowercasePrimitiveTypeName(types[i])));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> InferReduce(const InferArgs& args,
                                  const ReduceAttrs& attrs) {
  // reduce_c1: there are as many operands as init values.
  // reduce_c2: operands have the same dimensions.
  TF_ASSIGN_OR_RETURN(Reduction r,
                      SplitOperands(args, "reduce", "reduce_c1", "reduce_c2"));
  const Shape& array = *r.arrays[0];
  std::vector<bool> reduced(array.rank(), false);
  for (int64_t d : attrs.dimensions) {
    // reduce_c3: reduced dimensions are the operands', each once.
    if (d < 0 || d >= array.rank() || reduced[d]) {
      return RuleError(
          "reduce_c3",
          absl::StrCat("dimension ", d, " in {",
                       absl::StrJoin(attrs.dimensions, ","),
                       "} is out of range or repeated for ", array.ToString()));
    }
    reduced[d] = true;
  }
  std::vector<int64_t> sizes;
  absl::InlinedVector<bool, 8> dynamic;
  for (int64_t d = 0; d < array.rank(); ++d) {
    if (reduced[d]) continue;
    sizes.push_back(array.dimensions(d));
    dynamic.push_back(array.is_dynamic_dimension(d));
  }
  return ReductionResult(args.computation(0), sizes, dynamic, "reduce_c2");
}

absl::StatusOr<Shape> InferReduceWindow(const InferArgs& args,
                                        const ReduceWindowAttrs& attrs) {
  // reduce_window_c1: there are as many operands as init values.
  // reduce_window_c2: operands have the same dimensions.
  TF_ASSIGN_OR_RETURN(Reduction r,
                      SplitOperands(args, "reduce-window", "reduce_window_c1",
                                    "reduce_window_c2"));
  const Shape& array = *r.arrays[0];
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      WindowOutputSizes(array.dimensions(), attrs.window));
  return ReductionResult(args.computation(0), sizes, array.dynamic_dimensions(),
                         "window_c3");
}

absl::StatusOr<Shape> InferSelectAndScatter(
    const InferArgs& args, const SelectAndScatterAttrs& attrs) {
  const Shape& operand = args.operand(0);
  const Shape& source = args.operand(1);
  const Shape& init = args.operand(2);
  // select_and_scatter_c1: operand and source are arrays.
  if (!operand.IsArray() || !source.IsArray()) {
    return RuleError(
        "select_and_scatter_c1",
        absl::StrCat("operand and source must be arrays, got ",
                     operand.ToString(), " and ", source.ToString()));
  }
  // select_and_scatter_c2: select compares two elements of the operand.
  const ProgramShape& select = args.computation(0);
  if (select.parameters_size() != 2 ||
      !ShapeUtil::IsScalarWithElementType(select.result(), PRED) ||
      !IsScalarLike(select.parameters(0), operand.element_type()) ||
      !IsScalarLike(select.parameters(1), operand.element_type())) {
    return RuleError(
        "select_and_scatter_c2",
        absl::StrCat("select must take two elements of ", operand.ToString(),
                     " and return pred[], got ", select.ToString()));
  }
  TF_RETURN_IF_ERROR(CheckReducer(args.computation(1), {&init},
                                  {source.element_type()},
                                  "select-and-scatter"));
  // select_and_scatter_c3: scattered values have the operand's type.
  if (!IsScalarLike(args.computation(1).result(), operand.element_type())) {
    return RuleError(
        "select_and_scatter_c3",
        absl::StrCat("scatter must return an element of ", operand.ToString(),
                     ", got ", args.computation(1).ToString()));
  }
  // select_and_scatter_c4: the source has one element for each window.
  TF_ASSIGN_OR_RETURN(Shape windows, InferWindowOutput(operand, attrs.window,
                                                       source.element_type()));
  if (!SameDimensions({&source, &windows})) {
    return RuleError("select_and_scatter_c4",
                     absl::StrCat("the source must have the dimensions of ",
                                  windows.ToString(),
                                  ", one element per "
                                  "window, got ",
                                  source.ToString()));
  }
  return MakeResultShape(operand.element_type(), operand.dimensions(),
                         operand.dynamic_dimensions(), "select_and_scatter_c1");
}

namespace {

// scan_c4: inputs are arrays with the same size of the scanned dimension,
// which the computation takes slices of, as parameters; then the carries.
absl::Status CheckScanParameters(const InferArgs& args, int64_t inputs,
                                 int64_t dim) {
  const ProgramShape& body = args.computation(0);
  for (size_t i = 0; i < args.operands.size(); ++i) {
    Shape expected = args.operand(i);
    if (static_cast<int64_t>(i) < inputs) {
      if (!expected.IsArray() || dim >= expected.rank() ||
          !SizesFit(expected.dimensions(dim),
                    args.operand(0).dimensions(dim))) {
        return RuleError(
            "scan_c4", absl::StrCat("inputs must be arrays with the same size "
                                    "of dimension ",
                                    dim, ", got ", expected.ToString()));
      }
      expected.DeleteDimension(dim);
    }
    if (!ShapeUtil::Compatible(body.parameters(i), expected)) {
      return RuleError("scan_c4", absl::StrCat("parameter ", i,
                                               " of the computation must "
                                               "be ",
                                               expected.ToString(), ", got ",
                                               body.parameters(i).ToString()));
    }
  }
  return absl::OkStatus();
}

// The output made of slices of shape `slice`, one for each of `input`.
absl::StatusOr<Shape> StackedShape(const Shape& slice, const Shape& input,
                                   int64_t dim) {
  // scan_c6: a slice of an output is an array that has room for the dimension.
  if (!slice.IsArray() || dim > slice.rank()) {
    return RuleError("scan_c6",
                     absl::StrCat("slices of outputs must be arrays of rank "
                                  ">= ",
                                  dim, ", got ", slice.ToString()));
  }
  std::vector<int64_t> sizes(slice.dimensions().begin(),
                             slice.dimensions().end());
  absl::InlinedVector<bool, 8> dynamic(sizes.size(), false);
  absl::c_copy(slice.dynamic_dimensions(), dynamic.begin());
  sizes.insert(sizes.begin() + dim, input.dimensions(dim));
  dynamic.insert(dynamic.begin() + dim, input.is_dynamic_dimension(dim));
  return MakeResultShape(slice.element_type(), sizes, dynamic, "scan_c6");
}

}  // namespace

absl::StatusOr<Shape> InferScan(const InferArgs& args, const ScanAttrs& attrs) {
  const ProgramShape& body = args.computation(0);
  const int64_t n = args.operands.size();
  // scan_c1: one dimension is scanned.
  if (attrs.dimensions.size() != 1 || attrs.dimensions[0] < 0) {
    return RuleError("scan_c1",
                     absl::StrCat("expected one dimension, got {",
                                  absl::StrJoin(attrs.dimensions, ","), "}"));
  }
  const int64_t dim = attrs.dimensions[0];
  // scan_c2: carries are the last operands, behind at least one input.
  const int64_t carries = attrs.num_carries;
  if (carries < 0 || carries >= n) {
    return RuleError("scan_c2", absl::StrCat("num_carries=", carries,
                                             " must leave an "
                                             "input among ",
                                             n, " operands"));
  }
  // scan_c3: the computation has a parameter for each operand.
  if (body.parameters_size() != n) {
    return RuleError("scan_c3",
                     absl::StrCat("the computation must have ", n,
                                  " parameters, got ", body.parameters_size()));
  }
  TF_RETURN_IF_ERROR(CheckScanParameters(args, n - carries, dim));
  const std::vector<const Shape*> results = Results(body);
  const int64_t outputs = static_cast<int64_t>(results.size()) - carries;
  // scan_c5: the computation returns slices of outputs, then the carries.
  if (outputs < 0) {
    return RuleError("scan_c5",
                     absl::StrCat("the computation must return ", carries,
                                  " carries, got ", body.ToString()));
  }
  std::vector<Shape> shapes;
  for (int64_t i = 0; i < outputs; ++i) {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(),
                        StackedShape(*results[i], args.operand(0), dim));
  }
  for (int64_t i = 0; i < carries; ++i) {
    const Shape& init = args.operand(n - carries + i);
    // scan_c7: carries keep their shapes.
    if (!ShapeUtil::Compatible(*results[outputs + i], init)) {
      return RuleError("scan_c7",
                       absl::StrCat("carry ", i, " starts as ", init.ToString(),
                                    " but the computation returns ",
                                    results[outputs + i]->ToString()));
    }
    shapes.push_back(init);
  }
  if (!body.result().IsTuple()) return shapes[0];
  return Shape(std::move(shapes));
}

absl::StatusOr<Shape> InferMap(const InferArgs& args, const MapAttrs& attrs) {
  const ProgramShape& function = args.computation(0);
  // map_c1: operands, at least one, are arrays of the same dimensions.
  if (!SameDimensions(args.operands)) {
    return RuleError("map_c1", absl::StrCat("operands must be arrays of the "
                                            "same dimensions, got ",
                                            List(args.operands)));
  }
  const Shape& array = args.operand(0);
  // map_c2: dimensions are all those of the operands, in order.
  bool in_order = static_cast<int64_t>(attrs.dimensions.size()) == array.rank();
  for (size_t i = 0; in_order && i < attrs.dimensions.size(); ++i) {
    in_order = attrs.dimensions[i] == static_cast<int64_t>(i);
  }
  if (!in_order) {
    return RuleError(
        "map_c2", absl::StrCat("dimensions must be all of ", array.ToString(),
                               " in order, got {",
                               absl::StrJoin(attrs.dimensions, ","), "}"));
  }
  // map_c3: the computation takes one parameter for each operand.
  if (function.parameters_size() != static_cast<int>(args.operands.size())) {
    return RuleError(
        "map_c3",
        absl::StrCat("the computation must have ", args.operands.size(),
                     " parameters, got ", function.parameters_size()));
  }
  for (int i = 0; i < function.parameters_size(); ++i) {
    // map_c4: parameters are scalars of the operands' types.
    if (!IsScalarLike(function.parameters(i), args.operand(i).element_type())) {
      return RuleError("map_c4",
                       absl::StrCat("parameter ", i, " must be an element of ",
                                    args.operand(i).ToString(), ", got ",
                                    function.parameters(i).ToString()));
    }
  }
  // map_c5: the computation returns a scalar.
  if (!ShapeUtil::IsScalar(function.result())) {
    return RuleError("map_c5",
                     absl::StrCat("the computation must return a scalar, got ",
                                  function.result().ToString()));
  }
  return MakeResultShape(function.result().element_type(), array.dimensions(),
                         array.dynamic_dimensions(), "map_c1");
}

}  // namespace xla
