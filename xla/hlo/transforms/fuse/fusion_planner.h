// FusionPlanner decides what is computed together. It weighs the cost of
// recomputing values against that of memory traffic.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "xla/hlo/transforms/fuse/fusion_groups.h"

namespace xla {

// Goes from results back to operands, so that all users of a value are placed
// before the value. First merges the groups that need the value, if possible.
// Then the value becomes part of every group that needs it, or is stored as a
// further output of one of them or as the first output of a new group.
class FusionPlanner {
 public:
  // With `explain`, values that stay in memory and updates that are not in
  // place get the reason as a frontend attribute (instruction_fusion.h).
  explicit FusionPlanner(FusionGroups& groups, bool explain = false)
      : groups_(groups), explain_(explain) {}

  void Plan();

 private:
  using Uses = FusionGroups::Uses;
  // Nanoseconds of computing a value in all groups that need it.
  struct InlineCosts {
    double excess = 0;  // FusedValue::excess if it is computed there
    double more = 0;    // than storing it once and reading it takes
    double saved = 0;   // by not doing that
  };

  void Place(int position);
  void PlaceValue(int position);
  void PlaceReshape(int position);
  void PlaceReduce(int position);
  void PlaceUpdate(int position);
  // Merges groups that read the same memory.
  void ShareReads(int position);

  bool FitsIn(int position, const FusionUse& use);
  // Whether it pays to compute the value in all groups that need it, instead of
  // storing it.
  bool InlinePays(int position, const Uses& uses, InlineCosts* costs);
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
  // compute both. Returns why it is not one; empty if it is.
  absl::string_view TryAbsorb(int position, const FusionUse& use, bool as_root);
  // The reasons of values that are stored, as text.
  std::string WhyStored(int position, const Uses& uses,
                        const InlineCosts& costs);
  std::string WhyEscapes(int position, const Uses& uses) const;
  void Explain(int position, absl::string_view attribute,
               absl::string_view reason);
  // Whether the values that could be fused with the update read what it
  // overwrites other than element by element.
  bool MovesWithinTarget(const HloInstruction& update) const;
  void MakeReduction(int group, const ReductionKernel& kernel);

  FusionGroups& groups_;
  const bool explain_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_PLANNER_H_
