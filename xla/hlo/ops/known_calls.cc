// Names and shapes of the custom calls that every backend knows.
#include "xla/hlo/ops/known_calls.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/dynamic_convolution.h"
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
                                             "PinToDeviceSram"};

bool IsTopKShape(absl::Span<const Shape* const> operands, const Shape& result) {
  if (operands.size() != 1 || !operands[0]->IsArray() ||
      operands[0]->rank() == 0 || !operands[0]->is_static() ||
      !result.IsTuple() || result.tuple_shapes_size() != 2) {
    return false;
  }
  const Shape& values = result.tuple_shapes(0);
  const Shape& indices = result.tuple_shapes(1);
  if (!values.IsArray() || !indices.IsArray() ||
      !ShapeUtil::SameElementType(values, *operands[0]) ||
      indices.element_type() != S32 ||
      !ShapeUtil::SameDimensions(values, indices) ||
      values.rank() != operands[0]->rank()) {
    return false;
  }
  const int64_t last = values.rank() - 1;
  for (int64_t d = 0; d < last; ++d) {
    if (values.dimensions(d) != operands[0]->dimensions(d)) return false;
  }
  return values.dimensions(last) <= operands[0]->dimensions(last);
}

// The array that a buffer is of, or the shape itself.
const Shape& Unbuffered(const Shape& shape) {
  return shape.IsBuffer() ? shape.buffer_shape() : shape;
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
          ShapeUtil::Compatible(Unbuffered(*operands[0]), Unbuffered(result))) {
        return absl::OkStatus();
      }
      return RuleError(
          "known_call_c1",
          absl::StrCat("on one device, ", target,
                       " gives back its one operand, but ", operands.size(),
                       " operands are to give ", Text(result)));
    case KnownCall::kTopK:
      // known_call_c2: TopK is T[.., n] -> (T[.., k], s32[.., k]).
      if (IsTopKShape(operands, result)) return absl::OkStatus();
      return RuleError(
          "known_call_c2",
          absl::StrCat("TopK takes an array and gives (values, s32 indices) of "
                       "its first elements in order, not ",
                       Text(result)));
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
