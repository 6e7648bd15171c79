// Literals to LiteralProto and back. Values are in memory order. Types of at
// most 8 bits take one byte each, with the unused bits 0; 16-bit types are
// little-endian bytes; the others have repeated fields.
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
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/repeated_field.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace {

using google::protobuf::RepeatedField;

// Returns the bytes field of a type: s4s for S4. Null for types with a repeated
// field.
const google::protobuf::FieldDescriptor* BytesField(PrimitiveType type) {
  const auto* field = LiteralProto::descriptor()->FindFieldByName(
      primitive_util::LowercasePrimitiveTypeName(type) + "s");
  return field != nullptr && !field->is_repeated() ? field : nullptr;
}

template <typename T>
void WriteField(const LiteralPiece& piece, int per_element,
                RepeatedField<T>* field) {
  const T* values = reinterpret_cast<const T*>(piece.buffer);
  field->Add(values, values + piece.element_count() * per_element);
}

void WriteArray(const LiteralPiece& piece, LiteralProto& proto) {
  const PrimitiveType type = piece.shape->element_type();
  if (const auto* field = BytesField(type)) {
    std::string bytes(piece.buffer, piece.size_bytes());
    NormalizeElements(type, bytes.data(), piece.element_count());
    proto.GetReflection()->SetString(&proto, field, std::move(bytes));
    return;
  }
  switch (type) {
    case PRED:
      return WriteField(piece, 1, proto.mutable_preds());
    case S32:
      return WriteField(piece, 1, proto.mutable_s32s());
    case S64:
      return WriteField(piece, 1, proto.mutable_s64s());
    case U32:
      return WriteField(piece, 1, proto.mutable_u32s());
    case U64:
      return WriteField(piece, 1, proto.mutable_u64s());
    case F32:
      return WriteField(piece, 1, proto.mutable_f32s());
    case F64:
      return WriteField(piece, 1, proto.mutable_f64s());
    case C64:
      return WriteField(piece, 2, proto.mutable_c64s());
    case C128:
      return WriteField(piece, 2, proto.mutable_c128s());
    default:
      LOG(FATAL) << "no elements of type " << PrimitiveType_Name(type);
  }
}

void WritePiece(const LiteralPiece& piece, LiteralProto& proto) {
  piece.shape->SetProto(*proto.mutable_shape());
  for (const LiteralPiece& child : piece.children) {
    WritePiece(child, *proto.add_tuple_literals());
  }
  if (!piece.shape->IsArray() || piece.buffer == nullptr) return;
  if (piece.dynamic_sizes != nullptr) {
    for (int i = 0; i < piece.shape->dimensions_size(); ++i) {
      proto.add_dynamic_sizes(static_cast<int32_t>(piece.dynamic_size(i)));
    }
  }
  WriteArray(piece, proto);
}

// The values that a message holds for an array, whichever field has them.
struct Values {
  const void* data = nullptr;
  int64_t bytes = 0;
};

template <typename T>
Values FieldValues(const RepeatedField<T>& field) {
  return {field.data(), field.size() * static_cast<int64_t>(sizeof(T))};
}

Values ValuesOf(PrimitiveType type, const LiteralProto& proto) {
  if (const auto* field = BytesField(type)) {
    std::string unused;  // only for implementations that build the string
    const std::string& bytes =
        proto.GetReflection()->GetStringReference(proto, field, &unused);
    return {bytes.data(), static_cast<int64_t>(bytes.size())};
  }
  switch (type) {
    case PRED:
      return FieldValues(proto.preds());
    case S32:
      return FieldValues(proto.s32s());
    case S64:
      return FieldValues(proto.s64s());
    case U32:
      return FieldValues(proto.u32s());
    case U64:
      return FieldValues(proto.u64s());
    case F32:
      return FieldValues(proto.f32s());
    case F64:
      return FieldValues(proto.f64s());
    case C64:
      return FieldValues(proto.c64s());
    case C128:
      return FieldValues(proto.c128s());
    default:
      return {};
  }
}

// Checks that each message has the values that its shape needs, before memory
// is allocated for it.
absl::Status CheckValues(const Shape& shape, const LiteralProto& proto,
                         bool prohibit_empty) {
  if (proto.tuple_literals_size() != shape.tuple_shapes_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Expected ", shape.tuple_shapes_size(),
                     " tuple elements in LiteralProto of ", shape.ToString(),
                     ", has ", proto.tuple_literals_size()));
  }
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    TF_RETURN_IF_ERROR(CheckValues(shape.tuple_shapes(i),
                                   proto.tuple_literals(i), prohibit_empty));
  }
  if (shape.IsBuffer()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: ", shape.ToString(), " has no values"));
  }
  if (!shape.IsArray()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(int64_t needed, LiteralBytes(shape));
  const int64_t have = ValuesOf(shape.element_type(), proto).bytes;
  if (have == needed || (have == 0 && !prohibit_empty)) return absl::OkStatus();
  const int width = LiteralElementBytes(shape.element_type());
  return absl::InvalidArgumentError(absl::StrCat(
      "Expected ", needed / width, " elements in LiteralProto of ",
      shape.ToString(), ", has ", have / width, " (", have, " bytes)"));
}

absl::Status ReadPiece(const LiteralPiece& piece, const LiteralProto& proto) {
  for (size_t i = 0; i < piece.children.size(); ++i) {
    TF_RETURN_IF_ERROR(ReadPiece(piece.children[i],
                                 proto.tuple_literals(static_cast<int>(i))));
  }
  if (!piece.shape->IsArray()) return absl::OkStatus();
  const PrimitiveType type = piece.shape->element_type();
  const Values values = ValuesOf(type, proto);
  if (values.bytes > 0) {
    std::memcpy(piece.buffer, values.data, values.bytes);
    NormalizeElements(type, piece.buffer, piece.element_count());
  }
  if (proto.dynamic_sizes_size() == 0 || piece.dynamic_sizes == nullptr) {
    return absl::OkStatus();
  }
  if (proto.dynamic_sizes_size() != piece.shape->dimensions_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: ", piece.shape->ToString(), " with ",
                     proto.dynamic_sizes_size(), " dynamic sizes"));
  }
  for (int i = 0; i < proto.dynamic_sizes_size(); ++i) {
    const int32_t size = proto.dynamic_sizes(i);
    if (size < 0 || size > piece.shape->dimensions(i)) {
      return absl::InvalidArgumentError(
          absl::StrCat("literal: size ", size, " of dynamic dimension ", i,
                       " of ", piece.shape->ToString()));
    }
    piece.dynamic_sizes[i] = size;
  }
  return absl::OkStatus();
}

}  // namespace

LiteralProto LiteralBase::ToProto() const {
  LiteralProto proto;
  WritePiece(root_piece(), proto);
  return proto;
}

absl::StatusOr<Literal> MutableLiteralBase::CreateFromProto(
    const LiteralProto& proto, bool prohibit_empty_literal) {
  if (!proto.has_shape()) {
    return absl::InvalidArgumentError("LiteralProto has no shape");
  }
  TF_ASSIGN_OR_RETURN(Shape shape, Shape::FromProto(proto.shape()));
  shape = DenseLiteralShape(shape);
  TF_RETURN_IF_ERROR(CheckValues(shape, proto, prohibit_empty_literal));
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(shape));
  TF_RETURN_IF_ERROR(ReadPiece(literal.root_piece(), proto));
  return literal;
}

}  // namespace xla
