// Sizes and properties of windows, and their text.
#include "xla/core/window_math.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"

namespace xla {
namespace window_util {
namespace {

using DimPredicate = absl::FunctionRef<bool(const WindowDimension&)>;

bool Any(const Window& window, DimPredicate predicate) {
  for (const WindowDimension& dim : window.dimensions()) {
    if (predicate(dim)) return true;
  }
  return false;
}

// Appends " name=AxB" if some dimension does not have the default.
void AppendPart(const Window& window, absl::string_view name,
                DimPredicate present,
                absl::FunctionRef<std::string(const WindowDimension&)> text,
                std::string* out) {
  if (!Any(window, present)) return;
  absl::StrAppend(out, out->empty() ? "" : " ", name, "=");
  absl::string_view separator = "";
  for (const WindowDimension& dim : window.dimensions()) {
    absl::StrAppend(out, separator, text(dim));
    separator = "x";
  }
}

}  // namespace

Window MakeWindow(absl::Span<const int64_t> sizes) {
  Window window;
  for (int64_t size : sizes) {
    WindowDimension& dim = *window.add_dimensions();
    dim.set_size(size);
    dim.set_stride(1);
    dim.set_base_dilation(1);
    dim.set_window_dilation(1);
  }
  return window;
}

Window MakeWindow(absl::Span<const int64_t> sizes,
                  absl::Span<const int64_t> strides) {
  CHECK_EQ(sizes.size(), strides.size());
  Window window = MakeWindow(sizes);
  for (int i = 0; i < window.dimensions_size(); ++i) {
    window.mutable_dimensions(i)->set_stride(strides[i]);
  }
  return window;
}

PaddingConfig MakeSymmetricPadding(absl::Span<const int64_t> sizes) {
  PaddingConfig config;
  for (int64_t size : sizes) {
    auto* dim = config.add_dimensions();
    dim->set_edge_padding_low(size);
    dim->set_edge_padding_high(size);
  }
  return config;
}

std::string ToString(const WindowDimension& dim) {
  std::string out = absl::StrCat("(size=", dim.size());
  if (dim.stride() != 1) absl::StrAppend(&out, ",stride=", dim.stride());
  if (dim.padding_low() != 0) {
    absl::StrAppend(&out, ",padding_low=", dim.padding_low());
  }
  if (dim.padding_high() != 0) {
    absl::StrAppend(&out, ",padding_high=", dim.padding_high());
  }
  if (dim.base_dilation() != 1) {
    absl::StrAppend(&out, ",base_dilation=", dim.base_dilation());
  }
  if (dim.window_dilation() != 1) {
    absl::StrAppend(&out, ",window_dilation=", dim.window_dilation());
  }
  if (dim.window_reversal()) absl::StrAppend(&out, ",window_reversal");
  return absl::StrCat(out, ")");
}

std::string ToString(const Window& window) {
  std::string out;
  const auto number = [](int64_t value) { return absl::StrCat(value); };
  AppendPart(
      window, "size", [](const WindowDimension&) { return true; },
      [&](const WindowDimension& d) { return number(d.size()); }, &out);
  AppendPart(
      window, "stride",
      [](const WindowDimension& d) { return d.stride() != 1; },
      [&](const WindowDimension& d) { return number(d.stride()); }, &out);
  AppendPart(
      window, "pad",
      [](const WindowDimension& d) {
        return d.padding_low() != 0 || d.padding_high() != 0;
      },
      [](const WindowDimension& d) {
        return absl::StrCat(d.padding_low(), "_", d.padding_high());
      },
      &out);
  AppendPart(
      window, "lhs_dilate",
      [](const WindowDimension& d) { return d.base_dilation() != 1; },
      [&](const WindowDimension& d) { return number(d.base_dilation()); },
      &out);
  AppendPart(
      window, "rhs_dilate",
      [](const WindowDimension& d) { return d.window_dilation() != 1; },
      [&](const WindowDimension& d) { return number(d.window_dilation()); },
      &out);
  AppendPart(
      window, "rhs_reversal",
      [](const WindowDimension& d) { return d.window_reversal(); },
      [&](const WindowDimension& d) { return number(d.window_reversal()); },
      &out);
  return out;
}

bool HasStride(const Window& window) {
  return Any(window, [](const WindowDimension& d) { return d.stride() != 1; });
}
bool HasPadding(const Window& window) {
  return Any(window, [](const WindowDimension& d) {
    return d.padding_low() != 0 || d.padding_high() != 0;
  });
}
bool HasSymmetricPadding(const Window& window) {
  return !Any(window, [](const WindowDimension& d) {
    return d.padding_low() != d.padding_high();
  });
}
bool HasSymmetricPadding(const PaddingConfig& padding_config) {
  for (const auto& dim : padding_config.dimensions()) {
    if (dim.edge_padding_low() != dim.edge_padding_high()) return false;
  }
  return true;
}
bool HasNegativePadding(const Window& window) {
  return Any(window, [](const WindowDimension& d) {
    return d.padding_low() < 0 || d.padding_high() < 0;
  });
}
bool HasBaseDilation(const Window& window) {
  return Any(window,
             [](const WindowDimension& d) { return d.base_dilation() != 1; });
}
bool HasWindowDilation(const Window& window) {
  return Any(window,
             [](const WindowDimension& d) { return d.window_dilation() != 1; });
}
bool HasDilation(const Window& window) {
  return HasBaseDilation(window) || HasWindowDilation(window);
}
bool HasOverlappingWindow(const Window& window) {
  return Any(window,
             [](const WindowDimension& d) { return d.size() > d.stride(); });
}
bool HasWindowReversal(const Window& window) {
  return Any(window,
             [](const WindowDimension& d) { return d.window_reversal(); });
}
bool AllOrNoneReversed(const Window& window) {
  return !HasWindowReversal(window) ||
         !Any(window,
              [](const WindowDimension& d) { return !d.window_reversal(); });
}
bool IsTrivialWindowDimension(const WindowDimension& dim) {
  return dim.size() == 1 && dim.stride() == 1 && dim.padding_low() == 0 &&
         dim.padding_high() == 0 && dim.window_dilation() == 1 &&
         dim.base_dilation() == 1;
}

double WindowElements(const Window& window) {
  double elements = 1;
  for (const WindowDimension& dim : window.dimensions()) {
    elements *= static_cast<double>(dim.size());
  }
  return elements;
}

int64_t DilatedBound(int64_t bound, int64_t dilation) {
  if (bound <= 0) return 0;
  const std::optional<int64_t> holes = CheckedMultiply(bound - 1, dilation);
  const std::optional<int64_t> result =
      holes.has_value() ? CheckedAdd(*holes, 1) : std::nullopt;
  return result.value_or(std::numeric_limits<int64_t>::max());
}

int64_t StridedBound(int64_t bound, int64_t window_size, int64_t stride) {
  DCHECK(stride > 0);
  if (bound <= 0 || window_size > bound) return 0;
  return (bound - window_size) / stride + 1;
}

}  // namespace window_util
}  // namespace xla
