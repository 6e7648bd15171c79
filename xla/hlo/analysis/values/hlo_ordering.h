// HloOrdering: which instructions run before which, and which values are needed
// at the same time. By dependencies alone, or by a schedule.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_ORDERING_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_ORDERING_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/values/hlo_dataflow_analysis.h"
#include "xla/hlo/analysis/values/hlo_reachability.h"
#include "xla/hlo/analysis/values/hlo_value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/call_graph.h"
#include "xla/hlo/ir/module/hlo_schedule.h"

namespace xla {

// Compares instructions of different computations by those that call them. The
// module must not change while the order lives.
class HloOrdering {
 public:
  enum class ExecutionConstraint {
    kIsSame,
    kRunBeforeStart,
    // a is in a loop or conditional and ends before it: b is that one, or is in
    // the body and a in the condition.
    kRunBeforeEnd,
    // Only one of them runs, as they are in different branches; a is in an
    // earlier branch, or in a later one.
    kRunExclusiveBefore,
    kRunExclusiveAfter,
    kRunAfter,
    kUnordered,
  };

  explicit HloOrdering(const HloModule* module)
      : module_(module), call_graph_(CallGraph::Build(module)) {}
  virtual ~HloOrdering() = default;

  ExecutionConstraint GetExecutionConstraint(const HloInstruction* a,
                                             const HloInstruction* b) const;
  // Instructions of earlier branches run before those of later ones here.
  bool ExecutesBefore(const HloInstruction* a, const HloInstruction* b) const;
  // A phi of a loop's computation is defined before all else there, that of the
  // loop itself after it.
  bool IsDefinedBefore(const HloValue& a, const HloValue& b) const;

  // Whether all uses are over when the value is defined. At one instruction a
  // use is over if the value may be written over the operand, or always with
  // `use_is_always_before_def_in_same_instr`.
  bool UsesBeforeValueDefinition(
      absl::Span<const HloUse* const> uses, const HloValue& value,
      const HloDataflowAnalysis& dataflow, const AliasInfo* alias_info,
      bool use_is_always_before_def_in_same_instr = false) const;
  // Whether a is defined before b and not needed when b is; whether neither
  // holds in either direction, so that the two may be needed at once.
  bool LiveRangeStrictlyBefore(
      const HloValue& a, const HloValue& b, const HloDataflowAnalysis& dataflow,
      const AliasInfo* alias_info,
      bool use_is_always_before_def_in_same_instr = false) const;
  bool MayInterfere(const HloValue& a, const HloValue& b,
                    const HloDataflowAnalysis& dataflow,
                    const AliasInfo* alias_info) const;

  // Returns the order of a computation, or null if it has none.
  virtual const HloInstructionSequence* SequentialOrder(
      const HloComputation& computation) const = 0;

  const CallGraph& call_graph() const { return *call_graph_; }
  virtual std::string ToString() const = 0;

 protected:
  virtual bool ExecutesBeforeInSameComputation(
      const HloInstruction* a, const HloInstruction* b) const = 0;

  const HloModule* module_;
  std::unique_ptr<CallGraph> call_graph_;

 private:
  class UseOrder;

  // The constraint between instructions that a conditional runs, or is.
  ExecutionConstraint CompareInConditional(const HloInstruction& conditional,
                                           const HloInstruction* a,
                                           const HloInstruction* b) const;
};

// By the instructions that come before each one.
class PredecessorHloOrdering : public HloOrdering {
 public:
  const HloInstructionSequence* SequentialOrder(
      const HloComputation& computation) const override {
    return nullptr;
  }
  HloReachabilityMap& reachability_map(const HloComputation* computation) {
    return *predecessors_.at(computation);
  }
  const HloReachabilityMap& reachability_map(
      const HloComputation* computation) const {
    return *predecessors_.at(computation);
  }

 protected:
  explicit PredecessorHloOrdering(const HloModule* module)
      : HloOrdering(module) {}

  std::string ToStringHelper(const std::string& name) const;
  bool ExecutesBeforeInSameComputation(const HloInstruction* a,
                                       const HloInstruction* b) const override;

  // For subclasses to fill in. An instruction is one of its predecessors.
  absl::flat_hash_map<const HloComputation*,
                      std::unique_ptr<HloReachabilityMap>>
      predecessors_;
};

// Operands and control dependencies come first; nothing else is ordered.
class DependencyHloOrdering : public PredecessorHloOrdering {
 public:
  // Leaves out the computations of fusions.
  explicit DependencyHloOrdering(const HloModule* module);

  std::string ToString() const override {
    return ToStringHelper("DependencyHloOrdering");
  }
};

// One instruction after the other. The root lives on to the end, so that it
// runs before nothing.
class SequentialHloOrdering : public HloOrdering {
 public:
  // The schedule must fit its module.
  explicit SequentialHloOrdering(const HloSchedule& schedule)
      : SequentialHloOrdering(HloSchedule(schedule)) {}
  explicit SequentialHloOrdering(HloSchedule&& schedule);

  const HloInstructionSequence* SequentialOrder(
      const HloComputation& computation) const override;
  std::string ToString() const override;

 protected:
  bool ExecutesBeforeInSameComputation(const HloInstruction* a,
                                       const HloInstruction* b) const override;

  const HloSchedule schedule_;
  // Places in the order of the computation.
  absl::flat_hash_map<const HloInstruction*, int64_t> order_position_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_ORDERING_H_
