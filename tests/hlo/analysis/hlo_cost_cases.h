// Modules that call no computations, and what XLA says they cost.
#ifndef TESTS_HLO_ANALYSIS_HLO_COST_CASES_H_
#define TESTS_HLO_ANALYSIS_HLO_COST_CASES_H_

#include "absl/types/span.h"

namespace xla {

struct HloCostCase {
  const char* name;
  const char* body;   // of the entry computation
  const char* costs;  // "flops: 3, bytes accessed: 12"
};

absl::Span<const HloCostCase> HloCostCases();

}  // namespace xla

#endif  // TESTS_HLO_ANALYSIS_HLO_COST_CASES_H_
