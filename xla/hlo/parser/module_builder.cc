// Orders the computations and builds each one.
#include "xla/hlo/parser/module_builder.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla {

absl::Status ModuleBuilder::ResolveComputations() {
  absl::flat_hash_map<absl::string_view, int> by_name;
  for (size_t i = 0; i < syntax_.computations.size(); ++i) {
    const NameSyntax& name = syntax_.computations[i].name;
    // Nameless computations are called "_".
    if (!by_name.emplace(name.name, i).second && name.name != "_") {
      return scanner_.ErrorAt(
          name.position,
          absl::StrCat("computation '", name.name, "' is defined twice"));
    }
  }
  for (ComputationSyntax& computation : syntax_.computations) {
    for (InstructionSyntax& instruction : computation.instructions) {
      for (CalledSyntax& called : instruction.called) {
        if (called.computation >= 0) continue;
        auto it = by_name.find(called.name.name);
        if (it == by_name.end()) {
          return scanner_.ErrorAt(
              called.name.position,
              absl::StrCat("no computation '", called.name.name, "'"));
        }
        called.computation = it->second;
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> ModuleBuilder::OrderComputations() {
  const int count = syntax_.computations.size();
  std::vector<std::vector<const CalledSyntax*>> calls(count);
  for (int i = 0; i < count; ++i) {
    for (const auto& instruction : syntax_.computations[i].instructions) {
      for (const CalledSyntax& called : instruction.called) {
        calls[i].push_back(&called);
      }
    }
  }
  std::vector<int> order;
  order.reserve(count);
  // A depth-first walk; `next` counts the calls of a computation that were
  // followed, -1 when it is done.
  std::vector<int> next(count, 0);
  std::vector<int> stack;
  for (int start = 0; start < count; ++start) {
    if (next[start] < 0) continue;
    stack.push_back(start);
    while (!stack.empty()) {
      const int i = stack.back();
      if (next[i] == static_cast<int>(calls[i].size())) {
        next[i] = -1;
        order.push_back(i);
        stack.pop_back();
        continue;
      }
      const CalledSyntax& call = *calls[i][next[i]++];
      const int callee = call.computation;
      if (next[callee] < 0) continue;
      // Only computations on the stack have a positive count.
      if (callee == i || next[callee] > 0) {
        return scanner_.ErrorAt(
            call.name.position,
            absl::StrCat("computation '",
                         syntax_.computations[callee].name.name,
                         "' calls itself"));
      }
      stack.push_back(callee);
    }
  }
  return order;
}

absl::StatusOr<std::unique_ptr<HloModule>> ModuleBuilder::Build() {
  TF_RETURN_IF_ERROR(ResolveComputations());
  TF_ASSIGN_OR_RETURN(std::vector<int> order, OrderComputations());
  HloModule& module = *syntax_.module;
  built_.resize(syntax_.computations.size());
  HloComputation* entry = nullptr;
  for (int i : order) {
    ComputationSyntax& computation = syntax_.computations[i];
    TF_ASSIGN_OR_RETURN(
        built_[i], ComputationBuilder(scanner_, computation, built_, module,
                                      shape_budget_, async_)
                       .Build());
    if (computation.is_entry) entry = built_[i];
  }
  if (!syntax_.has_header && module.name().empty()) {
    module.set_name(absl::StrCat("module_", entry->name()));
  }
  module.CompleteEntry();
  module.set_is_scheduled(module.is_scheduled());
  return std::move(syntax_.module);
}

}  // namespace xla
