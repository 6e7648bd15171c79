// The bitcast kernel: orders memory by the operand's layout and reads it by the
// result's.
#include <cstring>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/movement/reshape.h"

namespace xla {
namespace {

Shape WithLayout(const Shape& shape) {
  Shape result = shape;
  if (!result.has_layout()) LayoutUtil::SetToDefaultLayout(&result);
  return result;
}

bool IsDense(const Shape& shape) { return shape.layout().is_plain(); }

// Reorders the elements of a row-major array by the layout of `shape`, or back.
// `memory` has the elements of the dense array.
void ReorderDense(const Shape& shape, bool to_memory, char* array,
                  char* memory) {
  const int width = LiteralElementBytes(shape.element_type());
  const auto row_major = RowMajorStrides(shape.dimensions());
  const DimensionVector dense = DenseStrides(shape);
  if (to_memory) {
    StridedCopy(width, shape.dimensions(), array, row_major, memory, dense);
  } else {
    StridedCopy(width, shape.dimensions(), memory, dense, array, row_major);
  }
}

// Like ReorderDense, for a layout with tiles or padding. Skips elements whose
// place is beyond `memory`.
absl::Status ReorderTiled(const Shape& shape, bool to_memory, char* array,
                          std::vector<char>& memory) {
  TF_ASSIGN_OR_RETURN(Tiling tiling, Tiling::Create(shape));
  const int64_t width = LiteralElementBytes(shape.element_type());
  if (to_memory) {
    TF_ASSIGN_OR_RETURN(int64_t bytes,
                        MultiplyOrError(tiling.padded_element_count(), width,
                                        "bitcast: bytes of the tiled operand"));
    TF_ASSIGN_OR_RETURN(Shape buffer,
                        ShapeUtil::MakeValidatedShape(U8, {bytes}));
    TF_RETURN_IF_ERROR(LiteralBytes(buffer).status());
    memory.resize(bytes);
  }
  if (!HasIndex(shape.dimensions())) return absl::OkStatus();
  std::vector<int64_t> index(shape.rank(), 0);
  do {
    const int64_t at = tiling.LinearIndex(index) * width;
    if (at + width <= static_cast<int64_t>(memory.size())) {
      if (to_memory) {
        std::memcpy(&memory[at], array, width);
      } else {
        std::memcpy(array, &memory[at], width);
      }
    }
    array += width;
  } while (NextIndex(shape.dimensions(), absl::MakeSpan(index)));
  return absl::OkStatus();
}

// Packs elements of `bits` each, which take whole bytes in `elements`, to one
// string of bits; the inverse fills `elements`.
std::vector<char> PackBits(int bits, absl::Span<const char> elements) {
  if (bits >= 8) return {elements.begin(), elements.end()};
  std::vector<char> packed(CeilOfRatio(elements.size() * bits, 8), 0);
  for (size_t i = 0; i < elements.size(); ++i) {
    for (int b = 0; b < bits; ++b) {
      const size_t at = i * bits + b;
      packed[at / 8] |= ((elements[i] >> b) & 1) << (at % 8);
    }
  }
  return packed;
}

std::vector<char> UnpackBits(int bits, absl::Span<const char> packed,
                             int64_t size) {
  if (bits >= 8) return {packed.begin(), packed.end()};
  std::vector<char> elements(size, 0);
  for (int64_t i = 0; i < size; ++i) {
    int value = 0;
    for (int b = 0; b < bits; ++b) {
      const int64_t at = i * bits + b;
      value |= ((packed[at / 8] >> (at % 8)) & 1) << b;
    }
    elements[i] = static_cast<char>(value);
  }
  return elements;
}

// Reinterprets `memory` of elements of type `from` as elements of type `to`.
std::vector<char> Reinterpret(PrimitiveType from, PrimitiveType to,
                              std::vector<char> memory, int64_t count) {
  if (from == to) return memory;
  const int from_bits = primitive_util::StorageBitWidth(from);
  const int to_bits = primitive_util::StorageBitWidth(to);
  if (from_bits >= 8 && to_bits >= 8) return memory;
  return UnpackBits(to_bits, PackBits(from_bits, memory), count);
}

}  // namespace

absl::StatusOr<Literal> EvaluateBitcast(const HloInstruction& hlo,
                                        Operands operands) {
  const Literal& operand = *operands[0];
  const Shape from = WithLayout(hlo.operand(0)->shape());
  const Shape to = WithLayout(hlo.shape());
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(to));
  const PrimitiveType from_type = from.element_type();
  const PrimitiveType to_type = to.element_type();
  const bool is_dense = IsDense(from) && IsDense(to);
  if (!is_dense && primitive_util::StorageBitWidth(from_type) !=
                       primitive_util::StorageBitWidth(to_type)) {
    return Unimplemented(
        "bitcast: %s to %s: tiled layouts with elements of different widths",
        from.ToString(true), to.ToString(true));
  }
  std::vector<char> memory(operand.size_bytes());
  char* array = const_cast<char*>(  // only read
      static_cast<const char*>(operand.untyped_data()));
  if (IsDense(from)) {
    ReorderDense(from, true, array, memory.data());
  } else {
    TF_RETURN_IF_ERROR(ReorderTiled(from, true, array, memory));
  }
  memory = Reinterpret(
      from_type, to_type, std::move(memory),
      is_dense ? result.element_count() : static_cast<int64_t>(memory.size()));
  char* target = static_cast<char*>(result.untyped_data());
  if (IsDense(to) && is_dense) {
    ReorderDense(to, false, target, memory.data());
  } else {
    TF_RETURN_IF_ERROR(ReorderTiled(to, false, target, memory));
  }
  for (int64_t i = 0; i < to.rank() && i < from.rank(); ++i) {
    SetCurrentSize(result, i, CurrentSize(operand, i));
  }
  return result;
}

}  // namespace xla
