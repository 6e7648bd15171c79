// Walks from the second dot up to the first.
#include "xla/hlo/transforms/fuse/attention.h"

#include <algorithm>

#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/in_place.h"
#include "xla/hlo/analysis/reduction_structure.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla {
namespace {

// A product of matrices, or of a batch of them, of which nothing is asked that
// depends on how it is computed.
bool IsPlainProduct(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot || hlo.HasControlDependencies() ||
      !hlo.shape().is_static()) {
    return false;
  }
  const DotAttrs& attrs = hlo.attrs<DotAttrs>();
  const DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  const int batch = numbers.lhs_batch_dimensions_size();
  const bool batch_first =
      batch == 0 || (batch == 1 && numbers.lhs_batch_dimensions(0) == 0 &&
                     numbers.rhs_batch_dimensions(0) == 0);
  return batch_first &&
         attrs.precision_config.algorithm() == PrecisionConfig::ALG_UNSET &&
         numbers.lhs_contracting_dimensions_size() == 1 &&
         hlo.operand(0)->shape().rank() == batch + 2 &&
         hlo.operand(1)->shape().rank() == batch + 2;
}

bool IsReadOnce(const HloInstruction& hlo) {
  return !hlo.IsRoot() && hlo.user_count() == 1 &&
         std::count(hlo.users()[0]->operands().begin(),
                    hlo.users()[0]->operands().end(), &hlo) == 1;
}

// What `hlo` names through bitcasts, if nothing else reads any of them.
const HloInstruction* OnlyReadHere(const HloInstruction* hlo) {
  while (IsReadOnce(*hlo)) {
    if (hlo->opcode() != HloOpcode::kBitcast) return hlo;
    hlo = hlo->operand(0);
  }
  return nullptr;
}

int64_t LastDimension(const Shape& shape) {
  return shape.dimensions(shape.rank() - 1);
}

// Whether `hlo` is a fusion of rows of `columns` elements with one result, an
// array of `rows` of them.
bool WorksOnRows(const HloInstruction& hlo, int64_t rows, int64_t columns) {
  if (hlo.opcode() != HloOpcode::kFusion || !hlo.shape().IsArray() ||
      hlo.HasControlDependencies() ||
      hlo.attrs<FusionAttrs>().kind != FusionKind::kInput ||
      !std::all_of(
          hlo.operands().begin(), hlo.operands().end(),
          [](const HloInstruction* hlo) { return hlo->shape().IsArray(); })) {
    return false;
  }
  const auto structure = FindReductionStructure(hlo);
  return structure.has_value() && structure->by_rows() &&
         structure->outer == rows && structure->reduced == columns &&
         ShapeUtil::ElementsIn(hlo.shape()) == rows * columns;
}

}  // namespace

std::optional<AttentionGroup> FindAttention(const HloInstruction& second) {
  if (!IsPlainProduct(second)) return std::nullopt;
  const Shape& left = second.operand(0)->shape();
  if (second.attrs<DotAttrs>().dot_dimension_numbers.lhs_contracting_dimensions(
          0) != left.rank() - 1) {
    return std::nullopt;
  }
  const int64_t columns = LastDimension(left);
  const HloInstruction* middle = OnlyReadHere(second.operand(0));
  if (columns == 0 || middle == nullptr ||
      !WorksOnRows(*middle, ShapeUtil::ElementsIn(left) / columns, columns)) {
    return std::nullopt;
  }
  for (int64_t i = 0; i < middle->operand_count(); ++i) {
    const HloInstruction* first = OnlyReadHere(middle->operand(i));
    if (first == nullptr || !IsPlainProduct(*first) ||
        first->shape().dimensions() != left.dimensions() ||
        !CanShareOperand(*middle, 0, i)) {
      continue;
    }
    return AttentionGroup{first, middle, i, &second};
  }
  return std::nullopt;
}

bool IsAttentionFusion(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kFusion &&
         hlo.attrs<FusionAttrs>().kind == FusionKind::kCustom &&
         FindAttention(
             *hlo.fused_instructions_computation()->root_instruction())
             .has_value();
}

}  // namespace xla
