// A comparison of places with an iota makes the zeros.
#include "xla/hlo/transforms/linear/sparse_convolution_expander.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// Returns the places in a type that holds any of them and 0 to N - 1.
Hlo WidePlaces(HloBuilder& emit, Hlo places) {
  const bool is_signed =
      primitive_util::IsSignedIntegralType(places->shape().element_type());
  return emit.Convert(places, is_signed ? S64 : U64);
}

absl::Status Densify(Hlo convolution) {
  ConvolutionAttrs attrs = convolution->attrs<ConvolutionAttrs>();
  const SparsityConfig::TensorSparsityConfig sparsity =
      attrs.sparsity_config.rhs();
  const int64_t dim = sparsity.dimension();
  HloBuilder emit(convolution);
  Hlo kernel = convolution->mutable_operand(1);
  Hlo values = emit.Element(kernel, 0);
  Hlo places = WidePlaces(emit, emit.Element(kernel, 1));
  Dims dense(values->shape().dimensions().begin(),
             values->shape().dimensions().end());
  Dims blocks = dense;
  blocks.insert(blocks.begin() + dim + 1, sparsity.block_size());
  dense[dim] *= sparsity.block_size();
  Dims kept;
  for (int64_t d = 0; d < static_cast<int64_t>(blocks.size()); ++d) {
    if (d != dim + 1) kept.push_back(d);
  }
  Hlo hit = emit.Compare(
      ComparisonDirection::kEq, emit.Broadcast(places, blocks, kept),
      emit.Iota(places->shape().element_type(), blocks, dim + 1));
  Hlo zeros = emit.Splat(emit.Zero(values->shape().element_type()), blocks);
  Hlo chosen = emit.Select(hit, emit.Broadcast(values, blocks, kept), zeros);
  attrs.sparsity_config.Clear();
  return emit.ReplaceSource(
      emit.Add(HloOpcode::kConvolution, convolution->shape(),
               {convolution->mutable_operand(0), emit.Reshape(chosen, dense)},
               std::move(attrs)));
}

}  // namespace

absl::StatusOr<bool> SparseConvolutionExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kConvolution ||
          !hlo->attrs<ConvolutionAttrs>().sparsity_config.has_rhs()) {
        continue;
      }
      TF_RETURN_IF_ERROR(Densify(hlo));
      module->set_is_scheduled(false);
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
