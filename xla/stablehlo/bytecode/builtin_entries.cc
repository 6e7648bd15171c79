// Attributes and types of MLIR's builtin dialect: artifacts use them for ops of
// dialects other than vhlo. Source of the codes: MLIR's
// BuiltinDialectBytecode.td.
#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

enum AttributeCode : uint64_t {
  kArray = 0,
  kDictionary = 1,
  kString = 2,
  kTypedString = 3,
  kFlatSymbol = 4,
  kSymbol = 5,
  kType = 6,
  kUnit = 7,
  kInteger = 8,
  kFloat = 9,
  // 10 to 15 and 22: locations
  kDenseArray = 17,
  kDenseElements = 18,
};

enum TypeCode : uint64_t {
  kIntegerType = 0,
  kIndexType = 1,
  kFunctionType = 2,
  kComplexType = 9,
  kNoneType = 12,
  kTensorType = 13,
  kTensorTypeWithEncoding = 14,
  kTupleType = 15,
  kTf32Type = 21,
};

void SetSymbol(EntryReader& in, Attribute& out) {
  const Attribute* root = in.AttributeReference();
  if (!in.ok()) return;
  out.kind = Kind::kSymbol;
  out.text = root->text;
}

int64_t SignExtended(uint64_t bits, int width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

// Sets `out` to array<i64: ...>; floats are kept as elements.
void SetDenseArray(EntryReader& in, Attribute& out) {
  const Type* element = in.TypeReference();
  const uint64_t count = in.Varint();
  const absl::string_view data = in.Blob();
  if (!in.ok()) return;
  const PrimitiveType type = element->element_type;
  if (element->kind != Type::Kind::kScalar ||
      !primitive_util::IsArrayType(type)) {
    return in.Fail("array of elements that are not numbers");
  }
  const size_t width = primitive_util::ByteWidth(type);
  if (data.size() % width != 0 || data.size() / width != count) {
    return in.Fail(absl::StrCat("array of ", count, " elements has ",
                                data.size(), " bytes"));
  }
  if (!primitive_util::IsIntegralType(type) && type != PRED) {
    absl::Span<int64_t> dimensions = in.arena().NewArray<int64_t>(1);
    dimensions[0] = count;
    Type* tensor = in.arena().New<Type>();
    SetTensor(in, dimensions, element, nullptr, *tensor);
    return SetElements(in, tensor, data, out);
  }
  absl::Span<int64_t> integers = in.arena().NewArray<int64_t>(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::copy_n(data.data() + i * width, width, reinterpret_cast<char*>(&bits));
    const bool is_signed = primitive_util::IsSignedIntegralType(type);
    integers[i] =
        is_signed ? SignExtended(bits, width * 8) : static_cast<int64_t>(bits);
  }
  out = IntegersAttribute(integers);
  if (type != S64) out.type = element;
}

PrimitiveType IntegerType(uint64_t width_and_sign) {
  const bool is_unsigned = (width_and_sign & 3) == 2;
  switch (width_and_sign >> 2) {
    case 1:
      return PRED;
    case 2:
      return is_unsigned ? U2 : S2;
    case 4:
      return is_unsigned ? U4 : S4;
    case 8:
      return is_unsigned ? U8 : S8;
    case 16:
      return is_unsigned ? U16 : S16;
    case 32:
      return is_unsigned ? U32 : S32;
    case 64:
      return is_unsigned ? U64 : S64;
    default:
      return PRIMITIVE_TYPE_INVALID;
  }
}

PrimitiveType FloatOf(uint64_t code) {
  static constexpr PrimitiveType kNo = PRIMITIVE_TYPE_INVALID;
  static constexpr PrimitiveType kLow[] = {BF16, F16, F32, F64};  // from 3
  static constexpr PrimitiveType kSmall[] = {
      // from 22
      F8E5M2, F8E4M3,   F8E4M3FN, F8E5M2FNUZ, F8E4M3FNUZ, F8E4M3B11FNUZ,
      F8E3M4, F4E2M1FN, F6E2M3FN, F6E3M2FN,   F8E8M0FNU};
  if (code >= 3 && code < 3 + std::size(kLow)) return kLow[code - 3];
  if (code >= 22 && code < 22 + std::size(kSmall)) return kSmall[code - 22];
  return kNo;
}

void SetTensorType(EntryReader& in, bool has_encoding, Type& out) {
  const Attribute* encoding = has_encoding ? in.AttributeReference() : nullptr;
  absl::Span<const int64_t> dimensions = in.SignedVarints();
  const Type* element = in.TypeReference();
  if (!in.ok()) return;
  if (element->kind == Type::Kind::kUnknown) {  // such as !quant.uniform
    out = *element;
    return;
  }
  SetTensor(in, dimensions, element, encoding, out);
}

}  // namespace

void ReadBuiltinAttribute(EntryReader& in, Attribute& out) {
  switch (in.Varint()) {
    case kArray:
      out.kind = Kind::kArray;
      out.elements = in.Attributes();
      return;
    case kDictionary:
      return SetDictionary(in, out);
    case kString:
    case kTypedString:
      out.kind = Kind::kString;
      out.text = in.String();
      return;
    case kFlatSymbol:
    case kSymbol:  // nested ones name functions of inner modules
      return SetSymbol(in, out);
    case kType:
      out.kind = Kind::kType;
      out.type = in.TypeReference();
      return;
    case kUnit:
      out.kind = Kind::kUnit;
      return;
    case kInteger:
      return ReadInteger(in, out);
    case kFloat:
      return ReadFloat(in, out);
    case kDenseArray:
      return SetDenseArray(in, out);
    case kDenseElements: {
      const Type* type = in.TypeReference();
      const absl::string_view data = in.Blob();
      return SetElements(in, type, data, out);
    }
    default:
      out.kind = Kind::kUnknown;
      return;
  }
}

void ReadBuiltinType(EntryReader& in, Type& out) {
  const uint64_t code = in.Varint();
  switch (code) {
    case kIntegerType: {
      const uint64_t width_and_sign = in.Varint();
      const PrimitiveType type = IntegerType(width_and_sign);
      if (type != PRIMITIVE_TYPE_INVALID) return SetScalar(in, type, out);
      out.kind = Type::Kind::kUnknown;
      out.text = in.arena().CopyString(absl::StrCat("i", width_and_sign >> 2));
      return;
    }
    case kIndexType:
      out.kind = Type::Kind::kIndex;
      return;
    case kFunctionType:
      out.kind = Type::Kind::kFunction;
      out.elements = in.Types();
      out.results = in.Types();
      return;
    case kComplexType: {
      const Type* part = in.TypeReference();
      if (!in.ok()) return;
      return SetScalar(in,
                       part->element_type == F32   ? C64
                       : part->element_type == F64 ? C128
                                                   : PRIMITIVE_TYPE_INVALID,
                       out);
    }
    case kNoneType:
      out.kind = Type::Kind::kNone;
      return;
    case kTensorType:
      return SetTensorType(in, /*has_encoding=*/false, out);
    case kTensorTypeWithEncoding:
      return SetTensorType(in, /*has_encoding=*/true, out);
    case kTupleType:
      out.kind = Type::Kind::kTuple;
      out.elements = in.Types();
      return;
    default:
      break;
  }
  if (FloatOf(code) != PRIMITIVE_TYPE_INVALID) {
    return SetScalar(in, FloatOf(code), out);
  }
  out.kind = Type::Kind::kUnknown;
  out.text = code == kTf32Type ? "tf32" : "builtin type that is not read";
}

}  // namespace xla::stablehlo
