// Reads attributes and types that the dialects vhlo and builtin share.
#include <cstring>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_types.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// The byte that stands for packed i1 elements that are all true.
constexpr char kSplatTrue = '\xff';

// Unpacks i1 elements to one per byte.
absl::string_view UnpackBits(EntryReader& in, absl::string_view bits,
                             size_t count) {
  absl::Span<char> bytes = in.arena().NewArray<char>(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = (bits[i / 8] >> (i % 8)) & 1;
  return absl::string_view(bytes.data(), bytes.size());
}

void SetBooleans(EntryReader& in, absl::string_view data, size_t count,
                 Attribute& out) {
  if (data.size() == 1 && (data[0] == kSplatTrue || data[0] == 0)) {
    out.data = data[0] == 0 ? absl::string_view("\0", 1) : "\1";
    out.splat = count != 1;
  } else if (data.size() == CeilOfRatio(count, 8)) {
    out.data = UnpackBits(in, data, count);
  } else if (data.size() == count) {
    // Any byte but zero is true.
    absl::Span<char> bytes = in.arena().NewArray<char>(count);
    for (size_t i = 0; i < count; ++i) bytes[i] = data[i] != 0;
    out.data = absl::string_view(bytes.data(), bytes.size());
  } else {
    in.Fail(absl::StrCat(out.type->ToString(), " has ", data.size(),
                         " bytes of elements"));
  }
}

double FloatOfBits(PrimitiveType type, uint64_t bits) {
  return primitive_util::FloatingPointTypeSwitch<double>(
      [&](auto constant) {
        primitive_util::NativeTypeOf<constant> value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof(value));
        return static_cast<double>(value);
      },
      type);
}

}  // namespace

void SetScalar(EntryReader& in, PrimitiveType scalar, Type& out) {
  if (scalar == PRIMITIVE_TYPE_INVALID) in.Fail("unknown element type");
  out.kind = Type::Kind::kScalar;
  out.element_type = scalar;
}

void SetTensor(EntryReader& in, absl::Span<const int64_t> dimensions,
               const Type* element, const Attribute* encoding, Type& out) {
  if (!in.ok()) return;
  out.kind = Type::Kind::kTensor;
  out.dimensions = dimensions;
  for (int64_t size : dimensions) {
    if (size < 0 && size != kDynamic) {
      return in.Fail(absl::StrCat("tensor dimension of size ", size));
    }
  }
  switch (element->kind) {
    case Type::Kind::kScalar:
      out.element_type = element->element_type;
      out.quantized = element->quantized;
      break;
    case Type::Kind::kIndex:
      out.element_type = S64;
      break;
    default:
      return in.Fail(
          absl::StrCat("tensor of elements of type ", element->ToString()));
  }
  if (encoding == nullptr) return;
  if (encoding->kind != Kind::kIntegers ||
      encoding->integers.size() != dimensions.size()) {
    return in.Fail(absl::StrCat("unknown encoding of type ", out.ToString()));
  }
  out.bounds = encoding->integers;
}

void SetElements(EntryReader& in, const Type* type, absl::string_view data,
                 Attribute& out) {
  if (!in.ok()) return;
  out.kind = Kind::kElements;
  out.type = type;
  if (type->kind != Type::Kind::kTensor || !type->IsStatic() ||
      !primitive_util::IsArrayType(type->element_type)) {
    return in.Fail(absl::StrCat("elements of type ", type->ToString()));
  }
  const auto count = CheckedProduct(type->dimensions);
  const size_t width = primitive_util::ByteWidth(type->element_type);
  const auto size =
      count ? CheckedMultiply(*count, width) : std::optional<int64_t>();
  if (!size) {
    return in.Fail(absl::StrCat(type->ToString(), " has too many elements"));
  }
  if (*count == 0) return;
  if (type->element_type == PRED) {
    SetBooleans(in, data, *count, out);
    return;
  }
  if (data.size() != width && data.size() != static_cast<size_t>(*size)) {
    return in.Fail(absl::StrCat(type->ToString(), " has ", data.size(),
                                " bytes of elements"));
  }
  out.data = data;
  out.splat = data.size() == width && *count != 1;
}

void ReadInteger(EntryReader& in, Attribute& out) {
  out.kind = Kind::kInteger;
  out.type = in.TypeReference();
  if (!in.ok()) return;
  if (out.type->kind == Type::Kind::kIndex) {
    out.integer = in.SignedVarint();
    return;
  }
  const PrimitiveType type = out.type->element_type;
  if (out.type->kind != Type::Kind::kScalar ||
      !(type == PRED || primitive_util::IsIntegralType(type))) {
    return in.Fail(absl::StrCat("integer of type ", out.type->ToString()));
  }
  const int width = primitive_util::BitWidth(type);
  const uint64_t bits = in.Bits(width);
  out.integer = static_cast<int64_t>(bits);
  if (type == PRED) {
    out.kind = Kind::kBool;
  } else if (primitive_util::IsSignedIntegralType(type)) {
    out.integer = static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  }
}

void ReadFloat(EntryReader& in, Attribute& out) {
  out.kind = Kind::kFloat;
  out.type = in.TypeReference();
  if (!in.ok()) return;
  const PrimitiveType type = out.type->element_type;
  if (out.type->kind != Type::Kind::kScalar ||
      !primitive_util::IsFloatingPointType(type)) {
    return in.Fail(absl::StrCat("float of type ", out.type->ToString()));
  }
  out.real = FloatOfBits(type, in.Bits(primitive_util::BitWidth(type)));
}

Attribute IntegersAttribute(absl::Span<const int64_t> integers) {
  Attribute attribute;
  attribute.kind = Kind::kIntegers;
  attribute.integers = integers;
  return attribute;
}

void SetDictionary(EntryReader& in, Attribute& out) {
  absl::Span<NamedAttribute> fields =
      in.arena().NewArray<NamedAttribute>(in.Count());
  for (NamedAttribute& field : fields) {
    const Attribute* name = in.AttributeReference();
    field.value = in.AttributeReference();
    if (!in.ok()) return;
    if (name->kind != Kind::kString) {
      return in.Fail("the name of a dictionary's field is not a string");
    }
    field.name = name->text;
  }
  out.kind = Kind::kDictionary;
  out.fields = fields;
}

void SetFields(EntryReader& in, absl::Span<const NamedAttribute> fields,
               Attribute& out) {
  out.kind = Kind::kDictionary;
  absl::Span<NamedAttribute> kept =
      in.arena().NewArray<NamedAttribute>(fields.size());
  size_t count = 0;
  for (const NamedAttribute& field : fields) {
    if (field.value != nullptr) kept[count++] = field;
  }
  out.fields = kept.first(count);
}

}  // namespace xla::stablehlo
