// LiteralBase: the read-only interface of every literal (elements, text,
// equality) and the literals derived from it. Owners, views and writers are in
// the other headers.
#ifndef XLA_CORE_LITERAL_LITERAL_BASE_H_
#define XLA_CORE_LITERAL_LITERAL_BASE_H_

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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
// Thread safe as long as no thread writes.
class LiteralBase {
 public:
  using DynamicSizeType = int32_t;

  virtual ~LiteralBase() = default;

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
  // Returns nullopt when the elements are not integers.
  std::optional<int64_t> GetFirstInteger() const;

  // Returns one element as text, such as "1", "true", "0.5", "(1, -2)".
  std::string GetAsString(absl::Span<const int64_t> multi_index,
                          const ShapeIndex& shape_index = {}) const;
  // Returns nullopt when the element type is neither an integer nor PRED.
  std::optional<int64_t> GetIntegralAsS64(
      absl::Span<const int64_t> multi_index) const;
  // Returns nullopt when the element type is complex.
  std::optional<double> GetAsDouble(
      absl::Span<const int64_t> multi_index) const;
  std::optional<double> GetSumAsDouble(
      absl::Span<const int64_t> linear_indices) const;
  std::optional<complex128> GetAsComplex128(
      absl::Span<const int64_t> multi_index) const;
  // Compares as complex numbers; integers compare exactly.
  bool IsEqualAt(absl::Span<const int64_t> multi_index, complex128 value) const;
  bool IsEqualAt(absl::Span<const int64_t> multi_index, int64_t value) const;
  bool IsEqualAt(absl::Span<const int64_t> multi_index, int value) const {
    return IsEqualAt(multi_index, int64_t{value});
  }
  bool IsEqualAt(absl::Span<const int64_t> multi_index, double value) const {
    return IsEqualAt(multi_index, complex128(value, 0));
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

  // Text over several lines, or on one. ToString prints shapes without layout.
  std::string ToString() const;
  std::string ToStringOneline() const;
  std::string ToStringWithoutShape() const;
  std::string ToStringWithoutShapeOneline() const;
  std::string ToStringWithLayout() const;
  std::string ToStringWithLayoutOneline() const;
  void Print(Printer* printer) const;
  void PrintOneline(Printer* printer) const;
  void PrintWithoutShape(Printer* printer) const;
  void PrintWithoutShapeOneline(Printer* printer) const;
  void PrintWithLayout(Printer* printer) const;
  void PrintWithLayoutOneline(Printer* printer) const;

  // Returns true if the shapes are the same (layouts count only if
  // `layout_sensitive`), the dynamic sizes are the same, and all bits are: nan
  // equals nan of the same payload, 0 is not -0.
  bool Equal(const LiteralBase& other, bool layout_sensitive) const;
  bool operator==(const LiteralBase& other) const {
    return Equal(other, /*layout_sensitive=*/false);
  }
  bool operator!=(const LiteralBase& other) const { return !(*this == other); }

  // Returns true if every element is the value, hence if there are no elements;
  // false if the type cannot hold the value, and for all but arrays.
  bool IsAll(int8_t value) const;
  bool IsAll(const Literal& scalar) const;
  // Returns false unless the elements are floating point.
  bool IsAllFloat(float value) const;
  // Like IsAllFloat, but accepts integers too.
  bool IsAllFloatWithCast(float value) const;
  bool IsAllComplex(complex64 value) const;
  // Returns true if all elements have the bits of the first, false if there are
  // none.
  bool IsAllFirst() const;
  // Returns true for an array of rank 1 with the elements 0, 1, 2, ...
  bool IsR1Iota() const;
  // Returns the stride s of 0, s, 2s, ... in an array of integers of rank 1.
  std::optional<int64_t> IsR1StridedIota() const;
  bool IsZero(absl::Span<const int64_t> indices) const;
  // Returns how many elements equal `value`, compared as in IsEqualAt.
  int64_t CountEqual(complex128 value) const;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  int64_t CountEqual(T value) const {
    return CountEqual(complex128(static_cast<double>(value), 0));
  }
  // Return true if every array has values, or is a placeholder of values that
  // are known to be unknown. Elements of placeholders must not be accessed.
  bool IsKnown(const ShapeIndex& shape_index = {}) const;
  bool IsDetermined(const ShapeIndex& shape_index = {}) const;

  // Returns the same values in memory order `new_layout`; the second form takes
  // the layouts of all leaves from a compatible shape.
  Literal Relayout(const Layout& new_layout,
                   const ShapeIndex& shape_index = {}) const;
  Literal Relayout(const Shape& shape_with_layout) const;
  // Makes dynamic dimensions static at their present sizes.
  Literal ToStatic() const;
  // Returns the values in the larger, dynamic `bounded_shape`.
  Literal ToBoundedDynamic(const Shape& bounded_shape) const;
  // Returns the elements in [start, limit) of each dimension.
  Literal Slice(absl::Span<const int64_t> start_indices,
                absl::Span<const int64_t> limit_indices) const;
  Literal SubLiteral(ShapeIndexView shape_index) const;
  Literal Clone() const;
  std::unique_ptr<Literal> CloneToUnique() const;
  // Adds a leading dimension of size `times`.
  template <typename NativeT>
  Literal Replicate(int64_t times) const;
  Literal Replicate(int64_t times) const;

  // Converts elements, rounding to nearest even; to integers towards zero,
  // saturated, nan to 0. Errors: InvalidArgument from complex to real, for
  // non-arrays.
  absl::StatusOr<Literal> Convert(PrimitiveType primitive_dest_type) const;
  absl::StatusOr<Literal> ConvertToShape(const Shape& dest_shape) const;
  // Reinterprets the bits as elements of another type. If the widths differ,
  // the most minor logical dimension of the narrower one holds the parts.
  absl::StatusOr<Literal> BitcastConvert(const Shape& dest_shape) const;
  // Keeps the row-major order; the result has the default layout.
  absl::StatusOr<Literal> Reshape(absl::Span<const int64_t> dimensions) const;
  // Maps dimension i to dimension `dimensions[i]` of `result_shape`.
  absl::StatusOr<Literal> Broadcast(const Shape& result_shape,
                                    absl::Span<const int64_t> dimensions) const;
  // Makes dimension permutation[i] dimension i; permutes the layout so that the
  // bytes stay the same.
  Literal Transpose(absl::Span<const int64_t> permutation) const;

  LiteralProto ToProto() const;
  // Write, without the limit of 2 GB that protos have, the size of the shape's
  // proto as 8 bytes, the proto, and for each array the dynamic sizes, if any,
  // and the elements as they lie, little endian; those below 8 bits and PRED
  // packed from the low bits up. Errors: InvalidArgument for what has no values.
  absl::Status SerializeToString(std::string* output) const;
  absl::StatusOr<std::string> SerializeAsString() const;
  template <typename OutputIterator>
  absl::Status Serialize(OutputIterator output) const {
    std::string bytes;
    absl::Status status = SerializeToString(&bytes);
    if (status.ok()) std::copy(bytes.begin(), bytes.end(), output);
    return status;
  }
  absl::StatusOr<int64_t> SerializedSize() const {
    return ShapeUtil::SerializedSize(shape());
  }

  // Makes a literal of zeros (false, 0.0). For shapes from input use
  // Literal::Make.
  static Literal CreateFromShape(const Shape& shape);
  // Make placeholders, which can be copied, moved and printed only.
  static Literal CreateFromShapeWithUnknownLeafArrays(const Shape& shape);
  static Literal CreateFromShapeWithUndeterminedLeafArrays(const Shape& shape);

  // Equal literals have equal codes; with `layout_sensitive`, those equal under
  // that notion of equality. At most the first 256 elements of an array count.
  size_t HashCode(bool layout_sensitive) const;
  template <typename H>
  friend H AbslHashValue(H state, const LiteralBase& literal) {
    return H::combine(std::move(state), literal.HashCode(false));
  }
  // kByteLimit is to bound the cost, which HashCode does.
  template <typename H, bool kIsLayoutSensitive = true,
            int64_t kByteLimit = std::numeric_limits<int64_t>::max()>
  static H Hash(H state, const LiteralBase& literal) {
    return H::combine(std::move(state), literal.HashCode(kIsLayoutSensitive));
  }
  // Refers to a literal, to hash it with or without its layout.
  template <bool layout_sensitive>
  struct AbslHashable {
    explicit AbslHashable(const LiteralBase& l) : literal(l) {}
    template <typename H>
    friend H AbslHashValue(H state, const AbslHashable& hashable) {
      return Hash<H, layout_sensitive>(std::move(state), hashable.literal);
    }
    const LiteralBase& literal;
  };

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
