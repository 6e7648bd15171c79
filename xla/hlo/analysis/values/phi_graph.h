// PhiGraph: which phi values are another value under a second name.
#ifndef XLA_HLO_ANALYSIS_VALUES_PHI_GRAPH_H_
#define XLA_HLO_ANALYSIS_VALUES_PHI_GRAPH_H_

#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/analysis/values/hlo_value.h"

namespace xla {

class PhiGraph {
 public:
  using Id = HloValue::Id;

  // Sets the values that meet in `phi`. Returns whether these are others than
  // before.
  bool SetInputs(Id phi, const std::vector<Id>& inputs);

  // Finds the phis in which, directly or through other phis, only one other
  // value meets.
  void Simplify();
  // Returns the value that `id` stands for: itself, unless it is such a phi.
  // Shortens the way there, so that it takes constant time on average.
  Id Find(Id id);

 private:
  // Returns the only value that is no phi and reaches the phi, for each phi
  // that one reaches; -1 for phis that several reach.
  absl::flat_hash_map<Id, Id> OnlySources();
  void ReplacePhisOfOneInput();
  // Returns the value that all inputs of the phi stand for, apart from the phi
  // itself; nullopt if there are several.
  std::optional<Id> OnlyOtherInput(Id phi);

  absl::btree_map<Id, absl::flat_hash_set<Id>> inputs_;  // of phis
  absl::flat_hash_map<Id, Id> replaced_by_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_PHI_GRAPH_H_
