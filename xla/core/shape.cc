// Shape and ProgramShape: storage and comparison. shape_proto.cc converts them
// to protos, shape_print.cc to text.
#include "xla/core/shape.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/base/logging.h"
#include "xla/core/shape_text.h"

namespace xla {

Shape::Shape(PrimitiveType element_type, absl::Span<const int64_t> dimensions)
    : element_type_(element_type) {
  dimensions_.reserve(dimensions.size());
  for (int64_t size : dimensions) {
    add_dimensions(size, size == kUnboundedSize);
  }
}

Shape::Shape(PrimitiveType element_type, absl::Span<const int64_t> dimensions,
             absl::Span<const bool> dynamic_dimensions)
    : element_type_(element_type) {
  CHECK(dynamic_dimensions.empty() ||
        dimensions.size() == dynamic_dimensions.size());
  dimensions_.reserve(dimensions.size());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    add_dimensions(dimensions[i],
                   !dynamic_dimensions.empty() && dynamic_dimensions[i]);
  }
}

Shape Shape::MakeBufferShape(Shape element) {
  Shape buffer(BUFFER);
  buffer.tuple_shapes_[0] = std::move(element);
  return buffer;
}

const std::vector<Shape>& Shape::NoShapes() {
  static const auto& none = *new std::vector<Shape>;
  return none;
}

bool Shape::AreAllLeavesIntegers() const {
  return AreAllLeavesIntegersIf([](const Shape&) { return true; });
}

bool Shape::AreAllLeavesIntegersIf(
    absl::FunctionRef<bool(const Shape&)> predicate) const {
  if (IsTuple()) {
    return std::all_of(tuple_shapes_.begin(), tuple_shapes_.end(),
                       [&](const Shape& part) {
                         return part.AreAllLeavesIntegersIf(predicate);
                       });
  }
  return !predicate(*this) || IsInteger();
}

bool Shape::is_static() const {
  if (has_dynamic_dimensions_) return false;
  return std::all_of(tuple_shapes_.begin(), tuple_shapes_.end(),
                     [](const Shape& part) { return part.is_static(); });
}

bool Shape::is_unbounded_dynamic() const {
  return std::any_of(
             tuple_shapes_.begin(), tuple_shapes_.end(),
             [](const Shape& part) { return part.is_unbounded_dynamic(); }) ||
         std::find(dimensions_.begin(), dimensions_.end(), kUnboundedSize) !=
             dimensions_.end();
}

bool Shape::is_bounded_dynamic() const {
  for (const Shape& part : tuple_shapes_) {
    if (part.is_bounded_dynamic()) return true;
  }
  if (IsBuffer()) return false;
  for (int i = 0; i < dimensions_size(); ++i) {
    if (is_bounded_dynamic_dimension(i)) return true;
  }
  return false;
}

void Shape::set_dynamic_dimension(int dimension, bool is_dynamic) {
  if (&array() != this) {
    return mutable_array().set_dynamic_dimension(dimension, is_dynamic);
  }
  dynamic_dimensions_[dimension] = is_dynamic;
  has_dynamic_dimensions_ =
      std::find(dynamic_dimensions_.begin(), dynamic_dimensions_.end(), true) !=
      dynamic_dimensions_.end();
}

void Shape::clear_dynamic_dimensions() {
  for (Shape& part : tuple_shapes_) part.clear_dynamic_dimensions();
  if (has_dynamic_dimensions_ && layout_.has_value()) {
    layout_->set_dynamic_shape_metadata_prefix_bytes(0);
  }
  std::fill(dynamic_dimensions_.begin(), dynamic_dimensions_.end(), false);
  has_dynamic_dimensions_ = false;
}

void Shape::set_element_type(PrimitiveType value) {
  if (value == element_type_) return;
  if (IsArray() && primitive_util::IsArrayType(value)) {
    mutable_array().element_type_ = value;
    return;
  }
  Clear();
  element_type_ = value;
  if (IsBuffer()) tuple_shapes_.emplace_back();
}

void Shape::set_dimensions(int index, int64_t value,
                           std::optional<bool> is_dynamic) {
  mutable_array().dimensions_[index] = value;
  if (value == kUnboundedSize) is_dynamic = true;
  if (is_dynamic.has_value()) set_dynamic_dimension(index, *is_dynamic);
}

void Shape::add_dimensions(int64_t value, bool is_dynamic) {
  if (&array() != this)
    return mutable_array().add_dimensions(value, is_dynamic);
  is_dynamic = is_dynamic || value == kUnboundedSize;
  dimensions_.push_back(value);
  dynamic_dimensions_.push_back(is_dynamic);
  has_dynamic_dimensions_ = has_dynamic_dimensions_ || is_dynamic;
}

void Shape::clear_dimensions() {
  if (&array() != this) return mutable_array().clear_dimensions();
  dimensions_.clear();
  dynamic_dimensions_.clear();
  has_dynamic_dimensions_ = false;
}

void Shape::DeleteDimension(int64_t dim_to_delete) {
  if (&array() != this) return mutable_array().DeleteDimension(dim_to_delete);
  CHECK(dim_to_delete >= 0 && dim_to_delete < rank());
  set_dynamic_dimension(dim_to_delete, false);
  dimensions_.erase(dimensions_.begin() + dim_to_delete);
  dynamic_dimensions_.erase(dynamic_dimensions_.begin() + dim_to_delete);
  if (has_layout()) layout_->DeleteDimension(dim_to_delete);
}

void Shape::DeleteDimensions(absl::Span<const int64_t> dims) {
  for (int64_t dim = rank() - 1; dim >= 0; --dim) {
    if (absl::c_linear_search(dims, dim)) DeleteDimension(dim);
  }
}

std::string Shape::ToString(bool print_layout) const {
  std::string out;
  PrintShape(*this, print_layout, &out);
  return out;
}

bool Shape::operator==(const Shape& other) const {
  return Equal()(*this, other);
}

bool Shape::Equal::operator()(const Shape& lhs, const Shape& rhs) const {
  if (lhs.IsBuffer() || rhs.IsBuffer()) {
    return (ignore_buffer_ || lhs.IsBuffer() == rhs.IsBuffer()) &&
           (*this)(lhs.array(), rhs.array());
  }
  if (lhs.IsArray() && rhs.IsArray()) {
    const bool both_float =
        primitive_util::IsFloatingPointType(lhs.element_type_) &&
        primitive_util::IsFloatingPointType(rhs.element_type_);
    if (lhs.element_type_ != rhs.element_type_ && !ignore_element_type_ &&
        !(ignore_fp_precision_ && both_float)) {
      return false;
    }
  } else {
    if (lhs.element_type_ != rhs.element_type_ ||
        lhs.tuple_shapes_.size() != rhs.tuple_shapes_.size()) {
      return false;
    }
    return std::equal(lhs.tuple_shapes_.begin(), lhs.tuple_shapes_.end(),
                      rhs.tuple_shapes_.begin(), *this);
  }
  if (lhs.rank() != rhs.rank()) return false;
  if (!ignore_dimensions_) {
    for (int i = 0; i < lhs.dimensions_size(); ++i) {
      if (ignore_batch_dim_ == i) continue;
      // An unbounded dimension matches any size when dynamism is ignored.
      const bool free =
          ignore_dynamic_dimension_ && (lhs.is_unbounded_dynamic_dimension(i) ||
                                        rhs.is_unbounded_dynamic_dimension(i));
      if (lhs.dimensions_[i] != rhs.dimensions_[i] && !free) return false;
      if (!ignore_dynamic_dimension_ &&
          lhs.is_dynamic_dimension(i) != rhs.is_dynamic_dimension(i)) {
        return false;
      }
    }
  }
  if (ignore_layout_) return true;
  if (lhs.has_layout() != rhs.has_layout()) return false;
  return !lhs.has_layout() || layout_equal_(lhs.layout(), rhs.layout());
}

Shape::Equal& Shape::Equal::IgnoreLayout(bool ignore) {
  ignore_layout_ = ignore;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreTilesInLayout(bool ignore) {
  layout_equal_.IgnoreTiles(ignore);
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreElementSizeInLayout(bool ignore) {
  layout_equal_.IgnoreElementSize(ignore);
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreMemorySpaceInLayout(bool ignore) {
  layout_equal_.IgnoreMemorySpace(ignore);
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreTailPaddingAlignmentInElements(bool ignore) {
  layout_equal_.IgnoreTailPaddingAlignmentInElements(ignore);
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreSplitConfigInLayout(bool ignore) {
  layout_equal_.IgnoreSplitConfigs(ignore);
  return *this;
}
Shape::Equal& Shape::Equal::MinorToMajorOnlyInLayout(bool only) {
  layout_equal_.MinorToMajorOnly(only);
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreElementType(bool ignore) {
  ignore_element_type_ = ignore;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreFpPrecision(bool ignore) {
  ignore_fp_precision_ = ignore;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreDynamicDimension(bool ignore) {
  ignore_dynamic_dimension_ = ignore;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreDimensions(bool ignore) {
  ignore_dimensions_ = ignore;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreBatchDim(std::optional<int64_t> dim) {
  ignore_batch_dim_ = dim;
  return *this;
}
Shape::Equal& Shape::Equal::IgnoreBuffer(bool ignore) {
  ignore_buffer_ = ignore;
  return *this;
}

void ProgramShape::AddParameter(Shape shape, std::string name) {
  // Names go by position: earlier parameters without a name get "".
  parameter_names_.resize(parameters_.size());
  parameters_.push_back(std::move(shape));
  parameter_names_.push_back(std::move(name));
}

void ProgramShape::clear_parameters() {
  parameters_.clear();
  parameter_names_.clear();
}

std::string ProgramShape::ToString() const {
  std::string out;
  PrintProgramShape(*this, /*print_layouts=*/false, &out);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.ToString(/*print_layout=*/true);
}
std::ostream& operator<<(std::ostream& out, const ProgramShape& program_shape) {
  return out << program_shape.ToString() << "\n";
}

}  // namespace xla
