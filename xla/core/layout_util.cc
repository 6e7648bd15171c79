// LayoutUtil: making, checking and comparing layouts.
#include "xla/core/layout_util.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Calls `fn` on each array in `shape`.
template <typename S, typename Fn>
void ForEachArray(S* shape, const Fn& fn) {
  if (shape->IsArray()) return fn(shape);
  const int parts = shape->tuple_shapes_size();
  for (int i = 0; i < parts; ++i) {
    if constexpr (std::is_const_v<S>) {
      ForEachArray(&shape->tuple_shapes(i), fn);
    } else {
      ForEachArray(shape->mutable_tuple_shapes(i), fn);
    }
  }
}

absl::Status ValidateTiles(const Layout& layout) {
  for (const Tile& tile : layout.tiles()) {
    if (tile.num_dimensions() == 0) {
      return InvalidArgument("layout %s has a tile without dimensions",
                             layout.ToString());
    }
    for (int64_t i = 0; i < tile.num_dimensions(); ++i) {
      const int64_t size = tile.dimension(i);
      const bool combines = size == Tile::kCombineDimension;
      if (size <= 0 && !combines) {
        return InvalidArgument("layout %s: tile size %d is not positive",
                               layout.ToString(), size);
      }
      if (combines && i + 1 == tile.num_dimensions()) {
        return InvalidArgument(
            "layout %s: the last dimension of tile %s cannot be combined",
            layout.ToString(), tile.ToString());
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ValidatePadding(const Layout& layout, const Shape& shape) {
  if (layout.padded_dimensions().empty()) return absl::OkStatus();
  if (static_cast<int64_t>(layout.padded_dimensions().size()) != shape.rank()) {
    return InvalidArgument("layout %s pads %d dimensions of %s",
                           layout.ToString(), layout.padded_dimensions().size(),
                           ShapeUtil::HumanString(shape));
  }
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    if (layout.padded_dimensions()[i] < shape.dimensions(i)) {
      return InvalidArgument(
          "layout %s pads dimension %d of %s to %d, less than its size",
          layout.ToString(), i, ShapeUtil::HumanString(shape),
          layout.padded_dimensions()[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateSplits(const Layout& layout, const Shape& shape) {
  const auto error = [&](absl::string_view what, const SplitConfig& split) {
    return InvalidArgument(
        "split config %s: layout %s splits dimension %d of %s", what,
        layout.ToString(), split.dimension(), ShapeUtil::HumanString(shape));
  };
  std::vector<bool> is_split(shape.rank());
  for (const SplitConfig& split : layout.split_configs()) {
    if (split.dimension() < 0 || split.dimension() >= shape.rank()) {
      return error("has out-of-bounds physical dimension", split);
    }
    if (is_split[split.dimension()]) {
      return error("has duplicate physical dimension", split);
    }
    is_split[split.dimension()] = true;
    int64_t last = 0;
    for (const int64_t index : split.split_indices()) {
      if (index <= last) {
        return error("split indices must be strictly increasing and positive",
                     split);
      }
      last = index;
    }
    if (last > 0 && last >= shape.dimensions(split.dimension())) {
      return error("split index is out of bounds", split);
    }
  }
  return absl::OkStatus();
}

}  // namespace

Layout LayoutUtil::MakeLayout(absl::Span<const int64_t> minor_to_major,
                              absl::Span<const Tile> tiles,
                              int64_t tail_padding_alignment_in_elements,
                              PrimitiveType index_primitive_type,
                              PrimitiveType pointer_primitive_type,
                              int64_t element_size_in_bits,
                              int64_t memory_space,
                              absl::Span<const SplitConfig> split_configs,
                              std::optional<Shape> physical_shape,
                              int64_t dynamic_shape_metadata_prefix_bytes) {
  return Layout(minor_to_major, tiles, index_primitive_type,
                pointer_primitive_type, tail_padding_alignment_in_elements,
                element_size_in_bits, memory_space, split_configs,
                physical_shape.has_value()
                    ? std::make_unique<Shape>(*std::move(physical_shape))
                    : nullptr,
                dynamic_shape_metadata_prefix_bytes);
}

Layout LayoutUtil::MakeLayoutFromMajorToMinor(
    absl::Span<const int64_t> major_to_minor) {
  Layout layout;
  layout.mutable_minor_to_major()->assign(major_to_minor.rbegin(),
                                          major_to_minor.rend());
  return layout;
}

Layout LayoutUtil::MakeDescendingLayout(int64_t num_dims) {
  Layout layout;
  for (int64_t i = num_dims - 1; i >= 0; --i) layout.add_minor_to_major(i);
  return layout;
}

Layout LayoutUtil::MakeAscendingLayout(int64_t num_dims) {
  Layout layout;
  for (int64_t i = 0; i < num_dims; ++i) layout.add_minor_to_major(i);
  return layout;
}

Layout LayoutUtil::GetDefaultLayoutForShape(const Shape& shape) {
  CHECK(!shape.IsTuple()) << ShapeUtil::HumanString(shape);
  return MakeDescendingLayout(shape.rank());
}

void LayoutUtil::SetToDefaultLayout(Shape* shape) {
  ForEachArray(shape, [](Shape* array) {
    *array->mutable_layout() = MakeDescendingLayout(array->rank());
  });
}

void LayoutUtil::SetToDefaultLayout(ProgramShape* program_shape) {
  for (Shape& shape : *program_shape->mutable_parameters()) {
    SetToDefaultLayout(&shape);
  }
  SetToDefaultLayout(program_shape->mutable_result());
}

Shape LayoutUtil::GetWithDefaultLayout(const Shape& shape) {
  Shape result = shape;
  SetToDefaultLayout(&result);
  return result;
}

void LayoutUtil::ClearLayout(Shape* shape) {
  ForEachArray(shape, [](Shape* array) { array->clear_layout(); });
}

void LayoutUtil::ClearLayout(ProgramShape* program_shape) {
  for (Shape& shape : *program_shape->mutable_parameters()) {
    ClearLayout(&shape);
  }
  ClearLayout(program_shape->mutable_result());
}

void LayoutUtil::ClearTiles(Shape* shape) {
  ForEachArray(shape, [](Shape* array) {
    if (array->has_layout()) array->mutable_layout()->clear_tiles();
  });
}

absl::Status LayoutUtil::CopyLayoutBetweenShapes(const Shape& src, Shape* dst) {
  if (src.tuple_shapes_size() != dst->tuple_shapes_size() ||
      src.IsTuple() != dst->IsTuple() || src.IsArray() != dst->IsArray()) {
    return InvalidArgument("cannot copy layout from shape %s to shape %s",
                           ShapeUtil::HumanString(src),
                           ShapeUtil::HumanString(*dst));
  }
  for (int i = 0; i < src.tuple_shapes_size(); ++i) {
    TF_RETURN_IF_ERROR(CopyLayoutBetweenShapes(src.tuple_shapes(i),
                                               dst->mutable_tuple_shapes(i)));
  }
  if (!src.IsArray()) return absl::OkStatus();
  if (!src.has_layout()) {
    dst->clear_layout();
    return absl::OkStatus();
  }
  if (src.rank() != dst->rank()) {
    return InvalidArgument(
        "cannot copy layout from shape %s to shape %s: ranks differ",
        ShapeUtil::HumanString(src), ShapeUtil::HumanString(*dst));
  }
  TF_RETURN_IF_ERROR(ValidateLayoutForShape(src.layout(), *dst));
  *dst->mutable_layout() = src.layout();
  return absl::OkStatus();
}

Layout LayoutUtil::MoveDimToMajor(const Layout& layout, int64_t dim) {
  Layout result = layout;
  DimensionVector& order = *result.mutable_minor_to_major();
  auto it = std::find(order.begin(), order.end(), dim);
  CHECK(it != order.end()) << dim;
  std::rotate(it, it + 1, order.end());
  return result;
}

Layout LayoutUtil::MoveDimToMinor(const Layout& layout, int64_t dim) {
  Layout result = layout;
  DimensionVector& order = *result.mutable_minor_to_major();
  auto it = std::find(order.begin(), order.end(), dim);
  CHECK(it != order.end()) << dim;
  std::rotate(order.begin(), it, it + 1);
  return result;
}

absl::Status LayoutUtil::ValidateLayoutInShape(const Shape& shape,
                                               bool allow_missing_layouts) {
  for (const Shape& part : shape.tuple_shapes()) {
    TF_RETURN_IF_ERROR(ValidateLayoutInShape(part, allow_missing_layouts));
  }
  if (!shape.IsArray()) return absl::OkStatus();
  if (!shape.has_layout()) {
    if (allow_missing_layouts) return absl::OkStatus();
    return InvalidArgument("shape %s does not have a layout",
                           ShapeUtil::HumanString(shape));
  }
  return ValidateLayoutForShape(shape.layout(), shape);
}

absl::Status LayoutUtil::ValidateLayoutForShape(const Layout& layout,
                                                const Shape& shape) {
  if (shape.IsTuple()) {
    return InvalidArgument("tuple shape %s cannot have a layout",
                           ShapeUtil::HumanString(shape));
  }
  if (!shape.IsArray()) return absl::OkStatus();
  if (layout.minor_to_major_size() != shape.rank()) {
    return InvalidArgument(
        "layout minor_to_major field contains %d elements, but shape has %d "
        "dimensions: {%s} of %s",
        layout.minor_to_major_size(), shape.rank(),
        absl::StrJoin(layout.minor_to_major(), ","),
        ShapeUtil::HumanString(shape));
  }
  if (!IsPermutation(layout.minor_to_major())) {
    return InvalidArgument(
        "layout minor_to_major {%s} is not an order of the %d dimensions of "
        "%s",
        absl::StrJoin(layout.minor_to_major(), ","), shape.rank(),
        ShapeUtil::HumanString(shape));
  }
  if (layout.element_size_in_bits() < 0 || layout.memory_space() < 0) {
    return InvalidArgument("layout %s has a negative element size or space",
                           layout.ToString());
  }
  if (layout.is_plain()) return absl::OkStatus();
  if (layout.tail_padding_alignment_in_elements() <= 0 ||
      layout.dynamic_shape_metadata_prefix_bytes() < 0) {
    return InvalidArgument(
        "layout %s: tail alignment must be positive, prefix not negative",
        layout.ToString());
  }
  for (PrimitiveType type :
       {layout.index_primitive_type(), layout.pointer_primitive_type()}) {
    if (type != PRIMITIVE_TYPE_INVALID &&
        !primitive_util::IsUnsignedIntegralType(type)) {
      return InvalidArgument(
          "layout %s: index and pointer types are unsigned integers",
          layout.ToString());
    }
  }
  TF_RETURN_IF_ERROR(ValidateTiles(layout));
  TF_RETURN_IF_ERROR(ValidatePadding(layout, shape));
  TF_RETURN_IF_ERROR(ValidateSplits(layout, shape));
  if (!shape.is_unbounded_dynamic()) {
    // This also finds tiles that pad the array beyond int64.
    TF_RETURN_IF_ERROR(Tiling::Create(shape.dimensions(), layout).status());
  }
  return absl::OkStatus();
}

bool LayoutUtil::HasLayout(const Shape& shape) {
  bool all = true;
  ForEachArray(&shape,
               [&](const Shape* array) { all = all && array->has_layout(); });
  return all;
}

bool LayoutUtil::HasAnyLayout(const Shape& shape) {
  if (shape.IsTuple()) {
    return std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                       [](const Shape& part) { return HasAnyLayout(part); });
  }
  return !shape.IsArray() || shape.has_layout();
}

bool LayoutUtil::HasLayout(const ProgramShape& program_shape) {
  return std::all_of(program_shape.parameters().begin(),
                     program_shape.parameters().end(),
                     [](const Shape& shape) { return HasLayout(shape); }) &&
         HasLayout(program_shape.result());
}

bool LayoutUtil::IsMonotonicWithDim0Minor(const Layout& layout) {
  return std::is_sorted(layout.minor_to_major().begin(),
                        layout.minor_to_major().end());
}

bool LayoutUtil::IsMonotonicWithDim0Major(const Layout& layout) {
  return std::is_sorted(layout.minor_to_major().rbegin(),
                        layout.minor_to_major().rend());
}

bool LayoutUtil::IsRowMajorOrUnset(const Shape& shape) {
  return !shape.has_layout() || IsMonotonicWithDim0Major(shape.layout());
}

bool LayoutUtil::Equal(const Layout& lhs, const Layout& rhs) {
  return lhs == rhs;
}

bool LayoutUtil::LayoutsInShapesEqual(const Shape& lhs, const Shape& rhs,
                                      std::optional<Layout::Equal> equal) {
  if (lhs.IsArray() || rhs.IsArray()) {
    if (!lhs.IsArray() || !rhs.IsArray() || lhs.rank() != rhs.rank() ||
        lhs.has_layout() != rhs.has_layout()) {
      return false;
    }
    return !lhs.has_layout() ||
           equal.value_or(Layout::Equal())(lhs.layout(), rhs.layout());
  }
  return std::equal(lhs.tuple_shapes().begin(), lhs.tuple_shapes().end(),
                    rhs.tuple_shapes().begin(), rhs.tuple_shapes().end(),
                    [&equal](const Shape& a, const Shape& b) {
                      return LayoutsInShapesEqual(a, b, equal);
                    });
}

absl::Span<const int64_t> LayoutUtil::MinorToMajor(const Shape& shape) {
  CHECK(shape.has_layout()) << ShapeUtil::HumanString(shape);
  return shape.layout().minor_to_major();
}

absl::Span<const int64_t> LayoutUtil::MinorToMajor(const Layout& layout) {
  return layout.minor_to_major();
}

int64_t LayoutUtil::Major(const Layout& layout, int64_t physical_dim) {
  return Minor(layout, layout.minor_to_major_size() - 1 - physical_dim);
}

int64_t LayoutUtil::Minor(const Layout& layout, int64_t physical_dim) {
  CHECK(physical_dim >= 0 && physical_dim < layout.minor_to_major_size());
  return layout.minor_to_major(physical_dim);
}

std::vector<int64_t> LayoutUtil::MakeLogicalToPhysical(const Layout& layout) {
  const int rank = layout.minor_to_major_size();
  std::vector<int64_t> result(rank);
  for (int i = 0; i < rank; ++i) result[Major(layout, i)] = i;
  return result;
}

int64_t LayoutUtil::MemorySpace(const Shape& shape) {
  return shape.has_layout() ? shape.layout().memory_space()
                            : Layout::kDefaultMemorySpace;
}

bool LayoutUtil::HasCustomElementSizeInBits(const Shape& shape) {
  bool any = false;
  ForEachArray(&shape, [&](const Shape* array) {
    any = any ||
          (array->has_layout() && array->layout().element_size_in_bits() != 0);
  });
  return any;
}

bool LayoutUtil::AreDimensionsConsecutive(const Layout& layout,
                                          absl::Span<const int64_t> dims) {
  if (dims.empty()) return true;
  DimensionVector places;
  const auto order = layout.minor_to_major();
  for (int64_t dim : dims) {
    places.push_back(std::find(order.begin(), order.end(), dim) -
                     order.begin());
  }
  const auto [low, high] = std::minmax_element(places.begin(), places.end());
  return *high - *low + 1 == static_cast<int64_t>(places.size());
}

int64_t LayoutUtil::LinearIndex(const Shape& shape,
                                absl::Span<const int64_t> indices) {
  CHECK(shape.IsArray() && shape.has_layout()) << shape.ToString();
  Shape outer = shape;
  if (shape.layout().tiles_size() > 1) {
    outer.mutable_layout()->mutable_tiles()->resize(1);
  }
  absl::StatusOr<Tiling> tiling = Tiling::Create(outer);
  CHECK(tiling.ok()) << tiling.status().ToString();
  return tiling->LinearIndex(indices);
}

int64_t LayoutUtil::LinearIndexForNestedTiling(
    const Shape& shape, absl::Span<const int64_t> indices) {
  CHECK(shape.IsArray() && shape.has_layout()) << shape.ToString();
  const absl::StatusOr<Tiling> tiling = Tiling::Create(shape);
  CHECK(tiling.ok()) << tiling.status().ToString();
  return tiling->LinearIndex(indices);
}

std::vector<int64_t> LayoutUtil::DelinearizeIndexForNestedTiling(
    const Shape& shape, int64_t linear_index) {
  CHECK(shape.IsArray() && shape.has_layout()) << shape.ToString();
  const absl::StatusOr<Tiling> tiling = Tiling::Create(shape);
  CHECK(tiling.ok()) << tiling.status().ToString();
  std::vector<int64_t> index(shape.rank());
  CHECK(linear_index >= 0 &&
        tiling->MultiIndex(linear_index, absl::MakeSpan(index)))
      << "no element of " << shape.ToString(/*print_layout=*/true) << " is at "
      << linear_index;
  return index;
}

bool LayoutUtil::ByteStridesIsMajorToMinor(
    absl::Span<const int64_t> byte_strides, absl::Span<const int64_t> dims,
    PrimitiveType element_type) {
  CHECK_EQ(byte_strides.size(), dims.size());
  int64_t stride = ShapeUtil::ByteSizeOfPrimitiveType(element_type);
  for (size_t i = dims.size(); i-- > 0;) {
    if (byte_strides[i] != stride) return false;
    stride *= dims[i];
  }
  return true;
}

bool LayoutUtil::IsUntiledLayout(absl::Span<const Tile> tiles,
                                 absl::Span<const int64_t> dims) {
  // A tile divides the minor dimensions into a grid and a tile for each place
  // of it, and keeps the order if only one dimension has both.
  std::vector<int64_t> sizes(dims.begin(), dims.end());
  for (const Tile& tile : tiles) {
    const size_t count = tile.num_dimensions();
    if (count > sizes.size()) return false;
    std::vector<int64_t> grid(sizes.begin(), sizes.end() - count);
    bool whole = false;  // whether a tile had more than one element so far
    for (size_t i = 0; i < count; ++i) {
      const int64_t size = sizes[sizes.size() - count + i];
      const int64_t part = tile.dimension(i);
      if (part <= 0 || size % part != 0 || (whole && part != size)) {
        return false;
      }
      whole |= part != 1;
      grid.push_back(size / part);
    }
    for (size_t i = 0; i < count; ++i) grid.push_back(tile.dimension(i));
    sizes = std::move(grid);
  }
  return true;
}

int64_t LayoutUtil::MaxSplitSize(const Shape& shape, int64_t dim) {
  const int64_t size = shape.dimensions(dim);
  if (!shape.has_layout()) return size;
  for (const SplitConfig& split : shape.layout().split_configs()) {
    if (Major(shape.layout(), split.dimension()) != dim) continue;
    int64_t largest = 0, last = 0;
    for (const int64_t cut : split.split_indices()) {
      largest = std::max(largest, cut - last);
      last = cut;
    }
    return std::max(largest, size - last);
  }
  return size;
}

int64_t LayoutUtil::MaxElementsInPerSplit(const Shape& shape) {
  CHECK(shape.IsArray()) << ShapeUtil::HumanString(shape);
  int64_t count = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    count *= MaxSplitSize(shape, dim);
  }
  return count;
}

std::optional<SplitConfig> LayoutUtil::GetSplitConfig(const Shape& shape) {
  if (!shape.has_layout() || shape.layout().split_configs().empty()) {
    return std::nullopt;
  }
  return shape.layout().split_configs(0);
}

}  // namespace xla
