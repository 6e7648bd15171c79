// LiteralElements: the shape of a literal and reading its elements. Text,
// equality and what is made of literals are left to LiteralBase.
#ifndef XLA_CORE_LITERAL_LITERAL_ELEMENTS_H_
#define XLA_CORE_LITERAL_LITERAL_ELEMENTS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Multi-indices are logical; an index out of bounds, a shape index that does
// not exist and a native type that is not the element type are programmer
// errors and abort.
class LiteralElements {
 public:
  using DynamicSizeType = ShapeUtil::DynamicSizeType;

  virtual ~LiteralElements() = default;

  const Shape& shape() const { return *root_piece().shape; }
  const Shape& shape(const ShapeIndex& shape_index) const {
    return *piece(shape_index).shape;
  }

  // Returns the elements in memory order.
  template <typename NativeT>
  absl::Span<const NativeT> data(const ShapeIndex& shape_index = {}) const {
    const LiteralPiece& p = TypedPiece(shape_index, TypeOf<NativeT>());
    return absl::MakeConstSpan(reinterpret_cast<const NativeT*>(p.buffer),
                               static_cast<size_t>(p.element_count()));
  }
  const void* untyped_data(const ShapeIndex& shape_index = {}) const {
    return piece(shape_index).buffer;
  }
  int64_t size_bytes(const ShapeIndex& shape_index = {}) const {
    return piece(shape_index).size_bytes();
  }
  // Returns the bytes of all arrays below the root.
  int64_t total_bytes() const;
  int64_t element_count(const ShapeIndex& shape_index = {}) const {
    return piece(shape_index).element_count();
  }
  DynamicSizeType GetDynamicSize(int64_t dim_index,
                                 const ShapeIndex& shape_index = {}) const {
    return static_cast<DynamicSizeType>(
        piece(shape_index).dynamic_size(dim_index));
  }

  template <typename NativeT>
  NativeT Get(absl::Span<const int64_t> multi_index,
              const ShapeIndex& shape_index) const {
    const LiteralPiece& p = TypedPiece(shape_index, TypeOf<NativeT>());
    return reinterpret_cast<const NativeT*>(
        p.buffer)[p.LinearIndex(multi_index)];
  }
  template <typename NativeT>
  NativeT Get(absl::Span<const int64_t> multi_index) const {
    return Get<NativeT>(multi_index, {});
  }
  template <typename NativeT>
  NativeT GetLinear(int64_t linear_index,
                    const ShapeIndex& shape_index = {}) const {
    return data<NativeT>(shape_index)[linear_index];
  }
  template <typename NativeT>
  NativeT GetFirstElement() const {
    return data<NativeT>().at(0);
  }
  // Returns nullopt when the elements are not integers.
  std::optional<int64_t> GetFirstInteger() const;

  // Returns one element as text, such as "1", "true", "0.5", "(1, -2)".
  std::string GetAsString(absl::Span<const int64_t> multi_index,
                          const ShapeIndex& shape_index = {}) const;
  // Returns nullopt when the element type is neither an integer nor PRED.
  std::optional<int64_t> GetIntegralAsS64(
      absl::Span<const int64_t> multi_index) const;
  // Return nullopt when the element type is not a floating-point type.
  std::optional<double> GetAsDouble(
      absl::Span<const int64_t> multi_index) const;
  std::optional<double> GetSumAsDouble(
      absl::Span<const int64_t> linear_indices) const;
  // Returns nullopt for PRED and integers of 64 bits.
  std::optional<complex128> GetAsComplex128(
      absl::Span<const int64_t> multi_index) const;
  // Compares as complex numbers; integers compare exactly. False for what is
  // not an array.
  bool IsEqualAt(absl::Span<const int64_t> multi_index, complex128 value) const;
  template <typename T>
  std::enable_if_t<std::numeric_limits<T>::is_specialized, bool> IsEqualAt(
      absl::Span<const int64_t> multi_index, T value) const {
    if constexpr (std::numeric_limits<T>::is_integer) {
      const auto bits = static_cast<int64_t>(value);
      const bool is_beyond = std::is_unsigned_v<T> && bits < 0;
      return IsIntegerAt(multi_index, bits, is_beyond);
    } else {
      return IsEqualAt(multi_index, complex128(static_cast<double>(value), 0));
    }
  }
  // Return how many elements equal `value` rounded to their type: 0 if it is no
  // integer and they are, or beyond their range, or a complex number and they
  // are real. Any NaN equals any other.
  template <typename T>
  int64_t CountEqual(T value) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      const Wide wide = value;
      return CountElements(TypeOf<Wide>(), &wide);
    } else {
      return CountElements(TypeOf<T>(), &value);
    }
  }
  template <typename T>
  int64_t CountEqual(std::complex<T> value) const {
    const complex128 wide(value.real(), value.imag());
    return CountElements(C128, &wide);
  }
  std::string GetR1U8AsString() const;

  // Visit in row-major order, whatever the layout, up to the dynamic sizes.
  template <typename NativeT>
  void EachCell(
      absl::FunctionRef<void(absl::Span<const int64_t> indices, NativeT value)>
          per_cell) const {
    TypedPiece({}, TypeOf<NativeT>());
    EachElement([&](absl::Span<const int64_t> indices, const void* value) {
      per_cell(indices, *static_cast<const NativeT*>(value));
      return true;
    });
  }
  template <typename NativeT>
  bool EachCellUntilFailure(
      absl::FunctionRef<bool(absl::Span<const int64_t> indices, NativeT value)>
          per_cell) const {
    TypedPiece({}, TypeOf<NativeT>());
    return EachElement(
        [&](absl::Span<const int64_t> indices, const void* value) {
          return per_cell(indices, *static_cast<const NativeT*>(value));
        });
  }
  void EachCellAsString(
      absl::FunctionRef<void(absl::Span<const int64_t> indices,
                             const std::string& value)>
          per_cell) const;
  // Like EachCell, with pointers. Stops and returns false when `per_cell` does.
  bool EachElement(absl::FunctionRef<bool(absl::Span<const int64_t> indices,
                                          const void* value)>
                       per_cell) const;

  // The nodes, for code that works on bytes.
  const LiteralPiece& piece(ShapeIndexView shape_index) const;
  virtual const LiteralPiece& root_piece() const = 0;

 protected:
  template <typename NativeT>
  static constexpr PrimitiveType TypeOf() {
    return primitive_util::NativeToPrimitiveType<NativeT>();
  }
  // Checks that the elements have `type`.
  const LiteralPiece& TypedPiece(const ShapeIndex& shape_index,
                                 PrimitiveType type) const;

 private:
  // Compares with an integer, or, if it `is_beyond` int64, one of uint64.
  bool IsIntegerAt(absl::Span<const int64_t> multi_index, int64_t bits,
                   bool is_beyond) const;
  int64_t CountElements(PrimitiveType value_type, const void* value) const;
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_ELEMENTS_H_
