// Makes windows from the lists that clients pass. Not for clients.
#ifndef XLA_HLO_BUILDER_WINDOW_LISTS_H_
#define XLA_HLO_BUILDER_WINDOW_LISTS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace builder_internal {

struct WindowLists {
  absl::Span<const int64_t> sizes;
  absl::Span<const int64_t> strides = {};
  absl::Span<const std::pair<int64_t, int64_t>> padding = {};
  absl::Span<const int64_t> base_dilations = {};
  absl::Span<const int64_t> window_dilations = {};
  std::vector<bool> reversal = {};
};

// Makes one window dimension per size; empty lists mean 1s, zeros or false.
// Errors: window_lists_c1 if another list has another length.
absl::StatusOr<Window> MakeWindow(const WindowLists& lists);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_WINDOW_LISTS_H_
