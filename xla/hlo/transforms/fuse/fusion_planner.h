// FusionPlanner decides what is computed together. It weighs the cost of
// recomputing values against that of memory traffic.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_

#include "xla/hlo/transforms/fuse/fusion_groups.h"

namespace xla {

// Goes from results back to operands, so that all users of a value are placed
// before the value. First merges the groups that need the value, if possible.
// Then the value becomes part of every group that needs it, or is stored as a
// further output of one of them or as the first output of a new group.
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
  // Whether it pays to compute the value in all groups that need it, instead of
  // storing it. Sets `excess` to FusedValue::excess if it does so.
  bool InlinePays(int position, const Uses& uses, double* excess);
  // Whether the group computes a stored value faster than it reads it.
  bool BeatsReading(int position, const FusionUse& use);
  // Returns how many elements of the value the group computes.
  double Evaluations(int position, const FusionUse& use);
  double ReadNanoseconds(int position, double evaluations) const;
  void Store(int position, const Uses& uses);
  // Makes the value a further output of a group that needs it. Returns the
  // group, or -1 if there is none.
  int JoinAsOutput(int position, const Uses& uses);

  // Merges those groups that can be merged; returns true if it merged any.
  bool MergeUsers(const Uses& uses);
  bool TryMerge(int a, int b);
  // Makes the reduction a member of the group of its users, if one kernel can
  // compute both.
  bool TryAbsorb(int position, const FusionUse& use, bool as_root);
  // Whether the values that could be fused with the update read what it
  // overwrites other than element by element.
  bool MovesWithinTarget(const HloInstruction& update) const;
  void MakeReduction(int group, const ReductionKernel& kernel);

  FusionGroups& groups_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
