// Shape rules of selection, clamp and conversions.
#include "xla/hlo/ops/elementwise/elementwise_other.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

namespace xla {
namespace {

std::string Listed(const InferArgs& args) {
  return absl::StrJoin(args.operands, ", ",
                       [](std::string* out, const Shape* shape) {
                         absl::StrAppend(out, ShapeUtil::HumanString(*shape));
                       });
}

bool AllArrays(const InferArgs& args) {
  return std::all_of(args.operands.begin(), args.operands.end(),
                     [](const Shape* shape) { return shape->IsArray(); });
}

// Whether `a` and `b` have the same dimensions, dynamic ones at their bounds;
// `merged` takes what MergeDimension makes of them.
bool SameDimensions(const Shape& a, const Shape& b, Shape* merged) {
  if (a.rank() != b.rank()) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (!MergeDimension(a, b, i, merged)) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<Shape> InferClamp(const InferArgs& args) {
  // clamp_c1: the operands are arrays
  if (!AllArrays(args)) {
    return RuleError("clamp_c1",
                     absl::StrCat("takes arrays, got ", Listed(args)));
  }
  const Shape& operand = args.operand(1);
  Shape merged = operand;
  for (int i : {0, 2}) {
    const Shape& bound = args.operand(i);
    // clamp_c2: bounds and operand have the same element type, or all floats
    if (!ShapeUtil::SameElementTypeIgnoringFpPrecision(bound, operand)) {
      return RuleError("clamp_c2", absl::StrCat("takes elements of one type, "
                                                "got ",
                                                Listed(args)));
    }
    // clamp_c3: a bound is a scalar or has the dimensions of the operand
    if (bound.rank() != 0 && !SameDimensions(bound, operand, &merged)) {
      return RuleError("clamp_c3",
                       absl::StrCat("takes bounds that are scalars or of the "
                                    "operand's dimensions, got ",
                                    Listed(args)));
    }
  }
  return ShapeWithElementType(operand, operand.element_type());
}

absl::StatusOr<Shape> InferSelect(const InferArgs& args) {
  const Shape& pred = args.operand(0);
  const Shape& on_true = args.operand(1);
  const Shape& on_false = args.operand(2);
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(rule, absl::StrCat(what, ", got ", Listed(args)));
  };
  // select_c1: the predicate is an array of pred
  if (!pred.IsArray() || pred.element_type() != PRED) {
    return error("select_c1", "takes a predicate of type pred");
  }
  if (on_true.IsTuple()) {
    // select_c6: a scalar selects between tuples of the same shape
    if (pred.rank() != 0 || !ShapeUtil::Compatible(on_true, on_false)) {
      return error("select_c6",
                   "between tuples of one shape takes a scalar predicate");
    }
    Shape result = on_true;
    LayoutUtil::SetToDefaultLayout(&result);
    return result;
  }
  // select_c2: both choices are arrays
  if (!on_true.IsArray() || !on_false.IsArray()) {
    return error("select_c2", "takes two arrays or two tuples");
  }
  // select_c3: both choices have the same element type, or both floats
  if (!ShapeUtil::SameElementTypeIgnoringFpPrecision(on_true, on_false)) {
    return error("select_c3", "takes elements of one type");
  }
  // select_c4: both choices have the same dimensions
  Shape merged = on_true;
  if (!SameDimensions(on_true, on_false, &merged)) {
    return error("select_c4", "takes two arrays of the same dimensions");
  }
  // select_c5: the predicate is a scalar or has the dimensions of the choices
  const Shape choices = merged;
  if (pred.rank() != 0 && !SameDimensions(choices, pred, &merged)) {
    return error("select_c5",
                 "takes a predicate that is a scalar or of the dimensions of "
                 "the choices");
  }
  return ShapeWithElementType(
      merged, ShapeUtil::HigherPrecisionElementType(on_true, on_false));
}

absl::StatusOr<Shape> InferConvert(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  // convert_c1: operand and result are arrays
  if (!operand.IsArray() || !args.declared->IsArray()) {
    return RuleError("convert_c1",
                     absl::StrCat("makes an array of an array, got ",
                                  ShapeUtil::HumanString(operand), " to ",
                                  ShapeUtil::HumanString(*args.declared)));
  }
  // convert_c2: operand and result have the same dimensions
  Shape merged = operand;
  if (!SameDimensions(operand, *args.declared, &merged)) {
    return RuleError("convert_c2",
                     absl::StrCat("keeps the dimensions, got ",
                                  ShapeUtil::HumanString(operand), " to ",
                                  ShapeUtil::HumanString(*args.declared)));
  }
  return ShapeWithElementType(operand, args.declared->element_type());
}

absl::StatusOr<Shape> InferBitcastConvert(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  const Shape& declared = *args.declared;
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(
        rule, absl::StrCat(what, ", got ", ShapeUtil::HumanString(operand),
                           " to ", ShapeUtil::HumanString(declared)));
  };
  // bitcast_convert_c1: operand and result are arrays
  if (!operand.IsArray() || !declared.IsArray()) {
    return error("bitcast_convert_c1", "makes an array of an array");
  }
  const PrimitiveType from = operand.element_type();
  const PrimitiveType to = declared.element_type();
  // bitcast_convert_c2: both element types are complex or none is
  if (primitive_util::IsComplexType(from) !=
      primitive_util::IsComplexType(to)) {
    return error("bitcast_convert_c2", "complex numbers stay complex");
  }
  const int from_bits = primitive_util::StorageBitWidth(from);
  const int to_bits = primitive_util::StorageBitWidth(to);
  const int ratio = std::max(from_bits, to_bits) / std::min(from_bits, to_bits);
  // bitcast_convert_c3: one width is a multiple of the other
  if (ratio * std::min(from_bits, to_bits) != std::max(from_bits, to_bits)) {
    return error("bitcast_convert_c3",
                 "the wider element must hold a whole number of the others");
  }
  Shape result = operand;
  if (from_bits > to_bits) {
    result.add_dimensions(ratio);
  } else if (from_bits < to_bits) {
    const int last = static_cast<int>(operand.rank()) - 1;
    // bitcast_convert_c4: the last dimension holds the parts of one element
    if (last < 0 || operand.dimensions(last) != ratio ||
        operand.is_dynamic_dimension(last)) {
      return error(
          "bitcast_convert_c4",
          absl::StrCat("the last dimension must have the size ", ratio));
    }
    result.DeleteDimension(last);
  }
  // bitcast_convert_c5: the result has the dimensions that follow
  Shape merged = result;
  if (!SameDimensions(result, declared, &merged)) {
    return error("bitcast_convert_c5",
                 absl::StrCat("the result has dimensions [",
                              absl::StrJoin(result.dimensions(), ","), "]"));
  }
  return ShapeWithElementType(result, to);
}

absl::StatusOr<Shape> InferReducePrecision(const InferArgs& args,
                                           const ReducePrecisionAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // reduce_precision_c1: the operand is an array of floats
  if (!operand.IsArray() || !ShapeUtil::ElementIsFloating(operand)) {
    return RuleError("reduce_precision_c1",
                     absl::StrCat("takes floating-point elements, got ",
                                  ShapeUtil::HumanString(operand)));
  }
  // reduce_precision_c2: at least one exponent bit
  if (attrs.exponent_bits < 1) {
    return RuleError(
        "reduce_precision_c2",
        absl::StrCat("exponent_bits must be >= 1, got ", attrs.exponent_bits));
  }
  // reduce_precision_c3: the number of mantissa bits is not negative
  if (attrs.mantissa_bits < 0) {
    return RuleError(
        "reduce_precision_c3",
        absl::StrCat("mantissa_bits must be >= 0, got ", attrs.mantissa_bits));
  }
  return ShapeWithElementType(operand, operand.element_type());
}

absl::StatusOr<Shape> InferStochasticConvert(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  const Shape& random = args.operand(1);
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(rule,
                     absl::StrCat(what, ", got ", Listed(args), " to ",
                                  ShapeUtil::HumanString(*args.declared)));
  };
  // stochastic_convert_c1: operands and result are arrays
  if (!AllArrays(args) || !args.declared->IsArray()) {
    return error("stochastic_convert_c1", "makes an array of two arrays");
  }
  // stochastic_convert_c2: the operand's elements are floats
  if (!ShapeUtil::ElementIsFloating(operand)) {
    return error("stochastic_convert_c2", "takes floating-point elements");
  }
  // stochastic_convert_c3: the random numbers are unsigned
  if (!primitive_util::IsUnsignedIntegralType(random.element_type())) {
    return error("stochastic_convert_c3", "takes unsigned random numbers");
  }
  // stochastic_convert_c4: random numbers are as wide as the operand's elements
  if (primitive_util::BitWidth(random.element_type()) !=
      primitive_util::BitWidth(operand.element_type())) {
    return error("stochastic_convert_c4",
                 "takes random numbers as wide as the elements");
  }
  // stochastic_convert_c5: operands and result have the same dimensions
  Shape merged = operand;
  if (!SameDimensions(operand, random, &merged) ||
      !SameDimensions(operand, *args.declared, &merged)) {
    return error("stochastic_convert_c5", "keeps the dimensions");
  }
  return ShapeWithElementType(operand, args.declared->element_type());
}

OpIndexing BitcastConvertIndexing(const IndexingArgs& args) {
  IndexingMap map(args.result.dimensions());
  const Shape& operand = args.operand(0);
  const int shared = std::min(operand.rank(), args.result.rank());
  for (int d = 0; d < shared; ++d) map.AddResult(map.dimension(d));
  if (operand.rank() > shared) {
    map.AddResult(map.AddRange(Interval::Below(operand.dimensions(shared))));
  }
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  return indexing;
}

DimensionFactors BitcastConvertFactors(const FactorArgs& args) {
  return CommonFactors(args, [&](int64_t d) {
    return d < args.operand(0).rank() ? FactorKind::kPassedThrough
                                      : FactorKind::kWhole;
  });
}

}  // namespace xla
