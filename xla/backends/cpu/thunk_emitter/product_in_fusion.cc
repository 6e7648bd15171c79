// Finds the parts of product fusions and their code.
#include "xla/backends/cpu/thunk_emitter/product_in_fusion.h"

#include <optional>

#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/backends/cpu/thunk_emitter/operand_planner.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

// Returns the bytes of an element of `array` if it has those of `whole`, one
// for one, else 0.
int64_t BytesIfWhole(const Shape& array, const Shape& whole) {
  return ShapeUtil::ElementsIn(array) == ShapeUtil::ElementsIn(whole)
             ? primitive_util::ByteWidth(array.element_type())
             : 0;
}

}  // namespace

ProductInFusion::ProductInFusion(const HloInstruction& instruction)
    : instruction_(instruction), product_(&instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) return;
  product_ = instruction.fused_instructions_computation()->root_instruction();
  if (const auto after = FindEpilogue(*product_)) {
    product_ = after->product;
    last_ = after->last;
    operand_of_last_ = after->operand;
  }
  if (const auto before = FindPrologue(*product_)) {
    producer_ = before->producer;
    computed_operand_ = before->operand;
  }
}

const HloInstruction& ProductInFusion::Outside(
    const HloInstruction& inside) const {
  return instruction_.opcode() == HloOpcode::kFusion
             ? *instruction_.operand(inside.parameter_number())
             : inside;
}

std::vector<NativeKernel> NativeKernelsOfProduct(const HloInstruction& fusion) {
  const ProductInFusion product(fusion);
  std::vector<NativeKernel> kernels;
  if (product.last() != nullptr) {
    const Shape& shape = product.last()->shape();
    kernels.push_back(
        {.rows = product.last(),
         .block = product.operand_of_last(),
         .columns = EpilogueColumns(shape.dimensions(shape.rank() - 1))});
  }
  ScaledWeights weights;
  if (product.producer() != nullptr && !IsReadInPlace(*product.producer()) &&
      !ScaledDotOf(product, &weights).has_value()) {
    const HloInstruction* producer = product.producer();
    const Shape& operand =
        product.hlo().operand(product.computed_operand())->shape();
    const int64_t row = operand.dimensions(operand.rank() - 1);
    kernels.push_back({.rows = producer,
                       .block = producer->operand_count(),
                       .columns = *PrologueColumns(producer->shape(), row)});
  }
  return kernels;
}

absl::StatusOr<Epilogue> EpilogueOf(const ProductInFusion& product,
                                    const ThunkEmitterContext& context) {
  Epilogue epilogue;
  if (product.last() == nullptr) return epilogue;
  const Shape& shape = product.last()->shape();
  epilogue.columns = shape.dimensions(shape.rank() - 1);
  epilogue.step = EpilogueColumns(epilogue.columns);
  epilogue.block = product.operand_of_last();
  for (int64_t i = 0; i < product.last()->operand_count(); ++i) {
    Slice& slice = epilogue.operands.emplace_back();
    int64_t& element_bytes = epilogue.element_bytes.emplace_back(0);
    if (i == epilogue.block) continue;
    const HloInstruction& operand =
        product.Outside(*product.last()->operand(i));
    element_bytes = BytesIfWhole(operand.shape(), shape);
    TF_ASSIGN_OR_RETURN(slice, context.SliceOf(operand, 0));
    epilogue.reads.push_back(slice);
  }
  TF_ASSIGN_OR_RETURN(epilogue.function,
                      context.KernelOf(product.instruction()));
  return epilogue;
}

std::optional<DotDesc> ScaledDotOf(const ProductInFusion& product,
                                   ScaledWeights* weights) {
  const HloInstruction& dot = product.hlo();
  const auto found =
      FindScaledWeights({product.producer(), &dot, product.computed_operand()});
  const Shape& left = dot.operand(0)->shape();
  const Shape& right = dot.operand(1)->shape();
  // Products are rounded as the operand's type is.
  const PrimitiveType type = right.element_type();
  if (!found.has_value() || (type != F32 && type != BF16) || left.rank() != 2) {
    return std::nullopt;
  }
  const auto& numbers = dot.attrs<DotAttrs>().dot_dimension_numbers;
  DotDesc desc;
  desc.lhs_transposed = numbers.lhs_contracting_dimensions(0) == 0;
  desc.rhs_transposed = numbers.rhs_contracting_dimensions(0) == 1;
  desc.m = left.dimensions(desc.lhs_transposed ? 1 : 0);
  desc.k = left.dimensions(desc.lhs_transposed ? 0 : 1);
  desc.n = right.dimensions(desc.rhs_transposed ? 0 : 1);
  desc.lhs = left.element_type();
  desc.rhs = found->type;
  desc.rhs_bits_packed = found->packed;
  desc.out = dot.shape().element_type();
  if (const int64_t scales = found->scales.operand; scales >= 0) {
    desc.scales = {product.producer()->operand(scales)->shape().element_type(),
                   found->group, type == BF16};
  }
  if (!HasScaledDot(desc)) return std::nullopt;
  *weights = *found;
  return desc;
}

namespace {

absl::StatusOr<OperandPlan> PlanArray(const ScaledWeights::Array& array,
                                      const ProductInFusion& product,
                                      const ThunkEmitterContext& context) {
  const auto outside = [&](int64_t operand) {
    return &product.Outside(*product.producer()->operand(operand));
  };
  const HloInstruction& whole = *outside(array.operand);
  if (array.slice == nullptr) return PlanOperand(whole, context);
  std::vector<const HloInstruction*> indices;
  for (int64_t i = 1; i < array.slice->operand_count(); ++i) {
    const HloInstruction* index = array.slice->operand(i);
    indices.push_back(index->opcode() == HloOpcode::kParameter
                          ? outside(index->parameter_number())
                          : nullptr);
  }
  return PlanSlice(*array.slice, whole, indices, context);
}

}  // namespace

absl::StatusOr<Prologue> PrologueOf(const ProductInFusion& product,
                                    const ThunkEmitterContext& context) {
  Prologue prologue;
  const HloInstruction* producer = product.producer();
  if (producer == nullptr || IsReadInPlace(*producer)) return prologue;
  const Shape& operand =
      product.hlo().operand(product.computed_operand())->shape();
  prologue.row = operand.dimensions(operand.rank() - 1);
  prologue.step = *PrologueColumns(producer->shape(), prologue.row);
  prologue.width = primitive_util::ByteWidth(operand.element_type());
  for (const HloInstruction* value : producer->operands()) {
    TF_ASSIGN_OR_RETURN(const Slice slice,
                        context.SliceOf(product.Outside(*value), 0));
    prologue.ahead_bytes.push_back(BytesIfWhole(value->shape(), operand));
    prologue.reads.push_back(slice);
  }
  ScaledWeights scaled;
  prologue.weights = ScaledDotOf(product, &scaled);
  if (prologue.weights.has_value()) {
    TF_ASSIGN_OR_RETURN(prologue.elements,
                        PlanArray(scaled.elements, product, context));
    if (scaled.scales.operand >= 0) {
      TF_ASSIGN_OR_RETURN(prologue.scales,
                          PlanArray(scaled.scales, product, context));
    }
    return prologue;
  }
  TF_ASSIGN_OR_RETURN(prologue.function,
                      context.KernelOf(product.instruction(),
                                       product.last() == nullptr ? 0 : 1));
  return prologue;
}

}  // namespace xla::cpu
