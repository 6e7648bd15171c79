// Codecs of numbers, strings, lists of numbers, shapes and literals.
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {

using google::protobuf::FieldDescriptor;

// int64_t -------------------------------------------------------------------

template <>
void FieldCodec<int64_t>::Print(std::string_view name, const int64_t& value,
                                bool always, std::string* out) {
  if (!always && value == 0) return;
  PrintAttrName(name, out);
  absl::StrAppend(out, value);
}

template <>
absl::StatusOr<bool> FieldCodec<int64_t>::Parse(std::string_view name,
                                                absl::string_view key,
                                                TextScanner& scanner,
                                                int64_t* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(*value, scanner.Int64());
  return true;
}

// The proto may hold the number as the only element of a list ("dimensions").
template <>
void FieldCodec<int64_t>::ToProto(std::string_view proto_name,
                                  const int64_t& value,
                                  HloInstructionProto* proto) {
  const FieldDescriptor* field = InstructionField(proto_name);
  const auto* reflection = proto->GetReflection();
  if (field->is_repeated()) {
    reflection->ClearField(proto, field);
    reflection->AddInt64(proto, field, value);
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
    reflection->SetInt32(proto, field, value);
  } else {
    reflection->SetInt64(proto, field, value);
  }
}

template <>
absl::Status FieldCodec<int64_t>::FromProto(std::string_view proto_name,
                                            const HloInstructionProto& proto,
                                            int64_t* value) {
  const FieldDescriptor* field = InstructionField(proto_name);
  const auto* reflection = proto.GetReflection();
  if (field->is_repeated()) {
    if (reflection->FieldSize(proto, field) != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "proto field ", field->name(), ": expected one element, got ",
          reflection->FieldSize(proto, field)));
    }
    *value = reflection->GetRepeatedInt64(proto, field, 0);
  } else if (!reflection->HasField(proto, field)) {
    // The proto lacks the field, so the default of the struct stays.
    return absl::OkStatus();
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
    *value = reflection->GetInt32(proto, field);
  } else {
    *value = reflection->GetInt64(proto, field);
  }
  return absl::OkStatus();
}

// std::optional<int64_t> ----------------------------------------------------

template <>
void FieldCodec<std::optional<int64_t>>::Print(
    std::string_view name, const std::optional<int64_t>& value, bool always,
    std::string* out) {
  if (value.has_value()) FieldCodec<int64_t>::Print(name, *value, true, out);
}

template <>
absl::StatusOr<bool> FieldCodec<std::optional<int64_t>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::optional<int64_t>* value) {
  if (key != ToAbsl(name)) return false;
  return FieldCodec<int64_t>::Parse(name, key, scanner, &value->emplace());
}

template <>
void FieldCodec<std::optional<int64_t>>::ToProto(
    std::string_view proto_name, const std::optional<int64_t>& value,
    HloInstructionProto* proto) {
  if (value.has_value())
    FieldCodec<int64_t>::ToProto(proto_name, *value, proto);
}

// Fields without presence, such as channel_id, count as given if not 0.
template <>
absl::Status FieldCodec<std::optional<int64_t>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::optional<int64_t>* value) {
  const FieldDescriptor* field = InstructionField(proto_name);
  value->reset();
  const bool present = field->is_repeated()
                           ? proto.GetReflection()->FieldSize(proto, field) > 0
                           : proto.GetReflection()->HasField(proto, field);
  if (!present) return absl::OkStatus();
  return FieldCodec<int64_t>::FromProto(proto_name, proto, &value->emplace());
}

// bool ----------------------------------------------------------------------

template <>
void FieldCodec<bool>::Print(std::string_view name, const bool& value,
                             bool always, std::string* out) {
  if (!always && !value) return;
  PrintAttrName(name, out);
  out->append(value ? "true" : "false");
}

template <>
absl::StatusOr<bool> FieldCodec<bool>::Parse(std::string_view name,
                                             absl::string_view key,
                                             TextScanner& scanner,
                                             bool* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(*value, scanner.Bool());
  return true;
}

template <>
void FieldCodec<bool>::ToProto(std::string_view proto_name, const bool& value,
                               HloInstructionProto* proto) {
  proto->GetReflection()->SetBool(proto, InstructionField(proto_name), value);
}

template <>
absl::Status FieldCodec<bool>::FromProto(std::string_view proto_name,
                                         const HloInstructionProto& proto,
                                         bool* value) {
  *value = proto.GetReflection()->GetBool(proto, InstructionField(proto_name));
  return absl::OkStatus();
}

// float ---------------------------------------------------------------------

template <>
void FieldCodec<float>::Print(std::string_view name, const float& value,
                              bool always, std::string* out) {
  if (!always && value == 0) return;
  PrintAttrName(name, out);
  absl::StrAppend(out, value);
}

template <>
absl::StatusOr<bool> FieldCodec<float>::Parse(std::string_view name,
                                              absl::string_view key,
                                              TextScanner& scanner,
                                              float* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(double wide, scanner.Double());
  *value = static_cast<float>(wide);
  return true;
}

template <>
void FieldCodec<float>::ToProto(std::string_view proto_name, const float& value,
                                HloInstructionProto* proto) {
  proto->GetReflection()->SetFloat(proto, InstructionField(proto_name), value);
}

template <>
absl::Status FieldCodec<float>::FromProto(std::string_view proto_name,
                                          const HloInstructionProto& proto,
                                          float* value) {
  *value = proto.GetReflection()->GetFloat(proto, InstructionField(proto_name));
  return absl::OkStatus();
}

// std::string ---------------------------------------------------------------

template <>
void FieldCodec<std::string>::Print(std::string_view name,
                                    const std::string& value, bool always,
                                    std::string* out) {
  if (!always && value.empty()) return;
  PrintAttrName(name, out);
  PrintQuoted(value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<std::string>::Parse(std::string_view name,
                                                    absl::string_view key,
                                                    TextScanner& scanner,
                                                    std::string* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(*value, scanner.QuotedString());
  return true;
}

template <>
void FieldCodec<std::string>::ToProto(std::string_view proto_name,
                                      const std::string& value,
                                      HloInstructionProto* proto) {
  proto->GetReflection()->SetString(proto, InstructionField(proto_name), value);
}

template <>
absl::Status FieldCodec<std::string>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::string* value) {
  *value =
      proto.GetReflection()->GetString(proto, InstructionField(proto_name));
  return absl::OkStatus();
}

// std::vector<int64_t> ------------------------------------------------------

template <>
void FieldCodec<std::vector<int64_t>>::Print(std::string_view name,
                                             const std::vector<int64_t>& value,
                                             bool always, std::string* out) {
  if (!always && value.empty()) return;
  PrintAttrName(name, out);
  PrintIntList(value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<std::vector<int64_t>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::vector<int64_t>* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(*value, ScanIntList(scanner));
  return true;
}

template <>
void FieldCodec<std::vector<int64_t>>::ToProto(
    std::string_view proto_name, const std::vector<int64_t>& value,
    HloInstructionProto* proto) {
  auto* field = proto->GetReflection()->MutableRepeatedField<int64_t>(
      proto, InstructionField(proto_name));
  field->Assign(value.begin(), value.end());
}

template <>
absl::Status FieldCodec<std::vector<int64_t>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::vector<int64_t>* value) {
  const auto& field = proto.GetReflection()->GetRepeatedField<int64_t>(
      proto, InstructionField(proto_name));
  value->assign(field.begin(), field.end());
  return absl::OkStatus();
}

// Shape, std::optional<std::vector<Shape>> ----------------------------------

template <>
void FieldCodec<Shape>::Print(std::string_view name, const Shape& value,
                              bool always, std::string* out) {
  if (!always && value == Shape()) return;
  PrintAttrName(name, out);
  PrintShape(value, /*layout=*/true, out);
}

template <>
absl::StatusOr<bool> FieldCodec<Shape>::Parse(std::string_view name,
                                              absl::string_view key,
                                              TextScanner& scanner,
                                              Shape* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(*value, ScanShape(scanner));
  return true;
}

template <>
void FieldCodec<Shape>::ToProto(std::string_view proto_name, const Shape& value,
                                HloInstructionProto* proto) {
  if (value == Shape()) return;
  *static_cast<ShapeProto*>(proto->GetReflection()->MutableMessage(
      proto, InstructionField(proto_name))) = value.ToProto();
}

template <>
absl::Status FieldCodec<Shape>::FromProto(std::string_view proto_name,
                                          const HloInstructionProto& proto,
                                          Shape* value) {
  const FieldDescriptor* field = InstructionField(proto_name);
  *value = Shape();
  if (!proto.GetReflection()->HasField(proto, field)) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(*value,
                      Shape::FromProto(static_cast<const ShapeProto&>(
                          proto.GetReflection()->GetMessage(proto, field))));
  return absl::OkStatus();
}

template <>
void FieldCodec<std::optional<std::vector<Shape>>>::Print(
    std::string_view name, const std::optional<std::vector<Shape>>& value,
    bool always, std::string* out) {
  if (!value.has_value()) return;
  PrintAttrName(name, out);
  out->push_back('{');
  for (size_t i = 0; i < value->size(); ++i) {
    if (i > 0) out->append(", ");
    PrintShape((*value)[i], /*layout=*/true, out);
  }
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<std::optional<std::vector<Shape>>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::optional<std::vector<Shape>>* value) {
  if (key != ToAbsl(name)) return false;
  value->emplace();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(Shape shape, ScanShape(scanner));
    (*value)->push_back(std::move(shape));
    return absl::OkStatus();
  }));
  return true;
}

template <>
void FieldCodec<std::optional<std::vector<Shape>>>::ToProto(
    std::string_view proto_name, const std::optional<std::vector<Shape>>& value,
    HloInstructionProto* proto) {
  auto* field = proto->GetReflection()->MutableRepeatedPtrField<ShapeProto>(
      proto, InstructionField(proto_name));
  field->Clear();
  if (!value.has_value()) return;
  for (const Shape& shape : *value) *field->Add() = shape.ToProto();
  // XLA heeds the operand shapes of a custom call only if this is set.
  proto->set_constrain_layout(true);
}

template <>
absl::Status FieldCodec<std::optional<std::vector<Shape>>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::optional<std::vector<Shape>>* value) {
  const auto& field = proto.GetReflection()->GetRepeatedPtrField<ShapeProto>(
      proto, InstructionField(proto_name));
  value->reset();
  if (!proto.constrain_layout()) return absl::OkStatus();
  value->emplace();
  for (const ShapeProto& shape_proto : field) {
    TF_ASSIGN_OR_RETURN(Shape shape, Shape::FromProto(shape_proto));
    (*value)->push_back(std::move(shape));
  }
  return absl::OkStatus();
}

// SharedLiteral -------------------------------------------------------------

// Text of attributes: literal=f32[2]{0} {1, 2}; in a tuple each element has its
// shape: literal=( f32[2]{0} {1, 2}, s32[] 3 ). The literal of a constant
// stands in its operand list; the printer and the parser handle it.
namespace {

void PrintShapedLiteral(const LiteralSlice& literal, std::string* out) {
  const Shape& shape = literal.shape();
  if (!shape.IsTuple()) {
    PrintShape(shape, /*layout=*/true, out);
    out->push_back(' ');
    PrintLiteralForHlo(literal, out);
    return;
  }
  out->append("( ");
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    if (i > 0) out->append(", ");
    PrintShapedLiteral(LiteralSlice(literal, {i}), out);
  }
  out->append(" )");
}

absl::StatusOr<Literal> ScanShapedLiteral(TextScanner& scanner, int depth) {
  if (!scanner.NextIs("(")) {
    TF_ASSIGN_OR_RETURN(Shape shape, ScanShape(scanner));
    return ScanLiteral(scanner, shape);
  }
  if (depth >= Shape::kMaxNesting) {
    return scanner.Error(
        absl::StrCat("literal is nested deeper than ", Shape::kMaxNesting));
  }
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  std::vector<Literal> elements;
  if (!scanner.TryConsume(")")) {
    do {
      TF_ASSIGN_OR_RETURN(elements.emplace_back(),
                          ScanShapedLiteral(scanner, depth + 1));
    } while (scanner.TryConsume(","));
    TF_RETURN_IF_ERROR(scanner.Consume(")"));
  }
  return LiteralUtil::MakeTupleOwned(std::move(elements));
}

}  // namespace

template <>
void FieldCodec<SharedLiteral>::Print(std::string_view name,
                                      const SharedLiteral& value, bool always,
                                      std::string* out) {
  if (value.value == nullptr) return;
  PrintAttrName(name, out);
  PrintShapedLiteral(*value.value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<SharedLiteral>::Parse(std::string_view name,
                                                      absl::string_view key,
                                                      TextScanner& scanner,
                                                      SharedLiteral* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(Literal literal, ScanShapedLiteral(scanner, 0));
  *value = SharedLiteral(std::move(literal));
  return true;
}

template <>
void FieldCodec<SharedLiteral>::ToProto(std::string_view proto_name,
                                        const SharedLiteral& value,
                                        HloInstructionProto* proto) {
  if (value.value != nullptr) {
    *proto->mutable_literal() = value.value->ToProto();
  }
}

template <>
absl::Status FieldCodec<SharedLiteral>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    SharedLiteral* value) {
  *value = SharedLiteral();
  if (!proto.has_literal()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(Literal literal,
                      Literal::CreateFromProto(proto.literal()));
  *value = SharedLiteral(std::move(literal));
  return absl::OkStatus();
}

}  // namespace xla
