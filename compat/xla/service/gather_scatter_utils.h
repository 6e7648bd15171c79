// Functions that bring the operands of gathers and scatters into simpler forms.
#ifndef COMPAT_XLA_SERVICE_GATHER_SCATTER_UTILS_H_
#define COMPAT_XLA_SERVICE_GATHER_SCATTER_UTILS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/permutation_util.h"
#include "xla/service/hlo_creation_utils.h"
#include "xla/shape.h"

namespace xla {

// Returns `operand` itself if the permutation moves nothing.
inline absl::StatusOr<HloInstruction*> MaybeTranspose(
    HloInstruction* operand, absl::Span<const int64_t> permutation) {
  if (IsIdentityPermutation(permutation)) return operand;
  return MakeTransposeHlo(operand, permutation);
}
inline absl::StatusOr<std::vector<HloInstruction*>> MaybeTranspose(
    absl::Span<HloInstruction* const> operands,
    const std::vector<int64_t>& operand_permutation) {
  std::vector<HloInstruction*> results;
  for (HloInstruction* operand : operands) {
    TF_ASSIGN_OR_RETURN(results.emplace_back(),
                        MaybeTranspose(operand, operand_permutation));
  }
  return results;
}

// [a,b,c] to [b,c,a] for dimension 0; `rank` is that of the operand.
inline absl::StatusOr<HloInstruction*> MoveDimensionToEnd(
    HloInstruction* operand, size_t dimension, size_t rank) {
  std::vector<int64_t> permutation(rank);
  absl::c_iota(permutation, int64_t{0});
  std::rotate(permutation.begin() + dimension,
              permutation.begin() + dimension + 1, permutation.end());
  return MaybeTranspose(operand, permutation);
}

// Returns the indices as [n,k]: the vectors of k indices, one after the other,
// in the order of the other dimensions. If `index_vector_dim` is the rank, each
// index is a vector.
inline absl::StatusOr<HloInstruction*> TransformStartIndices(
    HloInstruction* indices, int64_t index_vector_dim) {
  const int64_t rank = indices->shape().dimensions().size();
  if (index_vector_dim == rank) {
    if (rank == 0) return PrependDegenerateDims(indices, 2);
    TF_ASSIGN_OR_RETURN(indices, CollapseFirstNDims(indices, rank));
    return InsertDegenerateDims(indices, {1});
  }
  TF_ASSIGN_OR_RETURN(indices,
                      MoveDimensionToEnd(indices, index_vector_dim, rank));
  if (rank == 1) return PrependDegenerateDims(indices, 1);
  if (rank == 2) return indices;
  return CollapseFirstNDims(indices, rank - 1);
}

// Returns the permutation of the operand's dimensions that brings those of the
// map to the front, in its order, and the inverse.
inline std::pair<std::vector<int64_t>, std::vector<int64_t>>
MakeOperandStartIndexPermutations(absl::Span<const int64_t> dim_map,
                                  int operand_rank) {
  std::vector<int64_t> permutation(dim_map.begin(), dim_map.end());
  for (int64_t d = 0; d < operand_rank; ++d) {
    if (!absl::c_linear_search(dim_map, d)) permutation.push_back(d);
  }
  std::vector<int64_t> inverse = InversePermutation(permutation);
  return {std::move(permutation), std::move(inverse)};
}

inline bool IsCollapsedOrBatchingDim(absl::Span<const int64_t> collapsed_dims,
                                     absl::Span<const int64_t> batching_dims,
                                     int64_t dim) {
  return absl::c_linear_search(collapsed_dims, dim) ||
         absl::c_linear_search(batching_dims, dim);
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_GATHER_SCATTER_UTILS_H_
