// Dimension numbers and padding, under the names of xla/util.h.
#ifndef COMPAT_XLA_UTIL_DIMENSIONS_H_
#define COMPAT_XLA_UTIL_DIMENSIONS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/index_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

inline PaddingConfig MakeEdgePaddingConfig(
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  PaddingConfig config;
  for (const auto& [low, high] : padding) {
    PaddingConfig::PaddingConfigDimension* dimension = config.add_dimensions();
    dimension->set_edge_padding_low(low);
    dimension->set_edge_padding_high(high);
  }
  return config;
}
inline PaddingConfig MakeNoPaddingConfig(int64_t rank) {
  PaddingConfig config;
  for (int64_t i = 0; i < rank; ++i) config.add_dimensions();
  return config;
}
inline bool HasInteriorPadding(const PaddingConfig& config) {
  return absl::c_any_of(config.dimensions(), [](const auto& dimension) {
    return dimension.interior_padding() != 0;
  });
}

// Returns the dimensions below `rank` that are in neither list, in order.
inline DimensionVector GetNonContractingDims(
    int64_t rank, absl::Span<const int64_t> contracting_dim_numbers,
    absl::Span<const int64_t> batch_dim_numbers) {
  DimensionVector rest;
  for (int64_t d = 0; d < rank; ++d) {
    if (!absl::c_linear_search(contracting_dim_numbers, d) &&
        !absl::c_linear_search(batch_dim_numbers, d)) {
      rest.push_back(d);
    }
  }
  return rest;
}

// What a reshape makes of dimensions. All lists ascend.
struct ConvertedDimensionNumbers {
  // Those that become whole dimensions of the result, and those that do not.
  DimensionVector transformed_from_dimensions;
  DimensionVector untransformed_from_dimensions;
  // The dimensions of the result.
  DimensionVector to_dimensions;
  // Those whose minor part alone becomes dimensions of the result, in
  // to_dimensions too, and the sizes that are left of them.
  DimensionVector split_from_dimensions;
  DimensionVector split_from_sizes;
  DimensionVector split_to_dimensions;  // always empty
};

// Follows `from_dimensions` of an array of `from_sizes` through a reshape to
// `to_sizes`. Of dimensions that the reshape joins and of which not all are
// meant, the last of two is split, as the 32 of [2,32] to [4,4,4] is into 2, 4
// and 4.
inline ConvertedDimensionNumbers ConvertDimensionNumbers(
    absl::Span<const int64_t> from_dimensions,
    absl::Span<const int64_t> from_sizes, absl::Span<const int64_t> to_sizes) {
  ConvertedDimensionNumbers converted;
  const auto groups = CommonFactors(from_sizes, to_sizes);
  for (size_t g = 0; g + 1 < groups.size(); ++g) {
    const auto [from, to] = groups[g];
    const auto [from_end, to_end] = groups[g + 1];
    DimensionVector meant;
    for (int64_t d = from; d < from_end; ++d) {
      if (absl::c_linear_search(from_dimensions, d)) meant.push_back(d);
    }
    if (static_cast<int64_t>(meant.size()) == from_end - from) {
      for (int64_t d = to; d < to_end; ++d)
        converted.to_dimensions.push_back(d);
      absl::c_copy(meant,
                   std::back_inserter(converted.transformed_from_dimensions));
      continue;
    }
    if (meant.empty()) continue;
    absl::c_copy(meant,
                 std::back_inserter(converted.untransformed_from_dimensions));
    const int64_t last = from_end - 1;
    if (from_end - from != 2 || !absl::c_linear_search(meant, last)) continue;
    int64_t left = from_sizes[last];
    int64_t d = to_end - 1;
    for (; d >= to && left % to_sizes[d] == 0; --d) {
      left /= to_sizes[d];
      converted.to_dimensions.push_back(d);
    }
    if (d == to_end - 1) continue;
    converted.split_from_dimensions.push_back(last);
    converted.split_from_sizes.push_back(left);
  }
  absl::c_sort(converted.to_dimensions);
  return converted;
}

}  // namespace xla

#endif  // COMPAT_XLA_UTIL_DIMENSIONS_H_
