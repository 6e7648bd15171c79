// Puts each value at its place.
#include "xla/hlo/evaluator/linear/sparse_kernel.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include "xla/base/status_macros.h"
#include "xla/core/index_util.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla {

absl::StatusOr<Literal> DenseKernel(const HloInstruction& convolution,
                                    const Literal& values,
                                    const Literal& places) {
  const auto& attrs = convolution.attrs<ConvolutionAttrs>();
  const auto& sparsity = attrs.sparsity_config.rhs();
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      DenseKernelShape(convolution.operand(1)->shape(), attrs));
  TF_ASSIGN_OR_RETURN(Literal dense, MakeArrayResult(shape));
  const int64_t width = LiteralElementBytes(shape.element_type());
  char* to = static_cast<char*>(dense.untyped_data());
  const char* from = static_cast<const char*>(values.untyped_data());
  if (dense.size_bytes() > 0) std::memset(to, 0, dense.size_bytes());
  ShapeUtil::ForEachIndexNoStatus(
      values.shape(), [&](absl::Span<const int64_t> index) {
        const std::optional<int64_t> place = places.GetIntegralAsS64(index);
        if (!place.has_value() || *place < 0 ||
            *place >= sparsity.block_size()) {
          return true;
        }
        DimensionVector target(index.begin(), index.end());
        int64_t& at = target[sparsity.dimension()];
        at = at * sparsity.block_size() + *place;
        std::memcpy(
            to + width * IndexUtil::MultidimensionalIndexToLinearIndex(
                             dense.shape(), target),
            from + width * IndexUtil::MultidimensionalIndexToLinearIndex(
                               values.shape(), index),
            width);
        return true;
      });
  return dense;
}

}  // namespace xla
