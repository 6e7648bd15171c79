// The rules that convert StableHLO ops to HLO, a table for each family, and
// their lookup.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_RULES_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_RULES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Converts one op: adds instructions and sets the results. Its errors lack the
// op's place, which the caller adds, unless OpConversion::Error made them.
using RuleFunction = absl::Status (*)(OpConversion& conversion);

struct Rule {
  absl::string_view name;  // op name, "stablehlo.add"
  RuleFunction convert;
};

// Returns null for an op without a rule.
const Rule* FindRule(absl::string_view op_name);

absl::Span<const Rule> ElementwiseRules();    // ops/elementwise.cc
absl::Span<const Rule> ChloRules();           // ops/chlo.cc
absl::Span<const Rule> ValueRules();          // ops/values.cc: iota, rng
absl::Span<const Rule> MovementRules();       // ops/movement.cc
absl::Span<const Rule> IndexingRules();       // ops/indexing.cc: sort, ...
absl::Span<const Rule> DynamicRules();        // ops/dynamic.cc: "?"
absl::Span<const Rule> ContractionRules();    // ops/contraction.cc: dots
absl::Span<const Rule> ReductionRules();      // ops/reduction.cc
absl::Span<const Rule> LinearAlgebraRules();  // ops/linear_algebra.cc
absl::Span<const Rule> QuantizedRules();      // ops/quantized.cc
absl::Span<const Rule> ControlFlowRules();    // control_flow.cc, tuples, tokens
absl::Span<const Rule> CallRules();           // calls.cc: call, composite
absl::Span<const Rule> CustomCallRules();     // custom_call.cc
absl::Span<const Rule> CollectiveRules();     // devices/collectives.cc
absl::Span<const Rule> TransferRules();       // transfers.cc: infeed, send, ...
absl::Span<const Rule> ShardingRules();       // devices/sharding.cc

// Rewrites ops with quantized operands or results, except quantize and
// dequantize, to float ops by expansion. Defined in ops/quantized.cc.
absl::Status ConvertQuantizedOp(OpConversion& conversion);
bool HasQuantizedType(const Op& op);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_RULES_H_
