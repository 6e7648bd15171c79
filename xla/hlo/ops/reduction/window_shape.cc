// The shape that sliding a window makes.
#include "xla/hlo/ops/reduction/window_shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Greater extents are refused, so that positions in padded arrays can be
// computed without overflow.
constexpr int64_t kMaxExtent = int64_t{1} << 60;

bool IsBounded(int64_t x) { return x >= -kMaxExtent && x <= kMaxExtent; }

absl::StatusOr<int64_t> OutputSize(int64_t base, const WindowDimension& dim,
                                   int i) {
  const auto where = [&] {
    return absl::StrCat(" in dimension ", i, " of window {",
                        window_util::ToString(dim), "}");
  };
  // window_c2: size, stride and dilations are positive.
  if (dim.size() <= 0 || dim.stride() <= 0 || dim.base_dilation() <= 0 ||
      dim.window_dilation() <= 0) {
    return RuleError(
        "window_c2",
        absl::StrCat("size, stride and dilations must be positive", where()));
  }
  if (base == Shape::kUnboundedSize) return base;
  // window_c3: padding, stride, dilated base and dilated window are below 2^60.
  const int64_t base_extent =
      window_util::DilatedBound(base, dim.base_dilation());
  const int64_t window_extent =
      window_util::DilatedBound(dim.size(), dim.window_dilation());
  if (!IsBounded(base_extent) || !IsBounded(window_extent) ||
      !IsBounded(dim.padding_low()) || !IsBounded(dim.padding_high()) ||
      !IsBounded(dim.stride())) {
    return RuleError("window_c3",
                     absl::StrCat("extents must be below 2^60", where()));
  }
  const int64_t padded = base_extent + dim.padding_low() + dim.padding_high();
  return window_util::StridedBound(std::max<int64_t>(padded, 0), window_extent,
                                   dim.stride());
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> WindowOutputSizes(
    absl::Span<const int64_t> base, const Window& window) {
  // window_c1: the window has a dimension for each of the base.
  if (static_cast<size_t>(window.dimensions_size()) != base.size()) {
    return RuleError("window_c1",
                     absl::StrCat("expected ", base.size(),
                                  " window dimensions, got window={",
                                  window_util::ToString(window), "}"));
  }
  std::vector<int64_t> sizes(base.size());
  for (size_t i = 0; i < base.size(); ++i) {
    TF_ASSIGN_OR_RETURN(sizes[i], OutputSize(base[i], window.dimensions(i), i));
  }
  return sizes;
}

absl::StatusOr<Shape> MakeResultShape(PrimitiveType type,
                                      absl::Span<const int64_t> dimensions,
                                      absl::Span<const bool> dynamic,
                                      absl::string_view rule) {
  Shape shape(type, dimensions, dynamic);
  LayoutUtil::SetToDefaultLayout(&shape);
  absl::Status valid = ShapeUtil::ValidateShape(shape);
  if (!valid.ok()) return RuleError(rule, valid.message());
  return shape;
}

absl::StatusOr<Shape> InferWindowOutput(const Shape& base, const Window& window,
                                        PrimitiveType element_type) {
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      WindowOutputSizes(base.dimensions(), window));
  return MakeResultShape(element_type, sizes, base.dynamic_dimensions(),
                         "window_c3");
}

}  // namespace xla
