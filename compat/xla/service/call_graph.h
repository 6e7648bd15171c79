// CallGraph: which computations of a module call which, and in what context.
#ifndef COMPAT_XLA_SERVICE_CALL_GRAPH_H_
#define COMPAT_XLA_SERVICE_CALL_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"

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
  std::string ToString() const {
    return absl::StrCat(instruction_->name(), " calls in context ",
                        CallContextToString(context_));
  }

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
  // Instructions of this computation that call; null for one that does not.
  absl::Span<const CallSite> callsites() const { return callsites_; }
  const CallSite* GetCallSite(const HloInstruction* instruction) const {
    const auto it = absl::c_find_if(callsites_, [&](const CallSite& site) {
      return site.instruction() == instruction;
    });
    return it == callsites_.end() ? nullptr : &*it;
  }
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
      const absl::flat_hash_set<absl::string_view>& execution_threads = {}) {
    auto graph = std::unique_ptr<CallGraph>(new CallGraph(module));
    graph->AddNodes(execution_threads);
    return graph;
  }

  // Requires a computation of the module (CHECK).
  const CallGraphNode& GetNode(const HloComputation* computation) const {
    const auto it = indices_.find(computation);
    CHECK(it != indices_.end()) << computation->name() << " is no node";
    return nodes_[it->second];
  }
  const std::vector<CallGraphNode>& nodes() const { return nodes_; }

  // Visits callees before callers; computations that the entry does not reach
  // only if asked to.
  absl::Status VisitNodes(VisitorFunction visitor_func,
                          bool visit_unreachable_nodes = true) const {
    return VisitNodesWithReturn(
               [&](const CallGraphNode& node) -> absl::StatusOr<bool> {
                 TF_RETURN_IF_ERROR(visitor_func(node));
                 return false;
               },
               visit_unreachable_nodes)
        .status();
  }
  // Returns whether any visit did.
  absl::StatusOr<bool> VisitNodesWithReturn(
      ChangedVisitorFunction visitor_func,
      bool visit_unreachable_nodes = true) const {
    const absl::flat_hash_set<const HloComputation*> reached = Reached();
    bool changed = false;
    for (const HloComputation* next : module_->MakeComputationPostOrder()) {
      if (!indices_.contains(next) ||
          (!visit_unreachable_nodes && !reached.contains(next))) {
        continue;
      }
      TF_ASSIGN_OR_RETURN(const bool now, visitor_func(GetNode(next)));
      changed |= now;
    }
    return changed;
  }

  // Whether every chain of calls from the entry to `b` goes through `a`.
  bool Dominates(const HloComputation* a, const HloComputation* b) const {
    absl::flat_hash_set<const HloComputation*> seen;
    std::vector<const HloComputation*> pending = {b};
    while (!pending.empty()) {
      const HloComputation* next = pending.back();
      pending.pop_back();
      if (next == a || !seen.insert(next).second) continue;
      const auto callers = GetNode(next).callers();
      if (callers.empty()) return false;
      pending.insert(pending.end(), callers.begin(), callers.end());
    }
    return true;
  }
  bool CanReach(const HloComputation* a, const HloComputation* b) const {
    absl::flat_hash_set<const HloComputation*> seen;
    std::vector<const HloComputation*> pending = {a};
    while (!pending.empty()) {
      const HloComputation* next = pending.back();
      pending.pop_back();
      for (const HloComputation* callee : GetNode(next).callees()) {
        if (callee == b) return true;
        if (seen.insert(callee).second) pending.push_back(callee);
      }
    }
    return false;
  }
  // Whether the instruction is in the computation, or in one that it calls.
  bool InstructionIsNestedIn(const HloInstruction* instruction,
                             const HloComputation* computation) const {
    return Dominates(computation, instruction->parent());
  }

  // Whether no computation is called twice from control flow, or in both
  // contexts.
  bool IsFlattened() const {
    return absl::c_all_of(nodes_, [](const CallGraphNode& node) {
      return node.context() != CallContext::kBoth &&
             (node.context() != CallContext::kControlFlow ||
              node.computation()->IsEntryComputation() ||
              node.caller_callsites().size() <= 1);
    });
  }
  std::vector<HloInstruction*> GetComputationCallers(
      const HloComputation* c) const {
    std::vector<HloInstruction*> callers;
    for (const CallSite& site : GetNode(c).caller_callsites()) {
      callers.push_back(site.instruction());
    }
    return callers;
  }

  // Returns the instructions of one computation that `a` and `b` are, or are
  // called from; nulls if there are none, or if a computation on the way has
  // several callers.
  std::pair<HloInstruction*, HloInstruction*> NearestAncestorsInSameComputation(
      HloInstruction* a, HloInstruction* b) const {
    const auto up = [this](HloInstruction* from) -> HloInstruction* {
      const auto sites = GetNode(from->parent()).caller_callsites();
      return sites.size() == 1 ? sites[0].instruction() : nullptr;
    };
    while (a != nullptr && b != nullptr && a->parent() != b->parent()) {
      const int a_depth = GetNode(a->parent()).depth();
      const int b_depth = GetNode(b->parent()).depth();
      if (a_depth >= b_depth) a = up(a);
      if (b_depth >= a_depth) b = up(b);
    }
    if (a == nullptr || b == nullptr) return {nullptr, nullptr};
    return {a, b};
  }

  // Return the lowest computations, or instructions, through which all of the
  // given ones can be reached.
  absl::flat_hash_set<const HloComputation*> NearestCommonAncestorComputations(
      std::vector<const HloComputation*> computations) const {
    return NearestCommonAncestors(
        std::move(computations), [this](const HloComputation* c) {
          const auto callers = GetNode(c).callers();
          return std::vector<const HloComputation*>(callers.begin(),
                                                    callers.end());
        });
  }
  absl::flat_hash_set<const HloInstruction*> NearestCommonAncestorInstructions(
      std::vector<const HloInstruction*> instructions) const {
    return NearestCommonAncestors(
        std::move(instructions), [this](const HloInstruction* hlo) {
          std::vector<const HloInstruction*> above(hlo->users().begin(),
                                                   hlo->users().end());
          if (above.empty() || hlo->IsRoot()) {
            for (HloInstruction* caller :
                 GetComputationCallers(hlo->parent())) {
              above.push_back(caller);
            }
          }
          return above;
        });
  }

  std::string ToString() const {
    std::string out = absl::StrCat("Call graph of ", module_->name(), ":\n");
    for (const CallGraphNode& node : nodes_) {
      absl::StrAppend(&out, "computation ", node.ToString(), ", context ",
                      CallContextToString(node.context()), ", depth ",
                      node.depth(), "\n");
      for (const CallSite& site : node.callsites()) {
        absl::StrAppend(&out, "  ", site.ToString(), "\n");
      }
    }
    return out;
  }

 private:
  explicit CallGraph(const HloModule* module) : module_(module) {}

  void AddNodes(const absl::flat_hash_set<absl::string_view>& threads) {
    for (HloComputation* computation : module_->computations()) {
      if (threads.empty() || threads.contains(computation->execution_thread())) {
        indices_[computation] = nodes_.size();
        nodes_.emplace_back(computation);
      }
    }
    for (CallGraphNode& node : nodes_) {
      for (HloInstruction* hlo : node.computation_->instructions()) {
        if (!hlo->called_computations().empty()) AddCalls(hlo, node);
      }
    }
    std::vector<HloComputation*> order = module_->MakeComputationPostOrder();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {  // callers first
      if (indices_.contains(*it)) SetContextAndDepth(Mutable(*it));
    }
  }
  void AddCalls(HloInstruction* hlo, CallGraphNode& node) {
    const CallSite site(hlo);
    node.callsites_.push_back(site);
    for (HloComputation* callee : site.called_computations()) {
      if (!indices_.contains(callee)) continue;
      CallGraphNode& called = Mutable(callee);
      called.caller_callsites_.push_back(site);
      if (!absl::c_linear_search(node.callees_, callee)) {
        node.callees_.push_back(callee);
      }
      if (!absl::c_linear_search(called.callers_, node.computation_)) {
        called.callers_.push_back(node.computation_);
      }
    }
  }
  void SetContextAndDepth(CallGraphNode& node) {
    if (node.computation_->IsEntryComputation() || node.callers_.empty()) {
      node.context_ = CallContext::kControlFlow;
    }
    for (const CallSite& site : node.caller_callsites_) {
      const CallGraphNode& caller = GetNode(site.instruction()->parent());
      // What an embedded computation calls is embedded as well.
      const CallContext context = caller.context() == CallContext::kEmbedded
                                      ? CallContext::kEmbedded
                                      : site.context();
      node.context_ = UnionContexts(node.context_, context);
      node.depth_ = std::max(node.depth_, caller.depth() + 1);
    }
  }
  static CallContext UnionContexts(CallContext a, CallContext b) {
    if (a == CallContext::kNone) return b;
    return a == b || b == CallContext::kNone ? a : CallContext::kBoth;
  }
  CallGraphNode& Mutable(const HloComputation* computation) {
    return nodes_[indices_.at(computation)];
  }
  absl::flat_hash_set<const HloComputation*> Reached() const {
    absl::flat_hash_set<const HloComputation*> reached;
    if (!module_->has_entry_computation()) return reached;
    reached.insert(module_->entry_computation());
    for (const HloComputation* callee :
         module_->entry_computation()->MakeEmbeddedComputationsList()) {
      reached.insert(callee);
    }
    return reached;
  }

  // Goes up from all items at once, level by level, until some are above, or
  // are, all of them.
  template <typename Item, typename Above>
  static absl::flat_hash_set<const Item*> NearestCommonAncestors(
      std::vector<const Item*> items, const Above& above) {
    std::vector<absl::flat_hash_set<const Item*>> seen, edge;
    for (const Item* item : items) {
      seen.push_back({item});
      edge.push_back({item});
    }
    while (true) {
      absl::flat_hash_set<const Item*> common;
      for (const Item* candidate : seen.empty() ? absl::flat_hash_set<const Item*>()
                                                : seen[0]) {
        if (absl::c_all_of(seen, [&](const auto& s) {
              return s.contains(candidate);
            })) {
          common.insert(candidate);
        }
      }
      if (!common.empty()) return common;
      bool grew = false;
      for (size_t i = 0; i < seen.size(); ++i) {
        absl::flat_hash_set<const Item*> next;
        for (const Item* item : edge[i]) {
          for (const Item* up : above(item)) {
            if (seen[i].insert(up).second) next.insert(up);
          }
        }
        grew |= !next.empty();
        edge[i] = std::move(next);
      }
      if (!grew) return {};
    }
  }

  const HloModule* module_;
  std::vector<CallGraphNode> nodes_;
  absl::flat_hash_map<const HloComputation*, size_t> indices_;
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_CALL_GRAPH_H_
