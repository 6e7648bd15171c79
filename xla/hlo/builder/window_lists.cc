// Makes windows from lists.
#include "xla/hlo/builder/window_lists.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace builder_internal {

absl::StatusOr<Window> MakeWindow(const WindowLists& lists) {
  const size_t n = lists.sizes.size();
  auto check = [&](size_t size, absl::string_view what) {
    // window_lists_c1: each list is empty or as long as the window.
    if (size == 0 || size == n) return absl::OkStatus();
    return RuleError(
        "window_lists_c1",
        absl::StrCat("expected ", n, " ", what,
                     ", one for each window dimension, got ", size));
  };
  TF_RETURN_IF_ERROR(check(lists.strides.size(), "strides"));
  TF_RETURN_IF_ERROR(check(lists.padding.size(), "paddings"));
  TF_RETURN_IF_ERROR(check(lists.base_dilations.size(), "base dilations"));
  TF_RETURN_IF_ERROR(check(lists.window_dilations.size(), "window dilations"));
  TF_RETURN_IF_ERROR(check(lists.reversal.size(), "reversals"));
  Window window;
  for (size_t i = 0; i < n; ++i) {
    WindowDimension* d = window.add_dimensions();
    d->set_size(lists.sizes[i]);
    d->set_stride(lists.strides.empty() ? 1 : lists.strides[i]);
    if (!lists.padding.empty()) {
      d->set_padding_low(lists.padding[i].first);
      d->set_padding_high(lists.padding[i].second);
    }
    d->set_base_dilation(
        lists.base_dilations.empty() ? 1 : lists.base_dilations[i]);
    d->set_window_dilation(
        lists.window_dilations.empty() ? 1 : lists.window_dilations[i]);
    d->set_window_reversal(!lists.reversal.empty() && lists.reversal[i]);
  }
  return window;
}

}  // namespace builder_internal
}  // namespace xla
