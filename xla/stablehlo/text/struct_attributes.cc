// Converts attributes of StableHLO's text to those of VHLO.
#include <algorithm>

#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kFlattened[] = {
    "dimension_numbers", "dot_dimension_numbers", "scatter_dimension_numbers",
    "ragged_dot_dimension_numbers", "algorithm"};

constexpr absl::string_view kApiVersions[] = {
    "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI"};

bool IsFlattened(const NamedAttribute& attribute) {
  return attribute.value->kind == Attribute::Kind::kDictionary &&
         std::find(std::begin(kFlattened), std::end(kFlattened),
                   attribute.name) != std::end(kFlattened);
}

}  // namespace

void FlattenAttributes(absl::string_view op_name, AttributeReader& reader,
                       std::vector<NamedAttribute>* attributes) {
  const absl::string_view dialect = op_name.substr(0, op_name.find('.'));
  if (dialect != "stablehlo" && dialect != "chlo") return;
  // Most ops have nothing to flatten: copy only from the first such attribute
  // on.
  std::vector<NamedAttribute> flat;
  bool changed = false;
  for (const NamedAttribute& attribute : *attributes) {
    const Attribute& value = *attribute.value;
    if (IsFlattened(attribute)) {
      flat.insert(flat.end(), value.fields.begin(), value.fields.end());
      changed = true;
    } else if (attribute.name == "channel_handle" &&
               value.kind == Attribute::Kind::kDictionary) {
      const Attribute* id = value.Field("handle");
      const Attribute* type = value.Field("type");
      if (id != nullptr) flat.push_back({"channel_id", id});
      if (type != nullptr) flat.push_back({"channel_type", type});
      changed = true;
    } else if (attribute.name == "api_version" &&
               op_name == "stablehlo.custom_call" &&
               value.kind == Attribute::Kind::kInteger && value.integer >= 0 &&
               value.integer < static_cast<int64_t>(std::size(kApiVersions))) {
      flat.push_back({"api_version", reader.Text(Attribute::Kind::kEnum,
                                                 kApiVersions[value.integer])});
      changed = true;
    } else {
      flat.push_back(attribute);
    }
  }
  if (changed) *attributes = std::move(flat);
}

bool SameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.element_type != b.element_type ||
      a.dimensions != b.dimensions || a.bounds != b.bounds ||
      a.text != b.text ||
      (a.quantized == nullptr) != (b.quantized == nullptr) ||
      a.elements.size() != b.elements.size() ||
      a.results.size() != b.results.size()) {
    return false;
  }
  const auto same = [](const Type* x, const Type* y) {
    return SameType(*x, *y);
  };
  if (a.quantized != nullptr) {
    const QuantizedType& x = *a.quantized;
    const QuantizedType& y = *b.quantized;
    if (x.storage_type != y.storage_type ||
        x.expressed_type != y.expressed_type || x.axis != y.axis ||
        x.storage_min != y.storage_min || x.storage_max != y.storage_max ||
        x.axes != y.axes || x.block_sizes != y.block_sizes ||
        x.scales != y.scales || x.zero_points != y.zero_points) {
      return false;
    }
  }
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(),
                    same) &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(),
                    same);
}

}  // namespace xla::stablehlo
