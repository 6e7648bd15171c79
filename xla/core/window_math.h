// Sizes and properties of the windows of convolutions, reductions and
// select-and-scatter. The operations define the shape rules built on them.
#ifndef XLA_CORE_WINDOW_MATH_H_
#define XLA_CORE_WINDOW_MATH_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace window_util {

// Returns windows with stride and dilations 1 and no padding.
Window MakeWindow(absl::Span<const int64_t> sizes);
Window MakeWindow(absl::Span<const int64_t> sizes,
                  absl::Span<const int64_t> strides);
// `padding` has one entry per window dimension.
PaddingConfig MakeSymmetricPadding(absl::Span<const int64_t> sizes);

// Returns "(size=3,stride=2,padding_low=1)"; for a Window the text between the
// braces of window={...}: "size=3x3 stride=2x2 pad=0_0x1_1", then lhs_dilate,
// rhs_dilate and rhs_reversal, each only if not the default.
std::string ToString(const WindowDimension& dim);
std::string ToString(const Window& window);

bool HasStride(const Window& window);
bool HasPadding(const Window& window);
bool HasSymmetricPadding(const Window& window);
bool HasSymmetricPadding(const PaddingConfig& padding_config);
bool HasNegativePadding(const Window& window);
bool HasBaseDilation(const Window& window);
bool HasWindowDilation(const Window& window);
bool HasDilation(const Window& window);
bool HasOverlappingWindow(const Window& window);
bool HasWindowReversal(const Window& window);
bool AllOrNoneReversed(const Window& window);
bool IsTrivialWindowDimension(const WindowDimension& dim);

// Returns the number of elements in one window.
double WindowElements(const Window& window);

// Returns the size of a dimension of `bound` elements with dilation - 1 holes
// between neighbours: (bound - 1) * dilation + 1, or 0 for 0. Saturates at
// INT64_MAX.
int64_t DilatedBound(int64_t bound, int64_t dilation);
// Returns the number of positions, `stride` apart, of a window in `bound`
// elements: 0 if the window does not fit. `stride` is positive.
int64_t StridedBound(int64_t bound, int64_t window_size, int64_t stride);

}  // namespace window_util
}  // namespace xla

#endif  // XLA_CORE_WINDOW_MATH_H_
