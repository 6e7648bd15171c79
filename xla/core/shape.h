// Shape: element type and dimensions of an array, or a tuple, token, opaque
// value or buffer. Holds and compares; shape_util.h makes, checks and
// transforms shapes, shape_text.h reads and prints them.
#ifndef XLA_CORE_SHAPE_H_
#define XLA_CORE_SHAPE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/layout.h"
#include "xla/core/primitive_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Printer;

// Arrays of up to six dimensions copy without allocating. Construction does not
// check shapes (ShapeUtil::ValidateShape does); calling an accessor of another
// kind of shape is a programmer error. A buffer is an array too: it has the
// elements, dimensions and layout of the array in it.
class Shape {
 public:
  // The size of a dynamic dimension without an upper bound.
  static constexpr int64_t kUnboundedSize = std::numeric_limits<int64_t>::min();
  static bool IsValidDimensionSize(int64_t size, bool is_dynamic) {
    return size >= 0 || (is_dynamic && size == kUnboundedSize);
  }
  // The deepest nesting of tuples that readers accept: bounds the recursion
  // over shapes.
  static constexpr int kMaxNesting = 100;

  Shape() = default;
  // Makes a shape without layout and dimensions.
  explicit Shape(PrimitiveType element_type) : element_type_(element_type) {
    if (IsBuffer()) tuple_shapes_.emplace_back();
  }
  // Makes an array without a layout. A kUnboundedSize dimension is dynamic.
  Shape(PrimitiveType element_type, absl::Span<const int64_t> dimensions);
  // Flags of no dimension stand for those of static ones.
  Shape(PrimitiveType element_type, absl::Span<const int64_t> dimensions,
        absl::Span<const bool> dynamic_dimensions);
  explicit Shape(std::vector<Shape> tuple_shapes)
      : element_type_(TUPLE), tuple_shapes_(std::move(tuple_shapes)) {}
  // Returns the shape of a mutable buffer that holds an `element` array.
  static Shape MakeBufferShape(Shape element);

  // Errors: InvalidArgument for unknown types, bad sizes, layouts that do not
  // fit, sizes that overflow int64, nesting beyond kMaxNesting. The empty
  // message gives Shape().
  static absl::StatusOr<Shape> FromProto(const ShapeProto& proto);
  ShapeProto ToProto() const;
  void ToProto(ShapeProto& proto) const { SetProto(proto); }
  void SetProto(ShapeProto& proto) const;

  // Returns HumanString, or HumanStringWithLayout, of ShapeUtil.
  std::string ToString(bool print_layout = false) const;
  void Print(Printer* printer, bool print_layout = false) const;

  bool IsInteger() const {
    return primitive_util::IsIntegralType(element_type());
  }
  bool IsArray() const { return IsArrayExcludingBuffer() || IsBuffer(); }
  bool IsArrayExcludingBuffer() const {
    return primitive_util::IsArrayType(element_type_);
  }
  bool IsTuple() const { return element_type_ == TUPLE; }
  bool IsToken() const { return element_type_ == TOKEN; }
  bool IsOpaque() const { return element_type_ == OPAQUE_TYPE; }
  bool IsBuffer() const { return element_type_ == BUFFER; }
  // Returns the array inside a buffer; for other shapes the shape itself.
  const Shape& buffer_shape() const { return array(); }

  bool AreAllLeavesIntegers() const;
  bool AreAllLeavesIntegersIf(
      absl::FunctionRef<bool(const Shape&)> predicate) const;

  // Returns true if no array in it has a dynamic dimension.
  bool is_static() const;
  bool is_dynamic() const { return !is_static(); }
  bool is_unbounded_dynamic() const;
  bool is_bounded_dynamic() const;

  bool is_dynamic_dimension(int dimension) const {
    return array().has_dynamic_dimensions_ &&
           array().dynamic_dimensions_[dimension];
  }
  bool is_static_dimension(int dimension) const {
    return !is_dynamic_dimension(dimension);
  }
  bool is_unbounded_dynamic_dimension(int dimension) const {
    return array().dimensions_[dimension] == kUnboundedSize;
  }
  bool is_bounded_dynamic_dimension(int dimension) const {
    return is_dynamic_dimension(dimension) &&
           !is_unbounded_dynamic_dimension(dimension);
  }
  void set_dynamic_dimension(int dimension, bool is_dynamic);
  void set_unbounded_dynamic_dimension(int dimension) {
    set_dimensions(dimension, kUnboundedSize, true);
  }
  // Returns one flag per dimension.
  absl::Span<const bool> dynamic_dimensions() const {
    return array().dynamic_dimensions_;
  }
  // Makes all dimensions static at their bounds, those of the parts too.
  void clear_dynamic_dimensions();
  bool has_dynamic_dimensions() const {
    return array().has_dynamic_dimensions_;
  }

  // Remove dimensions from sizes, flags and layout. One that there is not ends
  // the process; among several it is ignored.
  void DeleteDimension(int64_t dim_to_delete);
  void DeleteDimensions(absl::Span<const int64_t> dims);

  // Returns the type of the elements.
  PrimitiveType element_type() const { return array().element_type_; }
  // Returns BUFFER for buffers.
  PrimitiveType element_type_including_buffer() const { return element_type_; }
  // Drops what a shape of the new kind cannot have: dimensions and layout of
  // an array that becomes a tuple, say. A buffer stays one if `value` is a type
  // of elements.
  void set_element_type(PrimitiveType value);

  int64_t rank() const { return array().dimensions_.size(); }
  int dimensions_size() const { return array().dimensions_.size(); }
  int64_t dimensions(int index) const { return array().dimensions_[index]; }
  absl::Span<const int64_t> dimensions() const { return array().dimensions_; }
  // Returns the size of the `index`-th most minor dimension of the layout.
  int64_t dimensions_minor(int index) const {
    return array().dimensions_[layout().minor_to_major(index)];
  }
  // Keeps the dynamic flag unless one is given.
  void set_dimensions(int index, int64_t value,
                      std::optional<bool> is_dynamic = std::nullopt);
  void set_dimensions_minor(int index, int64_t value,
                            std::optional<bool> is_dynamic = std::nullopt) {
    set_dimensions(layout().minor_to_major(index), value, is_dynamic);
  }
  // Appends a dimension; does not change the layout.
  void add_dimensions(int64_t value, bool is_dynamic = false);
  void clear_dimensions();

  // The elements of a tuple; other shapes have none.
  int tuple_shapes_size() const { return tuple_shapes().size(); }
  const Shape& tuple_shapes(int index) const { return tuple_shapes_[index]; }
  Shape* mutable_tuple_shapes(int index) { return &tuple_shapes_[index]; }
  Shape* add_tuple_shapes() { return &tuple_shapes_.emplace_back(); }
  void clear_tuple_shapes() { tuple_shapes_.clear(); }
  const std::vector<Shape>& tuple_shapes() const {
    return IsBuffer() ? NoShapes() : tuple_shapes_;
  }
  std::vector<Shape>* mutable_tuple_shapes() { return &tuple_shapes_; }

  bool has_layout() const { return array().layout_.has_value(); }
  const Layout& layout() const { return *array().layout_; }
  // Makes an empty layout if there is none.
  Layout* mutable_layout() {
    std::optional<Layout>& layout = mutable_array().layout_;
    if (!layout.has_value()) layout.emplace();
    return &*layout;
  }
  void clear_layout() { mutable_array().layout_.reset(); }

  void Swap(Shape* other) { std::swap(*this, *other); }
  void Clear() { *this = Shape(); }

  std::string SerializeAsString() const {
    return ToProto().SerializeAsString();
  }
  std::string ShortDebugString() const { return ToProto().ShortDebugString(); }
  std::string DebugString() const { return ToProto().DebugString(); }

  // Compares shapes; setters make it ignore a part and can be chained:
  // Shape::Equal().IgnoreLayout()(a, b).
  class Equal;
  bool operator==(const Shape& other) const;
  bool operator!=(const Shape& other) const { return !(*this == other); }

  // Returns a hash of all that the proto has, the same on every machine.
  uint64_t FingerprintWithLayout() const;

  template <typename H, bool kIsLayoutSensitive = true>
  static H Hash(H h, const Shape& s) {
    h = H::combine(std::move(h), static_cast<int>(s.element_type_));
    if (!s.tuple_shapes_.empty() || s.IsTuple()) {
      for (const Shape& part : s.tuple_shapes_) {
        h = Hash<H, kIsLayoutSensitive>(std::move(h), part);
      }
      return H::combine(std::move(h), s.tuple_shapes_.size());
    }
    h = H::combine(std::move(h), s.dimensions_, s.dynamic_dimensions_);
    if constexpr (kIsLayoutSensitive) {
      if (s.layout_.has_value()) h = H::combine(std::move(h), *s.layout_);
    }
    return h;
  }
  template <typename H>
  friend H AbslHashValue(H h, const Shape& s) {
    return Hash(std::move(h), s);
  }

 private:
  static const std::vector<Shape>& NoShapes();
  // What has the dimensions: the array in a buffer, or the shape itself.
  const Shape& array() const {
    return IsBuffer() && !tuple_shapes_.empty() ? tuple_shapes_[0] : *this;
  }
  Shape& mutable_array() { return const_cast<Shape&>(array()); }

  PrimitiveType element_type_ = PRIMITIVE_TYPE_INVALID;
  bool has_dynamic_dimensions_ = false;
  DimensionVector dimensions_;
  absl::InlinedVector<bool, 8> dynamic_dimensions_;
  std::optional<Layout> layout_;
  std::vector<Shape> tuple_shapes_;  // a buffer has its element shape here
};

class Shape::Equal {
 public:
  bool operator()(const Shape& lhs, const Shape& rhs) const;

  Equal& IgnoreLayout(bool ignore = true);
  Equal& IgnoreTilesInLayout(bool ignore = true);
  Equal& IgnoreElementSizeInLayout(bool ignore = true);
  Equal& IgnoreMemorySpaceInLayout(bool ignore = true);
  Equal& IgnoreTailPaddingAlignmentInElements(bool ignore = true);
  Equal& IgnoreSplitConfigInLayout(bool ignore = true);
  Equal& MinorToMajorOnlyInLayout(bool only = true);
  Equal& IgnoreElementType(bool ignore = true);
  // Treats floating-point types of any width as equal.
  Equal& IgnoreFpPrecision(bool ignore = true);
  Equal& IgnoreDynamicDimension(bool ignore = true);
  // Compares numbers of dimensions, not their sizes.
  Equal& IgnoreDimensions(bool ignore = true);
  Equal& IgnoreBatchDim(std::optional<int64_t> dim = std::nullopt);
  // Treats a buffer as equal to the array in it.
  Equal& IgnoreBuffer(bool ignore = true);

 private:
  bool ignore_layout_ = false;
  Layout::Equal layout_equal_;
  bool ignore_element_type_ = false;
  bool ignore_fp_precision_ = false;
  bool ignore_dynamic_dimension_ = false;
  bool ignore_dimensions_ = false;
  bool ignore_buffer_ = false;
  std::optional<int64_t> ignore_batch_dim_;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape);

}  // namespace xla

#endif  // XLA_CORE_SHAPE_H_
