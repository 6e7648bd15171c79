// Computes amounts of SAME and VALID padding.
#include "xla/hlo/builder/padding.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

absl::Status ValidatePaddingValues(absl::Span<const int64_t> input_dimensions,
                                   absl::Span<const int64_t> window_dimensions,
                                   absl::Span<const int64_t> window_strides) {
  // padding_c1: there is a window size and a stride for each dimension.
  if (input_dimensions.size() != window_dimensions.size() ||
      input_dimensions.size() != window_strides.size()) {
    return RuleError(
        "padding_c1",
        absl::StrCat(input_dimensions.size(), " dimensions, ",
                     window_dimensions.size(), " window sizes and ",
                     window_strides.size(), " strides must be as many"));
  }
  for (size_t i = 0; i < input_dimensions.size(); ++i) {
    // padding_c2: window sizes and strides are positive.
    if (window_dimensions[i] <= 0 || window_strides[i] <= 0) {
      return RuleError("padding_c2",
                       absl::StrCat("window size ", window_dimensions[i],
                                    " and stride ", window_strides[i],
                                    " of dimension ", i, " must be positive"));
    }
    // padding_c3: sizes of the input are not negative.
    if (input_dimensions[i] < 0 &&
        input_dimensions[i] != Shape::kUnboundedSize) {
      return RuleError("padding_c3", absl::StrCat("size ", input_dimensions[i],
                                                  " of dimension ", i,
                                                  " must not be negative"));
    }
  }
  return absl::OkStatus();
}

std::vector<std::pair<int64_t, int64_t>> MakePadding(
    absl::Span<const int64_t> input_dimensions,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides, Padding padding) {
  CHECK_OK(ValidatePaddingValues(input_dimensions, window_dimensions,
                                 window_strides));
  std::vector<std::pair<int64_t, int64_t>> amounts(input_dimensions.size());
  if (padding == Padding::kValid) return amounts;
  for (size_t i = 0; i < amounts.size(); ++i) {
    const int64_t input = input_dimensions[i];
    const int64_t stride = window_strides[i];
    if (input == 0) continue;
    if (input == Shape::kUnboundedSize) {
      const int64_t total = std::max<int64_t>(window_dimensions[i] - stride, 0);
      amounts[i] = {total / 2, total - total / 2};
      continue;
    }
    // The last of ceil(input / stride) windows starts at `last` <= input - 1;
    // it reaches `last + window - input` elements too far.
    const int64_t last = RoundDownTo(input - 1, stride);
    const int64_t total =
        std::max<int64_t>(window_dimensions[i] - (input - last), 0);
    amounts[i] = {total / 2, total - total / 2};
  }
  return amounts;
}

namespace builder_internal {

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingOf(
    absl::Span<const int64_t> input_dimensions,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides, Padding padding) {
  TF_RETURN_IF_ERROR(ValidatePaddingValues(input_dimensions, window_dimensions,
                                           window_strides));
  for (size_t i = 0; i < input_dimensions.size(); ++i) {
    // padding_c4: with a stride, the input of kSame has known sizes, unless no
    // window is larger than an element and needs padding.
    if (padding == Padding::kSame && window_strides[i] != 1 &&
        window_dimensions[i] > 1 &&
        input_dimensions[i] == Shape::kUnboundedSize) {
      return RuleError("padding_c4",
                       absl::StrCat("the amount of SAME padding of dimension ",
                                    i, " is not known: its size has no bound, ",
                                    "and the stride is ", window_strides[i]));
    }
  }
  return MakePadding(input_dimensions, window_dimensions, window_strides,
                     padding);
}

}  // namespace builder_internal
}  // namespace xla
