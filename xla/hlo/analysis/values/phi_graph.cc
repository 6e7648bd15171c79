// Simplifies phis until none changes.
#include "xla/hlo/analysis/values/phi_graph.h"

#include <utility>

namespace xla {

bool PhiGraph::SetInputs(Id phi, const std::vector<Id>& inputs) {
  absl::flat_hash_set<Id> set(inputs.begin(), inputs.end());
  const auto [it, is_new] = inputs_.try_emplace(phi);
  if (!is_new && it->second == set) return false;
  it->second = std::move(set);
  return true;
}

PhiGraph::Id PhiGraph::Find(Id id) const {
  for (auto it = replaced_by_.find(id); it != replaced_by_.end();
       it = replaced_by_.find(id)) {
    id = it->second;
  }
  return id;
}

absl::flat_hash_map<PhiGraph::Id, PhiGraph::Id> PhiGraph::OnlySources() const {
  absl::flat_hash_map<Id, std::vector<Id>> users;
  absl::flat_hash_map<Id, Id> source;
  std::vector<Id> changed;
  // Each phi changes at most twice: to one source, and to several.
  const auto reach = [&](Id phi, Id from) {
    const auto [it, is_first] = source.try_emplace(phi, from);
    if (!is_first && (it->second == from || it->second == -1)) return;
    if (!is_first) it->second = -1;
    changed.push_back(phi);
  };
  for (const auto& [phi, inputs] : inputs_) {
    if (replaced_by_.contains(phi)) continue;
    for (const Id input : inputs) {
      const Id found = Find(input);
      if (inputs_.contains(found)) {
        users[found].push_back(phi);
      } else {
        reach(phi, found);
      }
    }
  }
  while (!changed.empty()) {
    const Id phi = changed.back();
    changed.pop_back();
    for (const Id user : users[phi]) reach(user, source.at(phi));
  }
  return source;
}

bool PhiGraph::ReplacePhisOfOneInput() {
  bool changed = false;
  for (const auto& [phi, inputs] : inputs_) {
    if (replaced_by_.contains(phi)) continue;
    absl::flat_hash_set<Id> others;
    for (const Id input : inputs) {
      if (const Id found = Find(input); found != phi) others.insert(found);
    }
    if (others.size() != 1) continue;
    replaced_by_[phi] = *others.begin();
    changed = true;
  }
  return changed;
}

void PhiGraph::Simplify() {
  for (bool changed = true; changed;) {
    for (const auto& [phi, source] : OnlySources()) {
      if (source != -1) replaced_by_[phi] = source;
    }
    changed = ReplacePhisOfOneInput();
  }
}

}  // namespace xla
