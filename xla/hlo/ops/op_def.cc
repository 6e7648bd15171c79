// Implements what all ops share: errors of rules, counts of operands.
#include "xla/hlo/ops/op_def.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

absl::Status CheckCount(const OpDef& def, absl::string_view rule,
                        absl::string_view what, const NameList& names,
                        size_t count) {
  const size_t least = names.min_count();
  const size_t most = names.max_count();
  if (count >= least && count <= most) return absl::OkStatus();
  const std::string expected = least == most ? absl::StrCat(least)
                               : count < least
                                   ? absl::StrCat("at least ", least)
                                   : absl::StrCat("at most ", most);
  return absl::InvalidArgumentError(absl::StrCat(
      absl::string_view(def.name.data(), def.name.size()), ": expected ",
      expected, " ", what, ", got ", count, " (", rule, ")"));
}

// Whether the op hands values on, or leaves them to computations and calls: no
// other op takes or returns a buffer.
bool MayHoldBuffers(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAddDependency:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
    case HloOpcode::kCustomCall:
    case HloOpcode::kDomain:
    case HloOpcode::kFusion:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
    case HloOpcode::kWhile:
      return true;
    default:
      return false;
  }
}

// op_c3: an op that computes takes and states no buffers.
absl::Status CheckBuffers(const OpDef& def, const InferArgs& args) {
  if (MayHoldBuffers(def.opcode)) return absl::OkStatus();
  const auto check = [&](const Shape& shape) -> absl::Status {
    if (!shape.IsBuffer()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(absl::string_view(def.name.data(), def.name.size()),
                     ": works on arrays, not on the buffer ",
                     ShapeUtil::HumanString(shape), " (op_c3)"));
  };
  for (const Shape* operand : args.operands) {
    TF_RETURN_IF_ERROR(check(*operand));
  }
  return args.declared == nullptr ? absl::OkStatus() : check(*args.declared);
}

}  // namespace

absl::Status RuleError(absl::string_view rule, absl::string_view message) {
  absl::string_view op = rule.substr(0, rule.rfind("_c"));
  return absl::InvalidArgumentError(absl::StrCat(
      absl::StrReplaceAll(op, {{"_", "-"}}), ": ", message, " (", rule, ")"));
}

absl::Status CheckArray(absl::string_view rule, const Shape& shape,
                        absl::string_view what) {
  if (!shape.IsArray()) {
    return RuleError(rule, absl::StrCat(what, " must be an array, got ",
                                        ShapeUtil::HumanString(shape)));
  }
  return absl::OkStatus();
}

absl::Status CheckBounded(absl::string_view rule, const Shape& shape,
                          absl::string_view what) {
  TF_RETURN_IF_ERROR(CheckArray(rule, shape, what));
  if (!shape.is_unbounded_dynamic()) return absl::OkStatus();
  return RuleError(rule, absl::StrCat(what, " must have bounds, got ",
                                      ShapeUtil::HumanString(shape)));
}

bool SizesFit(int64_t a, int64_t b) {
  return a == b || a == Shape::kUnboundedSize || b == Shape::kUnboundedSize;
}

bool MergeDimension(const Shape& a, const Shape& b, int dimension,
                    Shape* result) {
  const bool a_unbounded = a.is_unbounded_dynamic_dimension(dimension);
  const bool b_unbounded = b.is_unbounded_dynamic_dimension(dimension);
  if (a_unbounded || b_unbounded) {
    const Shape& known = a_unbounded ? b : a;
    result->set_dimensions(dimension, known.dimensions(dimension),
                           known.is_dynamic_dimension(dimension));
    return true;
  }
  if (a.dimensions(dimension) != b.dimensions(dimension)) return false;
  result->set_dimensions(
      dimension, a.dimensions(dimension),
      a.is_dynamic_dimension(dimension) || b.is_dynamic_dimension(dimension));
  return true;
}

absl::StatusOr<Shape> ShapeWithElementType(const Shape& shape,
                                           PrimitiveType type) {
  Shape result = shape;
  result.set_element_type(type);
  LayoutUtil::SetToDefaultLayout(&result);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeSize(result));
  return result;
}

const OpDef& GetOpDef(HloOpcode opcode) {
  return *OpTable()[static_cast<int>(opcode)];
}

absl::StatusOr<Shape> InferShape(const OpDef& def, const InferArgs& args,
                                 const void* attrs) {
  // op_c1: the number of operands fits the op.
  TF_RETURN_IF_ERROR(
      CheckCount(def, "op_c1", "operands", def.operands, args.operands.size()));
  // op_c2: the number of called computations fits the op.
  TF_RETURN_IF_ERROR(CheckCount(def, "op_c2", "called computations",
                                def.computations, args.computations.size()));
  TF_RETURN_IF_ERROR(CheckBuffers(def, args));
  if (def.declares_shape && args.declared == nullptr) {
    return absl::InternalError(
        absl::StrCat(absl::string_view(def.name.data(), def.name.size()),
                     ": the caller has to state the shape"));
  }
  return def.infer(args, attrs);
}

std::optional<OpIndexing> GetOpIndexing(const OpDef& def,
                                        const IndexingArgs& args,
                                        const void* attrs) {
  if (def.indexing != nullptr) return def.indexing(args, attrs);
  if (def.elementwise) return ElementwiseIndexing(args);
  return std::nullopt;
}

std::optional<DimensionFactors> GetDimensionFactors(const OpDef& def,
                                                    const FactorArgs& args,
                                                    const void* attrs) {
  if (def.factors != nullptr) return def.factors(args, attrs);
  const Shape* result = &args.result;
  if (result->IsTuple() && !result->tuple_shapes().empty()) {
    result = &result->tuple_shapes(0);
  }
  if (!result->IsArray()) return std::nullopt;
  const std::optional<OpIndexing> indexing =
      GetOpIndexing(def, {args.operands, *result}, attrs);
  if (!indexing.has_value()) return std::nullopt;
  return FactorsOfIndexing(args, *indexing);
}

}  // namespace xla
