// Codecs of protobuf enumerations whose text is the name of the enumerator.
// The members of FieldCodec are defined here for all of them at once, so no
// other codec may be used in this file.
#include <string>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"

namespace xla {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;

// How the text of a protobuf enumerator follows from its name. kLowerUnprefixed
// prints CONVOLUTION_KIND_FPROP as fprop.
enum class Case { kUpper, kLower, kLowerUnprefixed };

constexpr absl::string_view kConvolutionKind = "CONVOLUTION_KIND_";

void PrintEnum(std::string_view name, const EnumDescriptor* type, int value,
               Case text_case, bool always, std::string* out) {
  const EnumValueDescriptor* entry = type->FindValueByNumber(value);
  if (entry == nullptr || (!always && value == 0)) return;
  PrintAttrName(name, out);
  absl::string_view text = entry->name();
  if (text_case == Case::kLowerUnprefixed) {
    absl::ConsumePrefix(&text, kConvolutionKind);
  }
  out->append(text_case == Case::kUpper ? std::string(text)
                                        : absl::AsciiStrToLower(text));
}

absl::StatusOr<int> ScanEnum(const EnumDescriptor* type, Case text_case,
                             TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
  std::string full(word);
  if (text_case == Case::kLowerUnprefixed) {
    // XLA reads lower case only; fprop and FPROP are not the same word.
    full = word == absl::AsciiStrToLower(word)
               ? absl::StrCat(kConvolutionKind, absl::AsciiStrToUpper(word))
               : "";
  } else if (text_case == Case::kLower) {
    full = absl::AsciiStrToUpper(word);
  }
  const EnumValueDescriptor* entry = type->FindValueByName(full);
  if (entry == nullptr) {
    return scanner.ErrorAt(
        start, absl::StrCat("unknown ", type->name(), " '", word, "'"));
  }
  return entry->number();
}

// Random distributions and algorithms are printed in lower case.
template <typename E>
constexpr Case CaseOf() {
  if (std::is_same_v<E, ConvolutionKind>) return Case::kLowerUnprefixed;
  return std::is_same_v<E, RandomDistribution> ||
                 std::is_same_v<E, RandomAlgorithm>
             ? Case::kLower
             : Case::kUpper;
}

// Reads and writes protobuf enum E as a field of HloInstructionProto.
template <typename E>
struct ProtoEnum {
  static const EnumDescriptor* Type() {
    return google::protobuf::GetEnumDescriptor<E>();
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

}  // namespace

template <typename E>
void FieldCodec<E>::Print(std::string_view name, const E& value, bool always,
                          std::string* out) {
  PrintEnum(name, ProtoEnum<E>::Type(), value, CaseOf<E>(), always, out);
}

template <typename E>
absl::StatusOr<bool> FieldCodec<E>::Parse(std::string_view name,
                                          absl::string_view key,
                                          TextScanner& scanner, E* value) {
  if (key != ToAbsl(name)) return false;
  TF_ASSIGN_OR_RETURN(int number,
                      ScanEnum(ProtoEnum<E>::Type(), CaseOf<E>(), scanner));
  *value = static_cast<E>(number);
  return true;
}

template <typename E>
void FieldCodec<E>::ToProto(std::string_view proto_name, const E& value,
                            HloInstructionProto* proto) {
  ProtoEnum<E>::ToProto(proto_name, value, proto);
}

template <typename E>
absl::Status FieldCodec<E>::FromProto(std::string_view proto_name,
                                      const HloInstructionProto& proto,
                                      E* value) {
  return ProtoEnum<E>::FromProto(proto_name, proto, value);
}

template struct FieldCodec<FftType>;
template struct FieldCodec<RandomDistribution>;
template struct FieldCodec<RandomAlgorithm>;
template struct FieldCodec<PaddingType>;
template struct FieldCodec<CustomCallSchedule>;
template struct FieldCodec<CustomCallApiVersion>;
template struct FieldCodec<ConvolutionKind>;

}  // namespace xla
