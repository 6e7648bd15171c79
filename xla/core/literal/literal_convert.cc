// New literals of another element type: by value, and by reinterpreting bits.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

void CopyDynamicSizes(const LiteralBase& from, Literal& to) {
  for (int i = 0; i < to.shape().dimensions_size(); ++i) {
    if (to.shape().is_dynamic_dimension(i)) {
      to.SetDynamicSize(i, from.GetDynamicSize(i));
    }
  }
}

// Packs elements of fewer than 8 bits, the first in the lowest bits.
std::string PackBits(absl::Span<const uint8_t> elements, int bits) {
  std::string packed(CeilOfRatio(elements.size() * bits, 8), '\0');
  const uint8_t mask = static_cast<uint8_t>((1 << bits) - 1);
  for (size_t i = 0; i < elements.size(); ++i) {
    size_t at = i * bits;
    packed[at / 8] |= static_cast<char>((elements[i] & mask) << (at % 8));
  }
  return packed;
}

void UnpackBits(absl::string_view packed, int bits, uint8_t* elements,
                int64_t count) {
  const uint8_t mask = static_cast<uint8_t>((1 << bits) - 1);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = i * bits;
    elements[i] = (static_cast<uint8_t>(packed[at / 8]) >> (at % 8)) & mask;
  }
}

// Returns the dimensions of the result of a bitcast; nullopt if the widths
// `from` and `to` and the dimensions do not allow one.
absl::StatusOr<std::vector<int64_t>> BitcastDimensions(const Shape& shape,
                                                       int from, int to) {
  std::vector<int64_t> dims(shape.dimensions().begin(),
                            shape.dimensions().end());
  if (from > to && from % to == 0) dims.push_back(from / to);
  if (from < to) {
    if (dims.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "bitcast-convert: to a shape of different size: ", shape.ToString(),
          " has ", from, " bits, the result ", to));
    }
    if (to % from != 0 || dims.back() != to / from) {
      return absl::InvalidArgumentError(
          absl::StrCat("bitcast-convert: the last dimension of ",
                       shape.ToString(), " should be ", to / from));
    }
    dims.pop_back();
  }
  return dims;
}

}  // namespace

absl::StatusOr<Literal> LiteralBase::Convert(
    PrimitiveType primitive_dest_type) const {
  const PrimitiveType from = shape().element_type();
  const PrimitiveType to = primitive_dest_type;
  if (!shape().IsArray() || !primitive_util::IsArrayType(to)) {
    return absl::UnimplementedError(
        absl::StrCat("convert: from ", shape().ToString(), " to ",
                     PrimitiveType_Name(to), ", which are not both arrays"));
  }
  if (from == to) return Clone();
  if (primitive_util::IsComplexType(from) &&
      !primitive_util::IsComplexType(to)) {
    return absl::UnimplementedError(
        absl::StrCat("convert: from complex ", shape().ToString(), " to real ",
                     PrimitiveType_Name(to)));
  }
  Shape result_shape = shape();
  result_shape.set_element_type(to);
  result_shape.mutable_layout()->set_element_size_in_bits(0);
  TF_ASSIGN_OR_RETURN(Literal result, Literal::Make(result_shape));
  ConvertElements(from, untyped_data(), to, result.untyped_data(),
                  element_count());
  CopyDynamicSizes(*this, result);
  return result;
}

absl::StatusOr<Literal> LiteralBase::ConvertToShape(
    const Shape& dest_shape) const {
  if (!dest_shape.IsTuple()) {
    TF_ASSIGN_OR_RETURN(Literal result, Convert(dest_shape.element_type()));
    if (!ShapeUtil::Compatible(result.shape(), dest_shape)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "convert: from ", shape().ToString(), " to ", dest_shape.ToString()));
    }
    return result;
  }
  if (!shape().IsTuple() ||
      shape().tuple_shapes_size() != dest_shape.tuple_shapes_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("convert: from ", shape().ToString(), " to ",
                     dest_shape.ToString(), ", tuples of different sizes"));
  }
  std::vector<Literal> elements;
  for (int i = 0; i < dest_shape.tuple_shapes_size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        Literal element,
        LiteralSlice(*this, {i}).ConvertToShape(dest_shape.tuple_shapes(i)));
    elements.push_back(std::move(element));
  }
  return MutableLiteralBase::MoveIntoTuple(absl::MakeSpan(elements));
}

absl::StatusOr<Literal> LiteralBase::BitcastConvert(
    const Shape& dest_shape) const {
  if (!shape().IsArray() || !dest_shape.IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("bitcast-convert: from ", shape().ToString(), " to ",
                     dest_shape.ToString(), ", which are not both arrays"));
  }
  const PrimitiveType from = shape().element_type();
  const PrimitiveType to = dest_shape.element_type();
  const int from_bits = ElementBits(from);
  const int to_bits = ElementBits(to);
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> dims,
                      BitcastDimensions(shape(), from_bits, to_bits));
  if (dest_shape.dimensions() != absl::MakeConstSpan(dims)) {
    return absl::InvalidArgumentError(
        absl::StrCat("bitcast-convert: ", shape().ToString(),
                     " does not have the bits of ", dest_shape.ToString()));
  }
  // In row-major order the parts of one wide element are adjacent.
  Shape row_major_shape = shape();
  LayoutUtil::SetToDefaultLayout(&row_major_shape);
  TF_ASSIGN_OR_RETURN(Literal source, Literal::Make(row_major_shape));
  TF_RETURN_IF_ERROR(source.CopyFrom(*this));
  Shape result_shape(dest_shape);
  LayoutUtil::SetToDefaultLayout(&result_shape);
  TF_ASSIGN_OR_RETURN(Literal result, Literal::Make(result_shape));
  const char* bytes = static_cast<const char*>(source.untyped_data());
  char* out = static_cast<char*>(result.untyped_data());
  std::string packed;
  if (from_bits < 8 && from_bits != to_bits) {
    packed = PackBits({reinterpret_cast<const uint8_t*>(bytes),
                       static_cast<size_t>(source.element_count())},
                      from_bits);
    bytes = packed.data();
  }
  if (to_bits < 8 && from_bits != to_bits) {
    UnpackBits({bytes, static_cast<size_t>(packed.empty() ? source.size_bytes()
                                                          : packed.size())},
               to_bits, reinterpret_cast<uint8_t*>(out),
               result.element_count());
  } else if (result.size_bytes() > 0) {
    std::memcpy(out, bytes, result.size_bytes());
  }
  NormalizeElements(to, out, result.element_count());
  for (int i = 0; i < dest_shape.dimensions_size(); ++i) {
    if (!dest_shape.is_dynamic_dimension(i) || i >= shape().dimensions_size()) {
      continue;
    }
    result.SetDynamicSize(i, GetDynamicSize(i));
  }
  return result.Relayout(DenseLiteralShape(dest_shape));
}

}  // namespace xla
