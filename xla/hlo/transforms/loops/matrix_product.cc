// Reads the dimension numbers of dots.
#include "xla/hlo/transforms/loops/matrix_product.h"

#include "xla/hlo/ops/linear/contraction.h"

namespace xla {

bool IsMatrixProduct(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot || hlo.operand(0)->shape().rank() != 2 ||
      hlo.operand(1)->shape().rank() != 2 || hlo.HasControlDependencies()) {
    return false;
  }
  const DotDimensionNumbers& dims = hlo.attrs<DotAttrs>().dot_dimension_numbers;
  return dims.lhs_batch_dimensions_size() == 0 &&
         dims.lhs_contracting_dimensions_size() == 1;
}

int64_t ContractedDimension(const HloInstruction& product, int operand) {
  const DotDimensionNumbers& dims =
      product.attrs<DotAttrs>().dot_dimension_numbers;
  return operand == 0 ? dims.lhs_contracting_dimensions(0)
                      : dims.rhs_contracting_dimensions(0);
}

}  // namespace xla
