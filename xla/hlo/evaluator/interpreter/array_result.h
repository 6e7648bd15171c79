// Helpers for kernels that move elements: results in default layout, sizes of
// dynamic dimensions, strides.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_ARRAY_RESULT_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_ARRAY_RESULT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// Returns zeros of `shape`, an array, in default layout, with dynamic
// dimensions at their bounds. Errors: those of Literal::Make.
absl::StatusOr<Literal> MakeArrayResult(const Shape& shape);

// Returns the current size of a dimension, which is at most its bound.
int64_t CurrentSize(const LiteralBase& array, int64_t dimension);
std::vector<int64_t> CurrentSizes(const LiteralBase& array);

// Sets the size of a dimension if it is dynamic; clamps `size` to [0, bound].
void SetCurrentSize(MutableLiteralBase& array, int64_t dimension, int64_t size);
void SetCurrentSizes(MutableLiteralBase& array,
                     absl::Span<const int64_t> sizes);

// The operands of an element-wise op, which may differ in the sizes of dynamic
// dimensions, aligned.
struct AlignedOperands {
  std::vector<const Literal*> arrays;  // borrowed, or one of `copies`
  std::vector<std::unique_ptr<Literal>> copies;
  std::vector<int64_t> sizes;  // of the result
};

// In each dimension, the result has the smallest size of the operands of its
// rank that are dynamic there. Operands with one element are broadcast to the
// others. Errors: those of Literal::Make.
absl::StatusOr<AlignedOperands> AlignOperands(
    const Shape& result, absl::Span<const Literal* const> operands);

// Returns the elements between neighbours in each dimension, row-major.
std::vector<int64_t> RowMajorStrides(absl::Span<const int64_t> dimensions);

// Advances `index` below `sizes`, last dimension fastest; returns false after
// the last one. If a size is 0, no index is valid.
bool NextIndex(absl::Span<const int64_t> sizes, absl::Span<int64_t> index);
// Returns true if `sizes` has no 0, so that there is a first index.
bool HasIndex(absl::Span<const int64_t> sizes);

// Returns the bytes of one element.
int ElementWidth(const LiteralBase& array);

// Returns the elements of an integer array as int64, row-major; larger uint64
// values saturate.
std::vector<int64_t> IntegerValues(const LiteralBase& array);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_ARRAY_RESULT_H_
