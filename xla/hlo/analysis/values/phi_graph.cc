// Simplifies phis until none changes, in nearly linear time.
#include "xla/hlo/analysis/values/phi_graph.h"

#include <queue>
#include <utility>

namespace xla {

bool PhiGraph::SetInputs(Id phi, const std::vector<Id>& inputs) {
  absl::flat_hash_set<Id> set(inputs.begin(), inputs.end());
  const auto [it, is_new] = inputs_.try_emplace(phi);
  if (!is_new && it->second == set) return false;
  it->second = std::move(set);
  return true;
}

PhiGraph::Id PhiGraph::Find(Id id) {
  Id last = id;
  for (auto it = replaced_by_.find(id); it != replaced_by_.end();
       it = replaced_by_.find(last)) {
    last = it->second;
  }
  while (id != last) id = std::exchange(replaced_by_.at(id), last);
  return last;
}

absl::flat_hash_map<PhiGraph::Id, PhiGraph::Id> PhiGraph::OnlySources() {
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

std::optional<PhiGraph::Id> PhiGraph::OnlyOtherInput(Id phi) {
  std::optional<Id> other;
  for (const Id input : inputs_.at(phi)) {
    const Id found = Find(input);
    if (found == phi || found == other) continue;
    if (other.has_value()) return std::nullopt;
    other = found;
  }
  return other;
}

void PhiGraph::ReplacePhisOfOneInput() {
  absl::flat_hash_map<Id, std::vector<Id>> users;
  std::queue<Id> work;
  for (const auto& [phi, inputs] : inputs_) {
    if (replaced_by_.contains(phi)) continue;
    work.push(phi);
    for (const Id input : inputs) users[Find(input)].push_back(phi);
  }
  while (!work.empty()) {
    const Id phi = work.front();
    work.pop();
    if (replaced_by_.contains(phi)) continue;
    const std::optional<Id> other = OnlyOtherInput(phi);
    if (!other.has_value()) continue;
    replaced_by_[phi] = *other;
    // Only what uses both has fewer inputs now, so that it is enough to look at
    // the users of one.
    std::vector<Id> fewer = std::exchange(users[phi], {});
    std::vector<Id>& all = users[*other];
    if (fewer.size() > all.size()) fewer.swap(all);
    for (const Id user : fewer) work.push(user);
    if (inputs_.contains(*other)) work.push(*other);
    all.insert(all.end(), fewer.begin(), fewer.end());
  }
}

void PhiGraph::Simplify() {
  // Replacing phis does not change which values reach a phi, so that once is
  // enough.
  for (const auto& [phi, source] : OnlySources()) {
    if (source != -1) replaced_by_[phi] = source;
  }
  ReplacePhisOfOneInput();
}

}  // namespace xla
