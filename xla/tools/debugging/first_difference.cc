// Keeps the values of one evaluation, and looks them up in the other.
#include "xla/tools/debugging/first_difference.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"

namespace xla::tools {
namespace {

using Values = absl::flat_hash_map<std::string, Literal>;

// The values of the arrays of the entry, as far as it can be evaluated.
Values ValuesOf(const HloModule& module, absl::Span<const Literal> arguments,
                uint64_t seed) {
  Values values;
  HloEvaluator evaluator;
  evaluator.set_seed(seed);
  evaluator.set_eval_literal_handler(
      [&](const HloInstruction* hlo, const LiteralSlice& literal) {
        if (hlo->shape().IsArray()) values[hlo->name()] = literal.Clone();
      });
  evaluator.Evaluate(module, arguments).IgnoreError();
  return values;
}

// What `hlo` depends on through instructions whose names `known` lacks.
std::vector<const HloInstruction*> NewOperands(
    const HloInstruction* hlo, const absl::flat_hash_set<std::string>& known) {
  absl::flat_hash_set<const HloInstruction*> found;
  std::vector<const HloInstruction*> pending = {hlo};
  while (!pending.empty()) {
    const HloInstruction* user = pending.back();
    pending.pop_back();
    for (const HloInstruction* operand : user->operands()) {
      if (!known.contains(operand->name()) && found.insert(operand).second) {
        pending.push_back(operand);
      }
    }
  }
  std::vector<const HloInstruction*> ordered;
  for (const HloInstruction* other :
       hlo->parent()->MakeInstructionPostOrder()) {
    if (found.contains(other)) ordered.push_back(other);
  }
  return ordered;
}

}  // namespace

std::optional<FirstDifference> FindFirstDifference(
    const HloModule& before, const HloModule& after,
    absl::Span<const Literal> arguments, const ComparisonOptions& options) {
  const Values old_values = ValuesOf(before, arguments, options.seed);
  const Values new_values = ValuesOf(after, arguments, options.seed);
  absl::flat_hash_map<std::string, const HloInstruction*> old_by_name;
  absl::flat_hash_set<std::string> known;
  for (const HloInstruction* hlo : before.entry_computation()->instructions()) {
    old_by_name[hlo->name()] = hlo;
    known.insert(hlo->name());
  }
  for (const HloInstruction* hlo :
       after.entry_computation()->MakeInstructionPostOrder()) {
    const auto expected = old_values.find(hlo->name());
    const auto actual = new_values.find(hlo->name());
    if (expected == old_values.end() || actual == new_values.end() ||
        !ShapeUtil::Compatible(expected->second.shape(),
                               actual->second.shape())) {
      continue;
    }
    const absl::Status agree = Agree(expected->second, actual->second, options);
    if (agree.ok()) continue;
    return FirstDifference{old_by_name.at(hlo->name()), hlo,
                           std::string(agree.message()),
                           NewOperands(hlo, known)};
  }
  return std::nullopt;
}

}  // namespace xla::tools
