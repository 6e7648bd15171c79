// FusionGroups: the state of a planner that goes from results back to operands
// and decides which instructions of a computation are computed together. This
// class keeps the facts; the planner decides what pays.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"
#include "xla/hlo/transforms/fuse/indexing_map_ids.h"

namespace xla {

// Returns the value in the memory that `hlo` names: reshapes and bitcasts name
// the memory of their operand.
const HloInstruction* MemoryOf(const HloInstruction* hlo);

// The instructions of a future kernel.
struct FusionGroup {
  enum class Kind {
    kLoop,       // one loop over an index that all roots have
    kReduction,  // a ReductionKernel of the backend
    kUpdate,     // a loop over what a dynamic-update-slice writes
    kScatter,    // a loop over the updates of a scatter
  };

  Kind kind = Kind::kLoop;
  // Positions in the computation. A value may be a member of several groups,
  // but a root of only one.
  std::vector<int> members;
  std::vector<int> roots;
  // All operands of members, including members.
  absl::flat_hash_set<const HloInstruction*> referenced;
  // The number that FusionLimits::max_emitted limits.
  int emitted = 0;
  int stages = 1;  // of a reduction: ReductionKernel::loops
  // The value that an update or scatter overwrites; null for other kinds.
  const HloInstruction* target = nullptr;
  // The update only copies a value in memory, so only scalars may become
  // members.
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
  double ns = 0;  // FusionBackend::ElementNanoseconds
  // The nanoseconds that the groups spend on recomputing the values that lead
  // from here to their results.
  double excess = 0;
  // True for a reshape that stays outside of fusions as a name of memory.
  bool outside = false;
  int root_of = -1;  // number of the group, or -1
  absl::InlinedVector<FusionUse, 1> in;
};

class FusionGroups {
 public:
  // `backend` outlives the groups.
  FusionGroups(HloComputation* computation, const FusionBackend& backend);

  // Positions number the instructions, operands before users.
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
  // The numbers of the groups that were not merged into others.
  std::vector<int> GroupNumbers() const;

  // The uses of a value. Groups are in the order of their numbers, each once.
  struct Uses {
    bool escapes = false;  // something outside of groups reads it in memory
    // The first such reader; null if the value is a result of the computation.
    const HloInstruction* reader = nullptr;
    double excess = 0;  // the largest `excess` of a user in a group
    std::vector<FusionUse> groups;
  };
  Uses UsesOf(int position);

  int NewGroup(FusionGroup::Kind kind, int root);
  void AddMember(int group, int position, const IndexingMapIdSet& maps);
  void AddRoot(int group, int position);
  // Return the members, or roots, in order. `extra`, unless it is -1, is the
  // position of one more.
  std::vector<const HloInstruction*> Members(int group, int extra = -1);
  std::vector<const HloInstruction*> Roots(int group, int extra = -1);

  // Returns which limit does not allow one more member, which is computed at
  // `maps`; empty if all do.
  absl::string_view WhyNoRoom(int group, int position,
                              const IndexingMapIdSet& maps);
  // Returns the bytes of the operands of the value that the group does not read
  // yet.
  double NewBytes(int group, int position);
  // Whether the value may be computed in the group although the group
  // overwrites memory.
  bool RespectsTarget(int group, int position, const IndexingMapIdSet& maps);
  // Moves the members of `from` into `into`. The caller has checked that limits
  // and paths allow it.
  void Merge(int into, int from);
  bool LimitsAllowMerge(int a, int b);

  // Whether a path leads from a result of `from` to `to`; also true if the
  // search would take too long.
  bool Reaches(int from, int to);
  // Whether something that needs the value, other than `to`, reaches `to`.
  bool UsersReach(int position, int to);

 private:
  int Find(int group) const;
  // A node of the graph is a group, or an instruction outside of all groups.
  struct Node {
    int group = -1;
    int position = -1;
  };
  // Returns the bytes that are read from memory for the value, as far as a walk
  // of `depth` operands back can tell: a broadcast counts as its operand.
  double SourceBytes(const HloInstruction& hlo, int depth) const;
  void AddUsers(const HloInstruction* hlo, std::vector<Node>& nodes) const;
  bool Search(std::vector<Node> pending, int to) const;
  int Begin(const Node& node) const;
  // Updates span_ends_ for the positions between the roots of the group.
  void NoteSpan(int group);

  const FusionBackend& backend_;
  const FusionLimits& limits_;
  IndexingMapIds maps_;
  std::vector<FusedValue> values_;
  absl::flat_hash_map<const HloInstruction*, int> positions_;
  std::vector<FusionGroup> groups_;
  mutable std::vector<int> merged_into_;
  // A group may have roots before and after a position, and then results of it
  // may come before values that they depend on. Indexed by position: the end of
  // the last such group.
  std::vector<int> span_ends_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_GROUPS_H_
