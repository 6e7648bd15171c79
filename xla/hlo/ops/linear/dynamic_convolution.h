// Custom calls that convolve arrays whose spatial sizes are data, as the
// client functions DynamicConvForward, DynamicConvInputGrad and
// DynamicConvKernelGrad write them: what they mean, in numbers.
#ifndef XLA_HLO_OPS_LINEAR_DYNAMIC_CONVOLUTION_H_
#define XLA_HLO_OPS_LINEAR_DYNAMIC_CONVOLUTION_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla {

// Each is a convolution of two operands whose attributes are those of the
// call, but for the padding of spatial dimensions that are dynamic in the left
// one: with PADDING_SAME it follows from the size at run time.
enum class DynamicConvolutionKind {
  // (input, kernel) -> output. Sizes of the output follow from the input's.
  kForward,
  // (s32[rank] input sizes, gradient of the output, kernel) -> gradient of the
  // input, whose dynamic dimensions have those sizes.
  kInputGrad,
  // (input, gradient of the output) -> gradient of the kernel, static.
  kKernelGrad,
};

// DynamicConvolutionForward, DynamicConvolutionInputGrad,
// DynamicConvolutionKernelGrad; nullopt for other targets.
std::optional<DynamicConvolutionKind> DynamicConvolutionKindOf(
    absl::string_view custom_call_target);

struct DynamicConvolution {
  DynamicConvolutionKind kind;
  bool same_padding;       // PADDING_SAME, else PADDING_VALID
  ConvolutionAttrs attrs;  // of the convolution of the last two operands

  int64_t lhs_operand() const {
    return kind == DynamicConvolutionKind::kInputGrad ? 1 : 0;
  }
  int64_t rhs_operand() const { return lhs_operand() + 1; }
};

// `attrs` are those of one of the three calls.
DynamicConvolution DynamicConvolutionOf(const CustomCallAttrs& attrs);

// The result of the call, of element type `type`: that of the convolution,
// static for kKernelGrad. Errors: known_call_c4 where operands are not those of
// the kind, known_call_c5 where the padding type is neither SAME nor VALID,
// known_call_c6 where spatial dimensions of a kernel are dynamic, or an input
// with dilation is; those of InferConvolution; Unimplemented as
// CheckDynamicGroups.
absl::StatusOr<Shape> InferDynamicConvolution(
    const CustomCallAttrs& attrs, absl::Span<const Shape* const> operands,
    PrimitiveType type);

// Errors: those of InferDynamicConvolution; known_call_c7 where `result` has
// other sizes.
absl::Status CheckDynamicConvolution(const CustomCallAttrs& attrs,
                                     absl::Span<const Shape* const> operands,
                                     const Shape& result);

// Unimplemented where a dimension is dynamic that a convolution cuts into
// groups.
absl::Status CheckDynamicGroups(const Shape& lhs, const Shape& rhs,
                                const ConvolutionAttrs& attrs);

// The window of the forward convolution along one spatial dimension, dilated,
// which the gradients know by other attributes.
struct ForwardWindow {
  int64_t extent;
  int64_t stride;
};
// `result` is the size of the spatial dimension `i` of the call's result.
ForwardWindow ForwardWindowOf(const DynamicConvolution& convolution, int i,
                              int64_t result);

// Windows over `size` elements with the padding that keeps ceil(size / stride)
// of them, or without any.
int64_t OutputSizeOf(const ForwardWindow& window, bool same_padding,
                     int64_t size);
// The padding that PADDING_SAME puts before `size` elements.
int64_t SamePaddingBefore(const ForwardWindow& window, int64_t size);

}  // namespace xla

#endif  // XLA_HLO_OPS_LINEAR_DYNAMIC_CONVOLUTION_H_
