// The shape that sliding a window makes: for convolution, reduce-window,
// select-and-scatter. Sizes of single dimensions come from core/window_math.h.
#ifndef XLA_HLO_OPS_REDUCTION_WINDOW_SHAPE_H_
#define XLA_HLO_OPS_REDUCTION_WINDOW_SHAPE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// One size per window dimension: the positions of `window` over an array of
// sizes `base`. A size of Shape::kUnboundedSize stays that. Errors: rules
// window_c1 (as many window dimensions as sizes), window_c2 (positive size,
// stride and dilations), window_c3 (no extent beyond 2^60).
absl::StatusOr<std::vector<int64_t>> WindowOutputSizes(
    absl::Span<const int64_t> base, const Window& window);

// `base` with the sizes of WindowOutputSizes and `element_type`, in default
// layout. Dynamic dimensions stay dynamic.
absl::StatusOr<Shape> InferWindowOutput(const Shape& base, const Window& window,
                                        PrimitiveType element_type);

// An array in default layout. Errors: `rule`, when its size overflows.
absl::StatusOr<Shape> MakeResultShape(PrimitiveType type,
                                      absl::Span<const int64_t> dimensions,
                                      absl::Span<const bool> dynamic,
                                      absl::string_view rule);

}  // namespace xla

#endif  // XLA_HLO_OPS_REDUCTION_WINDOW_SHAPE_H_
