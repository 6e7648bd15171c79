// Ops that only move elements, by their indexing maps.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/IR/Constants.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/map_terms.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {
namespace {

// Returns the dimension along which the lanes lie, one after the other from a
// known index on, if `term` is so too; nullopt if they lie otherwise.
std::optional<size_t> KnownLanes(const VectorIndex& index,
                                 const AffineIndex& term) {
  const auto is_known = [](const AffineIndex& x) {
    return x.affine() && x.step == 1 && !x.masked &&
           llvm::isa<llvm::ConstantInt>(x.base);
  };
  if (index.lanes == 1 || !is_known(term)) return std::nullopt;
  std::optional<size_t> dimension;
  for (size_t d = 0; d < index.terms.size(); ++d) {
    if (index.terms[d].uniform()) continue;
    if (dimension.has_value() || !is_known(index.terms[d])) return std::nullopt;
    dimension = d;
  }
  return dimension;
}

// Returns `vector` (null: any value), of `lanes` lanes, with `part` in its
// lanes from `begin` on.
llvm::Value* Joined(llvm::IRBuilder<>& b, llvm::Value* vector,
                    llvm::Value* part, int64_t begin, int lanes) {
  const int count = LanesOf(part);
  if (vector == nullptr) {
    vector = llvm::PoisonValue::get(
        WithLanes(part->getType()->getScalarType(), lanes));
  }
  if (count == 1) return b.CreateInsertElement(vector, part, begin);
  std::vector<int> wide(lanes, -1), mask(lanes);
  std::iota(mask.begin(), mask.end(), 0);
  for (int l = 0; l < count; ++l) {
    wide[begin + l] = l;
    mask[begin + l] = static_cast<int>(lanes + begin + l);
  }
  return b.CreateShuffleVector(vector, b.CreateShuffleVector(part, wide), mask);
}

}  // namespace

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
  if (parts.size() > 1 && context_.mask == nullptr) {
    if (const auto dimension = KnownLanes(index, term)) {
      return EmitJoined(instruction, parts, index, *dimension, term);
    }
  }
  auto emit_part = [&](const RangePartition::Part& part) {
    return EmitOnePart(instruction, part, index);
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

absl::StatusOr<Element> ElementalEmitter::EmitOnePart(
    const HloInstruction* instruction, const RangePartition::Part& part,
    const VectorIndex& index) {
  const HloInstruction* operand = instruction->operand(part.read->operand);
  MapTerms terms(*this, *instruction, part.read->map, index);
  TF_RETURN_IF_ERROR(terms.AssumeInside());
  TF_ASSIGN_OR_RETURN(VectorIndex source,
                      terms.Source(operand->shape().dimensions()));
  return Emit(operand, std::move(source));
}

absl::StatusOr<Element> ElementalEmitter::EmitJoined(
    const HloInstruction* instruction,
    absl::Span<const RangePartition::Part> parts, const VectorIndex& index,
    size_t dimension, const AffineIndex& term) {
  const int64_t first =
      llvm::cast<llvm::ConstantInt>(term.base)->getSExtValue();
  Element joined;
  for (const RangePartition::Part& part : parts) {
    const int64_t begin = std::max<int64_t>(part.values.lower - first, 0);
    const int64_t end =
        std::min<int64_t>(part.values.upper + 1 - first, index.lanes);
    if (begin >= end) continue;
    VectorIndex at{.lanes = static_cast<int>(end - begin)};
    at.terms = index.terms;
    const int64_t from =
        begin + llvm::cast<llvm::ConstantInt>(index.terms[dimension].base)
                    ->getSExtValue();
    AffineIndex& lane = at.terms[dimension];
    lane = AffineIndexBuilder(b(), at.lanes).Constant(from);
    lane.max = from + at.lanes - 1;
    if (at.lanes > 1) lane.step = 1;
    TF_ASSIGN_OR_RETURN(Element element, EmitOnePart(instruction, part, at));
    element = Splat(b(), element, at.lanes);
    joined.value = Joined(b(), joined.value, element.value, begin, index.lanes);
    if (element.imag != nullptr) {
      joined.imag = Joined(b(), joined.imag, element.imag, begin, index.lanes);
    }
  }
  return joined;
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
