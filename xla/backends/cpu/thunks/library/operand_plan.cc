// Copies arrays into the order and type of a kernel.
#include "xla/backends/cpu/thunks/library/operand_plan.h"

#include <algorithm>

#include "xla/base/checked_math.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/strided_copy.h"

namespace xla::cpu {

void OperandPlan::AddReads(BufferUses& uses) const {
  uses.Read(slice);
  for (const Start& start : starts) uses.Read(start.index);
  uses.Read(whole_indices);
}

int64_t OperandPlan::MovedBytes() const {
  if (!moves()) return 0;
  return RoundUpTo(elements() * LiteralElementBytes(array_type), 64);
}

int64_t OperandPlan::ScratchBytes() const {
  if (type == array_type) return MovedBytes();
  return MovedBytes() + RoundUpTo(elements() * LiteralElementBytes(type), 64);
}

void OperandPlan::Move(bool forth, const char* from, char* to) const {
  DimensionVector sizes, program, kernel(order.size(), 1);
  int64_t stride = 1;
  DimensionVector strides(order.size(), 1);
  for (int d = static_cast<int>(order.size()) - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= dimensions[d];
  }
  for (const int64_t d : order) {
    sizes.push_back(dimensions[d]);
    program.push_back(strides[d]);
  }
  for (int d = static_cast<int>(order.size()) - 2; d >= 0; --d) {
    kernel[d] = kernel[d + 1] * sizes[d + 1];
  }
  StridedCopy(LiteralElementBytes(array_type), sizes, from,
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
  const int64_t count = elements();
  if (count == 0) return data;
  if (moves()) {
    Move(/*forth=*/true, data, scratch);
    data = scratch;
    scratch += MovedBytes();
  }
  if (type != array_type) {
    ConvertElements(array_type, data, type, scratch, count);
    data = scratch;
  }
  return data;
}

char* OperandPlan::Place(const DeviceRun& run, char* scratch) const {
  return moves() ? scratch : run.At(slice);
}

void OperandPlan::Finish(const DeviceRun& run, const char* scratch) const {
  if (moves() && elements() > 0) {
    Move(/*forth=*/false, scratch, run.At(slice));
  }
}

}  // namespace xla::cpu
