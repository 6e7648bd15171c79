// Codecs of enumerations.
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "xla/base/status_macros.h"
#include "xla/core/comparison.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;

// How the text of a protobuf enumerator follows from its name.
enum class Case { kUpper, kLower };

void PrintEnum(std::string_view name, const EnumDescriptor* type, int value,
               Case text_case, bool always, std::string* out) {
  const EnumValueDescriptor* entry = type->FindValueByNumber(value);
  if (entry == nullptr || (!always && value == 0)) return;
  PrintAttrName(name, out);
  out->append(text_case == Case::kLower ? absl::AsciiStrToLower(entry->name())
                                        : entry->name());
}

absl::StatusOr<int> ScanEnum(const EnumDescriptor* type, Case text_case,
                             TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
  const EnumValueDescriptor* entry = type->FindValueByName(
      text_case == Case::kLower ? absl::AsciiStrToUpper(word)
                                : std::string(word));
  if (entry == nullptr) {
    return scanner.ErrorAt(
        start, absl::StrCat("unknown ", type->name(), " '", word, "'"));
  }
  return entry->number();
}

// The four functions of a codec for protobuf enum E.
template <typename E>
struct ProtoEnum {
  static const EnumDescriptor* Type() {
    return google::protobuf::GetEnumDescriptor<E>();
  }
  static absl::StatusOr<bool> Parse(std::string_view name,
                                    absl::string_view key, Case text_case,
                                    TextScanner& scanner, E* value) {
    if (key != ToAbsl(name)) return false;
    TF_ASSIGN_OR_RETURN(int number, ScanEnum(Type(), text_case, scanner));
    *value = static_cast<E>(number);
    return true;
  }
  static void ToProto(std::string_view proto_name, E value,
                      HloInstructionProto* proto) {
    proto->GetReflection()->SetEnumValue(proto, InstructionField(proto_name),
                                         value);
  }
  static absl::Status FromProto(std::string_view proto_name,
                                const HloInstructionProto& proto, E* value) {
    const int number = proto.GetReflection()->GetEnumValue(
        proto, InstructionField(proto_name));
    if (Type()->FindValueByNumber(number) == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown ", Type()->name(), " ", number, " in the proto"));
    }
    *value = static_cast<E>(number);
    return absl::OkStatus();
  }
};

// Words of an enumeration of ours: entry i is the text of enumerator i.
template <typename E, size_t N>
absl::StatusOr<E> EnumFromWord(const absl::string_view (&words)[N],
                               absl::string_view what,
                               absl::string_view word) {
  for (size_t i = 0; i < N; ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown ", what, " '", word, "'"));
}

constexpr absl::string_view kFusionKinds[] = {"kLoop", "kInput", "kOutput",
                                              "kCustom"};

}  // namespace

template <>
void FieldCodec<FftType>::Print(std::string_view name,
                            const FftType& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<FftType>::Type(), value, Case::kUpper,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<FftType>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    FftType* value) {
  return ProtoEnum<FftType>::Parse(name, key, Case::kUpper, scanner,
                               value);
}
template <>
void FieldCodec<FftType>::ToProto(std::string_view proto_name,
                              const FftType& value,
                              HloInstructionProto* proto) {
  ProtoEnum<FftType>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<FftType>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    FftType* value) {
  return ProtoEnum<FftType>::FromProto(proto_name, proto, value);
}

template <>
void FieldCodec<RandomDistribution>::Print(std::string_view name,
                            const RandomDistribution& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<RandomDistribution>::Type(), value, Case::kLower,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<RandomDistribution>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    RandomDistribution* value) {
  return ProtoEnum<RandomDistribution>::Parse(name, key, Case::kLower, scanner,
                               value);
}
template <>
void FieldCodec<RandomDistribution>::ToProto(std::string_view proto_name,
                              const RandomDistribution& value,
                              HloInstructionProto* proto) {
  ProtoEnum<RandomDistribution>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<RandomDistribution>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    RandomDistribution* value) {
  return ProtoEnum<RandomDistribution>::FromProto(proto_name, proto, value);
}

template <>
void FieldCodec<RandomAlgorithm>::Print(std::string_view name,
                            const RandomAlgorithm& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<RandomAlgorithm>::Type(), value, Case::kLower,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<RandomAlgorithm>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    RandomAlgorithm* value) {
  return ProtoEnum<RandomAlgorithm>::Parse(name, key, Case::kLower, scanner,
                               value);
}
template <>
void FieldCodec<RandomAlgorithm>::ToProto(std::string_view proto_name,
                              const RandomAlgorithm& value,
                              HloInstructionProto* proto) {
  ProtoEnum<RandomAlgorithm>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<RandomAlgorithm>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    RandomAlgorithm* value) {
  return ProtoEnum<RandomAlgorithm>::FromProto(proto_name, proto, value);
}

template <>
void FieldCodec<PaddingType>::Print(std::string_view name,
                            const PaddingType& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<PaddingType>::Type(), value, Case::kUpper,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<PaddingType>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    PaddingType* value) {
  return ProtoEnum<PaddingType>::Parse(name, key, Case::kUpper, scanner,
                               value);
}
template <>
void FieldCodec<PaddingType>::ToProto(std::string_view proto_name,
                              const PaddingType& value,
                              HloInstructionProto* proto) {
  ProtoEnum<PaddingType>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<PaddingType>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    PaddingType* value) {
  return ProtoEnum<PaddingType>::FromProto(proto_name, proto, value);
}

template <>
void FieldCodec<CustomCallSchedule>::Print(std::string_view name,
                            const CustomCallSchedule& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<CustomCallSchedule>::Type(), value, Case::kUpper,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<CustomCallSchedule>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    CustomCallSchedule* value) {
  return ProtoEnum<CustomCallSchedule>::Parse(name, key, Case::kUpper, scanner,
                               value);
}
template <>
void FieldCodec<CustomCallSchedule>::ToProto(std::string_view proto_name,
                              const CustomCallSchedule& value,
                              HloInstructionProto* proto) {
  ProtoEnum<CustomCallSchedule>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<CustomCallSchedule>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    CustomCallSchedule* value) {
  return ProtoEnum<CustomCallSchedule>::FromProto(proto_name, proto, value);
}

template <>
void FieldCodec<CustomCallApiVersion>::Print(std::string_view name,
                            const CustomCallApiVersion& value, bool always,
                            std::string* out) {
  PrintEnum(name, ProtoEnum<CustomCallApiVersion>::Type(), value, Case::kUpper,
            always, out);
}
template <>
absl::StatusOr<bool> FieldCodec<CustomCallApiVersion>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    CustomCallApiVersion* value) {
  return ProtoEnum<CustomCallApiVersion>::Parse(name, key, Case::kUpper, scanner,
                               value);
}
template <>
void FieldCodec<CustomCallApiVersion>::ToProto(std::string_view proto_name,
                              const CustomCallApiVersion& value,
                              HloInstructionProto* proto) {
  ProtoEnum<CustomCallApiVersion>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<CustomCallApiVersion>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    CustomCallApiVersion* value) {
  return ProtoEnum<CustomCallApiVersion>::FromProto(proto_name, proto, value);
}

// TriState: true or false; nothing where unspecified.
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
  ProtoEnum<TriState>::ToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<TriState>::FromProto(std::string_view proto_name,
                                             const HloInstructionProto& proto,
                                             TriState* value) {
  return ProtoEnum<TriState>::FromProto(proto_name, proto, value);
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
absl::Status FieldCodec<FusionKind>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
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

// std::optional<Comparison::Type>: FLOAT, TOTALORDER, SIGNED, UNSIGNED; nothing
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
