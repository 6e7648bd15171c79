// Converts one array to and from the bytes of an .npy file.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_io.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/npy/npy_header.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

std::string DescrOf(PrimitiveType type) {
  const int bytes = LiteralElementBytes(type);
  if (type == PRED) return "|b1";
  if (type == BF16) return "|V2";
  char kind = 'V';
  if (primitive_util::IsSignedIntegralType(type)) kind = 'i';
  if (primitive_util::IsUnsignedIntegralType(type)) kind = 'u';
  if (primitive_util::IsFloatingPointType(type) && bytes > 1) kind = 'f';
  if (primitive_util::IsComplexType(type)) kind = 'c';
  return absl::StrCat(bytes == 1 ? "|" : "<", std::string(1, kind), bytes);
}

// Returns the type that the header alone determines; PRIMITIVE_TYPE_INVALID for
// raw bytes and for types that literals lack.
PrimitiveType NamedType(const NpyHeader& header) {
  if (header.kind == 'f' && header.item_bytes == 1) return F8E5M2;
  if (header.kind == 'V') {
    return header.item_bytes == 2 ? BF16 : PRIMITIVE_TYPE_INVALID;
  }
  for (PrimitiveType type :
       {PRED, S8, S16, S32, S64, U8, U16, U32, U64, F16, F32, F64, C64, C128}) {
    const std::string descr = DescrOf(type);
    if (descr[1] == header.kind &&
        LiteralElementBytes(type) == header.item_bytes) {
      return type;
    }
  }
  return PRIMITIVE_TYPE_INVALID;
}

absl::StatusOr<PrimitiveType> ElementType(const NpyHeader& header,
                                          const Shape* expected) {
  const PrimitiveType named = NamedType(header);
  const std::string descr =
      absl::StrCat(std::string(1, header.kind), header.item_bytes);
  if (expected == nullptr || named == expected->element_type()) {
    if (named != PRIMITIVE_TYPE_INVALID) return named;
    return NpyError(absl::StrCat("elements '", descr, "' are ",
                                 header.kind == 'V'
                                     ? "raw bytes of unknown type"
                                     : "of a type that literals lack"));
  }
  const PrimitiveType type = expected->element_type();
  const bool small_integer = primitive_util::IsIntegralType(type) &&
                             ElementBits(type) < 8 &&
                             (named == S8 || named == U8);
  const bool raw =
      header.kind == 'V' && LiteralElementBytes(type) == header.item_bytes;
  if (small_integer || raw) return type;
  return NpyError(absl::StrCat("elements are '", descr, "', expected ",
                               expected->ToString()));
}

void SwapBytes(char* data, int64_t count, int64_t width) {
  for (int64_t i = 0; i < count; ++i) {
    std::reverse(data + i * width, data + (i + 1) * width);
  }
}

// Checks that small integers stored as whole bytes are in range.
absl::Status CheckRange(const NpyHeader& header, PrimitiveType type,
                        const char* bytes, int64_t count) {
  const PrimitiveType named = header.kind == 'u' ? U8 : S8;
  if ((header.kind != 'u' && header.kind != 'i') || ElementBits(type) >= 8) {
    return absl::OkStatus();
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t have = 0;
    int64_t kept = 0;
    char element = 0;
    ConvertElements(named, bytes + i, S64, &have, 1);
    ConvertElements(S64, &have, type, &element, 1);
    ConvertElements(type, &element, S64, &kept, 1);
    if (have == kept) continue;
    return NpyError(absl::StrCat(
        "element ", i, " is ", have, ", which is out of range for ",
        primitive_util::LowercasePrimitiveTypeName(type)));
  }
  return absl::OkStatus();
}

// Returns the dense shape of the file's elements in their order.
absl::StatusOr<Shape> FileShape(const NpyHeader& header, PrimitiveType type) {
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(type, header.dimensions));
  if (header.fortran_order) {
    *shape.mutable_layout() =
        LayoutUtil::MakeAscendingLayout(shape.dimensions_size());
  }
  return shape;
}

// Returns the type to write: small integers are written as S8 or U8.
PrimitiveType WrittenType(PrimitiveType type) {
  if (!primitive_util::IsIntegralType(type) || ElementBits(type) >= 8) {
    return type;
  }
  return primitive_util::IsSignedIntegralType(type) ? S8 : U8;
}

bool Fits(absl::Span<const int64_t> dimensions, const Shape& expected) {
  if (static_cast<int>(dimensions.size()) != expected.dimensions_size()) {
    return false;
  }
  for (int i = 0; i < expected.dimensions_size(); ++i) {
    if (dimensions[i] == expected.dimensions(i)) continue;
    if (!expected.is_dynamic_dimension(i) ||
        dimensions[i] > expected.dimensions(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<Literal> ReadNpy(absl::string_view bytes,
                                const Shape* expected) {
  TF_ASSIGN_OR_RETURN(NpyHeader header, ParseNpyHeader(bytes));
  TF_ASSIGN_OR_RETURN(PrimitiveType type, ElementType(header, expected));
  TF_ASSIGN_OR_RETURN(Shape shape, FileShape(header, type));
  if (expected != nullptr && !Fits(header.dimensions, *expected)) {
    return NpyError(absl::StrCat("the array is ", shape.ToString(),
                                 ", expected ", expected->ToString()));
  }
  TF_ASSIGN_OR_RETURN(int64_t needed, LiteralBytes(shape));
  const int64_t have = static_cast<int64_t>(bytes.size() - header.data_offset);
  if (have < needed) {
    return NpyError(absl::StrCat("the elements are cut off: ", shape.ToString(),
                                 " needs ", needed, " bytes, the file has ",
                                 have));
  }
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(shape));
  const char* elements = bytes.data() + header.data_offset;
  TF_RETURN_IF_ERROR(
      CheckRange(header, type, elements, literal.element_count()));
  char* data = static_cast<char*>(literal.untyped_data());
  if (needed > 0) std::memcpy(data, elements, needed);
  if (header.big_endian) {
    const int parts = primitive_util::IsComplexType(type) ? 2 : 1;
    SwapBytes(data, literal.element_count() * parts, header.item_bytes / parts);
  }
  NormalizeElements(type, data, literal.element_count());
  Shape wanted = expected != nullptr ? DenseLiteralShape(*expected) : shape;
  if (expected == nullptr) LayoutUtil::SetToDefaultLayout(&wanted);
  if (wanted.is_dynamic()) return literal.ToBoundedDynamic(wanted);
  if (wanted.layout() == shape.layout()) return literal;
  return literal.Relayout(wanted);
}

std::string WriteNpy(const LiteralSlice& literal) {
  CHECK(literal.shape().IsArray()) << literal.shape().ToString();
  Literal row_major;
  if (literal.shape().is_dynamic()) row_major = literal.ToStatic();
  const LiteralSlice source =
      literal.shape().is_dynamic() ? LiteralSlice(row_major) : literal;
  Shape shape = source.shape();
  LayoutUtil::SetToDefaultLayout(&shape);
  Literal dense = source.Relayout(shape);
  std::string bytes =
      MakeNpyHeader(DescrOf(shape.element_type()), shape.dimensions());
  const size_t offset = bytes.size();
  bytes.resize(offset + dense.size_bytes());
  const PrimitiveType type = shape.element_type();
  ConvertElements(type, dense.untyped_data(), WrittenType(type),
                  bytes.data() + offset, dense.element_count());
  return bytes;
}

}  // namespace xla
