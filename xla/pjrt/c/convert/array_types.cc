// Converts element types, layouts and shapes between the C API and XLA.
#include "xla/pjrt/c/convert/array_types.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/pjrt/c/arguments.h"

namespace xla::pjrt {
namespace {

constexpr std::pair<PJRT_Buffer_Type, PrimitiveType> kTypes[] = {
    {PJRT_Buffer_Type_PRED, PRED},
    {PJRT_Buffer_Type_S8, S8},
    {PJRT_Buffer_Type_S16, S16},
    {PJRT_Buffer_Type_S32, S32},
    {PJRT_Buffer_Type_S64, S64},
    {PJRT_Buffer_Type_U8, U8},
    {PJRT_Buffer_Type_U16, U16},
    {PJRT_Buffer_Type_U32, U32},
    {PJRT_Buffer_Type_U64, U64},
    {PJRT_Buffer_Type_F16, F16},
    {PJRT_Buffer_Type_F32, F32},
    {PJRT_Buffer_Type_F64, F64},
    {PJRT_Buffer_Type_BF16, BF16},
    {PJRT_Buffer_Type_C64, C64},
    {PJRT_Buffer_Type_C128, C128},
    {PJRT_Buffer_Type_F8E5M2, F8E5M2},
    {PJRT_Buffer_Type_F8E4M3FN, F8E4M3FN},
    {PJRT_Buffer_Type_F8E4M3B11FNUZ, F8E4M3B11FNUZ},
    {PJRT_Buffer_Type_F8E5M2FNUZ, F8E5M2FNUZ},
    {PJRT_Buffer_Type_F8E4M3FNUZ, F8E4M3FNUZ},
    {PJRT_Buffer_Type_S4, S4},
    {PJRT_Buffer_Type_U4, U4},
    {PJRT_Buffer_Type_TOKEN, TOKEN},
    {PJRT_Buffer_Type_S2, S2},
    {PJRT_Buffer_Type_U2, U2},
    {PJRT_Buffer_Type_F8E4M3, F8E4M3},
    {PJRT_Buffer_Type_F8E3M4, F8E3M4},
    {PJRT_Buffer_Type_F8E8M0FNU, F8E8M0FNU},
    {PJRT_Buffer_Type_F4E2M1FN, F4E2M1FN},
    {PJRT_Buffer_Type_S1, S1},
    {PJRT_Buffer_Type_U1, U1},
    {PJRT_Buffer_Type_F6E2M3FN, F6E2M3FN},
    {PJRT_Buffer_Type_F6E3M2FN, F6E3M2FN},
};

absl::StatusOr<Layout> ReadTiled(const PJRT_Buffer_MemoryLayout_Tiled& tiled) {
  TF_ASSIGN_OR_RETURN(
      absl::Span<const int64_t> minor_to_major,
      ArrayArgument(tiled.minor_to_major, tiled.minor_to_major_size,
                    "layout.tiled.minor_to_major"));
  TF_ASSIGN_OR_RETURN(absl::Span<const size_t> sizes,
                      ArrayArgument(tiled.tile_dim_sizes, tiled.num_tiles,
                                    "layout.tiled.tile_dim_sizes"));
  if (!sizes.empty() && tiled.tile_dims == nullptr) {
    return NullError("layout.tiled.tile_dims");
  }
  std::vector<Tile> tiles;
  const int64_t* next = tiled.tile_dims;
  for (size_t size : sizes) {
    if (size > 1024) return ArgumentError("a tile has too many dimensions");
    tiles.emplace_back(absl::MakeConstSpan(next, size));
    next += size;
  }
  return Layout(minor_to_major, tiles);
}

// The layout that `strides` describe.
absl::StatusOr<Layout> ReadStrides(
    const PJRT_Buffer_MemoryLayout_Strides& strides, PrimitiveType type,
    absl::Span<const int64_t> dims) {
  TF_ASSIGN_OR_RETURN(
      absl::Span<const int64_t> bytes,
      ArrayArgument(strides.byte_strides, strides.num_byte_strides,
                    "layout.strides.byte_strides"));
  if (bytes.size() != dims.size()) {
    return ArgumentError(absl::StrCat("layout.strides has ", bytes.size(),
                                      " numbers for an array of rank ",
                                      dims.size()));
  }
  DimensionVector order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return bytes[a] < bytes[b]; });
  int64_t expected = primitive_util::ByteWidth(type);
  for (int64_t dimension : order) {
    // The stride of a dimension of size 1 does not matter.
    if (dims[dimension] > 1 && bytes[dimension] != expected) {
      return ArgumentError("layout.strides is not that of a dense array");
    }
    if (dims[dimension] == 0) break;  // no elements, any strides
    expected *= dims[dimension];
  }
  return Layout(order);
}

}  // namespace

PJRT_Buffer_Type BufferTypeOf(PrimitiveType type) {
  for (const auto& [buffer_type, primitive_type] : kTypes) {
    if (primitive_type == type) return buffer_type;
  }
  return PJRT_Buffer_Type_INVALID;
}

absl::StatusOr<PrimitiveType> PrimitiveTypeOf(PJRT_Buffer_Type type) {
  for (const auto& [buffer_type, primitive_type] : kTypes) {
    if (buffer_type == type) return primitive_type;
  }
  return ArgumentError(
      absl::StrCat("element type ", static_cast<int>(type), " is not known"));
}

absl::StatusOr<std::optional<Layout>> ReadLayout(
    const PJRT_Buffer_MemoryLayout* layout, PrimitiveType type,
    absl::Span<const int64_t> dims) {
  if (layout == nullptr) return std::optional<Layout>();
  // Validates the shape before the strides, so that their product cannot
  // overflow.
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeUtil::MakeValidatedShape(type, dims));
  Layout read;
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled) {
    TF_ASSIGN_OR_RETURN(read, ReadTiled(layout->tiled));
  } else if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    TF_ASSIGN_OR_RETURN(read, ReadStrides(layout->strides, type, dims));
  } else {
    return ArgumentError("layout.type is not known");
  }
  *shape.mutable_layout() = read;
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(shape));
  return std::optional<Layout>(std::move(read));
}

absl::StatusOr<Shape> ReadShape(PJRT_Buffer_Type type, const int64_t* dims,
                                size_t num_dims,
                                const PJRT_Buffer_MemoryLayout* layout) {
  TF_ASSIGN_OR_RETURN(PrimitiveType element_type, PrimitiveTypeOf(type));
  TF_ASSIGN_OR_RETURN(absl::Span<const int64_t> sizes,
                      ArrayArgument(dims, num_dims, "dims"));
  if (element_type == TOKEN) return ShapeUtil::MakeTokenShape();
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(element_type, sizes));
  TF_ASSIGN_OR_RETURN(std::optional<Layout> read,
                      ReadLayout(layout, element_type, sizes));
  if (read.has_value()) *shape.mutable_layout() = *std::move(read);
  return shape;
}

}  // namespace xla::pjrt
