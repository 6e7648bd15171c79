// Index arithmetic of row-major arrays, with the checks of the array classes.
#include "xla/core/array/array_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"

namespace xla {

int64_t ArrayElementCount(absl::Span<const int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    CHECK(size >= 0) << "negative size of an array: " << size;
    CHECK(!__builtin_mul_overflow(count, size, &count))
        << "too many elements for an array";
  }
  return count;
}

int64_t ArrayLinearIndex(absl::Span<const int64_t> sizes,
                         absl::Span<const int64_t> indices) {
  CHECK_EQ(sizes.size(), indices.size());
  int64_t linear = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    CHECK(indices[i] >= 0 && indices[i] < sizes[i])
        << "index " << indices[i] << " of dimension " << i << ", size "
        << sizes[i];
    linear = linear * sizes[i] + indices[i];
  }
  return linear;
}

std::vector<int64_t> ArraySliceSizes(absl::Span<const int64_t> sizes,
                                     absl::Span<const int64_t> starts,
                                     absl::Span<const int64_t> limits,
                                     bool may_exceed) {
  CHECK_EQ(starts.size(), sizes.size());
  CHECK_EQ(limits.size(), sizes.size());
  std::vector<int64_t> result(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    CHECK(0 <= starts[i] && starts[i] <= limits[i]);
    CHECK(may_exceed || limits[i] <= sizes[i]);
    result[i] = limits[i] - starts[i];
  }
  return result;
}

std::vector<int64_t> ArrayPermutedSizes(absl::Span<const int64_t> sizes,
                                        absl::Span<const int64_t> permutation) {
  CHECK_EQ(permutation.size(), sizes.size());
  std::vector<bool> seen(sizes.size());
  std::vector<int64_t> result(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t from = permutation[i];
    CHECK(from >= 0 && from < static_cast<int64_t>(sizes.size()));
    CHECK(!seen[from]) << "not a permutation";
    seen[from] = true;
    result[i] = sizes[from];
  }
  return result;
}

std::string ArrayText(absl::Span<const int64_t> sizes,
                      absl::FunctionRef<std::string(int64_t)> element_text) {
  const size_t rank = sizes.size();
  if (rank == 0) return "";
  std::string out;
  // Lists without elements have their brackets and commas, so count over the
  // outer sizes, those that are 0 as 1.
  const auto size = [&](size_t d) { return std::max<int64_t>(sizes[d], 1); };
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < rank; ++d) rows *= size(d);
  const int64_t row_size = sizes[rank - 1];
  const bool has_elements = absl::c_count(sizes, 0) == 0;
  for (int64_t row = 0; row < rows; ++row) {
    // The number of dimensions that begin at this row, and that end after it.
    const auto boundaries = [&](int64_t at) {
      size_t count = 1;
      for (size_t d = rank - 1; d-- > 0 && at % size(d) == 0; ++count) {
        at /= size(d);
      }
      return count;
    };
    const size_t opened = boundaries(row);
    out += std::string(rank - opened, ' ') + std::string(opened, '[');
    for (int64_t i = 0; i < row_size; ++i) {
      if (i > 0) out += ", ";
      if (has_elements) out += element_text(row * row_size + i);
    }
    out += std::string(boundaries(row + 1), ']');
    if (row + 1 < rows) out += ",\n";
  }
  return out;
}

bool ArrayIndex::Next() {
  for (size_t i = index_.size(); i-- > 0;) {
    if (++index_[i] < sizes_[i]) return true;
    index_[i] = 0;
  }
  return false;
}

}  // namespace xla
