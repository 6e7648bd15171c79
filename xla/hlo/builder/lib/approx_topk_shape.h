// The number of elements that an approximate top-k leaves.
#ifndef XLA_HLO_BUILDER_LIB_APPROX_TOPK_SHAPE_H_
#define XLA_HLO_BUILDER_LIB_APPROX_TOPK_SHAPE_H_

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"

namespace xla {

// Returns the size to which a dimension of `input_size` elements of an array of
// `rank` dimensions is reduced, and the log2 of the size of the windows, each
// of which leaves one element. The numbers are XLA's, made for a TPU's tiles.
// With `aggregate_to_topk` they are top_k and -1. An override that is not
// negative replaces the size in the computation of the recall. Errors:
// approx_top_k_c1 for a recall outside of (0, 1], approx_top_k_c2 for an
// override below input_size.
absl::StatusOr<std::pair<int64_t, int64_t>> ApproxTopKReductionOutputSize(
    int64_t input_size, int64_t rank, int64_t top_k, float recall_target,
    bool aggregate_to_topk, int64_t input_size_override = -1);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_APPROX_TOPK_SHAPE_H_
