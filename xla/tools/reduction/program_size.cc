// Counts instructions, elements and text.
#include "xla/tools/reduction/program_size.h"

#include <cmath>

#include "xla/core/shape_util.h"

namespace xla::tools {
namespace {

double NumberIn(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kConstant || !hlo.shape().IsArray() ||
      !hlo.shape().dimensions().empty()) {
    return 0;
  }
  return std::abs(
      static_cast<double>(hlo.literal().GetFirstInteger().value_or(0)));
}

}  // namespace

ProgramSize SizeOf(const HloModule& module) {
  ProgramSize size;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      ++size.instructions;
      if (hlo->opcode() != HloOpcode::kParameter &&
          hlo->opcode() != HloOpcode::kConstant) {
        ++size.operations;
      }
      size.numbers += NumberIn(*hlo);
      ShapeUtil::ForEachSubshape(hlo->shape(),
                                 [&](const Shape& shape, const ShapeIndex&) {
                                   if (!shape.IsArray()) return;
                                   double elements = 1;
                                   for (const int64_t d : shape.dimensions())
                                     elements *= d;
                                   size.elements += elements;
                                 });
    }
  }
  size.text_bytes = static_cast<int64_t>(module.ToString().size());
  return size;
}

}  // namespace xla::tools
