// Attributes of a typed custom call: scalars, arrays, strings and dictionaries,
// parsed from the text in HLO's backend_config and printed back.
#ifndef XLA_RUNTIME_FFI_ATTRIBUTES_H_
#define XLA_RUNTIME_FFI_ATTRIBUTES_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/primitive_util.h"

namespace xla::ffi {

class Attribute;
// Sorted by name, as the C ABI requires.
using AttributesMap = std::map<std::string, Attribute, std::less<>>;

// One of PRED, S8 to U64, F32, F64. PRED is a byte of 0 or 1.
struct ScalarAttribute {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  alignas(8) std::array<char, 8> bytes = {};
};

// Contiguous elements of one of those types.
struct ArrayAttribute {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  std::vector<char> bytes;
  int64_t size() const;  // in elements
};

// A value; copies share nested dictionaries, which are immutable.
class Attribute {
 public:
  using Dictionary = std::shared_ptr<const AttributesMap>;
  using Variant =
      std::variant<ScalarAttribute, ArrayAttribute, std::string, Dictionary>;

  Attribute(Variant value) : value_(std::move(value)) {}  // NOLINT
  Attribute(AttributesMap map);                           // NOLINT

  // T is bool, intN_t, uintN_t, float or double.
  template <typename T>
  static Attribute Scalar(T value) {
    ScalarAttribute scalar;
    scalar.type = primitive_util::NativeToPrimitiveType<T>();
    std::memcpy(scalar.bytes.data(), &value, sizeof(T));
    return Variant(scalar);
  }
  template <typename T>
  static Attribute Array(const std::vector<T>& values) {
    ArrayAttribute array;
    array.type = primitive_util::NativeToPrimitiveType<T>();
    for (T value : values) {
      const char* bytes = reinterpret_cast<const char*>(&value);
      array.bytes.insert(array.bytes.end(), bytes, bytes + sizeof(T));
    }
    return Variant(std::move(array));
  }
  static Attribute String(std::string value) {
    return Variant(std::move(value));
  }

  const Variant& value() const { return value_; }
  // Returns null when the attribute is of another kind.
  template <typename T>
  const T* get_if() const {
    return std::get_if<T>(&value_);
  }
  friend bool operator==(const Attribute& a, const Attribute& b);

 private:
  Variant value_;
};

// Returns the scalar `name`, which must have exactly that type. Errors:
// InvalidArgument that names the attribute, the expected type and the actual
// one.
template <typename T>
absl::StatusOr<T> GetScalar(const AttributesMap& attributes,
                            absl::string_view name);

// Parses `{mode = 1 : i32, uplo = 76 : ui8, name = "x", flag = true, perm =
// array<i64: 1, 0>, table = dense<[1, 2]> : tensor<2xi32>, nested = {}}` with
// or without the outer braces; empty text gives no attributes. A number without
// type is i64, or f64 if it has a point or exponent. Dictionaries nest at most
// 64 deep. Errors: InvalidArgument with the offset.
absl::StatusOr<AttributesMap> ParseAttributes(absl::string_view text);

// Returns text that ParseAttributes reads back, braces included.
std::string AttributesToString(const AttributesMap& attributes);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_ATTRIBUTES_H_
