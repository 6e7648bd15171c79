// Answers questions about ops with ValueFinder.
#include "xla/hlo/builder/inference/value_inference.h"

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/inference/value_finder.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

absl::StatusOr<Literal> ValueInference::AnalyzeIsDynamic(XlaOp op) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* hlo, builder_->LookUp(op));
  return PartOf(ValueFinder().Find(hlo), hlo->shape(), ElementPart::kDynamic);
}

absl::StatusOr<OptionalLiteral> ValueInference::AnalyzeConstant(
    XlaOp op, ValueInferenceMode mode) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* hlo, builder_->LookUp(op));
  const KnownValue value = ValueFinder().Find(hlo);
  TF_ASSIGN_OR_RETURN(
      Literal number,
      PartOf(value, hlo->shape(),
             mode == kUpperBound ? ElementPart::kHigh : ElementPart::kLow));
  TF_ASSIGN_OR_RETURN(
      Literal mask,
      PartOf(value, hlo->shape(),
             mode == kValue ? ElementPart::kDynamic : ElementPart::kUnbounded));
  return OptionalLiteral(std::move(number), std::move(mask));
}

}  // namespace xla
