// Emits concatenates of many operands as copies: native code would search for
// the operand of each element, and would grow with the number of operands.
#include <memory>
#include <utility>
#include <vector>

#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/concatenate_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::cpu {

ThunkOr EmitConcatenateThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const int64_t d = hlo.attrs<ConcatenateAttrs>().dimensions[0];
  int64_t rows = 1;
  for (int64_t i = 0; i < d; ++i) rows *= hlo.shape().dimensions(i);
  std::vector<ConcatenateThunk::Part> parts;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(*operand, 0));
    TF_ASSIGN_OR_RETURN(const int64_t bytes, LeafBytes(operand->shape()));
    if (bytes > 0) parts.push_back({slice, bytes / rows});
  }
  TF_ASSIGN_OR_RETURN(const Slice result, context.SliceOf(hlo, 0));
  return std::make_unique<ConcatenateThunk>(hlo.name(), std::move(parts), rows,
                                            result);
}

}  // namespace xla::cpu
