// Codecs of enumerations that are not protobuf's, and of TriState.
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/comparison.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {
namespace {

// Returns the enumerator of a C++ enumeration whose text is `word`; entry i of
// `words` is the text of enumerator i.
template <typename E, size_t N>
absl::StatusOr<E> EnumFromWord(const absl::string_view (&words)[N],
                               absl::string_view what, absl::string_view word) {
  for (size_t i = 0; i < N; ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown ", what, " '", word, "'"));
}

constexpr absl::string_view kFusionKinds[] = {"kLoop", "kInput", "kOutput",
                                              "kCustom"};

}  // namespace

// TriState: true or false; omitted where unspecified.
template <>
void FieldCodec<TriState>::Print(std::string_view name, const TriState& value,
                                 bool always, std::string* out) {
  if (value == TRI_STATE_UNSPECIFIED) return;
  FieldCodec<bool>::Print(name, value == TRI_STATE_TRUE, true, out);
}
template <>
absl::StatusOr<bool> FieldCodec<TriState>::Parse(std::string_view name,
                                                 absl::string_view key,
                                                 TextScanner& scanner,
                                                 TriState* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(bool is_true, scanner.Bool());
  *value = is_true ? TRI_STATE_TRUE : TRI_STATE_FALSE;
  return true;
}
template <>
void FieldCodec<TriState>::ToProto(std::string_view proto_name,
                                   const TriState& value,
                                   HloInstructionProto* proto) {
  proto->GetReflection()->SetEnumValue(proto, InstructionField(proto_name),
                                       value);
}
template <>
absl::Status FieldCodec<TriState>::FromProto(std::string_view proto_name,
                                             const HloInstructionProto& proto,
                                             TriState* value) {
  const int number =
      proto.GetReflection()->GetEnumValue(proto, InstructionField(proto_name));
  if (!TriState_IsValid(number)) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown TriState ", number, " in the proto"));
  }
  *value = static_cast<TriState>(number);
  return absl::OkStatus();
}

// FusionKind: a word, and the same word in the proto's string field.
template <>
void FieldCodec<FusionKind>::Print(std::string_view name,
                                   const FusionKind& value, bool always,
                                   std::string* out) {
  PrintAttrName(name, out);
  absl::StrAppend(out, kFusionKinds[static_cast<int>(value)]);
}
template <>
absl::StatusOr<bool> FieldCodec<FusionKind>::Parse(std::string_view name,
                                                   absl::string_view key,
                                                   TextScanner& scanner,
                                                   FusionKind* value) {
  if (key != ToAbsl(name)) return false;
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
  auto kind = EnumFromWord<FusionKind>(kFusionKinds, "fusion kind", word);
  if (!kind.ok()) return scanner.ErrorAt(start, kind.status().message());
  *value = *kind;
  return true;
}
template <>
void FieldCodec<FusionKind>::ToProto(std::string_view proto_name,
                                     const FusionKind& value,
                                     HloInstructionProto* proto) {
  FieldCodec<std::string>::ToProto(
      proto_name, std::string(kFusionKinds[static_cast<int>(value)]), proto);
}
template <>
absl::Status FieldCodec<FusionKind>::FromProto(std::string_view proto_name,
                                               const HloInstructionProto& proto,
                                               FusionKind* value) {
  std::string word;
  TF_RETURN_IF_ERROR(
      FieldCodec<std::string>::FromProto(proto_name, proto, &word));
  TF_ASSIGN_OR_RETURN(
      *value, EnumFromWord<FusionKind>(kFusionKinds, "fusion kind", word));
  return absl::OkStatus();
}

// ComparisonDirection: EQ, LT, ...
template <>
void FieldCodec<ComparisonDirection>::Print(std::string_view name,
                                            const ComparisonDirection& value,
                                            bool always, std::string* out) {
  PrintAttrName(name, out);
  out->append(ComparisonDirectionToString(value));
}
template <>
absl::StatusOr<bool> FieldCodec<ComparisonDirection>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    ComparisonDirection* value) {
  if (key != ToAbsl(name)) return false;
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
  auto direction = StringToComparisonDirection(word);
  if (!direction.ok()) {
    return scanner.ErrorAt(start, direction.status().message());
  }
  *value = *direction;
  return true;
}
template <>
void FieldCodec<ComparisonDirection>::ToProto(std::string_view proto_name,
                                              const ComparisonDirection& value,
                                              HloInstructionProto* proto) {
  FieldCodec<std::string>::ToProto(proto_name,
                                   ComparisonDirectionToString(value), proto);
}
template <>
absl::Status FieldCodec<ComparisonDirection>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    ComparisonDirection* value) {
  std::string word;
  TF_RETURN_IF_ERROR(
      FieldCodec<std::string>::FromProto(proto_name, proto, &word));
  TF_ASSIGN_OR_RETURN(*value, StringToComparisonDirection(word));
  return absl::OkStatus();
}

// std::optional<Comparison::Type>: FLOAT, TOTALORDER, SIGNED, UNSIGNED; omitted
// where the operands' type decides.
template <>
void FieldCodec<std::optional<Comparison::Type>>::Print(
    std::string_view name, const std::optional<Comparison::Type>& value,
    bool always, std::string* out) {
  if (!value.has_value()) return;
  PrintAttrName(name, out);
  out->append(ComparisonTypeToString(*value));
}
template <>
absl::StatusOr<bool> FieldCodec<std::optional<Comparison::Type>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::optional<Comparison::Type>* value) {
  if (key != ToAbsl(name)) return false;
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
  auto type = StringToComparisonType(word);
  if (!type.ok()) return scanner.ErrorAt(start, type.status().message());
  *value = *type;
  return true;
}
template <>
void FieldCodec<std::optional<Comparison::Type>>::ToProto(
    std::string_view proto_name, const std::optional<Comparison::Type>& value,
    HloInstructionProto* proto) {
  if (!value.has_value()) return;
  FieldCodec<std::string>::ToProto(
      proto_name, std::string(ComparisonTypeToString(*value)), proto);
}
template <>
absl::Status FieldCodec<std::optional<Comparison::Type>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::optional<Comparison::Type>* value) {
  std::string word;
  TF_RETURN_IF_ERROR(
      FieldCodec<std::string>::FromProto(proto_name, proto, &word));
  value->reset();
  if (word.empty()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(*value, StringToComparisonType(word));
  return absl::OkStatus();
}

}  // namespace xla
