// Copies arrays into the order and type of a kernel.
#include "xla/backends/cpu/thunk_emitter/operand_plan.h"

#include <algorithm>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {

const HloInstruction* ConstantAt(const HloInstruction& hlo) {
  const HloInstruction* source = &hlo;
  while (source->opcode() == HloOpcode::kBitcast) source = source->operand(0);
  return source->IsConstant() ? source : nullptr;
}

absl::StatusOr<OperandPlan> OperandPlan::Of(
    const HloInstruction& hlo, const ThunkEmitterContext& context) {
  OperandPlan plan;
  TF_ASSIGN_OR_RETURN(plan.slice, context.SliceOf(hlo, 0));
  plan.shape = hlo.shape();
  plan.type = hlo.shape().element_type();
  return plan;
}

absl::StatusOr<OperandPlan> OperandPlan::OfSlice(
    const HloInstruction& dynamic_slice, const HloInstruction& array,
    absl::Span<const HloInstruction* const> indices,
    const ThunkEmitterContext& context) {
  OperandPlan plan;
  TF_ASSIGN_OR_RETURN(plan.slice, context.SliceOf(array, 0));
  plan.shape = dynamic_slice.shape();
  plan.type = plan.shape.element_type();
  int64_t bytes = LiteralElementBytes(plan.type);
  for (int64_t d = plan.shape.rank() - 1; d >= 0; --d) {
    const int64_t size = array.shape().dimensions(d);
    const int64_t limit = size - plan.shape.dimensions(d);
    if (indices[d] != nullptr) {
      TF_ASSIGN_OR_RETURN(const Slice index, context.SliceOf(*indices[d], 0));
      if (limit == 0) {
        plan.whole_indices.push_back(index);
      } else {
        plan.starts.push_back(
            {index, indices[d]->shape().element_type(), limit, bytes});
      }
    }
    bytes *= size;
  }
  return plan;
}

void OperandPlan::AddReads(BufferUses& uses) const {
  uses.Read(slice);
  for (const Start& start : starts) uses.Read(start.index);
  uses.Read(whole_indices);
}

int64_t OperandPlan::MovedBytes() const {
  if (!moves()) return 0;
  return RoundUpTo(
      ShapeUtil::ElementsIn(shape) * LiteralElementBytes(shape.element_type()),
      64);
}

int64_t OperandPlan::ScratchBytes() const {
  if (type == shape.element_type()) return MovedBytes();
  return MovedBytes() +
         RoundUpTo(ShapeUtil::ElementsIn(shape) * LiteralElementBytes(type),
                   64);
}

void OperandPlan::Move(bool forth, const char* from, char* to) const {
  DimensionVector sizes, program, kernel(order.size(), 1);
  int64_t stride = 1;
  DimensionVector strides(order.size(), 1);
  for (int d = static_cast<int>(order.size()) - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape.dimensions(d);
  }
  for (const int64_t d : order) {
    sizes.push_back(shape.dimensions(d));
    program.push_back(strides[d]);
  }
  for (int d = static_cast<int>(order.size()) - 2; d >= 0; --d) {
    kernel[d] = kernel[d + 1] * sizes[d + 1];
  }
  StridedCopy(LiteralElementBytes(shape.element_type()), sizes, from,
              forth ? program : kernel, to, forth ? kernel : program);
}

const char* OperandPlan::Prepare(const DeviceRun& run, char* scratch) const {
  const char* data = run.At(slice);
  for (const Start& start : starts) {
    int64_t index = 0;
    ConvertElements(start.type, run.At(start.index), S64,
                    reinterpret_cast<char*>(&index), 1);
    // Only numbers of 64 bits without a sign exceed those with one.
    if (start.type == U64 && index < 0) index = start.limit;
    data += std::clamp<int64_t>(index, 0, start.limit) * start.bytes;
  }
  if (is_in_place()) return data;
  const int64_t count = ShapeUtil::ElementsIn(shape);
  if (count == 0) return data;
  if (moves()) {
    Move(/*forth=*/true, data, scratch);
    data = scratch;
    scratch += MovedBytes();
  }
  if (type != shape.element_type()) {
    ConvertElements(shape.element_type(), data, type, scratch, count);
    data = scratch;
  }
  return data;
}

char* OperandPlan::Place(const DeviceRun& run, char* scratch) const {
  return moves() ? scratch : run.At(slice);
}

void OperandPlan::Finish(const DeviceRun& run, const char* scratch) const {
  if (moves() && ShapeUtil::ElementsIn(shape) > 0) {
    Move(/*forth=*/false, scratch, run.At(slice));
  }
}

}  // namespace xla::cpu
