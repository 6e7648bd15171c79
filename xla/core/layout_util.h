// LayoutUtil makes, checks and compares layouts, under XLA's names. tiling.h
// computes where elements lie under tiles.
#ifndef XLA_CORE_LAYOUT_UTIL_H_
#define XLA_CORE_LAYOUT_UTIL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class LayoutUtil {
 public:
  LayoutUtil(const LayoutUtil&) = delete;
  LayoutUtil& operator=(const LayoutUtil&) = delete;

  // Factories.
  static Layout MakeLayout(
      absl::Span<const int64_t> minor_to_major,
      absl::Span<const Tile> tiles = {},
      int64_t tail_padding_alignment_in_elements = 1,
      PrimitiveType index_primitive_type = PRIMITIVE_TYPE_INVALID,
      PrimitiveType pointer_primitive_type = PRIMITIVE_TYPE_INVALID,
      int64_t element_size_in_bits = 0, int64_t memory_space = 0,
      absl::Span<const SplitConfig> split_configs = {},
      std::optional<Shape> physical_shape = std::nullopt,
      int64_t dynamic_shape_metadata_prefix_bytes = 0);
  static Layout MakeLayoutFromMajorToMinor(
      absl::Span<const int64_t> major_to_minor);
  // {n-1,...,0}: dimension 0 is major, the default. Source: shapes document.
  static Layout MakeDescendingLayout(int64_t num_dims);
  // {0,...,n-1}: dimension 0 is minor.
  static Layout MakeAscendingLayout(int64_t num_dims);
  // Requires no tuple (CHECK); an empty layout for shapes that have none.
  static Layout GetDefaultLayoutForShape(const Shape& shape);
  static Layout GetDefaultLayoutForRank(int64_t num_dims) {
    return MakeDescendingLayout(num_dims);
  }
  static Layout GetDefaultLayoutForR2() { return MakeDescendingLayout(2); }
  static Layout GetDefaultLayoutForR3() { return MakeDescendingLayout(3); }
  static Layout GetDefaultLayoutForR4() { return MakeDescendingLayout(4); }

  // Setters, for every array of a shape. The default layout replaces whatever
  // was there, tiles and memory spaces included.
  static void SetToDefaultLayout(Shape* shape);
  static void SetToDefaultLayout(ProgramShape* program_shape);
  static Shape GetWithDefaultLayout(const Shape& shape);
  static void ClearLayout(Shape* shape);
  static void ClearLayout(ProgramShape* program_shape);
  static void ClearTiles(Shape* shape);
  // Copies layouts between shapes of the same structure. Errors:
  // InvalidArgument if it differs, or if an order does not fit.
  static absl::Status CopyLayoutBetweenShapes(const Shape& src, Shape* dst);
  static Layout MoveDimToMajor(const Layout& layout, int64_t dim);
  static Layout MoveDimToMinor(const Layout& layout, int64_t dim);

  // Checks. Errors: InvalidArgument that names the layout and the rule. With
  // `allow_missing_layouts`, arrays need not have a layout.
  static absl::Status ValidateLayoutInShape(const Shape& shape,
                                            bool allow_missing_layouts = false);
  static absl::Status ValidateLayoutForShape(const Layout& layout,
                                             const Shape& shape);

  // Predicates. IsDenseArray is true for every array, as layouts are not
  // sparse. Shapes that take no layout count as having one.
  static bool IsDenseArray(const Shape& shape) { return shape.IsArray(); }
  static bool HasLayout(const Shape& shape);
  static bool HasAnyLayout(const Shape& shape);
  static bool HasLayout(const ProgramShape& program_shape);
  static bool IsMonotonicWithDim0Minor(const Layout& layout);
  static bool IsMonotonicWithDim0Major(const Layout& layout);
  // Whether the order is that of MakeDescendingLayout, of MakeAscendingLayout.
  static bool HasDescendingLayout(const Layout& layout) {
    return IsMonotonicWithDim0Major(layout);
  }
  static bool HasAscendingLayout(const Layout& layout) {
    return IsMonotonicWithDim0Minor(layout);
  }
  // Returns true if the strides are those of dense elements from major to
  // minor, in dimensions of size 1 too.
  static bool ByteStridesIsMajorToMinor(absl::Span<const int64_t> byte_strides,
                                        absl::Span<const int64_t> dims,
                                        PrimitiveType element_type);
  // Returns true if the tiles neither move nor pad the elements of an array
  // with these sizes, most major dimension first.
  static bool IsUntiledLayout(absl::Span<const Tile> tiles,
                              absl::Span<const int64_t> dims);
  // Like IsRowMajor, for the layout of an array that may not have one yet.
  static bool IsRowMajorOrUnset(const Shape& shape);
  static bool Equal(const Layout& lhs, const Layout& rhs);
  // Compares the layouts of all arrays, by `equal` if given.
  static bool LayoutsInShapesEqual(
      const Shape& lhs, const Shape& rhs,
      std::optional<Layout::Equal> equal = std::nullopt);
  static bool IsMajorToMinorLayout(const Layout& layout) {
    return IsMonotonicWithDim0Major(layout);
  }
  static absl::Span<const int64_t> MinorToMajor(const Shape& shape);
  static absl::Span<const int64_t> MinorToMajor(const Layout& layout);
  // Returns the dimension that is the n-th most major, or minor.
  static int64_t Major(const Layout& layout, int64_t physical_dim);
  static int64_t Minor(const Layout& layout, int64_t physical_dim);
  // Returns the position of each dimension in the order from major to minor.
  static std::vector<int64_t> MakeLogicalToPhysical(const Layout& layout);
  static int64_t MemorySpace(const Shape& shape);
  static bool HasCustomElementSizeInBits(const Shape& shape);
  static bool AreDimensionsConsecutive(const Layout& layout,
                                       absl::Span<const int64_t> dims);
  static std::string HumanString(const Layout& layout) {
    return layout.ToString();
  }
  static void PrintHumanString(Printer* printer, const Layout& layout) {
    layout.Print(printer);
  }

  // Returns the position of an element in the buffer, in elements, counting
  // padding and the first tile; tiles within it do not matter. `indices` must
  // be in bounds. Source: tiled layout document.
  static int64_t LinearIndex(const Shape& shape,
                             absl::Span<const int64_t> indices);
  // The same, counting all tiles, and its inverse. A position without an
  // element, which is padding, is a programmer error (CHECK).
  static int64_t LinearIndexForNestedTiling(const Shape& shape,
                                            absl::Span<const int64_t> indices);
  static std::vector<int64_t> DelinearizeIndexForNestedTiling(
      const Shape& shape, int64_t linear_index);
  // Returns the number of elements in the largest part that split configs cut
  // the array into, without tiles and padding.
  static int64_t MaxElementsInPerSplit(const Shape& shape);
  // Returns the largest size of a part of `dim`; all of it if it is not split.
  static int64_t MaxSplitSize(const Shape& shape, int64_t dim);
  // Returns the first split config, if there is one.
  static std::optional<SplitConfig> GetSplitConfig(const Shape& shape);
};

}  // namespace xla

#endif  // XLA_CORE_LAYOUT_UTIL_H_
