// Extends the loop's carry first, then changes the body.
#include "xla/hlo/transforms/loops/dot_blocks.h"

#include <memory>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/loops/loop_carry.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// The parameters of the blocks of a product.
struct Block {
  Hlo dot;
  Hlo slice;
  int64_t slices;

  int64_t rows() const { return dot->shape().dimensions(0); }
  int64_t columns() const { return dot->shape().dimensions(1); }
  std::vector<int64_t> sizes() const { return {slices * rows(), columns()}; }
};

// (xs, w, from) -> dot(reshape(dynamic-slice(xs, from, ...)), w)
HloComputation* MakeProduct(const Block& block, const Shape& argument) {
  HloComputation* computation =
      block.dot->parent()->parent()->AddEmbeddedComputation(
          std::make_unique<HloComputation>("product_of_some"));
  HloBuilder emit(computation);
  Hlo parameter = computation->AddInstruction(
      HloInstruction::CreateParameter(0, argument, "operands"));
  Hlo xs = emit.Element(parameter, 0);
  std::vector<Hlo> starts = {emit.Element(parameter, 2)};
  Hlo zero = emit.Zero(starts[0]->shape().element_type());
  std::vector<int64_t> sizes(xs->shape().dimensions().begin(),
                             xs->shape().dimensions().end());
  starts.resize(sizes.size(), zero);
  sizes[0] = block.slices;
  Hlo left = emit.Reshape(emit.DynamicSlice(xs, starts, sizes),
                          {block.slices * block.rows(),
                           block.dot->operand(0)->shape().dimensions(1)});
  computation->set_root_instruction(
      emit.Dot(left, emit.Element(parameter, 1), block.dot->attrs<DotAttrs>(),
               block.dot->shape().element_type()));
  return computation;
}

// some -> some
HloComputation* MakeIdentity(HloModule* module, const Shape& shape) {
  HloComputation* computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>("product_before"));
  computation->set_root_instruction(computation->AddInstruction(
      HloInstruction::CreateParameter(0, shape, "some")));
  return computation;
}

}  // namespace

absl::StatusOr<HloInstruction*> MultiplyInBlocks(Hlo loop, Hlo dot, Hlo slice,
                                                 int64_t slices) {
  const Block block = {dot, slice, slices};
  Hlo xs = slice->mutable_operand(0);
  Hlo index = slice->mutable_operand(1);
  const PrimitiveType type = index->shape().element_type();
  const int64_t all = xs->shape().dimensions(0);
  HloComputation* body = dot->parent();
  HloBuilder before(loop->parent());
  // Start behind all slices: the first iteration makes a block, as if the index
  // counted down.
  Hlo nowhere = before.Integer(type, all);
  Hlo nothing =
      before.Splat(before.Zero(dot->shape().element_type()), block.sizes());
  TF_ASSIGN_OR_RETURN(const ExtendedLoop extended,
                      ExtendCarry(loop, {nowhere, nothing}));
  Hlo from = extended.added[0];
  Hlo some = extended.added[1];

  HloBuilder emit(dot);
  auto integer = [&](int64_t value) { return emit.Integer(type, value); };
  auto least = [&](Hlo a, Hlo b) {
    return emit.Binary(HloOpcode::kMinimum, a, b);
  };
  auto greatest = [&](Hlo a, Hlo b) {
    return emit.Binary(HloOpcode::kMaximum, a, b);
  };
  // Clamp as dynamic-slice does.
  Hlo i = least(greatest(index, integer(0)), integer(all - 1));
  Hlo below = emit.Compare(ComparisonDirection::kLt, i, from);
  // The block after this one begins within the array or at its end. No sum
  // overflows except the first iteration's, which is below anyway.
  Hlo above = emit.Compare(ComparisonDirection::kGe, i,
                           emit.Plus(from, integer(slices)));
  Hlo is_new = emit.Binary(HloOpcode::kOr, below, above);
  Hlo down = emit.Minus(greatest(i, integer(slices - 1)), integer(slices - 1));
  Hlo up = least(i, integer(all - slices));
  Hlo next_from = emit.Select(below, down, emit.Select(above, up, from));
  Hlo operands = emit.Tuple({xs, dot->mutable_operand(1), next_from});
  HloModule* module = body->parent();
  Hlo next_some = emit.Add(HloOpcode::kConditional, some->shape(),
                           {is_new, operands, some}, {},
                           {MakeProduct(block, operands->shape()),
                            MakeIdentity(module, some->shape())});
  Hlo zero = integer(0);
  Hlo one = emit.DynamicSlice(
      emit.Reshape(next_some, {slices, block.rows(), block.columns()}),
      {emit.Minus(i, next_from), zero, zero},
      {1, block.rows(), block.columns()});
  Hlo result = emit.Reshape(one, {block.rows(), block.columns()});
  Hlo left = dot->mutable_operand(0);
  TF_RETURN_IF_ERROR(emit.ReplaceSource(result));
  TF_RETURN_IF_ERROR(RemoveIfUnused(left));
  Hlo root = body->root_instruction();
  const int64_t n = root->operand_count();
  TF_RETURN_IF_ERROR(root->ReplaceOperandWith(n - 2, next_from));
  TF_RETURN_IF_ERROR(root->ReplaceOperandWith(n - 1, next_some));
  return extended.loop;
}

}  // namespace xla
