// Attributes of an op: a plain struct that lists its fields by pointer to
// member. From that list AttrsDef, a table, provides what is the same for all
// ops: text, proto form, equality, hash, copies.
#ifndef XLA_HLO_ATTRS_ATTRS_H_
#define XLA_HLO_ATTRS_ATTRS_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// When a field appears in text.
enum class Show : uint8_t {
  kRequired,  // always printed; parsing fails where it is missing
  kAlways,    // always printed; may be missing
  kOptional,  // printed unless it has the default value of the struct or T
  kPayload,   // stands in the operand list: parameter(0), constant(1)
};

// One field of the attribute struct A, as its `kFields` lists it.
template <typename A, typename T>
struct Field {
  // The name in text; for codecs that write several attributes (dot dimension
  // numbers), a name that only the documentation uses.
  std::string_view name;
  T A::* member;
  std::string_view doc;
  Show show = Show::kOptional;
  // The name in HloInstructionProto if it differs; "-" if the proto form lacks
  // the field.
  std::string_view proto_name = {};
};
template <typename A, typename T>
Field(std::string_view, T A::*, std::string_view) -> Field<A, T>;
template <typename A, typename T>
Field(std::string_view, T A::*, std::string_view, Show) -> Field<A, T>;
template <typename A, typename T>
Field(std::string_view, T A::*, std::string_view, Show, std::string_view)
    -> Field<A, T>;

// A type-erased Field.
struct FieldDef {
  std::string_view name;
  std::string_view doc;
  Show show;
  std::string_view proto_name;  // never empty
  const FieldCodecDef* codec;
  void* (*get)(void* attrs);

  const void* Get(const void* attrs) const {
    return get(const_cast<void*>(attrs));
  }
};

// A type-erased description of an attribute struct.
struct AttrsDef {
  absl::Span<const FieldDef> (*fields)();
  void* (*create)();
  void* (*clone)(const void* attrs);
  void (*destroy)(void* attrs);
};

// The attributes of ops that have none.
struct NoAttrs {
  static constexpr std::tuple<> kFields = {};
};

namespace attrs_internal {

template <typename A, size_t I>
constexpr FieldDef MakeFieldDef() {
  constexpr auto& field = std::get<I>(A::kFields);
  using T =
      std::remove_reference_t<decltype(std::declval<A&>().*(field.member))>;
  return {field.name,
          field.doc,
          field.show,
          field.proto_name.empty() ? field.name : field.proto_name,
          &FieldCodec<T>::kDef,
          [](void* attrs) -> void* {
            constexpr auto& f = std::get<I>(A::kFields);
            return &(static_cast<A*>(attrs)->*(f.member));
          }};
}

template <typename A>
absl::Span<const FieldDef> FieldsOf() {
  constexpr size_t kCount = std::tuple_size_v<decltype(A::kFields)>;
  static const auto fields = []<size_t... I>(std::index_sequence<I...>) {
    return std::array<FieldDef, kCount>{MakeFieldDef<A, I>()...};
  }(std::make_index_sequence<kCount>());
  return fields;
}

template <typename A>
inline constexpr AttrsDef kAttrsDef = {
    &FieldsOf<A>,
    []() -> void* { return new A(); },
    [](const void* a) -> void* { return new A(*static_cast<const A*>(a)); },
    [](void* a) { delete static_cast<A*>(a); },
};

}  // namespace attrs_internal

// Returns the table of attribute struct A; its address is unique per type.
template <typename A>
constexpr const AttrsDef* AttrsOf() {
  return &attrs_internal::kAttrsDef<A>;
}

inline constexpr const AttrsDef& kNoAttrsDef =
    attrs_internal::kAttrsDef<NoAttrs>;

// Owns one attribute struct of any type. Copying it copies the struct.
class Attrs {
 public:
  Attrs() = default;
  // Makes default-constructed attributes of `def`.
  explicit Attrs(const AttrsDef* def) : def_(def), value_(def->create()) {}
  template <typename A, typename = decltype(A::kFields)>
  Attrs(A value)  // NOLINT: implicit, so that PadAttrs{...} is an Attrs
      : def_(AttrsOf<A>()), value_(new A(std::move(value))) {}
  Attrs(const Attrs& other)
      : def_(other.def_),
        value_(other.value_ ? def_->clone(other.value_) : nullptr) {}
  Attrs(Attrs&& other) noexcept
      : def_(other.def_), value_(std::exchange(other.value_, nullptr)) {}
  Attrs& operator=(Attrs other) noexcept {
    std::swap(def_, other.def_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~Attrs() {
    if (value_ != nullptr) def_->destroy(value_);
  }

  const AttrsDef* def() const { return def_; }
  // Null for ops without attributes.
  const void* get() const { return value_; }
  void* get() { return value_; }

  template <typename A>
  const A* As() const {
    return def_ == AttrsOf<A>() ? static_cast<const A*>(value_) : nullptr;
  }
  template <typename A>
  A* As() {
    return def_ == AttrsOf<A>() ? static_cast<A*>(value_) : nullptr;
  }

  // Compares field by field; attributes of different types are unequal.
  friend bool operator==(const Attrs& a, const Attrs& b);
  template <typename H>
  friend H AbslHashValue(H h, const Attrs& a) {
    return H::combine(std::move(h), a.Hash());
  }

 private:
  size_t Hash() const;

  const AttrsDef* def_ = &kNoAttrsDef;
  void* value_ = nullptr;
};

// Appends ", name=value" for each field that shows.
void PrintAttrs(const Attrs& attrs, std::string* out);

// Reads the value of attribute `key`; the scanner is behind its '='. Returns
// the index of the field that took it, -1 if no field has that attribute.
absl::StatusOr<int> ParseAttr(absl::string_view key, TextScanner& scanner,
                              Attrs& attrs);

// Copies all fields to the op's fields of `proto` and back.
void AttrsToProto(const Attrs& attrs, HloInstructionProto* proto);
absl::Status AttrsFromProto(const HloInstructionProto& proto, Attrs& attrs);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_ATTRS_H_
