// CallGraph: which computations of a module call which, and in what context.
#ifndef XLA_HLO_IR_MODULE_CALL_GRAPH_H_
#define XLA_HLO_IR_MODULE_CALL_GRAPH_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/call_context.h"

namespace xla {

// An instruction that calls computations.
class CallSite {
 public:
  explicit CallSite(HloInstruction* instruction)
      : instruction_(instruction),
        context_(GetInstructionCallContext(instruction->opcode())) {}

  HloInstruction* instruction() const { return instruction_; }
  absl::Span<HloComputation* const> called_computations() const {
    return instruction_->called_computations();
  }
  CallContext context() const { return context_; }
  std::string ToString() const;

 private:
  HloInstruction* instruction_;
  CallContext context_;
};

// A computation with its calls. Borrowed pointers into the module.
class CallGraphNode {
 public:
  explicit CallGraphNode(HloComputation* computation)
      : computation_(computation) {}

  HloComputation* computation() const { return computation_; }
  // Instructions of this computation that call, in order; null for one that
  // does not, found without a search.
  absl::Span<const CallSite> callsites() const { return callsites_; }
  const CallSite* GetCallSite(const HloInstruction* instruction) const;
  // The calls of this computation, and the two sides without repetitions.
  absl::Span<const CallSite> caller_callsites() const {
    return caller_callsites_;
  }
  absl::Span<HloComputation* const> callees() const { return callees_; }
  absl::Span<HloComputation* const> callers() const { return callers_; }
  // kBoth if called in both ways; kControlFlow for the entry.
  CallContext context() const { return context_; }
  // The length of the longest chain of calls from a computation that nothing
  // calls.
  int depth() const { return depth_; }
  absl::string_view ToString() const { return computation_->name(); }

 private:
  friend class CallGraph;

  HloComputation* computation_;
  std::vector<CallSite> callsites_;
  // Positions in callsites_.
  absl::flat_hash_map<const HloInstruction*, size_t> callsite_indices_;
  std::vector<CallSite> caller_callsites_;
  std::vector<HloComputation*> callees_;
  std::vector<HloComputation*> callers_;
  CallContext context_ = CallContext::kNone;
  int depth_ = 0;
};

// Made once; a change of the module makes it stale. Thread safe.
class CallGraph {
 public:
  using VisitorFunction = absl::FunctionRef<absl::Status(const CallGraphNode&)>;
  using ChangedVisitorFunction =
      absl::FunctionRef<absl::StatusOr<bool>(const CallGraphNode&)>;

  // With `execution_threads`, only computations of these threads are nodes.
  static std::unique_ptr<CallGraph> Build(
      const HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads = {});

  // Requires a computation of the module (CHECK), of one of the threads.
  const CallGraphNode& GetNode(const HloComputation* computation) const;
  // Null for other computations.
  const CallGraphNode* FindNode(const HloComputation* computation) const;
  const std::vector<CallGraphNode>& nodes() const { return nodes_; }

  // Visits callees before callers; computations that the entry does not reach
  // only if asked to. The second one returns whether any visit did.
  absl::Status VisitNodes(VisitorFunction visitor_func,
                          bool visit_unreachable_nodes = true) const;
  absl::StatusOr<bool> VisitNodesWithReturn(
      ChangedVisitorFunction visitor_func,
      bool visit_unreachable_nodes = true) const;

  // Whether every chain of calls from the entry to `b` goes through `a`.
  bool Dominates(const HloComputation* a, const HloComputation* b) const;
  bool CanReach(const HloComputation* a, const HloComputation* b) const;
  // Whether the instruction is in the computation, or in one that it calls.
  bool InstructionIsNestedIn(const HloInstruction* instruction,
                             const HloComputation* computation) const {
    return Dominates(computation, instruction->parent());
  }

  // Whether no computation is called twice from control flow, or in both
  // contexts.
  bool IsFlattened() const;
  std::vector<HloInstruction*> GetComputationCallers(
      const HloComputation* c) const;

  // Returns the instructions of one computation that `a` and `b` are, or are
  // called from; nulls if there are none, or if a computation on the way has
  // several callers.
  std::pair<HloInstruction*, HloInstruction*> NearestAncestorsInSameComputation(
      HloInstruction* a, HloInstruction* b) const;

  // Return the lowest computations, or instructions, through which all of the
  // given ones can be reached.
  absl::flat_hash_set<const HloComputation*> NearestCommonAncestorComputations(
      std::vector<const HloComputation*> computations) const;
  absl::flat_hash_set<const HloInstruction*> NearestCommonAncestorInstructions(
      std::vector<const HloInstruction*> instructions) const;

  std::string ToString() const;

 private:
  explicit CallGraph(const HloModule* module) : module_(module) {}

  void AddNodes(const absl::flat_hash_set<absl::string_view>& threads);
  void AddCalls(HloInstruction* hlo, CallGraphNode& node);
  void SetContextAndDepth(CallGraphNode& node);
  CallGraphNode& Mutable(const HloComputation* computation) {
    return nodes_[indices_.at(computation)];
  }
  absl::flat_hash_set<const HloComputation*> Reached() const;

  const HloModule* module_;
  std::vector<CallGraphNode> nodes_;
  absl::flat_hash_map<const HloComputation*, size_t> indices_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_CALL_GRAPH_H_
