// ShapeUtil makes, checks, measures, compares and transforms shapes, under
// XLA's names. Defined in shape_util.cc (making, checking, sizes),
// shape_query.cc (comparisons and parts) and shape_transform.cc.
#ifndef XLA_CORE_SHAPE_UTIL_H_
#define XLA_CORE_SHAPE_UTIL_H_

#include <cstdint>
#include <initializer_list>
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
#include "xla/core/dimension_vector.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// How one shape becomes another by deleting and inserting dimensions of size 1:
// dimension numbers of the shape before, and of the shape after.
struct ShapeEqualityDescriptor {
  std::vector<int64_t> deleted_dimensions;
  std::vector<int64_t> inserted_dimensions;
};

class ShapeUtil {
 public:
  using DynamicSizeType = int32_t;
  struct IndexedShape {
    ShapeIndex index;
    Shape shape;
  };

  // Factories. Without a layout argument arrays get the default one, major to
  // minor. The Make* forms without Status CHECK their arguments; use
  // MakeValidated* for sizes from outside.
  static Shape MakeShape(PrimitiveType type, absl::Span<const int64_t> dims);
  static Shape MakeShape(PrimitiveType type, absl::Span<const int64_t> dims,
                         const std::vector<bool>& dynamic);
  static absl::StatusOr<Shape> MakeValidatedShape(
      PrimitiveType type, absl::Span<const int64_t> dims);
  static absl::StatusOr<Shape> MakeValidatedShape(
      PrimitiveType type, absl::Span<const int64_t> dims,
      const std::vector<bool>& dynamic);
  template <typename T>
  static Shape MakeShapeWithType(absl::Span<const int64_t> dims) {
    return MakeShape(primitive_util::NativeToPrimitiveType<T>(), dims);
  }
  static Shape MakeScalarShape(PrimitiveType type);
  static Shape MakeShapeWithDenseLayout(
      PrimitiveType type, absl::Span<const int64_t> dims,
      absl::Span<const int64_t> minor_to_major,
      absl::Span<const Tile> tiles = {},
      int64_t tail_padding_alignment_in_elements = 1,
      int64_t element_size_in_bits = 0, int64_t memory_space = 0,
      absl::Span<const SplitConfig> split_configs = {});
  static Shape MakeShapeWithDescendingLayout(PrimitiveType type,
                                             absl::Span<const int64_t> dims);
  // Lists dimensions in physical order, so that the default layout is the same.
  static Shape MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
      const Shape& shape);
  // Makes every bounded dynamic dimension static at its bound.
  static Shape MakeStaticShape(const Shape& original);
  static Shape MakeShapeWithStaticDimensions(const Shape& shape);
  static Shape MakeTupleShape(absl::Span<const Shape> shapes);
  static Shape MakeTupleShapeWithPtrs(absl::Span<const Shape* const> shapes);
  static absl::StatusOr<Shape> MakeValidatedTupleShape(
      absl::Span<const Shape> shapes);
  // Returns the only shape if there is one, otherwise the tuple of them.
  static Shape MakeMaybeTupleShape(absl::Span<const Shape> shapes);
  static Shape MakeNil() { return MakeTupleShape({}); }
  static Shape MakeOpaqueShape() { return Shape(OPAQUE_TYPE); }
  static Shape MakeTokenShape() { return Shape(TOKEN); }
  static absl::StatusOr<Shape> MakeValidatedBufferShape(const Shape& array);
  static ProgramShape MakeProgramShape(std::initializer_list<Shape> parameters,
                                       Shape result);
  static absl::Status PopulateShape(PrimitiveType type,
                                    absl::Span<const int64_t> dims,
                                    Shape* shape);

  // Checks. Errors: InvalidArgument that names the shape and the dimension.
  static absl::Status ValidateShape(const Shape& shape);
  static absl::Status ValidateShapeWithOptionalLayout(const Shape& shape);
  static absl::Status ValidateShapeSize(const Shape& shape);
  static bool IsInitialized(const Shape& shape);

  // Sizes. Dynamic dimensions count with their bound; unbounded ones are
  // programmer errors. Sizes of validated shapes do not overflow.
  static int64_t ElementsIn(const Shape& shape);
  static int64_t ElementsInRecursive(const Shape& shape);
  // Returns the bytes of elements without padding; of `pointer_size` (8 if
  // negative) for each pointer of a tuple; 0 for tokens and opaques.
  static int64_t ByteSizeOf(const Shape& shape, int64_t pointer_size = -1);
  static int64_t ByteSizeOfPrimitiveType(PrimitiveType type);
  static int64_t ByteSizeOfTupleIndexTable(const Shape& shape,
                                           int64_t pointer_size = -1);
  static int64_t ByteSizeOfElements(const Shape& shape);
  static int64_t ByteSizeOfElementsRecursive(const Shape& shape);
  // Returns the bytes of an array's buffer, with the tiles, padding and packing
  // of its layout and the metadata prefix.
  static int64_t ArraySize(const Shape& shape);
  static int64_t ArrayDataSize(const Shape& shape);
  // Returns the bytes from one element to the next in each dimension; nullopt
  // where the layout has no such strides (tiles, elements smaller than a byte).
  static std::optional<absl::InlinedVector<int64_t, 4>> ByteStrides(
      const Shape& shape);

  // Text.
  static std::string HumanString(const Shape& shape);
  static std::string HumanString(const ProgramShape& program_shape);
  static std::string HumanStringWithLayout(const Shape& shape);
  static absl::StatusOr<Shape> ParseShapeString(absl::string_view text);

  // Comparisons. Equal compares everything, Compatible ignores layouts.
  static bool Equal(const Shape& a, const Shape& b);
  static bool EqualIgnoringElementType(const Shape& a, const Shape& b);
  static bool EqualIgnoringFpPrecision(const Shape& a, const Shape& b);
  static bool EqualStructure(const Shape& a, const Shape& b);
  static bool Compatible(const Shape& a, const Shape& b);
  static bool CompatibleIgnoringElementType(const Shape& a, const Shape& b);
  static bool CompatibleKind(const Shape& a, const Shape& b);
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
  // Returns true if no size of `dynamic_shape` exceeds that of `bounded_shape`.
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
  // Negative numbers count from the end: -1 is the last dimension.
  static int64_t GetDimension(const Shape& shape, int64_t dimension_number);
  static int64_t GetDimensionNumber(const Shape& shape,
                                    int64_t dimension_number);
  // Like GetDimensionNumber. Errors: InvalidArgument if out of range.
  static absl::StatusOr<int64_t> CanonicalDimensionNumber(
      const Shape& shape, int64_t dimension_number);
  static bool ElementIsIntegral(const Shape& shape);
  static bool ElementIsFloating(const Shape& shape);
  static bool ElementIsComplex(const Shape& shape);
  static bool ElementIsSigned(const Shape& shape);
  static bool ElementHasBitWidth(const Shape& shape, int bits);
  static bool ElementIsIntegralWithBits(const Shape& shape, int bits);
  static bool HasDegenerateDimensions(const Shape& shape);
  static DimensionVector CreateDimensionVectorFromShape(const Shape& shape);

  // Tuples and their parts.
  static bool IsEmptyTuple(const Shape& shape) {
    return shape.IsTuple() && shape.tuple_shapes_size() == 0;
  }
  static bool IsNil(const Shape& shape) { return IsEmptyTuple(shape); }
  static bool IsNestedTuple(const Shape& shape);
  static int64_t TupleElementCount(const Shape& shape);
  static const Shape& GetTupleElementShape(const Shape& shape, int64_t index);
  static int64_t SubshapeCount(const Shape& shape);
  static Shape SliceTuple(const Shape& tuple, int64_t start, int64_t limit);
  static void AppendShapeToTuple(const Shape& shape, Shape* tuple_shape);
  static void UpdateTupleShape(const Shape& shape, int64_t index,
                               Shape* tuple_shape);
  static bool IndexIsValid(const Shape& shape, ShapeIndexView index);
  static const Shape& GetSubshape(const Shape& shape, ShapeIndexView index);
  static const Shape& GetSubshapeOneIndex(const Shape& shape, int64_t index);
  static absl::StatusOr<const Shape*> TryGetSubshape(const Shape& shape,
                                                     ShapeIndexView index);
  static Shape* GetMutableSubshape(Shape* shape, ShapeIndexView index);
  // Leaves are the parts that are not tuples.
  static bool IsLeafIndex(const Shape& shape, const ShapeIndex& index);
  static int64_t GetLeafCount(const Shape& shape);
  static std::vector<IndexedShape> GetLeafShapes(const Shape& shape);
  static std::vector<const Shape*> FlattenTupleShape(const Shape& shape);
  // Visits the shape, then its parts, each tuple before its elements.
  using VisitFn = absl::FunctionRef<void(const Shape&, const ShapeIndex&)>;
  using MutableVisitFn = absl::FunctionRef<void(Shape*, const ShapeIndex&)>;
  using StatusVisitFn =
      absl::FunctionRef<absl::Status(const Shape&, const ShapeIndex&)>;
  using MutableStatusVisitFn =
      absl::FunctionRef<absl::Status(Shape*, const ShapeIndex&)>;
  static void ForEachSubshape(const Shape& shape, VisitFn fn);
  static void ForEachMutableSubshape(Shape* shape, MutableVisitFn fn);
  static void ForEachLeafShape(const Shape& shape, VisitFn fn);
  static void ForEachMutableLeafShape(Shape* shape, MutableVisitFn fn);
  static absl::Status ForEachSubshapeWithStatus(const Shape& shape,
                                                StatusVisitFn fn);
  static absl::Status ForEachMutableSubshapeWithStatus(Shape* shape,
                                                       MutableStatusVisitFn fn);

  // Transformations. Layouts follow their dimensions.
  static Shape ChangeElementType(const Shape& original, PrimitiveType type);
  static Shape ComplexComponentShape(const Shape& complex_shape);
  // The layout becomes major to minor with the new dimension first or last.
  static Shape PrependMajorDimension(int64_t bound, Shape shape);
  static void AppendMajorDimension(int bound, Shape* shape);
  static void AppendMinorDimension(int bound, Shape* shape);
  static void CopyDynamicDimensions(Shape* to, const Shape& from);
  static void UpdateDynamicDimension(Shape* shape, ShapeIndexView index,
                                     int64_t dim, bool is_dynamic);
  static void UpdateElementSizeInBits(Shape* shape, bool pack_subbyte_types);
  static Shape MoveDimToMajor(const Shape& shape, int64_t dim);
  static Shape DeleteDimension(int64_t dim_to_delete, Shape shape);
  static Shape DeleteDimensions(absl::Span<const int64_t> dims_to_delete,
                                Shape shape);
  static Shape FilterDimensions(absl::FunctionRef<bool(int64_t)> keep,
                                Shape shape);
  static Shape DropDegenerateDimensions(const Shape& shape);
  // Makes dimension permutation[i] of `shape` dimension i of the result.
  static Shape PermuteDimensions(absl::Span<const int64_t> permutation,
                                 const Shape& shape);
  static std::optional<ShapeEqualityDescriptor>
  InsertedOrDeleted1SizedDimensions(const Shape& before, const Shape& after);
  // Returns pairs (input, output) of dimensions that a reshape keeps.
  static std::vector<std::pair<int64_t, int64_t>> DimensionsUnmodifiedByReshape(
      const Shape& input, const Shape& output);
  static std::optional<std::vector<int64_t>> ReshapeLeavesDimensionsUnmodified(
      const Shape& from, const Shape& to,
      absl::Span<const int64_t> input_dim_indices);
  // Returns true when both have the same data in memory.
  static bool TransposeIsBitcast(const Shape& input, const Shape& output,
                                 absl::Span<const int64_t> dimension_mapping,
                                 bool ignore_element_type = false);
  static bool ReshapeIsBitcast(const Shape& input, const Shape& output,
                               bool ignore_element_type = false);
  // Returns the permutation for which a transpose of the two is a bitcast.
  static std::optional<std::vector<int64_t>>
  DeduceTransposeDimensionsForBitcast(const Shape& input, const Shape& output);

  // Loops over the indices base, base+incr, ... below base+count, most minor
  // dimension of the layout fastest, until `fn` returns false. A scalar has one
  // index, {}. The forms without base visit the whole array.
  using ForEachVisitorFunction =
      absl::FunctionRef<absl::StatusOr<bool>(absl::Span<const int64_t>)>;
  using ForEachVisitorFunctionNoStatus =
      absl::FunctionRef<bool(absl::Span<const int64_t>)>;
  using ForEachParallelVisitorFunction =
      absl::FunctionRef<absl::StatusOr<bool>(absl::Span<const int64_t>, int)>;
  static absl::Status ForEachIndexWithStatus(const Shape& shape,
                                             absl::Span<const int64_t> base,
                                             absl::Span<const int64_t> count,
                                             absl::Span<const int64_t> incr,
                                             ForEachVisitorFunction fn);
  static absl::Status ForEachIndexWithStatus(const Shape& shape,
                                             ForEachVisitorFunction fn);
  static void ForEachIndexNoStatus(const Shape& shape,
                                   absl::Span<const int64_t> base,
                                   absl::Span<const int64_t> count,
                                   absl::Span<const int64_t> incr,
                                   ForEachVisitorFunctionNoStatus fn);
  static void ForEachIndexNoStatus(const Shape& shape,
                                   ForEachVisitorFunctionNoStatus fn);
  // These CHECK that no status is an error; `fn` may return bool.
  static void ForEachIndex(const Shape& shape, absl::Span<const int64_t> base,
                           absl::Span<const int64_t> count,
                           absl::Span<const int64_t> incr,
                           ForEachVisitorFunction fn);
  static void ForEachIndex(const Shape& shape, ForEachVisitorFunction fn);
  // Runs sequentially: the thread number is always 0.
  static void ForEachIndexParallel(const Shape& shape,
                                   ForEachParallelVisitorFunction fn);
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_UTIL_H_
