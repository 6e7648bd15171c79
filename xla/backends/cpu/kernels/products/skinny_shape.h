// A dot of few rows or columns, seen from its large operand (SkinnyShape), and
// where that lies (Lines).
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_SHAPE_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_SHAPE_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/products/operand_function.h"

namespace xla::cpu {

// The few rows of the result are those of the left operand if there are at most
// as many of these as columns of the right operand; the others are the lines.
struct SkinnyShape {
  PrimitiveType few_type, line_type, out_type;
  bool few_is_left;
  int64_t few, lines, depth;
  // Whether the depth of an operand is contiguous in memory.
  bool few_along_depth, lines_along_depth;
  int64_t few_stride, line_stride, out_stride;
  int64_t out_batch_stride;

  explicit SkinnyShape(const DotDesc& desc)
      : out_type(desc.out),
        few_is_left(desc.m <= desc.n),
        depth(desc.k),
        out_stride(desc.out_stride),
        out_batch_stride(desc.out_batch_stride) {
    if (few_is_left) {
      few = desc.m;
      lines = desc.n;
      few_type = desc.lhs;
      line_type = desc.rhs;
      few_along_depth = !desc.lhs_transposed;
      lines_along_depth = desc.rhs_transposed;
      few_stride = desc.lhs_stride;
      line_stride = desc.rhs_stride;
    } else {
      few = desc.n;
      lines = desc.m;
      few_type = desc.rhs;
      line_type = desc.lhs;
      few_along_depth = desc.rhs_transposed;
      lines_along_depth = !desc.lhs_transposed;
      few_stride = desc.rhs_stride;
      line_stride = desc.lhs_stride;
    }
  }
};

// The large operand of an item: in memory, or rows from `row` on of a function.
struct Lines {
  const char* data;
  const OperandFunction* computed = nullptr;
  int64_t row = 0;
  const char* scales = nullptr;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_SHAPE_H_
