// Indices become s32 before anything is subtracted from them.
#include "xla/hlo/transforms/partition_rules/indexing.h"

#include "xla/core/primitive_util.h"

namespace xla {

HloInstruction* ClampIndex(SpmdBuilder& emit, HloInstruction* index,
                           int64_t low, int64_t high) {
  if (primitive_util::BitWidth(index->shape().element_type()) < 32) {
    index = emit.Convert(index, S32);
  }
  index =
      emit.Binary(HloOpcode::kMinimum, index, emit.IntegerLike(index, high));
  if (primitive_util::IsSignedIntegralType(index->shape().element_type())) {
    index =
        emit.Binary(HloOpcode::kMaximum, index, emit.IntegerLike(index, low));
  }
  return emit.Convert(index, S32);
}

int32_t FactorOf(const DimensionFactors& factors, int64_t operand,
                 int64_t dimension) {
  const DimensionFactors::Dimension& found =
      factors.operands[operand][dimension];
  return found.size() == 1 ? found[0] : -1;
}

int64_t DimensionOf(const DimensionFactors& factors, int64_t operand,
                    int32_t factor) {
  return DimensionFactors::DimensionOf(factors.operands[operand], factor);
}

bool HasZero(PrimitiveType type) { return type != F8E8M0FNU; }

HloOpcode MergingOp(PrimitiveType type) {
  return type == PRED ? HloOpcode::kOr : HloOpcode::kAdd;
}

HloOpcode MergingOpOf(const HloInstruction& hlo) {
  return MergingOp(hlo.shape().element_type());
}

HloInstruction* MapComponents(
    SpmdBuilder& emit, const IndexVectors& vectors,
    absl::FunctionRef<HloInstruction*(HloInstruction* x, int64_t dimension)>
        component) {
  HloInstruction* indices = vectors.indices;
  const absl::Span<const int64_t> dimensions = indices->shape().dimensions();
  const int64_t along = vectors.vector_dimension;
  if (along == static_cast<int64_t>(dimensions.size())) {
    return component(indices, vectors.component_dimensions[0]);
  }
  std::vector<int64_t> batch(dimensions.begin(), dimensions.end());
  batch.erase(batch.begin() + along);
  std::vector<int64_t> one(dimensions.begin(), dimensions.end());
  one[along] = 1;
  std::vector<HloInstruction*> parts;
  for (size_t k = 0; k < vectors.component_dimensions.size(); ++k) {
    HloInstruction* x = emit.SliceDim(indices, along, k, k + 1);
    x = component(emit.Reshape(x, batch), vectors.component_dimensions[k]);
    parts.push_back(emit.Reshape(x, one));
  }
  return emit.Concatenate(parts, along);
}

}  // namespace xla
