// LiteralUtil makes literals from values, arrays and other literals, under
// XLA's names. literal_util.cc has the constants of types known at run time.
#ifndef XLA_CORE_LITERAL_LITERAL_UTIL_H_
#define XLA_CORE_LITERAL_LITERAL_UTIL_H_

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/base/types.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_conversions.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {

class LiteralUtil : public LiteralConversions {
 public:
  LiteralUtil() = delete;

  // Make arrays of rank 0 to 4 from values; layouts default to major to minor.
  template <typename NativeT>
  static Literal CreateR0(NativeT value) {
    Literal literal(ShapeUtil::MakeShapeWithType<NativeT>({}));
    literal.Set<NativeT>({}, value);
    return literal;
  }
  // Returns `value` converted to `type`.
  template <typename T>
  static Literal CreateR0(PrimitiveType type, T value) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      const Wide wide = value;
      return ScalarOf(type, &wide,
                      primitive_util::NativeToPrimitiveType<Wide>());
    } else {
      return ScalarOf(type, &value, primitive_util::NativeToPrimitiveType<T>());
    }
  }
  template <typename NativeT>
  static Literal CreateR1(absl::Span<const NativeT> values) {
    Literal literal(ShapeUtil::MakeShapeWithType<NativeT>(
        {static_cast<int64_t>(values.size())}));
    literal.PopulateR1(values);
    return literal;
  }
  // Makes PRED[n] from n bits.
  static Literal CreateR1(const tsl::core::Bitmap& values);
  static Literal CreateR1U8(absl::string_view value);
  template <typename NativeT>
  static Literal CreateR2(
      std::initializer_list<std::initializer_list<NativeT>> values) {
    return CreateFromArray(Array<NativeT>(values));
  }
  template <typename NativeT>
  static Literal CreateR2WithLayout(
      std::initializer_list<std::initializer_list<NativeT>> values,
      const Layout& layout) {
    return CreateFromArrayWithLayout(Array<NativeT>(values), layout);
  }
  template <typename NativeT>
  static Literal CreateR3(std::initializer_list<
                          std::initializer_list<std::initializer_list<NativeT>>>
                              values) {
    return CreateFromArray(Array<NativeT>(values));
  }
  template <typename NativeT>
  static Literal CreateR3WithLayout(
      std::initializer_list<
          std::initializer_list<std::initializer_list<NativeT>>>
          values,
      const Layout& layout) {
    return CreateFromArrayWithLayout(Array<NativeT>(values), layout);
  }
  template <typename NativeT>
  static Literal CreateR4(
      std::initializer_list<std::initializer_list<
          std::initializer_list<std::initializer_list<NativeT>>>>
          values) {
    return CreateFromArray(Array<NativeT>(values));
  }
  template <typename NativeT>
  static Literal CreateR4WithLayout(
      std::initializer_list<std::initializer_list<
          std::initializer_list<std::initializer_list<NativeT>>>>
          values,
      const Layout& layout) {
    return CreateFromArrayWithLayout(Array<NativeT>(values), layout);
  }

  template <typename NativeT>
  static Literal CreateFromArray(const Array<NativeT>& values) {
    Literal literal(ShapeUtil::MakeShapeWithType<NativeT>(values.dimensions()));
    literal.PopulateFromArray(values);
    return literal;
  }
  template <typename NativeT>
  static Literal CreateFromArrayWithLayout(const Array<NativeT>& values,
                                           const Layout& layout) {
    Shape shape = ShapeUtil::MakeShapeWithType<NativeT>(values.dimensions());
    *shape.mutable_layout() = layout;
    Literal literal(shape);
    literal.PopulateFromArray(values);
    return literal;
  }
  template <typename NativeT>
  static Literal CreateR2FromArray2D(const Array2D<NativeT>& values) {
    return CreateFromArray(values);
  }
  template <typename NativeT>
  static Literal CreateR2FromArray2DWithLayout(const Array2D<NativeT>& values,
                                               const Layout& layout) {
    return CreateFromArrayWithLayout(values, layout);
  }
  template <typename NativeT>
  static Literal CreateR3FromArray3D(const Array3D<NativeT>& values) {
    return CreateFromArray(values);
  }
  template <typename NativeT>
  static Literal CreateR3FromArray3DWithLayout(const Array3D<NativeT>& values,
                                               const Layout& layout) {
    return CreateFromArrayWithLayout(values, layout);
  }
  template <typename NativeT>
  static Literal CreateR4FromArray4D(const Array4D<NativeT>& values) {
    return CreateFromArray(values);
  }
  template <typename NativeT>
  static Literal CreateR4FromArray4DWithLayout(const Array4D<NativeT>& values,
                                               const Layout& layout) {
    return CreateFromArrayWithLayout(values, layout);
  }
  // Makes `rows` x `cols` evenly spaced values from `from` to `to`.
  static Literal CreateR2F32Linspace(float from, float to, int64_t rows,
                                     int64_t cols);
  // Make [projection, n, m], or [p, z, n, m], by repeating `values` [n, m].
  template <typename NativeT>
  static Literal CreateR3Projected(
      std::initializer_list<std::initializer_list<NativeT>> values,
      int64_t projection) {
    return CreateR2<NativeT>(values).Replicate(projection);
  }
  template <typename NativeT>
  static Literal CreateR4Projected(
      std::initializer_list<std::initializer_list<NativeT>> values,
      int64_t projection_p, int64_t projection_z) {
    return CreateR2<NativeT>(values)
        .Replicate(projection_z)
        .Replicate(projection_p);
  }
  // Makes a matrix with `scalar` on the diagonal.
  template <typename NativeT>
  static Literal MakeScalarMatrixR2(int64_t size, NativeT scalar) {
    Literal literal(ShapeUtil::MakeShapeWithType<NativeT>({size, size}));
    for (int64_t i = 0; i < size; ++i) literal.Set<NativeT>({i, i}, scalar);
    return literal;
  }
  template <typename NativeT>
  static Literal MakeIdentityR2(int64_t size) {
    return MakeScalarMatrixR2<NativeT>(size, static_cast<NativeT>(1));
  }
  // Element (i, j) is the sum of i and j, each times log10(its size) + 1, times
  // `scale`.
  template <typename NativeT>
  static Literal CreateFingerprintMatixR2(
      int64_t m, int64_t n, NativeT scale = static_cast<NativeT>(1)) {
    const NativeT row_factor = static_cast<NativeT>(std::log10(m) + 1);
    const NativeT col_factor = static_cast<NativeT>(std::log10(n) + 1);
    Array2D<NativeT> values(m, n);
    values.Each([&](absl::Span<const int64_t> at, NativeT* value) {
      *value = scale * (row_factor * static_cast<NativeT>(at[0]) +
                        col_factor * static_cast<NativeT>(at[1]));
    });
    return CreateFromArray(values);
  }
  template <typename NativeT>
  static Literal CreateFullWithDescendingLayout(
      absl::Span<const int64_t> dimensions, NativeT value) {
    Literal literal(ShapeUtil::MakeShapeWithType<NativeT>(dimensions));
    literal.PopulateWithValue(value);
    return literal;
  }
  template <typename NativeT>
  static Literal CreateFull(absl::Span<const int64_t> dimensions,
                            NativeT value) {
    return CreateFullWithDescendingLayout(dimensions, value);
  }
  static Literal CreateFromDimensions(PrimitiveType primitive_type,
                                      absl::Span<const int64_t> dimensions);

  // Make scalars. The lowest and highest values are the infinities where the
  // type has them; only array types have them, and complex types only 0 and 1.
  static Literal Zero(PrimitiveType primitive_type);
  static Literal One(PrimitiveType primitive_type);
  static Literal MinValue(PrimitiveType primitive_type);
  static Literal MaxValue(PrimitiveType primitive_type);
  static Literal MaxFiniteValue(PrimitiveType primitive_type);
  // Errors: InvalidArgument when the type has no nan.
  static absl::StatusOr<Literal> NanValue(PrimitiveType primitive_type);

  // Fills with elements from `generator`, or normally distributed ones. Errors:
  // those of Literal::Make; InvalidArgument when `type` is not that of the
  // shape.
  template <PrimitiveType type, typename T = primitive_util::NativeTypeOf<type>>
  static absl::StatusOr<Literal> CreateLiteralWithGenerator(
      const Shape& shape,
      absl::FunctionRef<T(absl::Span<const int64_t>)> generator) {
    TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(shape));
    TF_RETURN_IF_ERROR(literal.Populate<T>(generator));
    return literal;
  }
  template <PrimitiveType type, typename T = primitive_util::NativeTypeOf<type>>
  static absl::StatusOr<Literal> CreateRandomLiteral(
      const Shape& shape,
      absl::FunctionRef<T(absl::Span<const int64_t>)> generator) {
    return CreateLiteralWithGenerator<type>(shape, generator);
  }
  template <PrimitiveType type, typename E,
            typename T = primitive_util::NativeTypeOf<type>>
  static absl::StatusOr<Literal> CreateRandomLiteral(const Shape& shape,
                                                     E* engine, double mean,
                                                     double stddev) {
    std::normal_distribution<double> normal(mean, stddev);
    using NativeT = primitive_util::NativeTypeOf<type>;
    return CreateLiteralWithGenerator<type, NativeT>(
        shape, [&](absl::Span<const int64_t>) {
          return static_cast<NativeT>(normal(*engine));
        });
  }
  template <PrimitiveType type, typename E,
            typename T = primitive_util::NativeTypeOf<type>>
  static absl::StatusOr<Literal> CreateRandomLiteral(const Shape& shape,
                                                     E* engine, T mean,
                                                     T stddev) {
    return CreateRandomLiteral<type>(shape, engine, static_cast<double>(mean),
                                     static_cast<double>(stddev));
  }
  template <PrimitiveType type, typename T = primitive_util::NativeTypeOf<type>>
  static absl::StatusOr<Literal> CreateRandomLiteral(const Shape& shape, T mean,
                                                     T stddev) {
    std::minstd_rand0 engine;
    return CreateRandomLiteral<type>(shape, &engine, mean, stddev);
  }

  static Literal CreateToken();
  // Make tuples of copies, or of the elements themselves.
  static Literal MakeTuple(absl::Span<const Literal* const> elements);
  static Literal MakeTupleFromSlices(absl::Span<const LiteralSlice> elements);
  static Literal MakeTupleOwned(std::vector<Literal> elements);
  static std::vector<const Literal*> MakePointers(
      absl::Span<const Literal> literals);
  template <typename... Ts>
  static std::enable_if_t<(std::is_same_v<std::decay_t<Ts>, Literal> && ...),
                          Literal>
  MakeTupleOwned(Ts&&... elements) {
    std::vector<Literal> vector;
    (vector.push_back(std::forward<Ts>(elements)), ...);
    return MakeTupleOwned(std::move(vector));
  }

  // Returns "{1,0}".
  static std::string MultiIndexAsString(absl::Span<const int64_t> multi_index);

 private:
  static Literal ScalarOf(PrimitiveType type, const void* value,
                          PrimitiveType value_type);
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_UTIL_H_
