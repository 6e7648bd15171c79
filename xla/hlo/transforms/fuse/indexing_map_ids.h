// IndexingMapIds: numbers for the functions from the indices of a fused loop to
// those of a value, by which a planner counts how often a value is computed.
#ifndef XLA_HLO_TRANSFORMS_FUSE_INDEXING_MAP_IDS_H_
#define XLA_HLO_TRANSFORMS_FUSE_INDEXING_MAP_IDS_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "xla/core/shape.h"
#include "xla/hlo/analysis/indexing/operand_access.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

// A set of map numbers, in ascending order.
using IndexingMapIdSet = absl::InlinedVector<int32_t, 2>;

// Equal numbers are equal maps; maps with different numbers may happen to be
// equal too. A map through an op is identified by the op, the operand and the
// map at which the op itself is computed.
class IndexingMapIds {
 public:
  // The only index of a scalar.
  static constexpr int32_t kOnly = 0;

  // Borrows the backend.
  explicit IndexingMapIds(const FusionBackend& backend)
      : backend_(backend), facts_(1) {}

  // Returns the map of a loop that computes each element of an array of these
  // dimensions once.
  int32_t Identity(const Shape& shape);
  bool IsIdentity(int32_t map) const { return facts_[map].identity; }
  // Returns how many elements of an op the whole loop computes at this map.
  double evaluations(int32_t map) const { return facts_[map].evaluations; }
  // Whether neighbours in the loop are far apart in memory.
  bool strided(int32_t map) const { return facts_[map].strided; }

  // Returns the maps at which operand `i` of `user`, whose role is `role`, is
  // computed if `user` is computed at `maps`. If `in_reduction_kernel`,
  // reductions of role kReduce are loops of their own, which visit each element
  // of their operands once.
  IndexingMapIdSet OfOperand(const HloInstruction& user, int64_t i,
                             const IndexingMapIdSet& maps, FusionRole role,
                             bool in_reduction_kernel);

 private:
  struct Facts {
    double evaluations = 1;
    bool identity = false;
    bool strided = false;
  };

  // How operand `i` of `user` is read, in the first place that it is; null
  // where that is not known.
  const OperandAccess* AccessOf(const HloInstruction& user, int64_t i);
  int32_t OfOperandAt(const HloInstruction& user, int64_t i, FusionRole role,
                      int32_t map);

  const FusionBackend& backend_;
  std::vector<Facts> facts_;
  absl::flat_hash_map<std::vector<int64_t>, int32_t> identities_;
  absl::flat_hash_map<std::tuple<int32_t, const HloInstruction*, int64_t>,
                      int32_t>
      derived_;
  absl::flat_hash_map<const HloInstruction*, std::vector<OperandAccess>>
      accesses_;
};

// Returns the union of both sets.
IndexingMapIdSet Union(const IndexingMapIdSet& a, const IndexingMapIdSet& b);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_INDEXING_MAP_IDS_H_
