// Names and shapes of the custom calls that every backend knows.
#include "xla/hlo/ops/table/known_calls.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/dynamic_convolution.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

constexpr absl::string_view kIdentities[] = {"Sharding",
                                             "SPMDFullToShardShape",
                                             "SPMDShardToFullShape",
                                             "ShardBarrierFrom",
                                             "ShardBarrierTo",
                                             "MoveToHost",
                                             "MoveToDevice",
                                             "annotate_device_placement",
                                             "LayoutConstraint",
                                             "Pin",
                                             "Unpin",
                                             "PinToDevice",
                                             "PinToDeviceSram",
                                             "SetBound"};

// Errors: those of topk, whose rules hold; known_call_c2.
absl::Status CheckTopK(absl::Span<const Shape* const> operands,
                       const Shape& result) {
  // known_call_c2: TopK is T[.., n] -> (T[.., k], s32[.., k]).
  const auto broken = [&] {
    return RuleError(
        "known_call_c2",
        absl::StrCat("TopK takes an array of static shape and gives (values, "
                     "s32 indices) of its first elements in order, not ",
                     Text(result)));
  };
  if (operands.size() != 1 || !operands[0]->IsArray() ||
      !operands[0]->is_static() || !result.IsTuple() ||
      result.tuple_shapes_size() != 2) {
    return broken();
  }
  const Shape& values = result.tuple_shapes(0);
  if (!values.IsArray() || values.rank() == 0) return broken();
  TF_ASSIGN_OR_RETURN(
      const Shape inferred,
      InferTopK({operands}, {.k = values.dimensions(values.rank() - 1)}));
  return ShapeUtil::Compatible(inferred, result) ? absl::OkStatus() : broken();
}

}  // namespace

KnownCall KnownCallOf(const CustomCallAttrs& attrs) {
  const std::string& target = attrs.custom_call_target;
  for (absl::string_view name : kIdentities) {
    if (target == name) return KnownCall::kIdentity;
  }
  if (attrs.api_version == API_VERSION_TYPED_FFI) return KnownCall::kNone;
  if (target == "TopK") return KnownCall::kTopK;
  if (target == "GetRngSeed") return KnownCall::kGetRngSeed;
  if (DynamicConvolutionKindOf(target).has_value()) {
    return KnownCall::kDynamicConvolution;
  }
  return KnownCall::kNone;
}

absl::Status CheckKnownCall(KnownCall call, const CustomCallAttrs& attrs,
                            absl::Span<const Shape* const> operands,
                            const Shape& result) {
  const std::string& target = attrs.custom_call_target;
  switch (call) {
    case KnownCall::kNone:
      return absl::OkStatus();
    case KnownCall::kIdentity:
      // known_call_c1: what annotates a value gives it back as it is.
      if (operands.size() == 1 &&
          ShapeUtil::Compatible(operands[0]->buffer_shape(),
                                result.buffer_shape())) {
        return absl::OkStatus();
      }
      return RuleError(
          "known_call_c1",
          absl::StrCat("on one device, ", target,
                       " gives back its one operand, but ", operands.size(),
                       " operands are to give ", Text(result)));
    case KnownCall::kTopK:
      return CheckTopK(operands, result);
    case KnownCall::kGetRngSeed:
      // known_call_c3: GetRngSeed is () -> u64[].
      if (operands.empty() && ShapeUtil::IsScalarWithElementType(result, U64)) {
        return absl::OkStatus();
      }
      return RuleError("known_call_c3",
                       absl::StrCat("GetRngSeed takes nothing and gives u64[], "
                                    "not ",
                                    Text(result)));
    case KnownCall::kDynamicConvolution:
      return CheckDynamicConvolution(attrs, operands, result);
  }
  return absl::InternalError("no such known call");
}

}  // namespace xla
