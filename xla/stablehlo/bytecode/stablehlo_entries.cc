// Attributes and types of the dialect stablehlo, which programs have that are
// not portable artifacts. Source of the codes: StableHLO's
// StablehloBytecode.cpp, and programs written by jaxlib 0.10.2.
#include <cstdint>
#include <vector>

#include "xla/stablehlo/bytecode/attribute_pool.h"
#include "xla/stablehlo/bytecode/shared_entries.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

enum AttributeCode : uint64_t {
  kChannelHandle = 1,
  kComparisonDirection = 2,
  kComparisonType = 3,
  kConvDimensionNumbers = 4,
  kDotDimensionNumbers = 5,
  kFftType = 6,
  kGatherDimensionNumbers = 7,
  kPrecision = 8,
  kRngAlgorithm = 9,
  kRngDistribution = 10,
  kScatterDimensionNumbers = 11,
  kTranspose = 12,
  kTypeExtensions = 13,
  kOutputOperandAlias = 14,
  kDotAlgorithm = 15,
  kResultAccuracyMode = 16,
  kResultAccuracy = 17,
  kReplicaGroupMeshAxes = 18,
  kSubAxisInfo = 19,
  kAxisRef = 20,
  kMeshAxis = 21,
  kMesh = 22,
};

constexpr uint64_t kTokenCode = 0;

// A field of a struct of numbers.
struct Field {
  absl::string_view name;
  bool is_list;
};

constexpr Field kChannelFields[] = {{"handle", false}, {"type", false}};
constexpr Field kConvFields[] = {{"input_batch_dimension", false},
                                 {"input_feature_dimension", false},
                                 {"input_spatial_dimensions", true},
                                 {"kernel_input_feature_dimension", false},
                                 {"kernel_output_feature_dimension", false},
                                 {"kernel_spatial_dimensions", true},
                                 {"output_batch_dimension", false},
                                 {"output_feature_dimension", false},
                                 {"output_spatial_dimensions", true}};
constexpr Field kDotFields[] = {{"lhs_batching_dimensions", true},
                                {"rhs_batching_dimensions", true},
                                {"lhs_contracting_dimensions", true},
                                {"rhs_contracting_dimensions", true}};
constexpr Field kGatherFields[] = {
    {"offset_dims", true},           {"collapsed_slice_dims", true},
    {"operand_batching_dims", true}, {"start_indices_batching_dims", true},
    {"start_index_map", true},       {"index_vector_dim", false}};
constexpr Field kScatterFields[] = {{"update_window_dims", true},
                                    {"inserted_window_dims", true},
                                    {"input_batching_dims", true},
                                    {"scatter_indices_batching_dims", true},
                                    {"scatter_dims_to_operand_dims", true},
                                    {"index_vector_dim", false}};

void SetNumbers(EntryReader& in, absl::Span<const Field> row, Attribute& out) {
  std::vector<NamedAttribute> fields;
  for (const Field& field : row) {
    fields.push_back(
        {field.name,
         field.is_list ? NewAttribute(in, IntegersAttribute(in.SignedVarints()))
                       : NewInteger(in, in.SignedVarint())});
  }
  SetFields(in, fields, out);
}

const Attribute* ReadTypeAttribute(EntryReader& in) {
  Attribute type;
  type.kind = Kind::kType;
  type.type = in.TypeReference();
  return NewAttribute(in, type);
}

const Attribute* ReadText(EntryReader& in) {
  Attribute text;
  text.kind = Kind::kString;
  text.text = in.String();
  return NewAttribute(in, text);
}

void SetDotAlgorithm(EntryReader& in, Attribute& out) {
  const Attribute* lhs = ReadTypeAttribute(in);
  const Attribute* rhs = ReadTypeAttribute(in);
  const Attribute* accumulation = ReadTypeAttribute(in);
  const Attribute* lhs_components = NewInteger(in, in.SignedVarint());
  const Attribute* rhs_components = NewInteger(in, in.SignedVarint());
  const Attribute* operations = NewInteger(in, in.SignedVarint());
  Attribute imprecise;
  imprecise.kind = Kind::kBool;
  imprecise.integer = in.Byte() != 0;
  if (!in.ok()) return;
  SetFields(in,
            {{"lhs_precision_type", lhs},
             {"rhs_precision_type", rhs},
             {"accumulation_type", accumulation},
             {"lhs_component_count", lhs_components},
             {"rhs_component_count", rhs_components},
             {"num_primitive_operations", operations},
             {"allow_imprecise_accumulation", NewAttribute(in, imprecise)}},
            out);
}

void SetAxisRef(EntryReader& in, Attribute& out) {
  const Attribute* name = ReadText(in);
  const Attribute* part = in.Byte() != 0 ? in.AttributeReference() : nullptr;
  if (!in.ok()) return;
  SetFields(in,
            {{"name", name},
             {"pre_size", part != nullptr ? part->Field("pre_size") : nullptr},
             {"size", part != nullptr ? part->Field("size") : nullptr}},
            out);
}

void SetGroupsOfMesh(EntryReader& in, Attribute& out) {
  const Attribute* mesh = in.AttributeReference();
  Attribute axes;
  axes.kind = Kind::kArray;
  axes.elements = in.Attributes();
  if (!in.ok()) return;
  SetFields(in, {{"mesh", mesh}, {"axes", NewAttribute(in, axes)}}, out);
}

}  // namespace

void ReadStableHloAttribute(EntryReader& in, Attribute& out) {
  switch (in.Varint()) {
    case kChannelHandle:
      return SetNumbers(in, kChannelFields, out);
    case kComparisonDirection:
      return ReadEnumerator(in, Enumeration::kComparisonDirection, out);
    case kComparisonType:
      return ReadEnumerator(in, Enumeration::kComparisonType, out);
    case kConvDimensionNumbers:
      return SetNumbers(in, kConvFields, out);
    case kDotDimensionNumbers:
      return SetNumbers(in, kDotFields, out);
    case kFftType:
      return ReadEnumerator(in, Enumeration::kFftType, out);
    case kGatherDimensionNumbers:
      return SetNumbers(in, kGatherFields, out);
    case kPrecision:
      return ReadEnumerator(in, Enumeration::kPrecision, out);
    case kRngAlgorithm:
      return ReadEnumerator(in, Enumeration::kRngAlgorithm, out);
    case kRngDistribution:
      return ReadEnumerator(in, Enumeration::kRngDistribution, out);
    case kScatterDimensionNumbers:
      return SetNumbers(in, kScatterFields, out);
    case kTranspose:
      return ReadEnumerator(in, Enumeration::kTranspose, out);
    case kTypeExtensions:
      out = IntegersAttribute(in.SignedVarints());
      return;
    case kOutputOperandAlias:
      return ReadOutputOperandAlias(in, out);
    case kDotAlgorithm:
      return SetDotAlgorithm(in, out);
    case kResultAccuracyMode:
      return ReadEnumerator(in, Enumeration::kResultAccuracyMode, out);
    case kResultAccuracy:
      return ReadResultAccuracy(in, out);
    case kReplicaGroupMeshAxes:
      return SetGroupsOfMesh(in, out);
    case kSubAxisInfo:
      return ReadSubAxis(in, out);
    case kAxisRef:
      return SetAxisRef(in, out);
    case kMeshAxis: {
      const Attribute* name = ReadText(in);
      const Attribute* size = NewInteger(in, in.SignedVarint());
      return SetFields(in, {{"name", name}, {"size", size}}, out);
    }
    case kMesh: {
      const Attribute* axes = in.AttributeReference();
      const Attribute* ids = in.Byte() != 0 ? in.AttributeReference() : nullptr;
      if (!in.ok()) return;
      return SetMesh(in, axes, ids, out);
    }
    default:
      out.kind = Kind::kUnknown;
      return;
  }
}

void ReadStableHloType(EntryReader& in, Type& out) {
  if (in.Varint() == kTokenCode) {
    out.kind = Type::Kind::kToken;
  } else {
    out.kind = Type::Kind::kUnknown;
    out.text = "stablehlo type that is not read";
  }
}

}  // namespace xla::stablehlo
