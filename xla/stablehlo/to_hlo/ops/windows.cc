// Reads windows from lists of attributes.
#include "xla/stablehlo/to_hlo/ops/windows.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla::stablehlo {
namespace {

absl::StatusOr<std::vector<int64_t>> List(OpConversion& conversion,
                                          absl::string_view name, int64_t size,
                                          int64_t missing) {
  if (name.empty()) return std::vector<int64_t>(size, missing);
  return conversion.IntegersOr(name, size, missing);
}

}  // namespace

absl::StatusOr<Window> MakeWindow(OpConversion& conversion,
                                  absl::Span<const int64_t> sizes,
                                  const PaddingPairs& padding,
                                  const WindowNames& names) {
  const int64_t rank = sizes.size();
  if (static_cast<int64_t>(padding.size()) != rank) {
    return conversion.Error(absl::StrCat("expected padding of ", rank,
                                         " dimensions, got ", padding.size()));
  }
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> strides,
                      List(conversion, names.strides, rank, 1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> base_dilations,
                      List(conversion, names.base_dilations, rank, 1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> window_dilations,
                      List(conversion, names.window_dilations, rank, 1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> reversal,
                      List(conversion, names.reversal, rank, 0));
  Window window;
  for (int64_t i = 0; i < rank; ++i) {
    WindowDimension* dimension = window.add_dimensions();
    dimension->set_size(sizes[i]);
    dimension->set_stride(strides[i]);
    dimension->set_padding_low(padding[i].first);
    dimension->set_padding_high(padding[i].second);
    dimension->set_base_dilation(base_dilations[i]);
    dimension->set_window_dilation(window_dilations[i]);
    dimension->set_window_reversal(reversal[i] != 0);
  }
  return window;
}

}  // namespace xla::stablehlo
