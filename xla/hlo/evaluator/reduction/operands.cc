// Converts operands of reductions and makes accumulators and results.
#include "xla/hlo/evaluator/reduction/operands.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"

namespace xla {

absl::StatusOr<ConvertedLiteral> ConvertedLiteral::Make(const Literal& literal,
                                                        PrimitiveType type) {
  ConvertedLiteral result;
  if (literal.shape().element_type() == type) {
    result.borrowed_ = &literal;
  } else {
    TF_ASSIGN_OR_RETURN(result.owned_, literal.Convert(type));
  }
  return result;
}

absl::StatusOr<ReductionOperands> MakeReductionOperands(
    const ScalarFunction& function, Operands operands,
    absl::Span<const int64_t> dimensions) {
  const size_t k = operands.size() / 2;
  ReductionOperands result;
  for (size_t i = 0; i < k; ++i) {
    const PrimitiveType type = function.parameter_type(i);
    if (type != function.result_type(i)) {  // reducer_c4 refused this
      return absl::InternalError(
          "a reducer whose accumulators differ in type from its results");
    }
    TF_ASSIGN_OR_RETURN(
        ConvertedLiteral array,
        ConvertedLiteral::Make(*operands[i], function.parameter_type(k + i)));
    result.arrays.push_back(std::move(array));
    TF_ASSIGN_OR_RETURN(ConvertedLiteral init,
                        ConvertedLiteral::Make(*operands[k + i], type));
    TF_ASSIGN_OR_RETURN(Literal accumulator,
                        Literal::Make(ShapeUtil::MakeShape(type, dimensions)));
    const int width = LiteralElementBytes(type);
    char* to = static_cast<char*>(accumulator.untyped_data());
    for (int64_t j = 0; j < accumulator.element_count(); ++j) {
      std::memcpy(to + j * width, init.data(), width);
    }
    result.accumulators.push_back(std::move(accumulator));
  }
  return result;
}

absl::StatusOr<Literal> FinishReduction(std::vector<Literal> accumulators,
                                        const Shape& shape,
                                        absl::Span<const int64_t> sizes) {
  for (size_t i = 0; i < accumulators.size(); ++i) {
    const Shape& part = shape.IsTuple() ? shape.tuple_shapes(i) : shape;
    Literal& values = accumulators[i];
    if (values.shape().element_type() != part.element_type()) {
      TF_ASSIGN_OR_RETURN(values, values.Convert(part.element_type()));
    }
    if (part.is_dynamic()) {
      TF_ASSIGN_OR_RETURN(Literal dynamic, MakeArrayResult(part));
      std::memcpy(dynamic.untyped_data(), values.untyped_data(),
                  values.size_bytes());
      SetCurrentSizes(dynamic, sizes);
      values = std::move(dynamic);
    }
  }
  if (!shape.IsTuple()) return std::move(accumulators[0]);
  return LiteralUtil::MakeTupleOwned(std::move(accumulators));
}

}  // namespace xla
