// Finds the parts of epilogue fusions, and calls their code.
#include "xla/backends/cpu/thunk_emitter/epilogue.h"

#include <optional>

#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {

ProductInFusion::ProductInFusion(const HloInstruction& instruction)
    : instruction_(instruction), product_(&instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) return;
  const EpilogueGroup group = *FindEpilogue(
      *instruction.fused_instructions_computation()->root_instruction());
  product_ = group.product;
  last_ = group.last;
  operand_of_last_ = group.operand;
}

const HloInstruction& ProductInFusion::Outside(
    const HloInstruction& inside) const {
  return last_ == nullptr ? inside
                          : *instruction_.operand(inside.parameter_number());
}

NativeKernel NativeEpilogueOf(const HloInstruction& fusion) {
  const ProductInFusion product(fusion);
  const Shape& shape = product.last()->shape();
  return {.rows = product.last(),
          .block = product.operand_of_last(),
          .columns = EpilogueColumns(shape.dimensions(shape.rank() - 1))};
}

absl::StatusOr<Epilogue> Epilogue::Of(const ProductInFusion& product,
                                      const ThunkEmitterContext& context) {
  Epilogue epilogue;
  if (product.last() == nullptr) return epilogue;
  const Shape& shape = product.last()->shape();
  epilogue.columns_ = shape.dimensions(shape.rank() - 1);
  epilogue.step_ = EpilogueColumns(epilogue.columns_);
  epilogue.block_ = product.operand_of_last();
  for (int64_t i = 0; i < product.last()->operand_count(); ++i) {
    Slice& slice = epilogue.operands_.emplace_back();
    if (i == epilogue.block_) continue;
    const HloInstruction& operand =
        product.Outside(*product.last()->operand(i));
    TF_ASSIGN_OR_RETURN(slice, context.SliceOf(operand, 0));
    epilogue.reads_.push_back(slice);
  }
  TF_ASSIGN_OR_RETURN(epilogue.function_,
                      context.KernelOf(product.instruction()));
  return epilogue;
}

Epilogue::Call::Call(const Epilogue& epilogue, const DeviceRun& run,
                     Slice result)
    : epilogue_(epilogue) {
  for (size_t i = 0; i < epilogue.operands_.size(); ++i) {
    arrays_.push_back(run.At(static_cast<int64_t>(i) == epilogue.block_
                                 ? result
                                 : epilogue.operands_[i]));
  }
}

void Epilogue::Call::operator()(int64_t row, int64_t rows, int64_t column,
                                int64_t columns) const {
  const int64_t step = epilogue_.step_;
  const int64_t steps = CeilOfRatio(epilogue_.columns_, step);
  if (columns == epilogue_.columns_) {
    return epilogue_.function_(arrays_.data(), row * steps,
                               (row + rows) * steps);
  }
  const int64_t first = column / step;
  const int64_t last = CeilOfRatio(column + columns, step);
  for (int64_t r = row; r < row + rows; ++r) {
    epilogue_.function_(arrays_.data(), r * steps + first, r * steps + last);
  }
}

}  // namespace xla::cpu
