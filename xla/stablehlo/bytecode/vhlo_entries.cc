// Attributes and types of the dialect vhlo, op set versions 0.9.0 to 1.17.0.
// Source of the codes and encodings: StableHLO's VhloBytecode.cpp, and
// artifacts written by jaxlib 0.10.2 (attributes 21 to 25, type 42).
#include <iterator>

#include "absl/strings/str_cat.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"
#include "xla/stablehlo/bytecode/shared_entries.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

enum AttributeCode : uint64_t {
  kArray = 1,
  kBoolean = 2,
  kComparisonDirection = 3,
  kComparisonType = 4,
  kCustomCallApiVersion = 5,
  kDictionary = 6,
  kFftType = 7,
  kFloat = 8,
  kInteger = 9,
  kOutputOperandAlias = 10,
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kString = 14,
  kTensor = 15,
  kTranspose = 16,
  kType = 17,
  kTypeExtensions = 18,
  kResultAccuracyMode = 19,
  kResultAccuracy = 20,
  kSubAxisInfo = 21,
  kAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
  kMeshAxis = 24,
  kMesh = 25,
};

void SetAxis(EntryReader& in, Attribute& out) {
  const Attribute* name = in.AttributeReference();
  const Attribute* sub_axis =
      in.Varint() != 0 ? in.AttributeReference() : nullptr;
  if (!in.ok()) return;
  SetFields(in,
            {{"name", name},
             {"pre_size", sub_axis ? sub_axis->Field("pre_size") : nullptr},
             {"size", sub_axis ? sub_axis->Field("size") : nullptr}},
            out);
}

void SetMeshGroups(EntryReader& in, Attribute& out) {
  const Attribute* mesh = in.AttributeReference();
  const Attribute* axes = in.AttributeReference();
  if (!in.ok()) return;
  if (mesh->kind == Kind::kString) {
    Attribute symbol = *mesh;
    symbol.kind = Kind::kSymbol;
    mesh = NewAttribute(in, symbol);
  }
  SetFields(in, {{"mesh", mesh}, {"axes", axes}}, out);
}

void SetText(EntryReader& in, Attribute& out) {
  out.kind = Kind::kString;
  out.text = in.String();
}

void SetElementsOfTensor(EntryReader& in, Attribute& out) {
  const Type* type = in.TypeReference();
  const absl::string_view data = in.Blob();
  SetElements(in, type, data, out);
}

enum TypeCode : uint64_t {
  kComplexType = 1,
  kFunctionType = 8,
  kIndexType = 9,
  kTensorType = 20,
  kTensorTypeWithEncoding = 21,
  kTokenType = 22,
  kTupleType = 23,
  kQuantizedType = 24,
  kUnrankedTensorType = 25,
  kWitnessType = 26,
  kQuantizedPerAxisType = 30,
  kNoneType = 33,
  kTf32Type = 34,
  kBufferType = 41,
  kFutureType = 42,
};

PrimitiveType ScalarOf(uint64_t code) {
  static constexpr PrimitiveType kNo = PRIMITIVE_TYPE_INVALID;
  static constexpr PrimitiveType kScalars[] = {
      PRED,     kNo,      BF16,     F16,        F32,        F64,
      F8E4M3FN, F8E5M2,   kNo,      kNo,        S4,         S8,
      S16,      S32,      S64,      U4,         U8,         U16,
      U32,      U64,      kNo,      kNo,        kNo,        kNo,
      kNo,      kNo,      kNo,      F8E4M3FNUZ, F8E5M2FNUZ, F8E4M3B11FNUZ,
      kNo,      S2,       U2,       kNo,        kNo,        F8E4M3,
      F8E3M4,   F4E2M1FN, F6E2M3FN, F6E3M2FN,   F8E8M0FNU};
  return code < std::size(kScalars) ? kScalars[code] : kNo;
}

void SetComplex(EntryReader& in, Type& out) {
  const Type* part = in.TypeReference();
  if (!in.ok()) return;
  SetScalar(in,
            part->element_type == F32   ? C64
            : part->element_type == F64 ? C128
                                        : PRIMITIVE_TYPE_INVALID,
            out);
}

void SetRankedTensor(EntryReader& in, bool has_encoding, Type& out) {
  const Attribute* encoding = has_encoding ? in.AttributeReference() : nullptr;
  absl::Span<const int64_t> dimensions = in.SignedVarints();
  const Type* element = in.TypeReference();
  SetTensor(in, dimensions, element, encoding, out);
}

void SetUnknown(EntryReader& in, absl::string_view text, Type& out) {
  out.kind = Type::Kind::kUnknown;
  out.text = in.arena().CopyString(text);
}

PrimitiveType UnsignedOf(PrimitiveType type) {
  switch (type) {
    case S2:
      return U2;
    case S4:
      return U4;
    case S8:
      return U8;
    case S16:
      return U16;
    case S32:
      return U32;
    default:
      return type;
  }
}

void SetQuantized(EntryReader& in, bool per_axis, Type& out) {
  QuantizedType quantized;
  const bool is_signed = in.Varint() & 1;
  const Type* storage = in.TypeReference();
  const Type* expressed = in.TypeReference();
  if (!in.ok()) return;
  quantized.storage_type =
      is_signed ? storage->element_type : UnsignedOf(storage->element_type);
  quantized.expressed_type = expressed->element_type;
  if (!primitive_util::IsIntegralType(quantized.storage_type) ||
      !primitive_util::IsFloatingPointType(quantized.expressed_type)) {
    return in.Fail(absl::StrCat("quantized ", expressed->ToString(),
                                " stored as ", storage->ToString()));
  }
  absl::Span<double> scales;
  if (per_axis) {
    quantized.axis = static_cast<int64_t>(in.Varint());
    if (quantized.axis < 0) in.Fail("axis of a quantized type");
  } else {
    scales = in.arena().NewArray<double>(1);
    scales[0] = in.Double();
    absl::Span<int64_t> zero_points = in.arena().NewArray<int64_t>(1);
    zero_points[0] = in.SignedVarint();
    quantized.zero_points = zero_points;
  }
  quantized.storage_min = in.SignedVarint();
  quantized.storage_max = in.SignedVarint();
  if (per_axis) {
    scales = in.arena().NewArray<double>(in.Count());
    for (double& scale : scales) scale = in.Double();
    quantized.zero_points = in.SignedVarints();
  }
  quantized.scales = scales;
  if (scales.size() != quantized.zero_points.size()) {
    return in.Fail("a quantized type has not as many zero points as scales");
  }
  SetScalar(in, quantized.storage_type, out);
  out.quantized = in.arena().New<QuantizedType>(quantized);
}

}  // namespace

void ReadVhloAttribute(EntryReader& in, Attribute& out) {
  const uint64_t code = in.Varint();
  switch (code) {
    case kArray:
      out.kind = Kind::kArray;
      out.elements = in.Attributes();
      return;
    case kBoolean:
      out.kind = Kind::kBool;
      out.integer = in.Varint() != 0;
      return;
    case kComparisonDirection:
      return ReadEnumerator(in, Enumeration::kComparisonDirection, out);
    case kComparisonType:
      return ReadEnumerator(in, Enumeration::kComparisonType, out);
    case kCustomCallApiVersion:
      return ReadEnumerator(in, Enumeration::kCustomCallApiVersion, out);
    case kDictionary:
      return SetDictionary(in, out);
    case kFftType:
      return ReadEnumerator(in, Enumeration::kFftType, out);
    case kFloat:
      return ReadFloat(in, out);
    case kInteger:
      return ReadInteger(in, out);
    case kOutputOperandAlias:
      return ReadOutputOperandAlias(in, out);
    case kPrecision:
      return ReadEnumerator(in, Enumeration::kPrecision, out);
    case kRngAlgorithm:
      return ReadEnumerator(in, Enumeration::kRngAlgorithm, out);
    case kRngDistribution:
      return ReadEnumerator(in, Enumeration::kRngDistribution, out);
    case kString:
      return SetText(in, out);
    case kTensor:
      return SetElementsOfTensor(in, out);
    case kTranspose:
      return ReadEnumerator(in, Enumeration::kTranspose, out);
    case kType:
      out.kind = Kind::kType;
      out.type = in.TypeReference();
      return;
    case kTypeExtensions:
      out = IntegersAttribute(in.SignedVarints());
      return;
    case kResultAccuracyMode:
      return ReadEnumerator(in, Enumeration::kResultAccuracyMode, out);
    case kResultAccuracy:
      return ReadResultAccuracy(in, out);
    case kSubAxisInfo:
      return ReadSubAxis(in, out);
    case kAxisRef:
      return SetAxis(in, out);
    case kReplicaGroupMeshAxes:
      return SetMeshGroups(in, out);
    case kMeshAxis: {
      const Attribute* name = in.AttributeReference();
      const Attribute* size = NewInteger(in, in.SignedVarint());
      return SetFields(in, {{"name", name}, {"size", size}}, out);
    }
    case kMesh: {
      const Attribute* axes = in.AttributeReference();
      const Attribute* ids = in.OptionalAttributeReference();
      if (!in.ok()) return;
      return SetMesh(in, axes, ids, out);
    }
    default:
      return in.Fail(absl::StrCat("unknown vhlo attribute code ", code));
  }
}

void ReadVhloType(EntryReader& in, Type& out) {
  const uint64_t code = in.Varint();
  switch (code) {
    case kComplexType:
      return SetComplex(in, out);
    case kFunctionType:
      out.kind = Type::Kind::kFunction;
      out.elements = in.Types();
      out.results = in.Types();
      return;
    case kIndexType:
      out.kind = Type::Kind::kIndex;
      return;
    case kTensorType:
      return SetRankedTensor(in, /*has_encoding=*/false, out);
    case kTensorTypeWithEncoding:
      return SetRankedTensor(in, /*has_encoding=*/true, out);
    case kTokenType:
      out.kind = Type::Kind::kToken;
      return;
    case kTupleType:
      out.kind = Type::Kind::kTuple;
      out.elements = in.Types();
      return;
    case kFutureType:
      out.kind = Type::Kind::kFuture;
      out.elements = in.Types();
      return;
    case kQuantizedType:
      return SetQuantized(in, /*per_axis=*/false, out);
    case kQuantizedPerAxisType:
      return SetQuantized(in, /*per_axis=*/true, out);
    case kNoneType:
      out.kind = Type::Kind::kNone;
      return;
    case kTf32Type:
      return SetUnknown(in, "tf32", out);
    case kWitnessType:
      return SetUnknown(in, "!shape.witness", out);
    case kUnrankedTensorType: {
      const Type* element = in.TypeReference();
      if (!in.ok()) return;
      return SetUnknown(in, absl::StrCat("tensor<*x", element->ToString(), ">"),
                        out);
    }
    case kBufferType: {
      Type tensor;
      SetRankedTensor(in, /*has_encoding=*/false, tensor);
      if (!in.ok()) return;
      return SetUnknown(in, absl::StrCat("memref", tensor.ToString().substr(6)),
                        out);
    }
    default:
      break;
  }
  const PrimitiveType scalar = ScalarOf(code);
  if (scalar == PRIMITIVE_TYPE_INVALID) {
    return in.Fail(absl::StrCat("unknown vhlo type code ", code));
  }
  SetScalar(in, scalar, out);
}

}  // namespace xla::stablehlo
