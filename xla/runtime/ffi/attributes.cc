// Equality and lookup of attributes. attributes_text.cc has their text.
#include "xla/runtime/ffi/attributes.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace xla::ffi {

int64_t ArrayAttribute::size() const {
  return static_cast<int64_t>(bytes.size()) / primitive_util::ByteWidth(type);
}

Attribute::Attribute(AttributesMap map)
    : value_(std::make_shared<const AttributesMap>(std::move(map))) {}

bool operator==(const Attribute& a, const Attribute& b) {
  if (a.value_.index() != b.value_.index()) return false;
  if (const auto* scalar = a.get_if<ScalarAttribute>()) {
    const auto* other = b.get_if<ScalarAttribute>();
    return scalar->type == other->type && scalar->bytes == other->bytes;
  }
  if (const auto* array = a.get_if<ArrayAttribute>()) {
    const auto* other = b.get_if<ArrayAttribute>();
    return array->type == other->type && array->bytes == other->bytes;
  }
  if (const auto* map = a.get_if<Attribute::Dictionary>()) {
    return **map == **b.get_if<Attribute::Dictionary>();
  }
  return *a.get_if<std::string>() == *b.get_if<std::string>();
}

namespace {

std::string KindOf(const Attribute& attribute) {
  if (const auto* scalar = attribute.get_if<ScalarAttribute>()) {
    return primitive_util::LowercasePrimitiveTypeName(scalar->type);
  }
  if (const auto* array = attribute.get_if<ArrayAttribute>()) {
    return absl::StrCat(
        "an array of ",
        primitive_util::LowercasePrimitiveTypeName(array->type));
  }
  if (attribute.get_if<std::string>() != nullptr) return "a string";
  return "a dictionary";
}

}  // namespace

template <typename T>
absl::StatusOr<T> GetScalar(const AttributesMap& attributes,
                            absl::string_view name) {
  const PrimitiveType type = primitive_util::NativeToPrimitiveType<T>();
  auto it = attributes.find(name);
  if (it == attributes.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "attribute \"", name, "\" of type ",
        primitive_util::LowercasePrimitiveTypeName(type), " is missing"));
  }
  const auto* scalar = it->second.get_if<ScalarAttribute>();
  if (scalar == nullptr || scalar->type != type) {
    return absl::InvalidArgumentError(absl::StrCat(
        "attribute \"", name, "\" is ", KindOf(it->second), ", not ",
        primitive_util::LowercasePrimitiveTypeName(type)));
  }
  T value;
  std::memcpy(&value, scalar->bytes.data(), sizeof(T));
  return value;
}

template absl::StatusOr<bool> GetScalar(const AttributesMap&,
                                        absl::string_view);
template absl::StatusOr<uint8_t> GetScalar(const AttributesMap&,
                                           absl::string_view);
template absl::StatusOr<int32_t> GetScalar(const AttributesMap&,
                                           absl::string_view);
template absl::StatusOr<int64_t> GetScalar(const AttributesMap&,
                                           absl::string_view);
template absl::StatusOr<uint64_t> GetScalar(const AttributesMap&,
                                            absl::string_view);
template absl::StatusOr<float> GetScalar(const AttributesMap&,
                                         absl::string_view);
template absl::StatusOr<double> GetScalar(const AttributesMap&,
                                          absl::string_view);

}  // namespace xla::ffi
