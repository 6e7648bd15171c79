// Recognizes stacked columns by their shapes.
#include "xla/backends/cpu/analysis/stacked_columns.h"

#include <cstdint>

#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::cpu {
namespace {

// The most columns: each has code of its own.
constexpr int64_t kMaxColumns = 32;
// The least rows: some vectors, or a few of them if there are many matrices.
constexpr int64_t kMinRows = 64;
constexpr int64_t kMinRowsOfMany = 16;
constexpr int64_t kManyRows = 1024;

}  // namespace

bool StacksColumns(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kConcatenate ||
      primitive_util::IsComplexType(hlo.shape().element_type())) {
    return false;
  }
  const Shape& shape = hlo.shape();
  const int64_t rank = static_cast<int64_t>(shape.dimensions().size());
  if (rank < 2 || hlo.attrs<ConcatenateAttrs>().dimensions[0] != rank - 1) {
    return false;
  }
  const int64_t rows = shape.dimensions(rank - 2);
  const int64_t columns = shape.dimensions(rank - 1);
  const bool many = ShapeUtil::ElementsIn(shape) >= kManyRows * columns;
  return rows >= (many ? kMinRowsOfMany : kMinRows) && columns >= 2 &&
         columns <= kMaxColumns && 2 * hlo.operand_count() >= columns;
}

}  // namespace xla::cpu
