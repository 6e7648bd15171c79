// Shape rules of parameter, constant, tuple and get-tuple-element.
#include "xla/hlo/ops/values.h"

#include "absl/strings/str_cat.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// True if tuples in `shape` nest at most `depth` deep.
bool NestsWithin(const Shape& shape, int depth) {
  if (!shape.IsTuple()) return true;
  if (depth == 0) return false;
  for (const Shape& part : shape.tuple_shapes()) {
    if (!NestsWithin(part, depth - 1)) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<Shape> InferParameter(const InferArgs& args,
                                     const ParameterAttrs& attrs) {
  // parameter_c1: the number is not negative.
  if (attrs.number < 0) {
    return RuleError("parameter_c1", absl::StrCat("the parameter number must "
                                                  "be >= 0, got ",
                                                  attrs.number));
  }
  const int64_t flags = attrs.replication.replicated_at_leaf_buffers_size();
  // parameter_c2: parameter_replication is empty or has one flag for each leaf.
  if (flags != 0 && flags != ShapeUtil::GetLeafCount(*args.declared)) {
    return RuleError(
        "parameter_c2",
        absl::StrCat("parameter_replication has ", flags, " flags, but ",
                     ShapeUtil::HumanString(*args.declared), " has ",
                     ShapeUtil::GetLeafCount(*args.declared), " leaves"));
  }
  return *args.declared;
}

absl::StatusOr<Shape> InferConstant(const InferArgs& args,
                                    const ConstantAttrs& attrs) {
  // constant_c1: there is a literal.
  if (attrs.literal.value == nullptr) {
    return RuleError("constant_c1", "the constant has no literal");
  }
  return attrs.literal.value->shape();
}

absl::StatusOr<Shape> InferTuple(const InferArgs& args) {
  for (size_t i = 0; i < args.operands.size(); ++i) {
    // tuple_c1: tuples nest at most Shape::kMaxNesting deep.
    if (!NestsWithin(args.operand(i), Shape::kMaxNesting - 1)) {
      return RuleError("tuple_c1",
                       absl::StrCat("with element ", i, " tuples would nest ",
                                    "deeper than ", Shape::kMaxNesting));
    }
  }
  return ShapeUtil::MakeTupleShapeWithPtrs(args.operands);
}

absl::StatusOr<Shape> InferGetTupleElement(const InferArgs& args,
                                           const GetTupleElementAttrs& attrs) {
  const Shape& tuple = args.operand(0);
  // get_tuple_element_c1: the operand is a tuple.
  if (!tuple.IsTuple()) {
    return RuleError("get_tuple_element_c1",
                     absl::StrCat("the operand must be a tuple, got ",
                                  ShapeUtil::HumanString(tuple)));
  }
  // get_tuple_element_c2: the index is within the tuple.
  if (attrs.index < 0 || attrs.index >= tuple.tuple_shapes_size()) {
    return RuleError(
        "get_tuple_element_c2",
        absl::StrCat("index ", attrs.index, " is out of bounds of ",
                     ShapeUtil::HumanString(tuple)));
  }
  return tuple.tuple_shapes(attrs.index);
}

}  // namespace xla
