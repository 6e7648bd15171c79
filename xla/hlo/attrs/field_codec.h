// One codec per type of attribute field: its text, proto form, equality and
// hash. A new attribute of a known type needs nothing here.
#ifndef XLA_HLO_ATTRS_FIELD_CODEC_H_
#define XLA_HLO_ATTRS_FIELD_CODEC_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/text_scanner.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// A type-erased codec. `name` is the field's name in text, `proto_name` its
// name in HloInstructionProto.
struct FieldCodecDef {
  // Appends ", name=value" (or the several attributes that the value is made
  // of). With `always` false, appends nothing for a default value.
  void (*print)(std::string_view name, const void* value, bool always,
                std::string* out);
  // Reads the value of attribute `key` if the codec, for a field called `name`,
  // owns that key; otherwise reads nothing and returns false.
  absl::StatusOr<bool> (*parse)(std::string_view name, absl::string_view key,
                                TextScanner& scanner, void* value);
  void (*to_proto)(std::string_view proto_name, const void* value,
                   HloInstructionProto* proto);
  absl::Status (*from_proto)(std::string_view proto_name,
                             const HloInstructionProto& proto, void* value);
  bool (*equal)(const void* a, const void* b);
  size_t (*hash)(const void* value);
};

// Compare and hash messages of attribute fields by content.
bool MessagesEqual(const google::protobuf::Message& a,
                   const google::protobuf::Message& b);
size_t HashMessage(const google::protobuf::Message& message);

// Convert a message-typed field of HloInstructionProto both ways; an empty
// message reads the same as none. Errors: InvalidArgument for enumerators that
// the message does not know.
void MessageToProto(std::string_view proto_name,
                    const google::protobuf::Message& value,
                    HloInstructionProto* proto);
absl::Status MessageFromProto(std::string_view proto_name,
                              const HloInstructionProto& proto,
                              google::protobuf::Message* value);

namespace codec_internal {

// Makes a codec for T of the typed functions of C.
template <typename T, typename C>
constexpr FieldCodecDef MakeDef() {
  return {
      [](std::string_view name, const void* v, bool always, std::string* out) {
        C::Print(name, *static_cast<const T*>(v), always, out);
      },
      [](std::string_view name, absl::string_view key, TextScanner& scanner,
         void* v) { return C::Parse(name, key, scanner, static_cast<T*>(v)); },
      [](std::string_view name, const void* v, HloInstructionProto* proto) {
        C::ToProto(name, *static_cast<const T*>(v), proto);
      },
      [](std::string_view name, const HloInstructionProto& proto, void* v) {
        return C::FromProto(name, proto, static_cast<T*>(v));
      },
      [](const void* a, const void* b) {
        return C::Equal(*static_cast<const T*>(a), *static_cast<const T*>(b));
      },
      [](const void* v) { return C::Hash(*static_cast<const T*>(v)); },
  };
}

}  // namespace codec_internal

// The codec of T. The functions declared without a body are specialized in
// codec_*.cc for each type that field_types.h lists.
template <typename T>
struct FieldCodec {
  static void Print(std::string_view name, const T& value, bool always,
                    std::string* out);
  static absl::StatusOr<bool> Parse(std::string_view name,
                                    absl::string_view key, TextScanner& scanner,
                                    T* value);
  static void ToProto(std::string_view proto_name, const T& value,
                      HloInstructionProto* proto);
  static absl::Status FromProto(std::string_view proto_name,
                                const HloInstructionProto& proto, T* value);
  static bool Equal(const T& a, const T& b) { return a == b; }
  static size_t Hash(const T& value) {
    // absl hashes a std::optional only if std::hash supports its value type.
    if constexpr (requires { value.has_value(); }) {
      return value.has_value() ? absl::HashOf(*value) : 0;
    } else {
      return absl::HashOf(value);
    }
  }

  static constexpr FieldCodecDef kDef =
      codec_internal::MakeDef<T, FieldCodec<T>>();
};

// Messages are already in proto form.
template <typename T>
  requires std::is_base_of_v<google::protobuf::Message, T>
struct FieldCodec<T> {
  static void Print(std::string_view name, const T& value, bool always,
                    std::string* out);
  static absl::StatusOr<bool> Parse(std::string_view name,
                                    absl::string_view key, TextScanner& scanner,
                                    T* value);
  static void ToProto(std::string_view proto_name, const T& value,
                      HloInstructionProto* proto) {
    MessageToProto(proto_name, value, proto);
  }
  static absl::Status FromProto(std::string_view proto_name,
                                const HloInstructionProto& proto, T* value) {
    return MessageFromProto(proto_name, proto, value);
  }
  static bool Equal(const T& a, const T& b) { return MessagesEqual(a, b); }
  static size_t Hash(const T& value) { return HashMessage(value); }

  static constexpr FieldCodecDef kDef =
      codec_internal::MakeDef<T, FieldCodec<T>>();
};

}  // namespace xla

#endif  // XLA_HLO_ATTRS_FIELD_CODEC_H_
