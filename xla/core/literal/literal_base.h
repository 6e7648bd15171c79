// What every literal can be asked: its elements, texts, equality, and new
// literals made from it. Owners, views and writers are in the other headers.
#ifndef XLA_CORE_LITERAL_LITERAL_BASE_H_
#define XLA_CORE_LITERAL_LITERAL_BASE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Literal;

// Values of a shape: an array, a token, or a tuple of them. Multi-indices are
// logical; an index out of bounds, a shape index that does not exist and a
// native type that is not the element type are programmer errors and abort.
// Thread safe as long as nobody writes.
class LiteralBase {
 public:
  using DynamicSizeType = int32_t;

  virtual ~LiteralBase() = default;

  const Shape& shape() const { return *root_piece().shape; }
  const Shape& shape(const ShapeIndex& shape_index) const {
    return *piece(shape_index).shape;
  }

  // The elements in memory order.
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
  // Bytes of all arrays below the root.
  int64_t total_bytes() const;
  int64_t element_count(const ShapeIndex& shape_index = {}) const {
    return piece(shape_index).element_count();
  }
  int32_t GetDynamicSize(int64_t dim_index,
                         const ShapeIndex& shape_index = {}) const {
    return static_cast<int32_t>(piece(shape_index).dynamic_size(dim_index));
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
  NativeT GetLinear(int64_t linear_index) const {
    return data<NativeT>()[linear_index];
  }
  template <typename NativeT>
  NativeT GetFirstElement() const {
    return data<NativeT>().at(0);
  }
  // Nothing when the elements are not integers.
  std::optional<int64_t> GetFirstInteger() const;

  // One element as text, such as "1", "true", "0.5", "(1, -2)".
  std::string GetAsString(absl::Span<const int64_t> multi_index,
                          const ShapeIndex& shape_index = {}) const;
  // Nothing when the element type is neither an integer nor PRED.
  std::optional<int64_t> GetIntegralAsS64(
      absl::Span<const int64_t> multi_index) const;
  // Nothing when the element type is complex.
  std::optional<double> GetAsDouble(
      absl::Span<const int64_t> multi_index) const;
  std::optional<double> GetSumAsDouble(
      absl::Span<const int64_t> linear_indices) const;
  std::optional<complex128> GetAsComplex128(
      absl::Span<const int64_t> multi_index) const;
  // Compares as complex numbers, integers exactly.
  bool IsEqualAt(absl::Span<const int64_t> multi_index, complex128 value) const;
  bool IsEqualAt(absl::Span<const int64_t> multi_index, int64_t value) const;
  bool IsEqualAt(absl::Span<const int64_t> multi_index, int value) const {
    return IsEqualAt(multi_index, int64_t{value});
  }
  bool IsEqualAt(absl::Span<const int64_t> multi_index, double value) const {
    return IsEqualAt(multi_index, complex128(value, 0));
  }
  std::string GetR1U8AsString() const;

  // Row-major order, whatever the layout; the dynamic sizes bound it.
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
  // As EachCell, for a pointer to each element. Stops and returns false when
  // `per_cell` does.
  bool EachElement(absl::FunctionRef<bool(absl::Span<const int64_t> indices,
                                          const void* value)>
                       per_cell) const;

  // Texts over several lines, or on one. ToString shows the shapes without
  // layout, `f32[2] {1, 2}`.
  std::string ToString() const;
  std::string ToStringOneline() const;
  std::string ToStringWithoutShape() const;
  std::string ToStringWithoutShapeOneline() const;
  std::string ToStringWithLayout() const;
  std::string ToStringWithLayoutOneline() const;

  // Same shape, layouts aside unless `layout_sensitive`, the same dynamic
  // sizes, and the same bits: nan equals nan of that payload, 0 is not -0.
  bool Equal(const LiteralBase& other, bool layout_sensitive) const;
  bool operator==(const LiteralBase& other) const {
    return Equal(other, /*layout_sensitive=*/false);
  }
  bool operator!=(const LiteralBase& other) const { return !(*this == other); }

  // Whether each element is the value. False when the element type cannot hold
  // it, and for anything that is not an array; true when there are no elements.
  bool IsAll(int8_t value) const;
  bool IsAll(const Literal& scalar) const;
  // False unless the elements are floating point.
  bool IsAllFloat(float value) const;
  // As IsAllFloat, for integers too.
  bool IsAllFloatWithCast(float value) const;
  bool IsAllComplex(complex64 value) const;
  // Whether all elements have the bits of the first; false if there is none.
  bool IsAllFirst() const;
  // 0, 1, 2, ... in an array of rank 1.
  bool IsR1Iota() const;
  // The stride s of 0, s, 2s, ... in an array of rank 1 of integers.
  std::optional<int64_t> IsR1StridedIota() const;
  bool IsZero(absl::Span<const int64_t> indices) const;
  // How many elements equal `value`, as IsEqualAt does.
  int64_t CountEqual(complex128 value) const;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  int64_t CountEqual(T value) const {
    return CountEqual(complex128(static_cast<double>(value), 0));
  }
  // Literals are always known; XLA has placeholders too.
  bool IsKnown(const ShapeIndex& shape_index = {}) const { return true; }
  bool IsDetermined(const ShapeIndex& shape_index = {}) const { return true; }

  // The same values in memory order `new_layout`; the second form takes the
  // layouts of all leaves from a compatible shape.
  Literal Relayout(const Layout& new_layout,
                   const ShapeIndex& shape_index = {}) const;
  Literal Relayout(const Shape& shape_with_layout) const;
  // Without dynamic dimensions: each has the size that it has now.
  Literal ToStatic() const;
  // The values in the larger, dynamic `bounded_shape`.
  Literal ToBoundedDynamic(const Shape& bounded_shape) const;
  // [start, limit) of each dimension.
  Literal Slice(absl::Span<const int64_t> start_indices,
                absl::Span<const int64_t> limit_indices) const;
  Literal SubLiteral(ShapeIndexView shape_index) const;
  Literal Clone() const;
  std::unique_ptr<Literal> CloneToUnique() const;
  // A new leading dimension of size `times`.
  template <typename NativeT>
  Literal Replicate(int64_t times) const;
  Literal Replicate(int64_t times) const;

  // Elements converted to nearest even; to integers towards zero, saturated,
  // nan to 0. Errors: InvalidArgument from complex to real, for non-arrays.
  absl::StatusOr<Literal> Convert(PrimitiveType primitive_dest_type) const;
  absl::StatusOr<Literal> ConvertToShape(const Shape& dest_shape) const;
  // The same bits as elements of another type. When the widths differ, the
  // most minor logical dimension of the narrower one holds the parts.
  absl::StatusOr<Literal> BitcastConvert(const Shape& dest_shape) const;
  // Row-major order; the result has the default layout.
  absl::StatusOr<Literal> Reshape(absl::Span<const int64_t> dimensions) const;
  // Dimension i becomes dimension `dimensions[i]` of `result_shape`.
  absl::StatusOr<Literal> Broadcast(const Shape& result_shape,
                                    absl::Span<const int64_t> dimensions) const;
  // Result dimension i is dimension permutation[i]; the layout is permuted so
  // that the bytes are the same.
  Literal Transpose(absl::Span<const int64_t> permutation) const;

  LiteralProto ToProto() const;

  // All zero (false, 0.0). For shapes that come from input: Literal::Make.
  static Literal CreateFromShape(const Shape& shape);

  template <typename H>
  friend H AbslHashValue(H state, const LiteralBase& literal) {
    return H::combine(std::move(state), literal.HashCode(false));
  }
  // Equal literals have equal codes; layout sensitive ones under that notion
  // of equality.
  size_t HashCode(bool layout_sensitive) const;

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
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_BASE_H_
