// Slices of the last dimensions, slices at positions known at run time, and
// PyTorch's gather, scatter and index_select. The builder keeps errors of all
// functions; "minor" dimensions are the last ones.
#ifndef XLA_HLO_BUILDER_LIB_SLICING_H_
#define XLA_HLO_BUILDER_LIB_SLICING_H_

#include <cstdint>
#include <functional>

#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Returns every stride-th element of the box of `window_sizes` at
// `base_indices`. Like DynamicSlice, moves the box inside the input where it
// would reach out.
XlaOp DynamicStridedSlice(XlaOp input, absl::Span<const XlaOp> base_indices,
                          absl::Span<const int64_t> window_sizes,
                          absl::Span<const int64_t> strides);

// Returns `x` with `update` written at `start`, one number per dimension.
XlaOp UpdateSlice(XlaOp x, XlaOp update, absl::Span<const int64_t> start);

// Like the above for the last start.size() dimensions; the others are whole.
// Errors: minor_dims_c1 if there are more numbers than dimensions.
XlaOp SliceInMinorDims(XlaOp x, absl::Span<const int64_t> start,
                       absl::Span<const int64_t> end);
XlaOp UpdateSliceInMinorDims(XlaOp x, XlaOp update,
                             absl::Span<const int64_t> start);
XlaOp DynamicSliceInMinorDims(XlaOp x, absl::Span<const XlaOp> starts,
                              absl::Span<const int64_t> sizes);
XlaOp DynamicUpdateSliceInMinorDims(XlaOp x, XlaOp update,
                                    absl::Span<const XlaOp> starts);

// out[i0,..,in] = input[i0,..,index[i0,..,in],..,in], the index in place of
// dimension `dim`; the result has the shape of `index`, whose other dimensions
// have at most the sizes of the input's. Indices out of range are clamped.
// `sparse` hints that few elements are read and does not affect results.
// Errors: torch_c1 if ranks differ or `dim` is no dimension.
XlaOp TorchGather(XlaOp input, XlaOp index, int64_t dim, bool sparse = true);

// Returns the input after out[.., index[i..], ..] = combiner(out[..,
// index[i..], ..], src[i..]) for all i, in no particular order. Indices out of
// range are skipped. Errors: torch_c1.
XlaOp TorchScatterDense(XlaOp input, XlaOp index, XlaOp src, int64_t dim,
                        const std::function<XlaOp(XlaOp, XlaOp)>& combiner);

// [b..., x..., n, y...] x [b..., k] -> [b..., x..., k, y...]: the slices of
// dimension `dim` at the indices, separately for each of the `batch_dims`
// leading dimensions. Without them `index` may have any rank, whose dimensions
// then replace `dim`. Errors: torch_c1.
XlaOp TorchIndexSelect(XlaOp input, XlaOp index, int64_t dim,
                       int64_t batch_dims = 0);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_SLICING_H_
