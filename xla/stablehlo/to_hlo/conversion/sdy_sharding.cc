// Checks the fields of sdy's attributes, which come from programs.
#include "xla/stablehlo/to_hlo/conversion/sdy_sharding.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {
namespace {

absl::Status BadSharding(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("sdy.sharding: ", what));
}

// Returns the elements of a field; none if it is absent.
absl::Span<const Attribute* const> ElementsOf(const Attribute& attribute,
                                              absl::string_view field) {
  const Attribute* list = attribute.Field(field);
  if (list == nullptr) return {};
  return list->elements;
}

absl::StatusOr<AxisPart> ReadAxis(const Attribute& reference,
                                  const DeviceMesh& mesh) {
  const Attribute* name = reference.Field("name");
  const std::optional<int32_t> number =
      name == nullptr ? std::nullopt : mesh.FindAxis(name->text);
  if (!number.has_value()) {
    return BadSharding("names an axis that the mesh lacks");
  }
  AxisPart axis = mesh.WholeAxis(*number);
  const Attribute* pre_size = reference.Field("pre_size");
  const Attribute* size = reference.Field("size");
  if (pre_size != nullptr && size != nullptr) {
    axis = {*number, pre_size->integer, size->integer};
  }
  if (!mesh.Has(axis)) {
    return BadSharding("has a sub-axis that does not divide its axis");
  }
  return axis;
}

}  // namespace

absl::StatusOr<DeviceMesh> ReadSdyMesh(const Attribute& definition) {
  std::vector<DeviceMesh::Axis> axes;
  for (const Attribute* axis : ElementsOf(definition, "axes")) {
    const Attribute* name = axis->Field("name");
    const Attribute* size = axis->Field("size");
    if (name == nullptr || size == nullptr) {
      return BadSharding("an axis of the mesh has no name or size");
    }
    axes.push_back({std::string(name->text), size->integer});
  }
  std::vector<int64_t> devices;
  if (const Attribute* ids = definition.Field("device_ids")) {
    TF_ASSIGN_OR_RETURN(devices, IntegersOfAttribute(*ids));
  }
  if (axes.empty() && devices.size() == 1) {
    if (devices[0] < 0) return BadSharding("a device is negative");
    return DeviceMesh::Maximal(devices[0]);
  }
  return DeviceMesh::Create(std::move(axes), std::move(devices));
}

absl::StatusOr<AxisList> ReadSdyAxes(absl::Span<const Attribute* const> axes,
                                     const DeviceMesh& mesh) {
  AxisList list;
  for (const Attribute* reference : axes) {
    TF_ASSIGN_OR_RETURN(const AxisPart axis, ReadAxis(*reference, mesh));
    if (Overlap(list, axis)) return BadSharding("uses an axis twice");
    Append(axis, list);
  }
  return list;
}

absl::StatusOr<MeshSharding> ReadSdySharding(
    const Attribute& sharding, std::shared_ptr<const DeviceMesh> mesh) {
  const Attribute* dims = sharding.Field("dims");
  if (dims == nullptr) return BadSharding("says nothing about dimensions");
  MeshSharding result;
  result.mesh = std::move(mesh);
  AxisList used;
  auto read = [&](absl::Span<const Attribute* const> list,
                  AxisList* axes) -> absl::Status {
    TF_ASSIGN_OR_RETURN(*axes, ReadSdyAxes(list, *result.mesh));
    if (Overlap(used, *axes)) return BadSharding("uses an axis twice");
    Append(*axes, used);
    return absl::OkStatus();
  };
  for (const Attribute* dim : dims->elements) {
    MeshSharding::Dimension& dimension = result.dimensions.emplace_back();
    TF_RETURN_IF_ERROR(read(ElementsOf(*dim, "axes"), &dimension.axes));
    const Attribute* closed = dim->Field("closed");
    dimension.is_open = closed != nullptr && closed->integer == 0;
    if (const Attribute* priority = dim->Field("priority")) {
      if (priority->integer < 0) return BadSharding("a priority is negative");
      dimension.priority = priority->integer;
    }
  }
  TF_RETURN_IF_ERROR(
      read(ElementsOf(sharding, "replicated"), &result.replicated));
  TF_RETURN_IF_ERROR(
      read(ElementsOf(sharding, "unreduced"), &result.unreduced));
  const Attribute* reduction = sharding.Field("reduction");
  if (reduction == nullptr) return result;
  switch (reduction->integer) {
    case 0:
      return result;
    case 1:
      result.unreduced_kind = UnreducedKind::kMax;
      return result;
    case 2:
      result.unreduced_kind = UnreducedKind::kMin;
      return result;
    default:
      return BadSharding("an unknown reduction of partial values");
  }
}

}  // namespace xla::stablehlo
