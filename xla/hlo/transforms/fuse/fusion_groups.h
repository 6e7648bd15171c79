// FusionGroups: which instructions of a computation are computed together, as
// it stands while a planner decides from results back to operands. Keeps the
// facts; what is worth doing is the planner's.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"
#include "xla/hlo/transforms/fuse/indexing_map_ids.h"

namespace xla {

// The value that lies in the memory that `hlo` names.
const HloInstruction* MemoryOf(const HloInstruction* hlo);

// One kernel to be.
struct FusionGroup {
  enum class Kind {
    kLoop,       // one loop over an index that all roots have
    kReduction,  // a ReductionKernel of the backend
    kUpdate,     // a loop over what a dynamic-update-slice writes
    kScatter,
  };

  Kind kind = Kind::kLoop;
  // Positions; a value may be a member of several groups, and a root of one.
  std::vector<int> members;
  std::vector<int> roots;
  // All that members have as operands.
  absl::flat_hash_set<const HloInstruction*> referenced;
  int emitted = 0;
  int stages = 1;  // of a reduction: ReductionKernel::loops
  // In place: what the memory holds before.
  const HloInstruction* target = nullptr;
  // Updates by a value that is in memory: nothing but scalars may be a member.
  bool is_copy = false;
};

// A value as part of a group.
struct FusionUse {
  int group = 0;
  IndexingMapIdSet maps;
};

struct FusedValue {
  HloInstruction* hlo = nullptr;
  FusionRole role = FusionRole::kOpaque;
  double ns = 0;
  // Nanoseconds of computing again what leads from here to results.
  double excess = 0;
  // A reshape that names memory outside of fusions.
  bool outside = false;
  int root_of = -1;
  absl::InlinedVector<FusionUse, 1> in;
};

class FusionGroups {
 public:
  // `backend` outlives the groups.
  FusionGroups(HloComputation* computation, const FusionBackend& backend);

  // Operands before users.
  int size() const { return static_cast<int>(values_.size()); }
  FusedValue& At(int position) { return values_[position]; }
  const FusedValue& At(int position) const { return values_[position]; }
  int PositionOf(const HloInstruction* hlo) const { return positions_.at(hlo); }
  FusionGroup& Group(int group) { return groups_[Find(group)]; }
  // The role of an instruction of the computation.
  FusionRole RoleOf(const HloInstruction* hlo) const {
    return At(PositionOf(hlo)).role;
  }
  const FusionBackend& backend() const { return backend_; }
  IndexingMapIds& maps() { return maps_; }
  // Of those that were not merged into others.
  std::vector<int> GroupNumbers() const;

  // Where the value is needed: by number, each group once.
  struct Uses {
    bool escapes = false;  // in memory, whatever else
    double excess = 0;     // the most of users in groups
    std::vector<FusionUse> groups;
  };
  Uses UsesOf(int position);

  int NewGroup(FusionGroup::Kind kind, int root);
  void AddMember(int group, int position, const IndexingMapIdSet& maps);
  void AddRoot(int group, int position);
  // Members in order, and a value more if not -1.
  std::vector<const HloInstruction*> Members(int group, int extra = -1);
  std::vector<const HloInstruction*> Roots(int group, int extra = -1);

  // True if the limits allow a member more, at so many indices.
  bool HasRoom(int group, int position, const IndexingMapIdSet& maps);
  // Operands that the group does not read yet, in bytes.
  double NewBytes(int group, int position);
  // True if the value may be computed in the group as to what the group
  // overwrites.
  bool RespectsTarget(int group, int position, const IndexingMapIdSet& maps);
  // Puts `from` into `into`. The caller has checked.
  void Merge(int into, int from);
  bool LimitsAllowMerge(int a, int b);

  // Whether results of the group reach the other one; true also where that
  // would take long to find out.
  bool Reaches(int from, int to);
  // Whether something that needs the value, other than `to`, reaches `to`.
  bool UsersReach(int position, int to);

 private:
  int Find(int group) const;
  // Nodes of the graph: groups, and instructions outside of them.
  struct Node {
    int group = -1;
    int position = -1;
  };
  // Bytes that have to come from memory for the value, as far as can be seen
  // within `depth` steps: a broadcast is as small as what it repeats.
  double BytesBehind(const HloInstruction& hlo, int depth) const;
  void AddUsers(const HloInstruction* hlo, std::vector<Node>& nodes) const;
  bool Search(std::vector<Node> pending, int to) const;
  int Begin(const Node& node) const;
  // Notes the positions between the roots of a group.
  void NoteSpan(int group);

  const FusionBackend& backend_;
  const FusionLimits& limits_;
  IndexingMapIds maps_;
  std::vector<FusedValue> values_;
  absl::flat_hash_map<const HloInstruction*, int> positions_;
  std::vector<FusionGroup> groups_;
  mutable std::vector<int> merged_into_;
  // Results of a group with roots before and behind a position may come before
  // what they depend on: by position, the end of such groups.
  std::vector<int> span_ends_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_
