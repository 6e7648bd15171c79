// Code that the codecs of all message-typed fields share.
#include "xla/hlo/attrs/field_codec.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/hlo/attrs/codec_text.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Returns the number of an enumerator in a singular or repeated field.
int EnumAt(const Message& message, const FieldDescriptor* field, int i) {
  const auto* reflection = message.GetReflection();
  return field->is_repeated()
             ? reflection->GetRepeatedEnumValue(message, field, i)
             : reflection->GetEnumValue(message, field);
}

// Refuses enumerator numbers that proto3 keeps without knowing them.
absl::Status CheckEnums(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM) continue;
    const int count = field->is_repeated()
                          ? message.GetReflection()->FieldSize(message, field)
                          : 1;
    for (int i = 0; i < count; ++i) {
      const int number = EnumAt(message, field, i);
      if (field->enum_type()->FindValueByNumber(number) == nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("unknown ", field->enum_type()->name(), " ", number,
                         " in proto field ", field->full_name()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool MessagesEqual(const Message& a, const Message& b) {
  return google::protobuf::util::MessageDifferencer::Equals(a, b);
}

size_t HashMessage(const Message& message) {
  return absl::HashOf(message.SerializeAsString());
}

void MessageToProto(std::string_view proto_name, const Message& value,
                    HloInstructionProto* proto) {
  // XLA refuses ops without their dimension numbers, window or padding, even
  // where these are empty; it does without the other fields.
  const bool optional = proto->opcode() == "custom-call" ||
                        proto_name == "result_accuracy" ||
                        proto_name == "parameter_replication";
  if (optional && value.ByteSizeLong() == 0) return;
  proto->GetReflection()
      ->MutableMessage(proto, InstructionField(proto_name))
      ->CopyFrom(value);
}

absl::Status MessageFromProto(std::string_view proto_name,
                              const HloInstructionProto& proto,
                              Message* value) {
  value->CopyFrom(
      proto.GetReflection()->GetMessage(proto, InstructionField(proto_name)));
  return CheckEnums(*value);
}

}  // namespace xla
