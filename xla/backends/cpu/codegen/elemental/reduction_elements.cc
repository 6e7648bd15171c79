// One element of reduce and reduce-window: loops inside the element, in the
// order of the operand. Faster emitters that compute whole results at once
// are in folders of their own.
#include <algorithm>
#include <vector>

#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/map_terms.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {

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

}  // namespace xla::cpu
