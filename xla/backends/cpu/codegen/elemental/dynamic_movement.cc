// Ops that say where an element comes from by indices known at run time.
#include <algorithm>
#include <vector>

#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_position.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::cpu {
absl::StatusOr<IndexTerm> EmitSliceStart(ElementalEmitter& emitter,
                                         const HloInstruction* start,
                                         int64_t largest) {
  TF_ASSIGN_OR_RETURN(llvm::Value * value, emitter.EmitScalarIndex(start));
  const TermBuilder t(emitter.b(), 1);
  return t.Clamp(t.FromValue(value, INT64_MIN, INT64_MAX), 0, largest);
}

absl::StatusOr<Element> ElementalEmitter::EmitDynamicSlice(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  const HloInstruction* operand = instruction->operand(0);
  LaneIndex source{.lanes = index.lanes};
  for (size_t d = 0; d < operand->shape().dimensions().size(); ++d) {
    const int64_t size = operand->shape().dimensions(d);
    const int64_t largest = size - instruction->shape().dimensions(d);
    IndexTerm term = index.terms[d];
    if (largest > 0) {
      TF_ASSIGN_OR_RETURN(
          IndexTerm start,
          EmitSliceStart(*this, instruction->operand(1 + d), largest));
      term = t.Add(term, start);
      term.max = std::min(term.max, size - 1);
    }
    source.terms.push_back(term);
  }
  if (source.terms.empty()) source.linear = index.linear;
  return Emit(operand, std::move(source));
}

absl::StatusOr<Element> ElementalEmitter::EmitDynamicUpdateSlice(
    const HloInstruction* instruction, LaneIndex& index) {
  const HloInstruction* operand = instruction->operand(0);
  const HloInstruction* update = instruction->operand(1);
  LaneIndex whole = index;
  if (ShapeUtil::ElementsIn(update->shape()) == 0) {
    return Emit(operand, std::move(whole));
  }
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  InsideTest test(b(), index.lanes);
  LaneIndex source{.lanes = index.lanes};
  for (size_t d = 0; d < update->shape().dimensions().size(); ++d) {
    const int64_t size = update->shape().dimensions(d);
    const int64_t largest = operand->shape().dimensions(d) - size;
    IndexTerm term = index.terms[d];
    if (largest > 0) {
      TF_ASSIGN_OR_RETURN(
          IndexTerm start,
          EmitSliceStart(*this, instruction->operand(2 + d), largest));
      term = test.Require(t.Add(term, t.Multiply(start, -1)), size);
    }
    source.terms.push_back(term);
  }
  if (source.terms.empty()) source.linear = index.linear;
  return EmitIf(
      test.inside(), [&] { return Emit(update, source); },
      [&] { return Emit(operand, whole); });
}

absl::StatusOr<Element> ElementalEmitter::EmitGather(
    const HloInstruction* instruction, LaneIndex& index) {
  const GatherAttrs& attrs = instruction->attrs<GatherAttrs>();
  const auto& numbers = attrs.dimension_numbers;
  const HloInstruction* operand = instruction->operand(0);
  if (PositionOf(attrs.slice_sizes, 0) >= 0) {
    // Nothing is gathered; an empty operand has no memory to read from.
    TF_ASSIGN_OR_RETURN(const Literal zero,
                        Literal::Make(ShapeUtil::MakeShape(
                            instruction->shape().element_type(), {})));
    return Splat(b(), ConstantElement(b().getContext(), zero, 0), index.lanes);
  }
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  const HloInstruction* starts = instruction->operand(1);

  // Result dimensions that are not offsets index the start indices.
  LaneIndex start_index{.lanes = index.lanes};
  for (size_t d = 0; d < index.terms.size(); ++d) {
    if (PositionOf(numbers.offset_dims(), d) < 0) {
      start_index.terms.push_back(index.terms[d]);
    }
  }
  const LaneIndex batch = start_index;
  const int64_t vector_dim = numbers.index_vector_dim();
  const bool has_vector_dim =
      vector_dim < static_cast<int64_t>(starts->shape().dimensions().size());
  auto component = [&](int64_t k) -> absl::StatusOr<IndexTerm> {
    LaneIndex at = batch;
    if (has_vector_dim) {
      at.terms.insert(at.terms.begin() + vector_dim, t.Constant(k));
    }
    if (at.terms.empty()) at.linear = t.Constant(0);
    const bool uniform = std::all_of(at.terms.begin(), at.terms.end(),
                                     [](auto& x) { return x.uniform(); });
    if (uniform) at.lanes = 1;
    TF_ASSIGN_OR_RETURN(Element element, Emit(starts, std::move(at)));
    return t.FromValue(
        IndexFromInteger(b(), element.value, starts->shape().element_type()),
        INT64_MIN, INT64_MAX);
  };

  LaneIndex source{.lanes = index.lanes};
  int offset_dim = 0;
  for (int64_t d = 0;
       d < static_cast<int64_t>(operand->shape().dimensions().size()); ++d) {
    IndexTerm term = t.Constant(0);
    if (const int64_t k = PositionOf(numbers.operand_batching_dims(), d);
        k >= 0) {
      const int64_t dim = numbers.start_indices_batching_dims(k);
      // The dimension of the start indices, without that of the vectors.
      term = batch.terms[dim - (has_vector_dim && vector_dim < dim ? 1 : 0)];
      source.terms.push_back(term);
      continue;
    }
    if (PositionOf(numbers.collapsed_slice_dims(), d) < 0) {
      term = index.terms[numbers.offset_dims(offset_dim++)];
    }
    const int64_t size = operand->shape().dimensions(d);
    const int64_t largest = size - attrs.slice_sizes[d];
    if (const int64_t k = PositionOf(numbers.start_index_map(), d);
        k >= 0 && largest > 0) {
      TF_ASSIGN_OR_RETURN(IndexTerm start, component(k));
      start = t.Clamp(start, 0, largest);
      term = t.Add(term, start);
      term.max = std::min(term.max, size - 1);
    }
    source.terms.push_back(term);
  }
  if (source.terms.empty()) source.linear = t.Constant(0);
  return Emit(operand, std::move(source));
}

}  // namespace xla::cpu
