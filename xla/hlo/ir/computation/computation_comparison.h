// ComputationComparison: the part of HloComputation that compares two of them,
// under Tessera's rules and under XLA's.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_COMPARISON_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"

namespace xla {

class HloComputation;

class ComputationComparison {
 public:
  // Returns true if both have the same instructions in post order, up to names;
  // called computations are compared in the same way.
  bool Equal(const HloComputation& other) const;
  bool operator==(const HloComputation& other) const { return Equal(other); }
  bool operator!=(const HloComputation& other) const { return !Equal(other); }

  // The same for computations of the same instructions up to names and order:
  // goes by the root, what that depends on, and how many instructions there
  // are.
  template <typename H>
  friend H AbslHashValue(H h, const ComputationComparison& computation) {
    return H::combine(std::move(h), computation.ContentHash());
  }

  // Whether the roots, and what they depend on, are Identical pair by pair, and
  // the threads are the same. Called computations are compared by the function,
  // by default in the same way. The second one asks only that both instructions
  // of a pair have a channel, or none; the third ignores threads.
  using SameComputations =
      absl::FunctionRef<bool(const HloComputation*, const HloComputation*)>;
  bool Equal(const HloComputation& other, bool is_layout_sensitive,
             std::optional<SameComputations> computations_comparator =
                 std::nullopt) const {
    return SameAs(other, {is_layout_sensitive}, computations_comparator);
  }
  bool EqualIgnoringChannelIdValues(
      const HloComputation& other, bool is_layout_sensitive,
      std::optional<SameComputations> computations_comparator =
          std::nullopt) const {
    return SameAs(other, {is_layout_sensitive, true}, computations_comparator);
  }
  bool EqualIgnoringExecutionThread(
      const HloComputation& other, bool is_layout_sensitive,
      bool ignore_channel_id_values,
      std::optional<SameComputations> computations_comparator =
          std::nullopt) const {
    return SameAs(other, {is_layout_sensitive, ignore_channel_id_values, true},
                  computations_comparator);
  }

 protected:
  ~ComputationComparison() = default;

 private:
  size_t ContentHash() const;

  struct Rules {
    bool layout_sensitive = true;
    bool ignore_channel_ids = false;
    bool ignore_threads = false;
  };

  bool SameAs(const HloComputation& other, const Rules& rules,
              std::optional<SameComputations> eq_computations) const;
  static bool SameValue(const HloComputation& a, const HloComputation& b,
                        const Rules& rules, SameComputations eq_computations);
  const HloComputation& self() const;
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_COMPARISON_H_
