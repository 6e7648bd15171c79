// Prologues: operands of dots that are computed while the dot reads them, as
// weights are of which a program has integers and scales.
#ifndef XLA_BACKENDS_CPU_FUSION_PROLOGUE_H_
#define XLA_BACKENDS_CPU_FUSION_PROLOGUE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// Returns the group that ends in `product`, a dot in canonical form whose right
// operand can be computed in parts of its rows, or whose left or right one can
// be read where it is part of another array (IsReadInPlace); nullopt if there
// is none.
std::optional<PrologueGroup> FindPrologue(const HloInstruction& product);

// Returns why `operand` of the dot or convolution `product` is not computed
// while it is read, in words for people; empty if nothing computes it, and if
// there is a group, which is then in `found`.
absl::string_view WhyNoPrologue(const HloInstruction& product, int64_t operand,
                                std::optional<PrologueGroup>& found);

// Why it would not pay; empty if it does: if the producer has more bytes than
// what it is computed from, as weights do that are stored in few bits, and does
// not fit into the first cache.
absl::string_view WhyPrologueDoesNotPay(const PrologueGroup& group);

// The right operand of a dot as an array of other dimensions has it: elements
// of a row are next to each other, rows `row` elements apart, and batches
// `batch` elements, in groups of `inner` that are `outer` apart if `inner` is
// not 0.
struct MovedOperand {
  int64_t row = 0, batch = 0, inner = 0, outer = 0;
};
// Returns how the operand of a transpose has the right operand of `product`;
// nullopt if `producer` is no transpose, or its result has other strides.
std::optional<MovedOperand> FindMovedOperand(const HloInstruction& producer,
                                             const HloInstruction& product);

// Whether a prologue's producer only names elements of its first operand, which
// the dot reads there: a transpose, or a dynamic-slice of elements one after
// the other, as the weights of one layer are among those of all layers; of a
// left operand, a broadcast of one matrix to all elements of the batch.
bool IsReadInPlace(const HloInstruction& producer);

// Weights in few bits with scales, or packed ones without: what a prologue
// multiplies.
struct ScaledWeights {
  // An operand of the producer; or what this dynamic-slice in the producer's
  // computation takes of it, elements one after the other, at indices that are
  // operands too where it does not take all.
  struct Array {
    int64_t operand = -1;
    const HloInstruction* slice = nullptr;
  };
  Array elements;  // one for each of the prologue's own
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // of elements
  bool packed = false;  // the array is of bytes that hold several of them
  Array scales;         // one for each group of elements; -1: there are none
  int64_t group = 1;    // elements next to each other in depth
};
// Returns how the producer consists of weights and scales, where the scales are
// [depth / group, columns] or, if the right operand is [columns, depth], have
// that order; nullopt if it is something else.
std::optional<ScaledWeights> FindScaledWeights(const PrologueGroup& group);

// Returns the elements of a workgroup of the code for `producer`, of whose rows
// and of the operand's, which have `row` elements, these are parts that begin
// at multiples of so many; nullopt if there are no such parts.
std::optional<int64_t> PrologueColumns(const Shape& producer, int64_t row);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_PROLOGUE_H_
