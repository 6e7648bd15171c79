// CostAnalysis: the arithmetic and the memory traffic of a module, as closely
// as its text tells.
#ifndef XLA_HLO_ANALYSIS_COST_COST_ANALYSIS_H_
#define XLA_HLO_ANALYSIS_COST_COST_ANALYSIS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Counts, by these rules:
// - an elementwise op does one operation for each element, transcendental ones
//   (exp, log, sin, power of floats, ...) one transcendental;
// - dot and convolution do two for each product that is summed, reduce and
//   windows do the operations of their computation for each element reduced,
//   and those that are scans for each element; positions in the padding of a
//   window, or between its elements, do not count;
// - a sort of n elements does n log2(n) comparisons;
// - a computation counts once for each call, a while loop as one iteration (its
//   trip count is not known here), a conditional as its costliest branch;
// - each op reads the elements of its operands that its index relation names,
//   or all if it has none, and writes its result; dynamic updates read and
//   write only what they change, and fusions what the ops inside read of
//   operands and write to results; tuples, parameters, constants and bitcasts
//   cost nothing.
// HloCostAnalysis in hlo_cost_analysis.h has the numbers that XLA gives, which
// programs written for XLA expect. They do not serve here: in them all ops but
// slices, gathers and updates read whole operands, a cumulative sum adds once
// for each element of each window, and a custom call does -1 operations.
// Schedules, the choice of a thread for a run, and reports on runs need what
// takes time.
class CostAnalysis {
 public:
  struct Cost {
    double flops = 0;
    double transcendentals = 0;
    double bytes = 0;
    double output_bytes = 0;
  };

  // Analyses the computation and all that it calls, which must have passed the
  // verifier. May be called for several computations of one module.
  absl::Status Run(const HloComputation& computation);

  // The sums over the computations that Run was given.
  double flop_count() const { return total_.flops; }
  double transcendental_count() const { return total_.transcendentals; }
  double bytes_accessed() const { return total_.bytes; }
  // The sums by the names that HloCostProperties has for them, with those of
  // the bytes of each operand position.
  std::map<std::string, float> properties() const;
  // The cost of one instruction that was reached; zeros for others.
  Cost CostOf(const HloInstruction& hlo) const;

 private:
  Cost CostOfComputation(const HloComputation& computation);
  Cost OwnCost(const HloInstruction& hlo) const;
  void AddOperandBytes(const HloInstruction& hlo);

  absl::flat_hash_map<const HloComputation*, Cost> computations_;
  absl::flat_hash_map<const HloInstruction*, Cost> instructions_;
  std::map<int64_t, double> operand_bytes_;
  Cost total_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_COST_COST_ANALYSIS_H_
