// Index arithmetic of row-major arrays that does not depend on the elements.
#ifndef XLA_CORE_ARRAY_ARRAY_INDEX_H_
#define XLA_CORE_ARRAY_ARRAY_INDEX_H_

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

namespace xla {

// Returns the product of `sizes`; aborts if one is negative or it overflows.
int64_t ArrayElementCount(absl::Span<const int64_t> sizes);

// Row-major position of `indices`, which must be within `sizes`.
int64_t ArrayLinearIndex(absl::Span<const int64_t> sizes,
                         absl::Span<const int64_t> indices);

// limits - starts, which must be a box within `sizes`; with `may_exceed`, one
// that starts at any index.
std::vector<int64_t> ArraySliceSizes(absl::Span<const int64_t> sizes,
                                     absl::Span<const int64_t> starts,
                                     absl::Span<const int64_t> limits,
                                     bool may_exceed);

// Returns sizes[permutation[i]] for each i; CHECKs that it is a permutation.
std::vector<int64_t> ArrayPermutedSizes(absl::Span<const int64_t> sizes,
                                        absl::Span<const int64_t> permutation);

// Returns "[[1, 2],\n [3, 4]]" with the text of each element by its position,
// "" for no dimensions.
std::string ArrayText(absl::Span<const int64_t> sizes,
                      absl::FunctionRef<std::string(int64_t)> element_text);

// Counts through the indices of an array, the last dimension fastest.
class ArrayIndex {
 public:
  explicit ArrayIndex(absl::Span<const int64_t> sizes)
      : sizes_(sizes), index_(sizes.size(), 0) {}

  absl::Span<const int64_t> get() const { return index_; }
  // Returns false, back at the start, after the last index.
  bool Next();

 private:
  absl::Span<const int64_t> sizes_;
  std::vector<int64_t> index_;
};

// Returns the bits that indices of a dimension take: ceil(log2(size)).
inline int ArrayIndexBits(int64_t size) {
  return size <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
}

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY_INDEX_H_
