// Looks up rules by op name.
#include "xla/stablehlo/to_hlo/conversion/rules.h"

#include "absl/container/flat_hash_map.h"

namespace xla::stablehlo {
namespace {

using RuleMap = absl::flat_hash_map<absl::string_view, const Rule*>;

RuleMap MakeRuleMap() {
  RuleMap map;
  for (absl::Span<const Rule> rules :
       {ElementwiseRules(), ChloRules(), ValueRules(), MovementRules(),
        IndexingRules(), DynamicRules(), ContractionRules(), ReductionRules(),
        LinearAlgebraRules(), QuantizedRules(), ControlFlowRules(), CallRules(),
        CustomCallRules(), CollectiveRules(), TransferRules(),
        ShardingRules()}) {
    for (const Rule& rule : rules) map.emplace(rule.name, &rule);
  }
  return map;
}

}  // namespace

const Rule* FindRule(absl::string_view op_name) {
  static const RuleMap* const kMap = new RuleMap(MakeRuleMap());
  const auto it = kMap->find(op_name);
  return it == kMap->end() ? nullptr : it->second;
}

}  // namespace xla::stablehlo
