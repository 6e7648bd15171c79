// Flattens the attributes that are structs in StableHLO's own forms.
#include "xla/stablehlo/ir/struct_attributes.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

void FlattenAttributes(absl::string_view op_name, Arena& arena,
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
      Attribute version;
      version.kind = Attribute::Kind::kEnum;
      version.text = kApiVersions[value.integer];
      flat.push_back({"api_version", arena.New(version)});
      changed = true;
    } else {
      flat.push_back(attribute);
    }
  }
  if (changed) *attributes = std::move(flat);
}

}  // namespace xla::stablehlo
