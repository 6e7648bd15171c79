// FusionPlanner: decides what is computed together. It weighs the cost of
// computing values again against that of memory traffic.
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
  // Whether it pays to compute the value in all groups that need it, instead of
  // storing it. Sets `excess` to FusedValue::excess if it does so.
  bool InlinePays(int position, const Uses& uses, double* excess);
  // Whether the group computes a value that lies in memory faster than it reads
  // it.
  bool BeatsReading(int position, const FusionUse& use);
  // How often the group computes an element of the value.
  double Evaluations(int position, const FusionUse& use);
  double ReadNanoseconds(int position, double evaluations) const;
  void Store(int position, const Uses& uses);
  // Makes the value a further output of a group that needs it. Returns the
  // group, or -1 if there is none.
  int JoinAsOutput(int position, const Uses& uses);

  // Merges those of the groups that can be; true if it merged any.
  bool MergeUsers(const Uses& uses);
  bool TryMerge(int a, int b);
  // Makes the reduction a member of the group of its users, if one kernel can
  // compute both.
  bool TryAbsorb(int position, const FusionUse& use, bool as_root);
  // Whether what could be computed with the update reads what it overwrites,
  // but not element by element.
  bool MovesWithinTarget(const HloInstruction& update) const;
  void MakeReduction(int group, const ReductionKernel& kernel);

  FusionGroups& groups_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
