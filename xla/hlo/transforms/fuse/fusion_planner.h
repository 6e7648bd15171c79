// FusionPlanner: decides what is computed together, by what computing again and
// what memory traffic cost.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_

#include "xla/hlo/transforms/fuse/fusion_groups.h"

namespace xla {

// Goes from results back to operands, so that all users of a value are placed
// when it is its turn. A value becomes part of every group that needs it, or
// lies in memory as a further output of one of them, or as the first output of
// a new group; before that, groups that need it are merged where they can be.
class FusionPlanner {
 public:
  explicit FusionPlanner(FusionGroups& groups) : groups_(groups) {}

  void Plan();

 private:
  using Uses = FusionGroups::Uses;

  void Place(int position);
  void PlaceValue(int position);
  void PlaceReshape(int position);
  void PlaceReduce(int position);
  void PlaceUpdate(int position);
  // Merges groups that read the same memory.
  void ShareReads(int position);

  bool FitsIn(int position, const FusionUse& use);
  // The value is computed in all groups that need it, instead of stored.
  bool InlinePays(int position, const Uses& uses, double* excess);
  // The value lies in memory; computing it again here is cheaper than a load.
  bool BeatsReading(int position, const FusionUse& use);
  double Evaluations(int position, const FusionUse& use);
  double ReadNanoseconds(int position, double evaluations) const;
  void Store(int position, const Uses& uses);
  // The group that now has the value as a further output, or -1.
  int JoinAsOutput(int position, const Uses& uses);

  // Merges what can be; true if anything was.
  bool MergeUsers(const Uses& uses);
  bool TryMerge(int a, int b);
  // A reduction in a group of its users.
  bool TryAbsorb(int position, const FusionUse& use, bool as_root);
  // Whether what could be computed with the update reads what it overwrites,
  // but not element by element.
  bool MovesWithinTarget(const HloInstruction& update) const;
  void MakeReduction(int group, const ReductionKernel& kernel);

  FusionGroups& groups_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
