// Unites rows of bits along the post order.
#include "xla/hlo/analysis/values/hlo_reachability.h"

#include <utility>

namespace xla {

HloReachabilityMap::HloReachabilityMap(
    absl::Span<const HloInstruction* const> instructions)
    : rows_(instructions.size(),
            std::vector<Word>((instructions.size() + kBits - 1) / kBits)) {
  for (size_t i = 0; i < instructions.size(); ++i) {
    indices_[instructions[i]] = i;
  }
}

std::unique_ptr<HloReachabilityMap> HloReachabilityMap::Build(
    const HloComputation* computation) {
  return BuildWithRestrictions(
      computation,
      [](const HloInstruction* hlo, std::vector<HloInstruction*>* inputs) {
        inputs->insert(inputs->end(), hlo->operands().begin(),
                       hlo->operands().end());
        inputs->insert(inputs->end(), hlo->control_predecessors().begin(),
                       hlo->control_predecessors().end());
      });
}

std::unique_ptr<HloReachabilityMap> HloReachabilityMap::BuildWithRestrictions(
    const HloComputation* computation,
    absl::FunctionRef<void(const HloInstruction*,
                           std::vector<HloInstruction*>*)>
        add_dependencies) {
  const std::vector<HloInstruction*> order =
      computation->MakeInstructionPostOrder();
  auto map = std::make_unique<HloReachabilityMap>(
      std::vector<const HloInstruction*>(order.begin(), order.end()));
  std::vector<HloInstruction*> inputs;
  for (const HloInstruction* hlo : order) {
    inputs.clear();
    add_dependencies(hlo, &inputs);
    map->FastSetReachabilityToUnion(inputs, hlo);
  }
  return map;
}

std::vector<HloReachabilityMap::Index> HloReachabilityMap::IndicesOf(
    absl::Span<const HloInstruction* const> instructions) const {
  std::vector<Index> indices;
  for (const HloInstruction* hlo : instructions) {
    indices.push_back(GetIndex(hlo));
  }
  return indices;
}

std::vector<HloReachabilityMap::Word> HloReachabilityMap::UnionOf(
    absl::Span<const Index> inputs, Index index) const {
  std::vector<Word> row(rows_[index].size());
  for (const Index input : inputs) {
    for (size_t i = 0; i < row.size(); ++i) row[i] |= rows_[input][i];
  }
  row[index / kBits] |= Word{1} << (index % kBits);
  return row;
}

bool HloReachabilityMap::SetReachabilityToUnion(
    absl::Span<const HloInstruction* const> inputs,
    const HloInstruction* instruction) {
  const Index index = GetIndex(instruction);
  std::vector<Word> row = UnionOf(IndicesOf(inputs), index);
  if (row == rows_[index]) return false;
  rows_[index] = std::move(row);
  return true;
}

void HloReachabilityMap::FastSetReachabilityToUnion(
    absl::Span<const HloInstruction* const> inputs,
    const HloInstruction* instruction) {
  FastSetReachabilityToUnion(IndicesOf(inputs), GetIndex(instruction));
}

void HloReachabilityMap::FastSetReachabilityToUnion(
    absl::Span<const Index> input_indices, Index index) {
  rows_[index] = UnionOf(input_indices, index);
}

void HloReachabilityMap::UpdateReachabilityThroughInstruction(
    const HloInstruction* instruction) {
  std::vector<const HloInstruction*> work = {instruction};
  while (!work.empty()) {
    const HloInstruction* hlo = work.back();
    work.pop_back();
    std::vector<const HloInstruction*> inputs(hlo->operands().begin(),
                                              hlo->operands().end());
    inputs.insert(inputs.end(), hlo->control_predecessors().begin(),
                  hlo->control_predecessors().end());
    if (!SetReachabilityToUnion(inputs, hlo)) continue;
    work.insert(work.end(), hlo->users().begin(), hlo->users().end());
    work.insert(work.end(), hlo->control_successors().begin(),
                hlo->control_successors().end());
  }
}

void HloReachabilityMap::Replace(const HloInstruction* original,
                                 const HloInstruction* replacement) {
  const Index index = GetIndex(original);
  if (original == replacement) return;
  indices_.erase(original);
  indices_[replacement] = index;
}

}  // namespace xla
