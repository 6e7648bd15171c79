// Makes the whole product in the body, from elements that never change, and
// then moves it before the loop. dot_blocks.h makes blocks.
#include "xla/hlo/transforms/loops/while_loop_dot_hoisting.h"

#include <algorithm>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/loops/dot_blocks.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/matrix_product.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// The most rows of a slice: a product of more rows makes good use of what it
// reads on its own.
constexpr int64_t kMaxRows = 64;
// Limits of the result's size: in bytes, and relative to the array of slices.
constexpr int64_t kMaxBytes = 16 << 20;
constexpr int64_t kMaxGrowth = 8;
// Larger results, in bytes, are made block by block to save memory; smaller
// ones are not, since a block costs each iteration some microseconds.
constexpr int64_t kMaxWholeBytes = 1 << 20;
// The rows of a block: enough for packing the right operand again to pay.
constexpr int64_t kBlockRows = 256;

// Returns the slice that is the left operand of a dot that may be hoisted, or
// null.
Hlo SliceOf(const HloInstruction& loop, int64_t iterations, Hlo dot) {
  if (!IsMatrixProduct(*dot) || ContractedDimension(*dot, 0) != 1 ||
      !IsFixedElement(loop, dot->operand(1))) {
    return nullptr;
  }
  Hlo slice = dot->mutable_operand(0);
  while (slice->opcode() == HloOpcode::kReshape) {
    slice = slice->mutable_operand(0);
  }
  if (!IsOneOfAll(*slice) || !IsFixedElement(loop, slice->operand(0)) ||
      dot->shape().dimensions(0) > kMaxRows) {
    return nullptr;
  }
  const int64_t slices = slice->operand(0)->shape().dimensions(0);
  const int64_t bytes = Bytes(*dot);
  if (slices < 2 || iterations < slices - slices / 4 ||
      bytes > kMaxBytes / slices ||
      bytes > kMaxGrowth * (Bytes(*slice->operand(0)) / slices)) {
    return nullptr;
  }
  return slice;
}

// Replaces `dot` by a slice of dot(reshape(xs), w), which it returns.
absl::StatusOr<Hlo> ProductOfAll(Hlo dot, Hlo slice) {
  HloBuilder emit(dot);
  Hlo xs = slice->mutable_operand(0);
  const int64_t slices = xs->shape().dimensions(0);
  const int64_t rows = dot->shape().dimensions(0);
  const int64_t columns = dot->shape().dimensions(1);
  Hlo flat =
      emit.Reshape(xs, {slices * rows, dot->operand(0)->shape().dimensions(1)});
  Hlo all = emit.Dot(flat, dot->mutable_operand(1), dot->attrs<DotAttrs>(),
                     dot->shape().element_type());
  Hlo start = slice->mutable_operand(1);
  Hlo zero = emit.Zero(start->shape().element_type());
  Hlo one = emit.DynamicSlice(emit.Reshape(all, {slices, rows, columns}),
                              {start, zero, zero}, {1, rows, columns});
  Hlo result = emit.Reshape(one, {rows, columns});
  Hlo left = dot->mutable_operand(0);
  TF_RETURN_IF_ERROR(emit.ReplaceSource(result));
  TF_RETURN_IF_ERROR(RemoveIfUnused(left));
  return all;
}

// Returns how many slices to multiply at a time; 0 means all.
int64_t SlicesOfBlock(const CountedLoop& counted, const HloInstruction& dot,
                      const HloInstruction& slice) {
  const int64_t slices = slice.operand(0)->shape().dimensions(0);
  if (slices * Bytes(dot) <= kMaxWholeBytes) return 0;
  const auto index = SequenceOf(counted, slice.operand(1));
  const int width = ShapeUtil::ByteSizeOfPrimitiveType(
      slice.operand(1)->shape().element_type());
  if (!index.has_value() || (index->step != 1 && index->step != -1) ||
      width < 4) {
    return 0;
  }
  const int64_t rows = std::max<int64_t>(dot.shape().dimensions(0), 1);
  const int64_t some = CeilOfRatio(kBlockRows, rows);
  return some < slices ? some : 0;
}

absl::StatusOr<bool> HoistFrom(Hlo loop, CallerCounts& callers) {
  const auto counted = FindCountedLoop(*loop);
  if (!counted.has_value()) return false;
  auto has_candidate = [&] {
    for (const auto& hlo : loop->while_body()->instructions()) {
      if (SliceOf(*loop, counted->trip_count, hlo) != nullptr) {
        return true;
      }
    }
    return false;
  };
  if (!has_candidate()) return false;
  callers.MakeOwnComputations(loop);
  std::vector<Hlo> moved;
  for (Hlo hlo : loop->while_body()->MakeInstructionPostOrder()) {
    Hlo slice = SliceOf(*loop, counted->trip_count, hlo);
    if (slice == nullptr) continue;
    if (const int64_t some = SlicesOfBlock(*counted, *hlo, *slice); some > 0) {
      TF_ASSIGN_OR_RETURN(loop, MultiplyInBlocks(loop, hlo, slice, some));
      continue;
    }
    TF_ASSIGN_OR_RETURN(Hlo all, ProductOfAll(hlo, slice));
    moved.push_back(all);
  }
  if (!moved.empty()) TF_RETURN_IF_ERROR(MoveBeforeLoop(loop, moved));
  return true;
}

}  // namespace

absl::StatusOr<bool> WhileLoopDotHoisting::RunImpl(HloModule* module) {
  return ChangeExtensibleLoops(module, HoistFrom);
}

}  // namespace xla
