// Shape rules of the random number ops.
#include "xla/hlo/ops/random.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {

absl::StatusOr<Shape> InferRng(const InferArgs& args, const RngAttrs& attrs) {
  const Shape& declared = *args.declared;
  for (const Shape* operand : args.operands) {
    // rng_c1: the parameters are scalars
    if (!ShapeUtil::IsScalar(*operand)) {
      return RuleError("rng_c1",
                       absl::StrCat("takes scalars, got ",
                                    ShapeUtil::HumanString(*operand)));
    }
    // rng_c2: parameters and result have the same element type
    if (!declared.IsArray() ||
        operand->element_type() != declared.element_type()) {
      return RuleError(
          "rng_c2",
          absl::StrCat("parameters and result must be of one type, got ",
                       ShapeUtil::HumanString(*operand), " for ",
                       ShapeUtil::HumanString(declared)));
    }
  }
  const PrimitiveType type = declared.element_type();
  // rng_c3: numbers are normal if they are floats, uniform if not complex
  const bool fits = attrs.distribution == RNG_NORMAL
                        ? primitive_util::IsFloatingPointType(type)
                        : attrs.distribution == RNG_UNIFORM &&
                              !primitive_util::IsComplexType(type);
  if (!fits) {
    return RuleError("rng_c3",
                     absl::StrCat(RandomDistribution_Name(attrs.distribution),
                                  " has no numbers of type ",
                                  ShapeUtil::HumanString(declared)));
  }
  return ShapeWithElementType(declared, type);
}

absl::StatusOr<Shape> InferRngBitGenerator(const InferArgs& args,
                                           const RngBitGeneratorAttrs& attrs) {
  const Shape& state = args.operand(0);
  const Shape& declared = *args.declared;
  // rng_bit_generator_c1: the result is the state and an array
  if (!declared.IsTuple() || declared.tuple_shapes_size() != 2 ||
      !declared.tuple_shapes(1).IsArray()) {
    return RuleError("rng_bit_generator_c1",
                     absl::StrCat("the result is (state, array), got ",
                                  ShapeUtil::HumanString(declared)));
  }
  // rng_bit_generator_c2: the state keeps its shape
  if (!state.IsArray() ||
      !ShapeUtil::Compatible(state, declared.tuple_shapes(0))) {
    return RuleError("rng_bit_generator_c2",
                     absl::StrCat("the state keeps its shape, got ",
                                  ShapeUtil::HumanString(state), " to ",
                                  ShapeUtil::HumanString(declared)));
  }
  // rng_bit_generator_c3: the algorithm is one of the known ones
  if (!RandomAlgorithm_IsValid(attrs.algorithm)) {
    return RuleError(
        "rng_bit_generator_c3",
        absl::StrCat("unknown algorithm ", static_cast<int>(attrs.algorithm)));
  }
  TF_ASSIGN_OR_RETURN(Shape next,
                      ShapeWithElementType(state, state.element_type()));
  const Shape& bits = declared.tuple_shapes(1);
  TF_ASSIGN_OR_RETURN(Shape result,
                      ShapeWithElementType(bits, bits.element_type()));
  return ShapeUtil::MakeTupleShape({next, result});
}

absl::StatusOr<Shape> InferRngGetAndUpdateState(
    const InferArgs& args, const RngGetAndUpdateStateAttrs& attrs) {
  return ShapeUtil::MakeShape(U64, {2});
}

}  // namespace xla
