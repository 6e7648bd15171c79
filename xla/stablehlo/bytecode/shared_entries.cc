// Source of the encodings: StableHLO's VhloBytecode.cpp, StablehloBytecode.cpp.
#include "xla/stablehlo/bytecode/shared_entries.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// Enumerators ordered by number; "" for unused numbers.
constexpr absl::string_view kDirections[] = {"EQ", "NE", "GE",
                                             "GT", "LE", "LT"};
constexpr absl::string_view kComparisons[] = {"NOTYPE", "FLOAT", "TOTALORDER",
                                              "SIGNED", "UNSIGNED"};
constexpr absl::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr absl::string_view kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
constexpr absl::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
constexpr absl::string_view kDistributions[] = {"", "UNIFORM", "NORMAL"};
constexpr absl::string_view kTransposes[] = {
    "TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr absl::string_view kAccuracyModes[] = {"DEFAULT", "HIGHEST",
                                                "TOLERANCE"};
constexpr absl::string_view kVersionsOfCalls[] = {
    "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI"};

absl::Span<const absl::string_view> NamesOf(Enumeration enumeration) {
  switch (enumeration) {
    case Enumeration::kComparisonDirection:
      return kDirections;
    case Enumeration::kComparisonType:
      return kComparisons;
    case Enumeration::kFftType:
      return kFftTypes;
    case Enumeration::kPrecision:
      return kPrecisions;
    case Enumeration::kRngAlgorithm:
      return kAlgorithms;
    case Enumeration::kRngDistribution:
      return kDistributions;
    case Enumeration::kTranspose:
      return kTransposes;
    case Enumeration::kResultAccuracyMode:
      return kAccuracyModes;
    case Enumeration::kCustomCallApiVersion:
      break;
  }
  return kVersionsOfCalls;
}

// Returns the numbers of a dense<> of i64.
absl::Span<const int64_t> NumbersOf(EntryReader& in, const Attribute& dense) {
  if (dense.kind != Kind::kElements || dense.type->element_type != S64) {
    in.Fail("the devices of a mesh are not dense<> of i64");
    return {};
  }
  absl::Span<int64_t> numbers =
      in.arena().NewArray<int64_t>(dense.data.size() / sizeof(int64_t));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), dense.data.data(),
                numbers.size() * sizeof(int64_t));
  }
  return numbers;
}

}  // namespace

const Attribute* NewAttribute(EntryReader& in, const Attribute& attribute) {
  return in.arena().New<Attribute>(attribute);
}

const Attribute* NewInteger(EntryReader& in, int64_t value) {
  Attribute attribute;
  attribute.kind = Kind::kInteger;
  attribute.integer = value;
  return NewAttribute(in, attribute);
}

const Attribute* NewFloat(EntryReader& in, double value) {
  Attribute attribute;
  attribute.kind = Kind::kFloat;
  attribute.real = value;
  return NewAttribute(in, attribute);
}

void ReadEnumerator(EntryReader& in, Enumeration enumeration, Attribute& out) {
  const absl::Span<const absl::string_view> names = NamesOf(enumeration);
  const uint64_t number = in.Varint();
  if (number >= names.size() || names[number].empty()) {
    return in.Fail(absl::StrCat("unknown number ", number, " of the enum with ",
                                names.back()));
  }
  out.kind = Kind::kEnum;
  out.text = names[number];
}

void ReadOutputOperandAlias(EntryReader& in, Attribute& out) {
  const Attribute* output =
      NewAttribute(in, IntegersAttribute(in.SignedVarints()));
  const Attribute* operand = NewInteger(in, in.SignedVarint());
  const Attribute* indices =
      NewAttribute(in, IntegersAttribute(in.SignedVarints()));
  SetFields(in,
            {{"output_tuple_indices", output},
             {"operand_index", operand},
             {"operand_tuple_indices", indices}},
            out);
}

void ReadResultAccuracy(EntryReader& in, Attribute& out) {
  const Attribute* atol = NewFloat(in, in.Double());
  const Attribute* rtol = NewFloat(in, in.Double());
  const Attribute* ulps = NewInteger(in, in.SignedVarint());
  const Attribute* mode = in.AttributeReference();
  SetFields(in,
            {{"atol", atol}, {"rtol", rtol}, {"ulps", ulps}, {"mode", mode}},
            out);
}

// Attributes that sdy has too get the same form as there.

void ReadSubAxis(EntryReader& in, Attribute& out) {
  const Attribute* pre_size = NewInteger(in, in.SignedVarint());
  const Attribute* size = NewInteger(in, in.SignedVarint());
  SetFields(in, {{"pre_size", pre_size}, {"size", size}}, out);
}

void SetMesh(EntryReader& in, const Attribute* axes,
             const Attribute* device_ids, Attribute& out) {
  const Attribute* ids =
      NewAttribute(in, IntegersAttribute(device_ids != nullptr
                                             ? NumbersOf(in, *device_ids)
                                             : absl::Span<const int64_t>()));
  SetFields(in, {{"axes", axes}, {"device_ids", ids}}, out);
}

}  // namespace xla::stablehlo
