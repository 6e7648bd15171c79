// Answers questions about ops with ValueFinder.
#include "xla/hlo/builder/inference/value_inference.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/inference/value_finder.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

// Returns the instruction behind `op`, an array of bounded sizes.
absl::StatusOr<const HloInstruction*> ArrayBehind(const XlaBuilder& builder,
                                                  XlaOp op) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* hlo, builder.LookUp(op));
  if (hlo->shape().IsArray() && !hlo->shape().is_unbounded_dynamic()) {
    return hlo;
  }
  return absl::UnimplementedError(
      absl::StrCat("value inference: ", ShapeUtil::HumanString(hlo->shape()),
                   " is no array of bounded sizes"));
}

}  // namespace

absl::StatusOr<Literal> ValueInference::AnalyzeIsDynamic(XlaOp op) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* hlo, ArrayBehind(*builder_, op));
  const KnownValue value = ValueFinder().Find(hlo);
  return PartOf(value.array.has_value() ? &*value.array : nullptr, hlo->shape(),
                ElementPart::kDynamic);
}

absl::StatusOr<OptionalLiteral> ValueInference::AnalyzeConstant(
    XlaOp op, ValueInferenceMode mode) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* hlo, ArrayBehind(*builder_, op));
  const KnownValue value = ValueFinder().Find(hlo);
  const KnownArray* array = value.array.has_value() ? &*value.array : nullptr;
  TF_ASSIGN_OR_RETURN(
      Literal number,
      PartOf(array, hlo->shape(),
             mode == kUpperBound ? ElementPart::kHigh : ElementPart::kLow));
  TF_ASSIGN_OR_RETURN(
      Literal mask,
      PartOf(array, hlo->shape(),
             mode == kValue ? ElementPart::kDynamic : ElementPart::kUnbounded));
  return OptionalLiteral(std::move(number), std::move(mask));
}

}  // namespace xla
