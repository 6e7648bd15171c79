// One element of reduce, reduce-window and dot: loops inside the element, in
// the order of the operand. Faster emitters that compute whole results at once
// are in folders of their own.
#include <algorithm>
#include <vector>

#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/map_terms.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// A dot of up to so many products for each element is straight code rather than
// a loop.
constexpr int64_t kStraightDot = 16;

// Affine indices of the loop variables that count the ranges of a map.
std::vector<AffineIndex> RangeTerms(absl::Span<llvm::Value* const> at,
                                    absl::Span<const int64_t> sizes) {
  std::vector<AffineIndex> terms;
  for (size_t i = 0; i < at.size(); ++i) {
    AffineIndex term{.base = at[i], .min = 0, .max = sizes[i] - 1};
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(at[i])) {
      term.min = term.max = known->getSExtValue();
    }
    terms.push_back(term);
  }
  return terms;
}

}  // namespace

absl::StatusOr<Element> ElementalEmitter::EmitReduced(
    const HloInstruction* instruction, const VectorIndex& index, int64_t leaf,
    const std::function<absl::Status(Accumulators&)>& steps) {
  const int64_t k = instruction->operand_count() / 2;
  std::vector<Element> initial;
  for (int64_t i = 0; i < k; ++i) {
    TF_ASSIGN_OR_RETURN(Element init, EmitScalar(instruction->operand(k + i)));
    initial.push_back(Splat(b(), init, index.lanes));
  }
  Accumulators accumulators(b(), initial);
  TF_RETURN_IF_ERROR(steps(accumulators));
  const std::vector<Element> results = accumulators.Get();
  for (int64_t i = 0; i < k; ++i) {
    memo_.back()[KeyOf(instruction, i, index)] = results[i];
  }
  return results[leaf];
}

absl::Status ElementalEmitter::EmitReductionStep(
    const HloInstruction* instruction, const VectorIndex& operand_index,
    Accumulators& accumulators) {
  const int64_t k = instruction->operand_count() / 2;
  std::vector<Element> values;
  for (int64_t i = 0; i < k; ++i) {
    VectorIndex at = operand_index;
    TF_ASSIGN_OR_RETURN(Element value,
                        Emit(instruction->operand(i), std::move(at)));
    values.push_back(Splat(b(), value, operand_index.lanes));
  }
  std::vector<Element> arguments = accumulators.Get();
  arguments.insert(arguments.end(), values.begin(), values.end());
  TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                      EmitComputation(*instruction->to_apply(), arguments));
  for (Element& result : results) {
    result = Splat(b(), result, operand_index.lanes);
  }
  accumulators.Set(results);
  return absl::OkStatus();
}

absl::Status ElementalEmitter::EmitFoldStepInside(
    const HloInstruction* instruction, llvm::Value* inside,
    const VectorIndex& source, Accumulators& accumulators) {
  if (!inside->getType()->isVectorTy()) {
    return EmitWhen(b(), inside, [&] {
      return EmitReductionStep(instruction, source, accumulators);
    });
  }
  const std::vector<Element> before = accumulators.Get();
  llvm::Value* mask =
      context_.mask == nullptr ? inside : b().CreateAnd(context_.mask, inside);
  {
    Masked masked(context_, mask);
    TF_RETURN_IF_ERROR(EmitReductionStep(instruction, source, accumulators));
  }
  std::vector<Element> after = accumulators.Get();
  for (size_t i = 0; i < after.size(); ++i) {
    after[i].value = b().CreateSelect(inside, after[i].value, before[i].value);
    if (after[i].imag != nullptr) {
      after[i].imag = b().CreateSelect(inside, after[i].imag, before[i].imag);
    }
  }
  accumulators.Set(after);
  return absl::OkStatus();
}

absl::StatusOr<Element> ElementalEmitter::EmitReduction(
    const HloInstruction* instruction, VectorIndex& index, int64_t leaf,
    int64_t most_straight) {
  const Shape& operand = instruction->operand(0)->shape();
  const Shape& result = instruction->shape().IsTuple()
                            ? instruction->shape().tuple_shapes(0)
                            : instruction->shape();
  TF_ASSIGN_OR_RETURN(const OpIndexing* indexing, Indexing(instruction));
  index.MakeTerms(b(), result.dimensions());
  const IndexingMap& map = indexing->reads[0].map;
  const std::vector<int64_t> sizes = map.RangeSizes();
  auto at_point = [&](absl::Span<llvm::Value* const> at,
                      Accumulators& accumulators) -> absl::Status {
    Scope scope(*this);
    const std::vector<AffineIndex> ranges = RangeTerms(at, sizes);
    MapTerms terms(*this, *instruction, map, index, ranges);
    TF_ASSIGN_OR_RETURN(llvm::Value * inside, terms.Inside());
    TF_ASSIGN_OR_RETURN(VectorIndex source, terms.Source(operand.dimensions()));
    return EmitFoldStepInside(instruction, inside, source, accumulators);
  };
  const bool nothing = map.empty() || ShapeUtil::ElementsIn(operand) == 0;
  auto steps = [&](Accumulators& accumulators) -> absl::Status {
    if (nothing) return absl::OkStatus();
    int64_t points = 1;
    for (int64_t size : sizes)
      points = std::min(points, most_straight + 1) * size;
    if (points > most_straight) {
      return EmitForEach(b(), sizes, [&](absl::Span<llvm::Value* const> at) {
        return at_point(at, accumulators);
      });
    }
    for (int64_t p = 0; p < points; ++p) {
      std::vector<llvm::Value*> at(sizes.size());
      int64_t rest = p;
      for (size_t d = sizes.size(); d-- > 0;) {
        at[d] = b().getInt64(rest % sizes[d]);
        rest /= sizes[d];
      }
      TF_RETURN_IF_ERROR(at_point(at, accumulators));
    }
    return absl::OkStatus();
  };
  return EmitReduced(instruction, index, leaf, steps);
}

absl::StatusOr<Element> ElementalEmitter::EmitDot(
    const HloInstruction* instruction, VectorIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  TF_ASSIGN_OR_RETURN(const OpIndexing* indexing, Indexing(instruction));
  const std::vector<int64_t> sizes = indexing->reads[0].map.RangeSizes();
  const PrimitiveType result_type = instruction->shape().element_type();
  const PrimitiveType type = AccumulatorType(
      instruction->operand(0)->shape().element_type(),
      instruction->operand(1)->shape().element_type(), result_type);
  const Element zero =
      Splat(b(), ZeroElement(b().getContext(), type), index.lanes);
  Accumulators sum(b(), {zero});
  TF_RETURN_IF_ERROR(EmitForEach(
      b(), sizes,
      [&](absl::Span<llvm::Value* const> at) -> absl::Status {
        Scope scope(*this);
        const std::vector<AffineIndex> ranges = RangeTerms(at, sizes);
        Element sides[2];
        for (int i = 0; i < 2; ++i) {
          const HloInstruction* operand = instruction->operand(i);
          MapTerms terms(*this, *instruction, indexing->reads[i].map, index,
                         ranges);
          TF_ASSIGN_OR_RETURN(VectorIndex source,
                              terms.Source(operand->shape().dimensions()));
          TF_ASSIGN_OR_RETURN(sides[i], Emit(operand, std::move(source)));
        }
        for (int i = 0; i < 2; ++i) {
          TF_ASSIGN_OR_RETURN(
              sides[i],
              EmitConvert(context_,
                          instruction->operand(i)->shape().element_type(), type,
                          sides[i]));
        }
        TF_ASSIGN_OR_RETURN(
            Element next,
            EmitMultiplyAdd(context_, type, sides[0], sides[1], sum.Get()[0]));
        sum.Set({next});
        return absl::OkStatus();
      },
      kStraightDot));
  return EmitConvert(context_, type, result_type, sum.Get()[0]);
}

}  // namespace xla::cpu
