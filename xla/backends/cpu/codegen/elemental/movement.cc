// Ops that only move elements, by their indexing maps.
#include <functional>
#include <optional>
#include <utility>

#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/map_terms.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {

absl::StatusOr<Element> ElementalEmitter::EmitMoved(
    const HloInstruction* instruction, VectorIndex& index) {
  TF_ASSIGN_OR_RETURN(const OpIndexing* indexing, Indexing(instruction));
  const VectorIndex given = index;
  index.MakeTerms(b(), instruction->shape().dimensions());
  if (std::optional<RangePartition> partition = PartitionOf(*indexing)) {
    return EmitPart(instruction, *partition, index);
  }
  return EmitFirst(instruction, indexing->reads, given, index);
}

absl::StatusOr<Element> ElementalEmitter::EmitFirst(
    const HloInstruction* instruction, absl::Span<const OperandIndexing> reads,
    const VectorIndex& given, const VectorIndex& index) {
  for (size_t i = 0; i < reads.size(); ++i) {
    const IndexingMap& map = reads[i].map;
    const HloInstruction* operand = instruction->operand(reads[i].operand);
    if (map.empty() || ShapeUtil::ElementsIn(operand->shape()) == 0) continue;
    if (map.IsIdentity() &&
        ShapeUtil::SameDimensions(operand->shape(), instruction->shape())) {
      return Emit(operand, given);
    }
    MapTerms terms(*this, *instruction, map, index);
    TF_ASSIGN_OR_RETURN(llvm::Value * inside, terms.Inside());
    TF_ASSIGN_OR_RETURN(VectorIndex source,
                        terms.Source(operand->shape().dimensions()));
    return EmitIf(
        inside, [&] { return Emit(operand, std::move(source)); },
        [&] {
          return EmitFirst(instruction, reads.subspan(i + 1), given, index);
        });
  }
  // No read has an element at this index.
  return Splat(
      b(), ZeroElement(b().getContext(), instruction->shape().element_type()),
      index.lanes);
}

absl::StatusOr<Element> ElementalEmitter::EmitPart(
    const HloInstruction* instruction, const RangePartition& partition,
    const VectorIndex& index) {
  absl::Span<const RangePartition::Part> parts = partition.parts;
  const AffineIndexBuilder t(b(), index.lanes);
  MapTerms terms(*this, *instruction, parts[0].read->map, index);
  TF_ASSIGN_OR_RETURN(const AffineIndex term, terms.Term(partition.expr));
  while (parts.size() > 1 && term.min > parts.front().values.upper) {
    parts.remove_prefix(1);
  }
  while (parts.size() > 1 && term.max < parts.back().values.lower) {
    parts.remove_suffix(1);
  }
  if (parts.size() > 1 && term.uniform()) {
    TF_ASSIGN_OR_RETURN(std::optional<Element> element,
                        EmitFromOneArray(instruction, term, parts, index));
    if (element.has_value()) return *element;
  }
  auto emit_part =
      [&](const RangePartition::Part& part) -> absl::StatusOr<Element> {
    const HloInstruction* operand = instruction->operand(part.read->operand);
    MapTerms terms(*this, *instruction, part.read->map, index);
    TF_RETURN_IF_ERROR(terms.AssumeInside());
    TF_ASSIGN_OR_RETURN(VectorIndex source,
                        terms.Source(operand->shape().dimensions()));
    return Emit(operand, std::move(source));
  };
  // A balanced tree of tests: even thousands of parts nest only a dozen deep.
  std::function<absl::StatusOr<Element>(size_t, size_t)> among =
      [&](size_t begin, size_t end) -> absl::StatusOr<Element> {
    if (end - begin == 1) return emit_part(parts[begin]);
    const size_t middle = begin + (end - begin) / 2;
    return EmitIf(
        t.Less(term, parts[middle].values.lower),
        [&] { return among(begin, middle); },
        [&] { return among(middle, end); });
  };
  return among(0, parts.size());
}

// Emits parts of one array, such as those of a roll: only the index depends on
// the part that an element is in, which `term`, uniform over the lanes, tells.
absl::StatusOr<std::optional<Element>> ElementalEmitter::EmitFromOneArray(
    const HloInstruction* instruction, const AffineIndex& term,
    absl::Span<const RangePartition::Part> parts, const VectorIndex& index) {
  const std::optional<CommonArray> common =
      CommonArrayOf(*instruction, parts, [&](const HloInstruction& value) {
        return arrays_.contains({&value, 0}) ||
               generators_.contains({&value, 0});
      });
  if (!common.has_value()) return std::nullopt;
  const absl::Span<const int64_t> sizes = common->array->shape().dimensions();
  const AffineIndexBuilder t(b(), index.lanes);
  VectorIndex source{.lanes = index.lanes};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::optional<AffineIndex> chosen;
    for (size_t i = parts.size(); i-- > 0;) {
      if (chosen.has_value() &&
          common->maps[i].results()[d] == common->maps[i + 1].results()[d]) {
        continue;
      }
      MapTerms terms(*this, *instruction, common->maps[i], index);
      TF_ASSIGN_OR_RETURN(AffineIndex here,
                          terms.Term(common->maps[i].results()[d]));
      if (!chosen.has_value()) {
        chosen = here;
        continue;
      }
      if (!here.uniform()) return std::nullopt;
      chosen =
          t.FromValue(b().CreateSelect(t.Less(term, parts[i].values.upper + 1),
                                       here.base, chosen->base),
                      0, sizes[d] - 1);
    }
    source.terms.push_back(*std::move(chosen));
  }
  if (source.terms.empty()) source.linear = t.Constant(0);
  TF_ASSIGN_OR_RETURN(Element element, Emit(common->array, std::move(source)));
  return element;
}

absl::StatusOr<Element> ElementalEmitter::EmitReshape(
    const HloInstruction* instruction, const VectorIndex& index) {
  const HloInstruction* operand = instruction->operand(0);
  VectorIndex reshaped = index.Reshaped(b(), instruction->shape().dimensions(),
                                        operand->shape().dimensions());
  if (instruction->shape().element_type() != operand->shape().element_type()) {
    return absl::UnimplementedError(absl::StrCat(
        "bitcast that changes the element type: ", instruction->ToString()));
  }
  return Emit(operand, std::move(reshaped));
}

absl::StatusOr<Element> ElementalEmitter::EmitIota(
    const HloInstruction* instruction, VectorIndex& index) {
  const Shape& shape = instruction->shape();
  index.MakeTerms(b(), shape.dimensions());
  const int64_t d = instruction->attrs<IotaAttrs>().iota_dimension;
  llvm::Value* position =
      AffineIndexBuilder(b(), index.lanes).Materialize(index.terms[d]);
  // Conversions from 32-bit integers are cheaper.
  const bool narrow = shape.dimensions(d) <= INT32_MAX;
  if (narrow) {
    position =
        b().CreateTrunc(position, WithLanes(b().getInt32Ty(), index.lanes));
  }
  return EmitConvert(context_, narrow ? S32 : S64, shape.element_type(),
                     {position});
}

}  // namespace xla::cpu
