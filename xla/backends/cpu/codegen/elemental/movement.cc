// Ops that only say where an element comes from, by indices that are known at
// compile time.
#include <algorithm>
#include <limits>

#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::cpu {

absl::StatusOr<Element> ElementalEmitter::EmitBroadcast(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  LaneIndex operand{.lanes = index.lanes};
  for (int64_t d : instruction->attrs<BroadcastAttrs>().dimensions) {
    operand.terms.push_back(index.terms[d]);
  }
  if (operand.terms.empty()) {
    operand.linear = TermBuilder(b(), index.lanes).Constant(0);
  }
  return Emit(instruction->operand(0), std::move(operand));
}

absl::StatusOr<Element> ElementalEmitter::EmitReshape(
    const HloInstruction* instruction, const LaneIndex& index) {
  const HloInstruction* operand = instruction->operand(0);
  LaneIndex reshaped = index.Reshaped(b(), instruction->shape().dimensions(),
                                      operand->shape().dimensions());
  if (instruction->shape().element_type() != operand->shape().element_type()) {
    return absl::UnimplementedError(absl::StrCat(
        "bitcast that changes the element type: ", instruction->ToString()));
  }
  return Emit(operand, std::move(reshaped));
}

absl::StatusOr<Element> ElementalEmitter::EmitTranspose(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  LaneIndex operand{.lanes = index.lanes};
  operand.terms.resize(index.terms.size());
  const auto& permutation = instruction->attrs<TransposeAttrs>().dimensions;
  for (size_t i = 0; i < permutation.size(); ++i) {
    operand.terms[permutation[i]] = index.terms[i];
  }
  if (operand.terms.empty()) operand.linear = index.linear;
  return Emit(instruction->operand(0), std::move(operand));
}

absl::StatusOr<Element> ElementalEmitter::EmitSlice(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  LaneIndex operand{.lanes = index.lanes};
  const auto& ranges = instruction->attrs<SliceAttrs>().slice;
  for (size_t d = 0; d < ranges.size(); ++d) {
    operand.terms.push_back(
        t.Add(t.Multiply(index.terms[d], ranges[d].stride), ranges[d].start));
  }
  if (operand.terms.empty()) operand.linear = index.linear;
  return Emit(instruction->operand(0), std::move(operand));
}

absl::StatusOr<Element> ElementalEmitter::EmitReverse(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  LaneIndex operand{.lanes = index.lanes, .terms = index.terms};
  for (int64_t d : instruction->attrs<ReverseAttrs>().dimensions) {
    operand.terms[d] =
        t.SubtractFrom(instruction->shape().dimensions(d) - 1, index.terms[d]);
  }
  if (operand.terms.empty()) operand.linear = index.linear;
  return Emit(instruction->operand(0), std::move(operand));
}

absl::StatusOr<Element> ElementalEmitter::EmitIota(
    const HloInstruction* instruction, LaneIndex& index) {
  const Shape& shape = instruction->shape();
  index.MakeTerms(b(), shape.dimensions());
  const int64_t d = instruction->attrs<IotaAttrs>().iota_dimension;
  llvm::Value* position =
      TermBuilder(b(), index.lanes).Materialize(index.terms[d]);
  // Conversions of 32-bit numbers are the cheaper ones.
  const bool narrow = shape.dimensions(d) <= INT32_MAX;
  if (narrow) {
    position =
        b().CreateTrunc(position, WithLanes(b().getInt32Ty(), index.lanes));
  }
  return EmitConvert(context_, narrow ? S32 : S64, shape.element_type(),
                     {position});
}

namespace {

// Operand i of a concatenate is at [starts[i], starts[i + 1]).
DimensionVector OperandStarts(const HloInstruction* concatenate, int64_t d) {
  DimensionVector starts = {0};
  for (const HloInstruction* operand : concatenate->operands()) {
    starts.push_back(starts.back() + operand->shape().dimensions(d));
  }
  return starts;
}

// If all operands [first, last] of a concatenate are slices of one array which
// differ only along `d`, the array; else null. A roll is of this kind.
const HloInstruction* CommonSource(const HloInstruction* concatenate,
                                   int64_t first, int64_t last, int64_t d) {
  const HloInstruction* source = nullptr;
  const std::vector<SliceRange>* ranges = nullptr;
  for (int64_t i = first; i <= last; ++i) {
    const HloInstruction* operand = concatenate->operand(i);
    if (operand->opcode() != HloOpcode::kSlice) return nullptr;
    const auto& slice = operand->attrs<SliceAttrs>().slice;
    if (source == nullptr) {
      source = operand->operand(0);
      ranges = &slice;
    }
    if (operand->operand(0) != source) return nullptr;
    for (size_t k = 0; k < slice.size(); ++k) {
      const bool same = slice[k].start == (*ranges)[k].start &&
                        slice[k].stride == (*ranges)[k].stride;
      if (static_cast<int64_t>(k) == d ? slice[k].stride != 1 : !same) {
        return nullptr;
      }
    }
  }
  return source;
}

}  // namespace

absl::StatusOr<Element> ElementalEmitter::EmitConcatenate(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  const int64_t d = instruction->attrs<ConcatenateAttrs>().dimensions[0];
  const IndexTerm term = index.terms[d];
  const DimensionVector starts = OperandStarts(instruction, d);
  int64_t first = 0;
  int64_t last = instruction->operand_count() - 1;
  while (first < last && term.min >= starts[first + 1]) ++first;
  while (last > first && term.max < starts[last]) --last;

  // Slices that are in memory have their own.
  bool in_memory = false;
  for (int64_t i = first; i <= last; ++i) {
    in_memory |= BoundArray(instruction->operand(i), 0) != nullptr;
  }
  const HloInstruction* source = first < last && term.uniform() && !in_memory
                                     ? CommonSource(instruction, first, last, d)
                                     : nullptr;
  if (source != nullptr) {
    // Only the index depends on the operand that it falls into.
    llvm::Value* position = nullptr;
    LaneIndex operand{.lanes = index.lanes};
    for (int64_t i = last; i >= first; --i) {
      const auto& slice = instruction->operand(i)->attrs<SliceAttrs>().slice;
      llvm::Value* here = t.Add(term, slice[d].start - starts[i]).base;
      position =
          position == nullptr
              ? here
              : b().CreateSelect(t.Less(term, starts[i + 1]), here, position);
      if (i > first) continue;
      for (size_t k = 0; k < slice.size(); ++k) {
        operand.terms.push_back(
            t.Add(t.Multiply(index.terms[k], slice[k].stride), slice[k].start));
      }
    }
    operand.terms[d] =
        t.FromValue(position, 0, source->shape().dimensions(d) - 1);
    return Emit(source, std::move(operand));
  }

  auto emit_operand = [&](int64_t i) -> absl::StatusOr<Element> {
    LaneIndex operand{.lanes = index.lanes, .terms = index.terms};
    const int64_t size = starts[i + 1] - starts[i];
    operand.terms[d] = t.Within(t.Add(term, -starts[i]), size);
    return Emit(instruction->operand(i), std::move(operand));
  };
  std::vector<int64_t> filled;  // those with elements
  for (int64_t i = first; i <= last; ++i) {
    if (starts[i] < starts[i + 1] || first == last) filled.push_back(i);
  }
  // A balanced tree of tests: thousands of operands nest a dozen deep.
  std::function<absl::StatusOr<Element>(size_t, size_t)> among =
      [&](size_t begin, size_t end) -> absl::StatusOr<Element> {
    if (end - begin == 1) return emit_operand(filled[begin]);
    const size_t middle = begin + (end - begin) / 2;
    return EmitIf(
        t.Less(term, starts[filled[middle]]),
        [&] { return among(begin, middle); },
        [&] { return among(middle, end); });
  };
  return among(0, filled.size());
}

absl::StatusOr<Element> ElementalEmitter::EmitPad(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const TermBuilder t(b(), index.lanes);
  const HloInstruction* operand = instruction->operand(0);
  auto padding_value = [&]() -> absl::StatusOr<Element> {
    TF_ASSIGN_OR_RETURN(Element value, EmitScalar(instruction->operand(1)));
    return Splat(b(), value, index.lanes);
  };
  if (ShapeUtil::ElementsIn(operand->shape()) == 0) return padding_value();

  InsideTest test(b(), index.lanes);
  LaneIndex source{.lanes = index.lanes};
  const auto& padding = instruction->attrs<PadAttrs>().padding;
  for (int d = 0; d < padding.dimensions_size(); ++d) {
    const auto& dim = padding.dimensions(d);
    const int64_t size = operand->shape().dimensions(d);
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    source.terms.push_back(test.Require(
        t.Add(index.terms[d], -std::max(dim.edge_padding_low(), -kMost)), size,
        size > 1 ? dim.interior_padding() + 1 : 1));
  }
  if (source.terms.empty()) source.linear = index.linear;
  return EmitIf(
      test.inside(), [&] { return Emit(operand, source); }, padding_value);
}

}  // namespace xla::cpu
