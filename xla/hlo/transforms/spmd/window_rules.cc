// Rules of ops whose elements move along dimensions by known distances: slice,
// pad, reverse, concatenate, and windows.
#include "xla/hlo/transforms/spmd/op_rule.h"

namespace xla {
namespace {

FactorSplit SplitNoWindow(const HloInstruction&, const DimensionFactors&,
                          int32_t) {
  return FactorSplit::kWhole;
}

constexpr OpRule kNoWindowRule = {.split = SplitNoWindow};

}  // namespace

const OpRule& SliceRule() { return kNoWindowRule; }
const OpRule& PadRule() { return kNoWindowRule; }
const OpRule& ReverseRule() { return kNoWindowRule; }
const OpRule& ConcatenateRule() { return kNoWindowRule; }
const OpRule& ReduceWindowRule() { return kNoWindowRule; }
const OpRule& ConvolutionRule() { return kNoWindowRule; }

}  // namespace xla
