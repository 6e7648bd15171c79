// Rules of ops that read or write at positions that are data: dynamic slices
// and their updates, gather, scatter; and of top-k.
#include "xla/hlo/transforms/spmd/op_rule.h"

namespace xla {
namespace {

FactorSplit SplitNoIndexing(const HloInstruction&, const DimensionFactors&,
                            int32_t) {
  return FactorSplit::kWhole;
}

constexpr OpRule kNoIndexingRule = {.split = SplitNoIndexing};

}  // namespace

const OpRule& DynamicSliceRule() { return kNoIndexingRule; }
const OpRule& DynamicUpdateSliceRule() { return kNoIndexingRule; }
const OpRule& GatherRule() { return kNoIndexingRule; }
const OpRule& ScatterRule() { return kNoIndexingRule; }
const OpRule& TopKRule() { return kNoIndexingRule; }

}  // namespace xla
