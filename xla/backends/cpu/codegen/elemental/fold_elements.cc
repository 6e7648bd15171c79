// One element of reduce, reduce-window and dot: loops inside the element, in
// the order of the operand. What computes whole results at once, and faster, is
// left to emitters of its own.
#include <algorithm>
#include <vector>

#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_position.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

// The index of a loop variable in [0, size).
IndexTerm LoopTerm(llvm::Value* i, int64_t size) {
  IndexTerm term{.base = i, .min = 0, .max = size - 1};
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(i)) {
    term.min = term.max = known->getSExtValue();
  }
  return term;
}

}  // namespace

absl::StatusOr<Element> ElementalEmitter::EmitFolded(
    const HloInstruction* instruction, const LaneIndex& index, int64_t leaf,
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

absl::Status ElementalEmitter::EmitFoldStep(const HloInstruction* instruction,
                                            const LaneIndex& operand_index,
                                            Accumulators& accumulators) {
  const int64_t k = instruction->operand_count() / 2;
  std::vector<Element> values;
  for (int64_t i = 0; i < k; ++i) {
    LaneIndex at = operand_index;
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

absl::StatusOr<Element> ElementalEmitter::EmitReduce(
    const HloInstruction* instruction, LaneIndex& index, int64_t leaf) {
  const HloInstruction* operand = instruction->operand(0);
  const Shape& result = instruction->shape().IsTuple()
                            ? instruction->shape().tuple_shapes(0)
                            : instruction->shape();
  index.MakeTerms(b(), result.dimensions());
  const auto& reduced = instruction->attrs<ReduceAttrs>().dimensions;
  const auto& dims = operand->shape().dimensions();
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (PositionOf(reduced, d) >= 0) sizes.push_back(dims[d]);
  }
  return EmitFolded(instruction, index, leaf, [&](Accumulators& accumulators) {
    return EmitForEach(b(), sizes, [&](absl::Span<llvm::Value* const> at) {
      Scope scope(*this);
      LaneIndex source{.lanes = index.lanes};
      size_t loop = 0;
      size_t kept = 0;
      for (size_t d = 0; d < dims.size(); ++d) {
        source.terms.push_back(PositionOf(reduced, d) >= 0
                                   ? LoopTerm(at[loop++], dims[d])
                                   : index.terms[kept++]);
      }
      if (source.terms.empty()) source.linear = index.linear;
      return EmitFoldStep(instruction, source, accumulators);
    });
  });
}

absl::StatusOr<Element> ElementalEmitter::EmitReduceWindow(
    const HloInstruction* instruction, LaneIndex& index, int64_t leaf) {
  const Shape& operand = instruction->operand(0)->shape();
  const Shape& result = instruction->shape().IsTuple()
                            ? instruction->shape().tuple_shapes(0)
                            : instruction->shape();
  index.MakeTerms(b(), result.dimensions());
  const TermBuilder t(b(), index.lanes);
  const Window& window = instruction->attrs<ReduceWindowAttrs>().window;
  std::vector<int64_t> sizes;
  int64_t points = 1;
  for (const WindowDimension& dim : window.dimensions()) {
    sizes.push_back(dim.size());
    points *= dim.size();
  }
  auto at_point = [&](absl::Span<llvm::Value* const> at,
                      Accumulators& accumulators) -> absl::Status {
    Scope scope(*this);
    InsideTest test(b(), index.lanes);
    LaneIndex source{.lanes = index.lanes};
    for (int d = 0; d < window.dimensions_size(); ++d) {
      const WindowDimension& dim = window.dimensions(d);
      IndexTerm term =
          t.Add(t.Multiply(index.terms[d], dim.stride()), -dim.padding_low());
      term = t.Add(
          term, t.Multiply(LoopTerm(at[d], dim.size()), dim.window_dilation()));
      source.terms.push_back(
          test.Require(term, operand.dimensions(d), dim.base_dilation()));
    }
    if (source.terms.empty()) source.linear = index.linear;
    llvm::Value* inside = test.inside();
    if (!inside->getType()->isVectorTy()) {
      return EmitWhen(b(), inside, [&] {
        return EmitFoldStep(instruction, source, accumulators);
      });
    }
    const std::vector<Element> before = accumulators.Get();
    llvm::Value* mask = context_.mask == nullptr
                            ? inside
                            : b().CreateAnd(context_.mask, inside);
    {
      Masked masked(context_, mask);
      TF_RETURN_IF_ERROR(EmitFoldStep(instruction, source, accumulators));
    }
    std::vector<Element> after = accumulators.Get();
    for (size_t i = 0; i < after.size(); ++i) {
      after[i].value =
          b().CreateSelect(inside, after[i].value, before[i].value);
      if (after[i].imag != nullptr) {
        after[i].imag = b().CreateSelect(inside, after[i].imag, before[i].imag);
      }
    }
    accumulators.Set(after);
    return absl::OkStatus();
  };
  if (ShapeUtil::ElementsIn(operand) == 0) points = 0;
  return EmitFolded(instruction, index, leaf,
                    [&](Accumulators& accumulators) -> absl::Status {
                      if (points == 0) return absl::OkStatus();
                      if (points > 32) {
                        return EmitForEach(
                            b(), sizes, [&](absl::Span<llvm::Value* const> at) {
                              return at_point(at, accumulators);
                            });
                      }
                      // Few points are straight code, in which bounds fold.
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
                    });
}

absl::StatusOr<Element> ElementalEmitter::EmitDot(
    const HloInstruction* instruction, LaneIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  const auto& numbers = instruction->attrs<DotAttrs>().dot_dimension_numbers;
  const Shape& lhs = instruction->operand(0)->shape();
  const Shape& rhs = instruction->operand(1)->shape();
  std::vector<int64_t> sizes;
  for (int64_t d : numbers.lhs_contracting_dimensions()) {
    sizes.push_back(lhs.dimensions(d));
  }
  // Operand dimensions that a result dimension indexes, in order: batch, then
  // free ones of lhs, then of rhs.
  auto operand_index = [&](const Shape& shape, const auto& batch,
                           const auto& contracting, int64_t first_free,
                           absl::Span<llvm::Value* const> at) {
    LaneIndex source{.lanes = index.lanes};
    int64_t free = first_free;
    const int64_t rank = shape.dimensions().size();
    for (int64_t d = 0; d < rank; ++d) {
      if (int64_t p = PositionOf(contracting, d); p >= 0) {
        source.terms.push_back(LoopTerm(at[p], shape.dimensions(d)));
      } else if (p = PositionOf(batch, d); p >= 0) {
        source.terms.push_back(index.terms[p]);
      } else {
        source.terms.push_back(index.terms[free++]);
      }
    }
    return source;
  };
  const int64_t batches = numbers.lhs_batch_dimensions_size();
  const int64_t lhs_free = lhs.dimensions().size() - batches -
                           numbers.lhs_contracting_dimensions_size();
  const PrimitiveType result_type = instruction->shape().element_type();
  const PrimitiveType type =
      AccumulatorType(lhs.element_type(), rhs.element_type(), result_type);
  const Element zero =
      Splat(b(), ZeroElement(b().getContext(), type), index.lanes);
  Accumulators sum(b(), {zero});
  TF_RETURN_IF_ERROR(EmitForEach(
      b(), sizes, [&](absl::Span<llvm::Value* const> at) -> absl::Status {
        Scope scope(*this);
        TF_ASSIGN_OR_RETURN(
            Element x, Emit(instruction->operand(0),
                            operand_index(lhs, numbers.lhs_batch_dimensions(),
                                          numbers.lhs_contracting_dimensions(),
                                          batches, at)));
        TF_ASSIGN_OR_RETURN(
            Element y, Emit(instruction->operand(1),
                            operand_index(rhs, numbers.rhs_batch_dimensions(),
                                          numbers.rhs_contracting_dimensions(),
                                          batches + lhs_free, at)));
        TF_ASSIGN_OR_RETURN(x,
                            EmitConvert(context_, lhs.element_type(), type, x));
        TF_ASSIGN_OR_RETURN(y,
                            EmitConvert(context_, rhs.element_type(), type, y));
        TF_ASSIGN_OR_RETURN(
            Element next, EmitMultiplyAdd(context_, type, x, y, sum.Get()[0]));
        sum.Set({next});
        return absl::OkStatus();
      }));
  return EmitConvert(context_, type, result_type, sum.Get()[0]);
}

}  // namespace xla::cpu
