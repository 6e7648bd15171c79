// Copies what leads from iotas to a broadcast, in its dimensions.
#include "xla/hlo/transforms/linear/generated_arrays.h"

#include <cstdint>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// The most ops of a mask, each counted as often as it is read.
constexpr int kMostOps = 32;

bool IsScalar(const HloInstruction& hlo) {
  return hlo.shape().IsArray() && hlo.shape().rank() == 0;
}

// Whether `hlo` is computed from indices and scalars; `ops` counts the ops.
bool IsGenerated(const HloInstruction& hlo, int& ops) {
  if (++ops > kMostOps || !hlo.shape().IsArray() || !hlo.shape().is_static() ||
      hlo.HasControlDependencies()) {
    return false;
  }
  if (IsScalar(hlo) || hlo.opcode() == HloOpcode::kIota) return true;
  const bool is_known = hlo.opcode() == HloOpcode::kBroadcast ||
                        (hlo.IsElementwiseOp() && !hlo.HasSideEffect() &&
                         hlo.operand_count() > 0);
  if (!is_known) return false;
  for (const HloInstruction* operand : hlo.operands()) {
    if (!IsGenerated(*operand, ops)) return false;
  }
  return true;
}

class Generator {
 public:
  explicit Generator(Hlo broadcast)
      : emit_(broadcast), sizes_(DimsOf(broadcast)) {}

  // Returns `hlo` with its dimensions as these ones of the result.
  Hlo Generate(Hlo hlo, const Dims& dimensions) {
    if (IsScalar(*hlo)) return emit_.Splat(hlo, sizes_);
    if (hlo->opcode() == HloOpcode::kIota) {
      return emit_.Iota(hlo->shape().element_type(), sizes_,
                        dimensions[hlo->attrs<IotaAttrs>().iota_dimension]);
    }
    if (hlo->opcode() == HloOpcode::kBroadcast) {
      Dims inner;
      for (const int64_t d : hlo->attrs<BroadcastAttrs>().dimensions) {
        inner.push_back(dimensions[d]);
      }
      return Generate(hlo->mutable_operand(0), inner);
    }
    std::vector<Hlo> operands;
    for (Hlo operand : hlo->operands()) {
      operands.push_back(Generate(operand, dimensions));
    }
    return emit_.computation()->AddInstruction(hlo->CloneWithNewOperands(
        emit_.MakeShape(hlo->shape().element_type(), sizes_), operands));
  }

  absl::Status Replace(Hlo broadcast) {
    const auto& dimensions = broadcast->attrs<BroadcastAttrs>().dimensions;
    return emit_.ReplaceSource(
        Generate(broadcast->mutable_operand(0),
                 Dims(dimensions.begin(), dimensions.end())));
  }

 private:
  HloBuilder emit_;
  const Dims sizes_;
};

}  // namespace

absl::StatusOr<bool> GenerateInPlace(absl::Span<HloInstruction* const> ops) {
  bool changed = false;
  for (Hlo hlo : ops) {
    int count = 0;
    if (hlo->opcode() != HloOpcode::kBroadcast || IsScalar(*hlo->operand(0)) ||
        hlo->HasControlDependencies() ||
        !IsGenerated(*hlo->operand(0), count)) {
      continue;
    }
    Hlo small = hlo->mutable_operand(0);
    TF_RETURN_IF_ERROR(Generator(hlo).Replace(hlo));
    if (small->user_count() == 0 && !small->IsRoot()) {
      TF_RETURN_IF_ERROR(
          small->parent()->RemoveInstructionAndUnusedOperands(small));
    }
    changed = true;
  }
  return changed;
}

}  // namespace xla
