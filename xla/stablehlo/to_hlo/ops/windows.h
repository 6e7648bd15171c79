// Reads windows from the lists that convolution, reduce_window and
// select_and_scatter have.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_WINDOWS_H_
#define XLA_STABLEHLO_TO_HLO_OPS_WINDOWS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

using PaddingPairs = std::vector<std::pair<int64_t, int64_t>>;

// The names of the attributes that have a window's parts; "" for a part that
// the op lacks, which is 1.
struct WindowNames {
  absl::string_view strides;
  absl::string_view base_dilations;
  absl::string_view window_dilations;
  absl::string_view reversal;
};
absl::StatusOr<Window> MakeWindow(OpConversion& conversion,
                                  absl::Span<const int64_t> sizes,
                                  const PaddingPairs& padding,
                                  const WindowNames& names);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_WINDOWS_H_
