// Reads attributes of the dialect sdy (Shardy) into the form that the README of
// xla/stablehlo describes. Source of the codes: Shardy's bytecode.td.
#include "xla/stablehlo/bytecode/attribute_pool.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

enum AttributeCode : uint64_t {
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxisInfo = 3,
  kAxisRef = 4,
  kDimensionSharding = 5,
  kTensorShardingV1 = 6,
  kTensorShardingPerValueV1 = 7,
  kDimMapping = 8,
  kTensorMapping = 9,
  kOpShardingRule = 10,
  kAxisRefList = 11,
  kListOfAxisRefLists = 12,
  kAllToAllParam = 13,
  kAllToAllParamList = 14,
  kTensorShardingV2 = 15,
  kTensorShardingPerValueV2 = 16,
  kTensorShardingV3 = 17,
};

const Attribute* New(EntryReader& in, const Attribute& attribute) {
  return in.arena().New<Attribute>(attribute);
}

const Attribute* Integer(EntryReader& in, int64_t value) {
  Attribute attribute;
  attribute.kind = Kind::kInteger;
  attribute.integer = value;
  return New(in, attribute);
}

const Attribute* Bool(EntryReader& in) {
  Attribute attribute;
  attribute.kind = Kind::kBool;
  attribute.integer = in.Byte() != 0;
  return New(in, attribute);
}

const Attribute* Text(EntryReader& in) {
  Attribute attribute;
  attribute.kind = Kind::kString;
  attribute.text = in.String();
  return New(in, attribute);
}

const Attribute* Integers(EntryReader& in) {
  return New(in, IntegersAttribute(in.SignedVarints()));
}

const Attribute* Array(EntryReader& in) {
  Attribute attribute;
  attribute.kind = Kind::kArray;
  attribute.elements = in.Attributes();
  return New(in, attribute);
}

void SetAxis(EntryReader& in, Attribute& out) {
  const Attribute* name = Text(in);
  const Attribute* sub_axis = in.OptionalAttributeReference();
  SetFields(in,
            {{"name", name},
             {"pre_size", sub_axis ? sub_axis->Field("pre_size") : nullptr},
             {"size", sub_axis ? sub_axis->Field("size") : nullptr}},
            out);
}

void SetDimension(EntryReader& in, Attribute& out) {
  const Attribute* axes = Array(in);
  const Attribute* closed = Bool(in);
  const uint64_t priority = in.Varint();
  SetFields(in,
            {{"axes", axes},
             {"closed", closed},
             {"priority", priority & 1 ? Integer(in, priority >> 1) : nullptr}},
            out);
}

// V2 adds the unreduced axes, V3 how they are reduced.
void SetSharding(EntryReader& in, int version, Attribute& out) {
  const Attribute* mesh = in.AttributeReference();
  const Attribute* dims = Array(in);
  const Attribute* replicated = Array(in);
  const Attribute* unreduced = nullptr;
  if (version >= 2) {
    unreduced = Array(in);
  } else {
    Attribute none;
    none.kind = Kind::kArray;
    unreduced = New(in, none);
  }
  const Attribute* reduction =
      version >= 3 ? Integer(in, in.SignedVarint()) : nullptr;
  SetFields(in,
            {{"mesh", mesh},
             {"dims", dims},
             {"replicated", replicated},
             {"unreduced", unreduced},
             {"reduction", reduction}},
            out);
}

void SetRule(EntryReader& in, Attribute& out) {
  const Attribute* factor_sizes = Integers(in);
  const Attribute* operands = Array(in);
  const Attribute* results = Array(in);
  const Attribute* reduction = Integers(in);
  const Attribute* replication = Integers(in);
  const Attribute* permutation = Integers(in);
  const Attribute* blocked = Integers(in);
  const Attribute* is_custom = Bool(in);
  SetFields(in,
            {{"factor_sizes", factor_sizes},
             {"operand_mappings", operands},
             {"result_mappings", results},
             {"reduction_factors", reduction},
             {"need_replication_factors", replication},
             {"permutation_factors", permutation},
             {"blocked_propagation_factors", blocked},
             {"is_custom_rule", is_custom}},
            out);
}

void SetAllToAll(EntryReader& in, Attribute& out) {
  const Attribute* axes = Array(in);
  const Attribute* source = Integer(in, in.SignedVarint());
  const Attribute* target = Integer(in, in.SignedVarint());
  SetFields(in, {{"axes", axes}, {"src_dim", source}, {"tgt_dim", target}},
            out);
}

}  // namespace

void ReadSdyAttribute(EntryReader& in, Attribute& out) {
  switch (in.Varint()) {
    case kMeshAxis: {
      const Attribute* name = Text(in);
      const Attribute* size = Integer(in, in.SignedVarint());
      return SetFields(in, {{"name", name}, {"size", size}}, out);
    }
    case kMesh: {
      const Attribute* axes = Array(in);
      const Attribute* ids = Integers(in);
      return SetFields(in, {{"axes", axes}, {"device_ids", ids}}, out);
    }
    case kSubAxisInfo: {
      const Attribute* pre_size = Integer(in, in.SignedVarint());
      const Attribute* size = Integer(in, in.SignedVarint());
      return SetFields(in, {{"pre_size", pre_size}, {"size", size}}, out);
    }
    case kAxisRef:
      return SetAxis(in, out);
    case kDimensionSharding:
      return SetDimension(in, out);
    case kTensorShardingV1:
      return SetSharding(in, 1, out);
    case kTensorShardingV2:
      return SetSharding(in, 2, out);
    case kTensorShardingV3:
      return SetSharding(in, 3, out);
    case kDimMapping:
      out = IntegersAttribute(in.SignedVarints());
      return;
    case kOpShardingRule:
      return SetRule(in, out);
    case kAllToAllParam:
      return SetAllToAll(in, out);
    case kManualAxes:
    case kTensorShardingPerValueV1:
    case kTensorShardingPerValueV2:
    case kTensorMapping:
    case kAxisRefList:
    case kListOfAxisRefLists:
    case kAllToAllParamList:
      out.kind = Kind::kArray;
      out.elements = in.Attributes();
      return;
    default:
      out.kind = Kind::kUnknown;
      return;
  }
}

}  // namespace xla::stablehlo
