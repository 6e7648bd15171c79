// ShapeUtil: functions on shapes, under XLA's names. Defined in shape_util.cc
// (checks and sizes), shape_query.cc (comparisons), shape_transform.cc and, for
// the classes that it derives from, in shape/.
#ifndef XLA_CORE_SHAPE_UTIL_H_
#define XLA_CORE_SHAPE_UTIL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape/index_loops.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape/shape_bitcast.h"
#include "xla/core/shape/shape_factory.h"
#include "xla/core/shape/shape_parts.h"
#include "xla/core/shape_index.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Makes, checks, measures, compares and transforms shapes. Has the functions
// of its bases under its own name.
class ShapeUtil : public ShapeFactory,
                  public ShapeParts,
                  public ShapeBitcast,
                  public IndexLoops {
 public:
  using DynamicSizeType = int32_t;

  // Checks. Errors: InvalidArgument that names the shape and the dimension.
  static absl::Status ValidateShape(const Shape& shape);
  static absl::Status ValidateShapeWithOptionalLayout(const Shape& shape);
  static absl::Status ValidateShapeSize(const Shape& shape);
  static bool IsInitialized(const Shape& shape);

  // Sizes. Dynamic dimensions count with their bound; unbounded ones are
  // programmer errors. Sizes of validated shapes do not overflow.
  static int64_t ElementsIn(const Shape& shape);
  // Returns the product of the sizes and whether it overflows int64; with
  // kBoundedDynamicOk, unbounded dimensions are left out.
  template <bool kBoundedDynamicOk>
  static std::pair<int64_t, bool> ExtentProduct(const Shape& shape) {
    DCHECK(kBoundedDynamicOk || !shape.is_unbounded_dynamic());
    int64_t product = 1;
    bool overflows = false;
    for (int64_t size : shape.dimensions()) {
      if (size == Shape::kUnboundedSize) continue;
      overflows |= __builtin_mul_overflow(product, size, &product);
    }
    return {product, overflows};
  }
  static int64_t StaticExtentProduct(const Shape& shape) {
    return ExtentProduct</*kBoundedDynamicOk=*/true>(shape).first;
  }
  static int64_t ElementsInRecursive(const Shape& shape);
  // Returns the bytes of elements without padding; of `pointer_size` (8 if
  // negative) for each pointer of a tuple; 0 for tokens and opaques.
  static int64_t ByteSizeOf(const Shape& shape, int64_t pointer_size = -1);
  static int64_t ByteSizeOfPrimitiveType(PrimitiveType type);
  static int64_t ByteSizeOfTupleIndexTable(const Shape& shape,
                                           int64_t pointer_size = -1);
  static int64_t ByteSizeOfElements(const Shape& shape);
  static int64_t ByteSizeOfElementsRecursive(const Shape& shape);
  // Returns the bytes of an array with the tiles, padding and packing of its
  // layout, but no metadata prefix; and those up to the end of its last
  // element, without what a tile or alignment adds behind it.
  static int64_t ArraySize(const Shape& shape);
  static int64_t ArrayDataSize(const Shape& shape);
  // Return the bytes from one element to the next in each dimension, without
  // tiles, of an array with a layout; nullopt for others. Unpacked takes a byte
  // for each element smaller than one, whatever the layout says; the other is
  // the same, but nullopt if the layout has elements of no whole number of
  // bytes.
  static std::optional<absl::InlinedVector<int64_t, 4>> ByteStrides(
      const Shape& shape);
  static std::optional<absl::InlinedVector<int64_t, 4>> UnpackedByteStrides(
      const Shape& shape);
  // Write the unpacked strides into `strides`, one for each dimension. Errors:
  // InvalidArgument where there are none or for another number of strides.
  static absl::Status UnpackedByteStrides(const Shape& shape,
                                          absl::Span<int64_t> strides);
  static absl::Status ByteStrides(const Shape& shape,
                                  absl::Span<int64_t> strides) {
    return UnpackedByteStrides(shape, strides);
  }
  // Returns the bits of one element in memory, as the layout has them.
  static int64_t ElementSizeInBits(const Shape& shape);
  // Returns the bytes that LiteralBase::Serialize writes for a literal of the
  // shape, whose proto is given or made. Errors: InvalidArgument for invalid
  // shapes and those of tokens and opaque values.
  static absl::StatusOr<int64_t> SerializedSize(const Shape& shape);
  static absl::StatusOr<int64_t> SerializedSizeWithProto(
      const Shape& shape, const ShapeProto& proto);
  // Returns how many elements the third tile of an array of rank 1 interleaves:
  // 2 for bf16[1024]{0:T(1024)(128)(2,1)}. Errors: InvalidArgument.
  static absl::StatusOr<int64_t> PackedFactorFor1DInterleavedArray(
      const Shape& shape);

  // Text.
  static std::string HumanString(const Shape& shape);
  static std::string HumanString(const ProgramShape& program_shape);
  static std::string HumanStringWithLayout(const Shape& shape);
  static void PrintHumanString(Printer* printer, const Shape& shape);
  static void PrintHumanStringWithLayout(Printer* printer, const Shape& shape);
  static void PrintHumanString(Printer* printer,
                               const ProgramShape& program_shape);
  static absl::StatusOr<Shape> ParseShapeString(absl::string_view text);

  // Comparisons. Equal compares everything, Compatible ignores layouts and
  // whether dimensions are dynamic, CompatibleKind compares numbers of
  // dimensions; unbounded sizes are the same as any other.
  static bool Equal(const Shape& a, const Shape& b);
  static bool EqualIgnoringElementType(const Shape& a, const Shape& b);
  static bool EqualIgnoringFpPrecision(const Shape& a, const Shape& b);
  static bool EqualStructure(const Shape& a, const Shape& b);
  static bool Compatible(const Shape& a, const Shape& b);
  static bool CompatibleIgnoringElementType(const Shape& a, const Shape& b);
  static bool CompatibleKind(const Shape& a, const Shape& b,
                             bool ignore_buffer = false);
  static bool CompatibleIgnoringFpPrecision(const Shape& a, const Shape& b);
  static bool SameDimensions(const Shape& a, const Shape& b);
  static bool SameRank(const Shape& a, const Shape& b) {
    return a.rank() == b.rank();
  }
  static bool SameElementType(const Shape& a, const Shape& b) {
    return a.element_type() == b.element_type();
  }
  static bool SameElementTypeIgnoringFpPrecision(const Shape& a,
                                                 const Shape& b);
  static PrimitiveType HigherPrecisionElementType(const Shape& a,
                                                  const Shape& b);
  // Return true if no size of `dynamic_shape` exceeds that of `bounded_shape`;
  // the second form compares the dynamic arrays of tuples.
  static bool DynamicArrayShapeIsCompatible(const Shape& dynamic_shape,
                                            const Shape& bounded_shape);
  static bool DynamicShapeIsCompatible(const Shape& dynamic_shape,
                                       const Shape& bounded_shape);

  // Predicates and properties.
  static bool HasPrimitiveType(const Shape& shape, PrimitiveType type);
  static bool IsZeroElementArray(const Shape& shape);
  static bool HasZeroElements(const Shape& shape);
  static bool IsScalar(const Shape& shape) {
    return shape.IsArray() && shape.rank() == 0;
  }
  static bool IsEffectiveScalar(const Shape& shape) {
    return shape.IsArray() && TrueRank(shape) == 0;
  }
  static bool IsScalarWithElementType(const Shape& shape, PrimitiveType type) {
    return IsScalar(shape) && shape.element_type() == type;
  }
  // Returns the number of dimensions with a size above 1 (source: shapes
  // document, true rank) or, as in XLA, of 0.
  static int64_t TrueRank(const Shape& shape);
  static int64_t TrueNumDimensions(const Shape& shape);
  static bool IsEffectivelyMostMajorDimension(const Shape& shape,
                                              int64_t dimension);
  // Negative numbers count from the end: -1 is the last dimension. Others than
  // these, and those of a dimension, are a programmer error (CHECK).
  static int64_t GetDimension(const Shape& shape, int64_t dimension_number);
  static int64_t GetDimensionNumber(const Shape& shape,
                                    int64_t dimension_number);
  static bool ElementIsIntegral(const Shape& shape);
  static bool ElementIsFloating(const Shape& shape);
  static bool ElementIsComplex(const Shape& shape);
  static bool ElementIsSigned(const Shape& shape);
  static bool ElementHasBitWidth(const Shape& shape, int bits);
  static bool ElementIsIntegralWithBits(const Shape& shape, int bits);
  // Returns true if the type of `to` is the one of higher precision.
  static bool ElementCanUpcast(const Shape& from, const Shape& to);
  // Returns true if dimension rank-1 of an array is the most minor one, as it
  // is without a layout.
  static bool LastDimIsMinorMost(const Shape& shape) {
    return !shape.has_layout() ||
           (shape.rank() > 0 &&
            shape.layout().minor_to_major(0) == shape.rank() - 1);
  }
  static bool HasDegenerateDimensions(const Shape& shape);
  static DimensionVector CreateDimensionVectorFromShape(const Shape& shape);

  // Transformations. Layouts follow their dimensions.
  static Shape ChangeElementType(const Shape& original, PrimitiveType type);
  static Shape ComplexComponentShape(const Shape& complex_shape);
  // The new dimension, the first or the last one, becomes the most major or
  // minor one of the layout.
  static Shape PrependMajorDimension(int64_t bound, Shape shape);
  static void AppendMajorDimension(int bound, Shape* shape);
  static void AppendMinorDimension(int bound, Shape* shape);
  static void CopyDynamicDimensions(Shape* to, const Shape& from);
  static void UpdateDynamicDimension(Shape* shape, ShapeIndexView index,
                                     int64_t dim, bool is_dynamic);
  static void UpdateElementSizeInBits(Shape* shape, bool pack_subbyte_types);
  // Does so for the arrays of a tuple too; one without a layout gets one.
  static Shape MoveDimToMajor(const Shape& shape, int64_t dim);
  static Shape DeleteDimension(int64_t dim_to_delete, Shape shape);
  static Shape DeleteDimensions(absl::Span<const int64_t> dims_to_delete,
                                Shape shape);
  static Shape FilterDimensions(absl::FunctionRef<bool(int64_t)> keep,
                                Shape shape);
  static Shape DropDegenerateDimensions(const Shape& shape);
  // Insert a dimension before dimension `dim_idx`, which lies in memory where
  // that one does, just outside of it; or at the end, as the most minor one.
  static Shape InsertDimensionAtIndex(Shape shape, int64_t dim_idx,
                                      int64_t bound);
  static Shape InsertDimensionsAtIndex(Shape shape, int64_t dim_idx,
                                       absl::Span<const int64_t> bounds);
  // Make dimension permutation[i] of `shape` dimension i of the result, in the
  // same order in memory or, IgnoringLayout, with the layout as it is.
  static Shape PermuteDimensions(absl::Span<const int64_t> permutation,
                                 const Shape& shape);
  static Shape ReorderLogicalDimensions(const Shape& shape,
                                        absl::Span<const int64_t> permutation) {
    return PermuteDimensions(permutation, shape);
  }
  static Shape PermuteDimensionsIgnoringLayout(
      absl::Span<const int64_t> permutation, const Shape& shape);
  // Returns the shape without tiles, memory spaces and other properties of a
  // device's memory, splits excepted; whether it has none.
  static Shape DeviceShapeToHostShape(Shape shape);
  static bool DeviceShapeIsHostShape(const Shape& shape);
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_UTIL_H_
