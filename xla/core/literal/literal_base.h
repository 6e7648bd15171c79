// LiteralBase: the read-only interface of every literal (elements, text,
// equality) and the literals derived from it. Owners, views and writers are in
// the other headers, single elements in literal_elements.h.
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
#include "xla/core/literal/literal_elements.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Literal;

// Values of a shape: an array, a token, or a tuple of them. Thread safe as long
// as no thread writes.
class LiteralBase : public LiteralElements {
 public:
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

  // Returns true if tuples, element types and sizes are the same (layouts too,
  // if `layout_sensitive`), and all bits are: nan equals nan of the same
  // payload, 0 is not -0. A dynamic dimension has the size that it has, not its
  // bound.
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
  // packed from the low bits up. Errors: InvalidArgument for what has no
  // values.
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
  // that notion of equality. Of each array, so many bytes count that a hash
  // costs less than the comparison that it saves, or as many as `byte_limit`
  // says.
  static constexpr int64_t kHashedBytes = 1024;
  size_t HashCode(bool layout_sensitive,
                  int64_t byte_limit = kHashedBytes) const;
  template <typename H>
  friend H AbslHashValue(H state, const LiteralBase& literal) {
    return H::combine(std::move(state), literal.HashCode(false));
  }
  template <typename H, bool kIsLayoutSensitive = true,
            int64_t kByteLimit = std::numeric_limits<int64_t>::max()>
  static H Hash(H state, const LiteralBase& literal) {
    return H::combine(std::move(state),
                      literal.HashCode(kIsLayoutSensitive, kByteLimit));
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
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_BASE_H_
