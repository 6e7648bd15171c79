// One function per op; they share the broadcasts of features over elements.
#include "xla/hlo/transforms/expand/batch_norm_expander.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

class Expander {
 public:
  Expander(HloBuilder& emit, const HloInstruction& hlo,
           absl::Span<const DynamicArray> operands)
      : emit_(emit),
        attrs_(hlo.attrs<BatchNormAttrs>()),
        operands_(operands),
        stored_(operands[0].data->shape().element_type()),
        computed_(stored_ == F64 ? F64 : F32) {
    const DynamicArray& x = operands[0];
    const auto sizes = x.data->shape().dimensions();
    sizes_.assign(sizes.begin(), sizes.end());
    double count = 1;
    Hlo dynamic_count = nullptr;
    for (int64_t d = 0; d < x.data->shape().rank(); ++d) {
      if (d == attrs_.feature_index) continue;
      reduced_.push_back(d);
      if (!x.IsDynamic(d)) {
        count *= static_cast<double>(sizes[d]);
        continue;
      }
      Hlo size = emit_.Convert(x.sizes[d], computed_);
      dynamic_count =
          dynamic_count == nullptr ? size : emit_.Times(dynamic_count, size);
    }
    count_ = emit_.Number(computed_, count);
    if (dynamic_count != nullptr) count_ = emit_.Times(count_, dynamic_count);
    mask_ = WithinSizes(emit_, x, reduced_);
  }

  std::vector<Hlo> Training() {
    Hlo x = Operand(0);
    Hlo mean = Mean(x);
    Hlo centered = emit_.Minus(x, OverElements(mean));
    Hlo variance = Mean(emit_.Times(centered, centered));
    Hlo factor = emit_.Times(Operand(1), InverseDeviation(variance));
    Hlo result = emit_.Plus(emit_.Times(centered, OverElements(factor)),
                            OverElements(Operand(2)));
    return {Result(result), Result(mean), Result(variance)};
  }

  std::vector<Hlo> Inference() {
    Hlo factor = emit_.Times(Operand(1), InverseDeviation(Operand(4)));
    Hlo centered = emit_.Minus(Operand(0), OverElements(Operand(3)));
    Hlo result = emit_.Plus(emit_.Times(centered, OverElements(factor)),
                            OverElements(Operand(2)));
    return {Result(result)};
  }

  std::vector<Hlo> Gradient() {
    Hlo gradient = Operand(4);
    Hlo centered = emit_.Minus(Operand(0), OverElements(Operand(2)));
    Hlo inverse = InverseDeviation(Operand(3));
    Hlo offset_gradient = Sum(gradient);
    Hlo scale_gradient =
        emit_.Times(Sum(emit_.Times(gradient, centered)), inverse);
    // These are c_l, d_l and the rest of the document.
    Hlo n = emit_.Splat(count_, inverse->shape().dimensions());
    Hlo c = emit_.Over(emit_.Times(scale_gradient, inverse), n);
    Hlo d = emit_.Over(offset_gradient, n);
    Hlo inner = emit_.Minus(emit_.Minus(gradient, OverElements(d)),
                            emit_.Times(OverElements(c), centered));
    Hlo result =
        emit_.Times(OverElements(emit_.Times(Operand(1), inverse)), inner);
    return {Result(result), Result(scale_gradient), Result(offset_gradient)};
  }

 private:
  Hlo Operand(int64_t i) { return emit_.Convert(operands_[i].data, computed_); }
  Hlo Result(Hlo x) { return emit_.Convert(x, stored_); }
  Hlo OverElements(Hlo features) {
    return emit_.Broadcast(features, sizes_, {attrs_.feature_index});
  }
  Hlo Sum(Hlo x) {
    Hlo zero = emit_.Zero(computed_);
    if (mask_ != nullptr) x = emit_.Select(mask_, x, emit_.Splat(zero, sizes_));
    return emit_.Reduce(HloOpcode::kAdd, x, zero, reduced_);
  }
  Hlo Mean(Hlo x) {
    Hlo sum = Sum(x);
    return emit_.Over(sum, emit_.Splat(count_, sum->shape().dimensions()));
  }
  Hlo InverseDeviation(Hlo variance) {
    return emit_.Unary(
        HloOpcode::kRsqrt,
        emit_.Plus(variance, emit_.NumberLike(variance, attrs_.epsilon)));
  }

  HloBuilder& emit_;
  const BatchNormAttrs attrs_;
  const absl::Span<const DynamicArray> operands_;
  const PrimitiveType stored_, computed_;
  std::vector<int64_t> sizes_, reduced_;
  Hlo count_ = nullptr;  // elements per feature
  Hlo mask_ = nullptr;   // null: all elements count
};

}  // namespace

std::vector<Hlo> EmitBatchNorm(HloBuilder& emit, const HloInstruction& hlo,
                               absl::Span<const DynamicArray> operands) {
  Expander expander(emit, hlo, operands);
  if (hlo.opcode() == HloOpcode::kBatchNormTraining) {
    return expander.Training();
  }
  return hlo.opcode() == HloOpcode::kBatchNormInference ? expander.Inference()
                                                        : expander.Gradient();
}

absl::StatusOr<bool> BatchNormExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      const HloOpcode opcode = hlo->opcode();
      if ((opcode != HloOpcode::kBatchNormTraining &&
           opcode != HloOpcode::kBatchNormInference &&
           opcode != HloOpcode::kBatchNormGrad) ||
          hlo->shape().is_dynamic()) {
        continue;
      }
      HloBuilder emit(hlo);
      std::vector<DynamicArray> operands;
      for (Hlo operand : hlo->operands()) {
        operands.push_back(StaticArray(operand));
      }
      const std::vector<Hlo> results = EmitBatchNorm(emit, *hlo, operands);
      TF_RETURN_IF_ERROR(emit.ReplaceSource(
          hlo->shape().IsTuple() ? emit.Tuple(results) : results[0]));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
