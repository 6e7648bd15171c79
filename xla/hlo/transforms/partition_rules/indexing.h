// What the rules of ops share that read or write at positions which are data.
#ifndef XLA_HLO_TRANSFORMS_PARTITION_RULES_INDEXING_H_
#define XLA_HLO_TRANSFORMS_PARTITION_RULES_INDEXING_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {

// Clamps integers of any type to [low, high], where low <= 0 <= high, and
// converts them to s32.
HloInstruction* ClampIndex(SpmdBuilder& emit, HloInstruction* index,
                           int64_t low, int64_t high);

// Returns the number of the one factor of an operand's dimension; -1 if there
// is none, or several.
int32_t FactorOf(const DimensionFactors& factors, int64_t operand,
                 int64_t dimension);
// Returns the dimension of an operand that is this factor; -1 if none is.
int64_t DimensionOf(const DimensionFactors& factors, int64_t operand,
                    int32_t factor);

// Whether a sum with zeros gives each element of the type back.
bool HasZero(PrimitiveType type);
// The op that puts an array together from the elements that devices have, where
// all other elements are the op's identity.
HloOpcode MergingOp(PrimitiveType type);
// The same for an op's result.
HloOpcode MergingOpOf(const HloInstruction& hlo);

// Indices into an array: vectors along dimension `vector_dimension` of an array
// of integers, whose component k is an index into dimension
// component_dimensions[k].
struct IndexVectors {
  HloInstruction* indices;
  int64_t vector_dimension;  // the rank if the indices are single components
  std::vector<int64_t> component_dimensions;
};

// Replaces component k by component(x, dimension): `x`, an array without the
// vectors' dimension, has the k-th components, and so has the result as s32.
HloInstruction* MapComponents(
    SpmdBuilder& emit, const IndexVectors& vectors,
    absl::FunctionRef<HloInstruction*(HloInstruction* x, int64_t dimension)>
        component);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_PARTITION_RULES_INDEXING_H_
