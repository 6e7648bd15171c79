// What kernels that move elements need: results in default layout, sizes of
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

// Zeros of `shape`, an array, in default layout; dynamic dimensions at their
// bounds. Errors: those of Literal::Make.
absl::StatusOr<Literal> MakeArrayResult(const Shape& shape);

// The size of a dimension now: of a dynamic one as data says, within its bound.
int64_t CurrentSize(const LiteralBase& array, int64_t dimension);
std::vector<int64_t> CurrentSizes(const LiteralBase& array);

// Sets the size of a dimension if it is dynamic; `size` is clamped to [0,
// bound].
void SetCurrentSize(MutableLiteralBase& array, int64_t dimension, int64_t size);
void SetCurrentSizes(MutableLiteralBase& array,
                     absl::Span<const int64_t> sizes);

// The operands of an element-wise op, which may differ in the sizes of dynamic
// dimensions.
struct AlignedOperands {
  std::vector<const Literal*> arrays;  // borrowed, or one of `copies`
  std::vector<std::unique_ptr<Literal>> copies;
  std::vector<int64_t> sizes;  // those of the result
};

// In each dimension the result has the smallest size that operands of its rank
// have which are dynamic there, but those of one element are broadcast to
// others. Errors: those of Literal::Make.
absl::StatusOr<AlignedOperands> AlignOperands(
    const Shape& result, absl::Span<const Literal* const> operands);

// Elements between neighbours in each dimension, row-major.
std::vector<int64_t> RowMajorStrides(absl::Span<const int64_t> dimensions);

// Advances `index` below `sizes`, last dimension fastest; false after the last.
// No index is valid if a size is 0.
bool NextIndex(absl::Span<const int64_t> sizes, absl::Span<int64_t> index);
// True if `sizes` has no 0: there is an index to begin with.
bool HasIndex(absl::Span<const int64_t> sizes);

// Bytes of one element.
int ElementWidth(const LiteralBase& array);

// The elements of an integer array as int64, row-major; uint64 values beyond
// saturate.
std::vector<int64_t> IntegerValues(const LiteralBase& array);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_ARRAY_RESULT_H_
