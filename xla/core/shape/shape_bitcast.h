// ShapeBitcast: the part of ShapeUtil that tells which reshapes and transposes
// move no data, and what reshapes do to dimensions.
#ifndef XLA_CORE_SHAPE_SHAPE_BITCAST_H_
#define XLA_CORE_SHAPE_SHAPE_BITCAST_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"

namespace xla {

class ShapeBitcast {
 public:
  // How one shape becomes another by deleting and inserting dimensions of size
  // 1: dimension numbers of the shape before, and of the shape after.
  struct ShapeEqualityDescriptor {
    std::vector<int64_t> deleted_dimensions;
    std::vector<int64_t> inserted_dimensions;
  };
  static std::optional<ShapeEqualityDescriptor>
  InsertedOrDeleted1SizedDimensions(const Shape& before, const Shape& after);

  // Returns pairs (input, output) of dimensions that a reshape keeps.
  static std::vector<std::pair<int64_t, int64_t>> DimensionsUnmodifiedByReshape(
      const Shape& input, const Shape& output);
  static std::optional<std::vector<int64_t>> ReshapeLeavesDimensionsUnmodified(
      const Shape& from, const Shape& to,
      absl::Span<const int64_t> input_dim_indices);

  // Return true when both, which have layouts, have the same data in memory.
  static bool TransposeIsBitcast(const Shape& input, const Shape& output,
                                 absl::Span<const int64_t> dimension_mapping,
                                 bool ignore_element_type = false);
  static bool ReshapeIsBitcast(const Shape& input, const Shape& output,
                               bool ignore_element_type = false);
  static bool IsReshapeOrTransposeBitcast(const Shape& a, const Shape& b,
                                          bool ignore_element_type = false);
  // Returns the permutation for which a transpose of the two is a bitcast.
  static std::optional<std::vector<int64_t>>
  DeduceTransposeDimensionsForBitcast(const Shape& input, const Shape& output);

  // A bitcast between two arrays of as many elements of one width, as a
  // transpose to the descending layout, a reshape, and a transpose from it. The
  // shapes between them have descending layouts.
  struct BitcastDecompositionReshape {};
  struct BitcastDecompositionTranspose {
    std::vector<int64_t> transpose_dims;
  };
  struct BitcastDecompositionTrt {
    std::vector<int64_t> transpose1_dims;
    Shape transpose1_shape;
    Shape reshape_shape;
    std::vector<int64_t> transpose2_dims;

    bool IsTranspose1Identity() const;
    bool IsTranspose2Identity() const;
  };
  using BitcastDecomposition = std::optional<
      std::variant<BitcastDecompositionReshape, BitcastDecompositionTranspose,
                   BitcastDecompositionTrt>>;
  // Prefer a single reshape, then a single transpose. Return nullopt for shapes
  // that differ in the number or the width of elements, lack a layout, or have
  // tiles.
  static BitcastDecomposition DecomposeBitcast(const Shape& input,
                                               const Shape& output);
  static std::optional<BitcastDecompositionTrt> DecomposeBitcastToTrt(
      const Shape& input, const Shape& output);
  static bool IsDecomposableBitcast(const Shape& input, const Shape& output);

  // Returns `output` with the layout for which a reshape from `input`, whose
  // layout is kept, moves no data; nullopt if there is none.
  static std::optional<Shape> AlignLayouts(const Shape& input,
                                           const Shape& output);

  // Merges the dimensions that a transpose keeps together and drops those of
  // size 1. Returns the remaining sizes of the output and, in `permutation`,
  // the dimensions of the transpose that makes them. Errors: InvalidArgument
  // unless `dimensions` makes the output of the input, and both have layouts
  // from major to minor, without tiles.
  static absl::StatusOr<absl::InlinedVector<int64_t, 3>>
  GetNormalizedLogicalTransposeShape(
      const Shape& input, const Shape& output,
      absl::Span<const int64_t> dimensions,
      absl::InlinedVector<int64_t, 3>& permutation);
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_SHAPE_BITCAST_H_
