// Modules that call computations, and what XLA says they cost.
#ifndef TESTS_HLO_ANALYSIS_HLO_COST_CALL_CASES_H_
#define TESTS_HLO_ANALYSIS_HLO_COST_CALL_CASES_H_

#include "absl/types/span.h"
#include "tests/hlo/analysis/hlo_cost_cases.h"

namespace xla {

absl::Span<const HloCostCase> HloCallCostCases();
// The text of the computations that they call.
const char* HloCostComputations();

}  // namespace xla

#endif  // TESTS_HLO_ANALYSIS_HLO_COST_CALL_CASES_H_
