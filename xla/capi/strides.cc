// Strided copies in the host's memory.
#include "xla/capi/strides.h"

#include <algorithm>
#include <numeric>

#include "absl/algorithm/container.h"
#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/capi/arguments.h"
#include "xla/core/literal/strided_copy.h"

namespace xla::capi {

DimensionVector RowMajorStrides(absl::Span<const int64_t> sizes, int width) {
  DimensionVector strides(sizes.size());
  int64_t stride = width;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
  return strides;
}

void CopyStrided(int width, absl::Span<const int64_t> sizes, const void* src,
                 absl::Span<const int64_t> src_strides, void* dst,
                 absl::Span<const int64_t> dst_strides) {
  DimensionVector dimensions(sizes.begin(), sizes.end());
  DimensionVector from(src_strides.begin(), src_strides.end());
  DimensionVector to(dst_strides.begin(), dst_strides.end());
  const auto whole = [&](int64_t stride) { return stride % width == 0; };
  int unit = width;
  if (!absl::c_all_of(from, whole) || !absl::c_all_of(to, whole)) {
    // The bytes of an element become one more dimension.
    unit = 1;
    dimensions.push_back(width);
    from.push_back(1);
    to.push_back(1);
  }
  for (int64_t& stride : from) stride /= unit;
  for (int64_t& stride : to) stride /= unit;
  StridedCopy(unit, dimensions, src, from, dst, to);
}

absl::Status CheckDestination(int width, absl::Span<const int64_t> sizes,
                              absl::Span<const int64_t> strides, size_t size) {
  if (absl::c_linear_search(sizes, 0)) return absl::OkStatus();
  std::vector<size_t> order;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) order.push_back(i);
  }
  absl::c_sort(order,
               [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  // The bytes from the first element to the end of the last one.
  absl::int128 extent = width;
  for (const size_t i : order) {
    if (strides[i] < extent) {
      return ArgumentError(absl::StrCat("options.byte_strides {",
                                        absl::StrJoin(strides, ","),
                                        "}: the elements along dimension ", i,
                                        " overlap, or lie before data"));
    }
    extent += absl::int128(strides[i]) * (sizes[i] - 1);
  }
  if (extent > absl::int128(size)) {
    return ArgumentError(absl::StrCat(
        "size is ", size, ", but the array needs ",
        static_cast<int64_t>(std::min<absl::int128>(extent, INT64_MAX)),
        " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace xla::capi
