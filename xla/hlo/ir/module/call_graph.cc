// Builds the graph in one pass over the module, then walks up and down in it.
#include "xla/hlo/ir/module/call_graph.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

CallContext UnionContexts(CallContext a, CallContext b) {
  if (a == CallContext::kNone) return b;
  return a == b || b == CallContext::kNone ? a : CallContext::kBoth;
}

// Goes up from all items at once, level by level, until some are above, or
// are, all of them.
template <typename Item, typename Above>
absl::flat_hash_set<const Item*> NearestCommonAncestors(
    std::vector<const Item*> items, const Above& above) {
  std::vector<absl::flat_hash_set<const Item*>> seen, edge;
  for (const Item* item : items) {
    seen.push_back({item});
    edge.push_back({item});
  }
  while (true) {
    absl::flat_hash_set<const Item*> common;
    for (const Item* candidate :
         seen.empty() ? absl::flat_hash_set<const Item*>() : seen[0]) {
      if (absl::c_all_of(
              seen, [&](const auto& s) { return s.contains(candidate); })) {
        common.insert(candidate);
      }
    }
    if (!common.empty()) {
      // Of those that are given, if some are among them, only these.
      absl::flat_hash_set<const Item*> given;
      for (const Item* item : items) {
        if (common.contains(item)) given.insert(item);
      }
      return given.empty() ? common : given;
    }
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

}  // namespace

std::string CallSite::ToString() const {
  return absl::StrCat(instruction_->name(), " calls in context ",
                      CallContextToString(context_));
}

const CallSite* CallGraphNode::GetCallSite(
    const HloInstruction* instruction) const {
  const auto it = callsite_indices_.find(instruction);
  return it == callsite_indices_.end() ? nullptr : &callsites_[it->second];
}

std::unique_ptr<CallGraph> CallGraph::Build(
    const HloModule* module,
    const absl::flat_hash_set<absl::string_view>& execution_threads) {
  auto graph = std::unique_ptr<CallGraph>(new CallGraph(module));
  graph->AddNodes(execution_threads);
  return graph;
}

const CallGraphNode& CallGraph::GetNode(
    const HloComputation* computation) const {
  const CallGraphNode* node = FindNode(computation);
  CHECK(node != nullptr) << computation->name() << " is no node";
  return *node;
}

const CallGraphNode* CallGraph::FindNode(
    const HloComputation* computation) const {
  const auto it = indices_.find(computation);
  return it == indices_.end() ? nullptr : &nodes_[it->second];
}

absl::Status CallGraph::VisitNodes(VisitorFunction visitor_func,
                                   bool visit_unreachable_nodes) const {
  return VisitNodesWithReturn(
             [&](const CallGraphNode& node) -> absl::StatusOr<bool> {
               TF_RETURN_IF_ERROR(visitor_func(node));
               return false;
             },
             visit_unreachable_nodes)
      .status();
}

absl::StatusOr<bool> CallGraph::VisitNodesWithReturn(
    ChangedVisitorFunction visitor_func, bool visit_unreachable_nodes) const {
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

bool CallGraph::Dominates(const HloComputation* a,
                          const HloComputation* b) const {
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

bool CallGraph::CanReach(const HloComputation* a,
                         const HloComputation* b) const {
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

bool CallGraph::IsFlattened() const {
  return absl::c_all_of(nodes_, [](const CallGraphNode& node) {
    return node.context() != CallContext::kBoth &&
           (node.context() != CallContext::kControlFlow ||
            node.computation()->IsEntryComputation() ||
            node.computation()->IsAsyncComputation() ||
            node.caller_callsites().size() <= 1);
  });
}

std::vector<HloInstruction*> CallGraph::GetComputationCallers(
    const HloComputation* c) const {
  std::vector<HloInstruction*> callers;
  for (const CallSite& site : GetNode(c).caller_callsites()) {
    callers.push_back(site.instruction());
  }
  return callers;
}

std::pair<HloInstruction*, HloInstruction*>
CallGraph::NearestAncestorsInSameComputation(HloInstruction* a,
                                             HloInstruction* b) const {
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

absl::flat_hash_set<const HloComputation*>
CallGraph::NearestCommonAncestorComputations(
    std::vector<const HloComputation*> computations) const {
  return NearestCommonAncestors(std::move(computations),
                                [this](const HloComputation* c) {
                                  const auto callers = GetNode(c).callers();
                                  return std::vector<const HloComputation*>(
                                      callers.begin(), callers.end());
                                });
}

absl::flat_hash_set<const HloInstruction*>
CallGraph::NearestCommonAncestorInstructions(
    std::vector<const HloInstruction*> instructions) const {
  return NearestCommonAncestors(
      std::move(instructions), [this](const HloInstruction* hlo) {
        std::vector<const HloInstruction*> above(hlo->users().begin(),
                                                 hlo->users().end());
        if (above.empty() || hlo->IsRoot()) {
          for (HloInstruction* caller : GetComputationCallers(hlo->parent())) {
            above.push_back(caller);
          }
        }
        return above;
      });
}

std::string CallGraph::ToString() const {
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

void CallGraph::AddNodes(
    const absl::flat_hash_set<absl::string_view>& threads) {
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

void CallGraph::AddCalls(HloInstruction* hlo, CallGraphNode& node) {
  const CallSite site(hlo);
  node.callsite_indices_.emplace(hlo, node.callsites_.size());
  node.callsites_.push_back(site);
  for (HloComputation* callee : site.called_computations()) {
    if (!indices_.contains(callee)) continue;
    CallGraphNode& called = Mutable(callee);
    called.caller_callsites_.push_back(site);
    // The calls of one computation come one after the other.
    if (called.callers_.empty() ||
        called.callers_.back() != node.computation_) {
      called.callers_.push_back(node.computation_);
      node.callees_.push_back(callee);
    }
  }
}

void CallGraph::SetContextAndDepth(CallGraphNode& node) {
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

absl::flat_hash_set<const HloComputation*> CallGraph::Reached() const {
  absl::flat_hash_set<const HloComputation*> reached;
  if (!module_->has_entry_computation()) return reached;
  reached.insert(module_->entry_computation());
  for (const HloComputation* callee :
       module_->entry_computation()->MakeEmbeddedComputationsList()) {
    reached.insert(callee);
  }
  return reached;
}

}  // namespace xla
