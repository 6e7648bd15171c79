// Recognises windows as long as the array that stop at one of its ends.
#include "xla/hlo/analysis/linear_scan.h"

#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

bool IsPlain(const WindowDimension& dim) {
  return dim.stride() == 1 && dim.window_dilation() == 1 &&
         dim.base_dilation() == 1;
}

}  // namespace

std::optional<LinearScan> LinearScanOf(const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kReduceWindow ||
      instruction.operand_count() != 2 || !instruction.shape().IsArray()) {
    return std::nullopt;
  }
  const bool in_order = !OneOpOf(*instruction.to_apply()).has_value();
  const Window& window = instruction.attrs<ReduceWindowAttrs>().window;
  const Shape& operand = instruction.operand(0)->shape();
  std::optional<LinearScan> scan;
  for (int d = 0; d < window.dimensions_size(); ++d) {
    const WindowDimension& dim = window.dimensions(d);
    if (!IsPlain(dim)) return std::nullopt;
    if (dim.size() == 1) {
      if (dim.padding_low() != 0 || dim.padding_high() != 0) {
        return std::nullopt;
      }
      continue;
    }
    const int64_t n = operand.dimensions(d);
    const bool forward = dim.padding_low() == n - 1 && dim.padding_high() == 0;
    const bool backward = dim.padding_low() == 0 && dim.padding_high() == n - 1;
    if (scan.has_value() || dim.size() != n || !(forward || backward) ||
        (in_order && dim.window_reversal())) {
      return std::nullopt;
    }
    scan =
        LinearScan{.dimension = d, .reverse = backward, .in_order = in_order};
  }
  return scan;
}

}  // namespace xla
