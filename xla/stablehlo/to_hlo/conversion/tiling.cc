// Reads the tilings that sdy shardings and HLO shardings describe.
#include "xla/stablehlo/to_hlo/conversion/tiling.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {
namespace {

// An axis of a mesh: partition p has position (p_in_mesh / stride) % size.
struct Axis {
  absl::string_view name;
  int64_t size;
  int64_t stride;
};

struct Mesh {
  std::vector<Axis> axes;
  std::vector<int64_t> position;  // of each partition in the mesh
};

absl::Status BadSharding(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("sdy.sharding: ", what));
}

// Checks that each partition occurs once.
absl::Status CheckDevices(absl::Span<const int64_t> devices,
                          int64_t partitions) {
  std::vector<bool> seen(partitions, false);
  for (int64_t device : devices) {
    if (device < 0 || device >= partitions || seen[device]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a sharding names device ", device,
          " twice, or it is not one of the program's ", partitions));
    }
    seen[device] = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int64_t>> DeviceIds(const Attribute* ids) {
  if (ids == nullptr) return std::vector<int64_t>();
  return IntegersOfAttribute(*ids);
}

// `definition` has axes and, if the devices are not in order, device_ids.
absl::StatusOr<Mesh> ReadMesh(const Attribute& definition, int64_t partitions) {
  Mesh mesh;
  const Attribute* axes = definition.Field("axes");
  int64_t total = 1;
  if (axes != nullptr) {
    for (const Attribute* axis : axes->elements) {
      const Attribute* name = axis->Field("name");
      const Attribute* size = axis->Field("size");
      if (name == nullptr || size == nullptr || size->integer < 1 ||
          size->integer > partitions) {
        return BadSharding("an axis of the mesh has no name or size");
      }
      total *= size->integer;
      if (total > partitions) break;
      mesh.axes.push_back({name->text, size->integer, 0});
    }
  }
  int64_t stride = 1;
  for (size_t i = mesh.axes.size(); i-- > 0;) {
    mesh.axes[i].stride = stride;
    stride *= mesh.axes[i].size;
  }
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> ids,
                      DeviceIds(definition.Field("device_ids")));
  // A maximal or empty mesh does not define parts.
  if (mesh.axes.empty()) {
    mesh.position.assign(partitions, 0);
    return mesh;
  }
  if (total != partitions || (!ids.empty() && std::ssize(ids) != total)) {
    return BadSharding(
        absl::StrCat("the mesh has another number of devices "
                     "than the program's ",
                     partitions, " partitions"));
  }
  mesh.position.resize(partitions);
  std::iota(mesh.position.begin(), mesh.position.end(), 0);
  TF_RETURN_IF_ERROR(ids.empty() ? absl::OkStatus()
                                 : CheckDevices(ids, partitions));
  for (size_t i = 0; i < ids.size(); ++i) mesh.position[ids[i]] = i;
  return mesh;
}

// Returns the axis, or sub-axis, that `reference` names, as an axis.
absl::StatusOr<Axis> FindAxis(const Attribute& reference, const Mesh& mesh) {
  const Attribute* name = reference.Field("name");
  const Axis* axis = nullptr;
  for (const Axis& candidate : mesh.axes) {
    if (name != nullptr && candidate.name == name->text) axis = &candidate;
  }
  if (axis == nullptr) return BadSharding("names an axis that the mesh lacks");
  const Attribute* pre_size = reference.Field("pre_size");
  const Attribute* sub_size = reference.Field("size");
  if (pre_size == nullptr || sub_size == nullptr) return *axis;
  const int64_t pre = pre_size->integer;
  const int64_t size = sub_size->integer;
  if (pre < 1 || size < 1 || pre > axis->size || size > axis->size ||
      axis->size % (pre * size) != 0) {
    return BadSharding("has a sub-axis that does not divide its axis");
  }
  return Axis{axis->name, size, axis->stride * (axis->size / (pre * size))};
}

// Adds the parts into which an axis cuts a dimension.
absl::Status AddAxis(const Attribute& reference, const Mesh& mesh,
                     size_t dimension, Tiling& tiling) {
  TF_ASSIGN_OR_RETURN(const Axis axis, FindAxis(reference, mesh));
  // Dimensions that share an axis would not be cut evenly.
  int64_t total = axis.size;
  for (int64_t count : tiling.counts) total *= count;
  if (total > std::ssize(mesh.position)) {
    return BadSharding("uses an axis twice");
  }
  tiling.counts[dimension] *= axis.size;
  for (size_t p = 0; p < tiling.parts.size(); ++p) {
    int64_t& part = tiling.parts[p][dimension];
    part = part * axis.size + mesh.position[p] / axis.stride % axis.size;
  }
  return absl::OkStatus();
}

Tiling WholeTiling(size_t rank, int64_t partitions) {
  return {std::vector<int64_t>(rank, 1),
          std::vector<std::vector<int64_t>>(partitions,
                                            std::vector<int64_t>(rank, 0))};
}

}  // namespace

bool Tiling::IsReplicated() const {
  return std::all_of(counts.begin(), counts.end(),
                     [](int64_t count) { return count == 1; });
}

absl::StatusOr<Tiling> TilingOfSdy(
    const Attribute& sharding, const Attribute& mesh_definition,
    int64_t partitions, const absl::flat_hash_set<absl::string_view>* only) {
  const Attribute* dims = sharding.Field("dims");
  if (dims == nullptr) return BadSharding("says nothing about dimensions");
  const Attribute* unreduced = sharding.Field("unreduced");
  if (unreduced != nullptr && !unreduced->elements.empty()) {
    return absl::UnimplementedError("sdy.sharding: unreduced axes");
  }
  TF_ASSIGN_OR_RETURN(const Mesh mesh, ReadMesh(mesh_definition, partitions));
  Tiling tiling = WholeTiling(dims->elements.size(), partitions);
  for (size_t d = 0; d < dims->elements.size(); ++d) {
    const Attribute* axes = dims->elements[d]->Field("axes");
    if (axes == nullptr) continue;
    for (const Attribute* reference : axes->elements) {
      const Attribute* name = reference->Field("name");
      if (only != nullptr && name != nullptr && !only->contains(name->text)) {
        continue;
      }
      TF_RETURN_IF_ERROR(AddAxis(*reference, mesh, d, tiling));
    }
  }
  return tiling;
}

absl::StatusOr<std::vector<std::vector<int64_t>>> GroupsAlongAxes(
    const Attribute& mesh_definition, absl::Span<const Attribute* const> axes,
    int64_t partitions) {
  TF_ASSIGN_OR_RETURN(const Mesh mesh, ReadMesh(mesh_definition, partitions));
  std::vector<int64_t> member(partitions, 0);
  std::vector<int64_t> rest = mesh.position;
  for (const Attribute* reference : axes) {
    TF_ASSIGN_OR_RETURN(const Axis axis, FindAxis(*reference, mesh));
    for (int64_t p = 0; p < partitions; ++p) {
      const int64_t along = mesh.position[p] / axis.stride % axis.size;
      member[p] = member[p] * axis.size + along;
      rest[p] -= along * axis.stride;
    }
  }
  std::map<int64_t, std::map<int64_t, int64_t>> groups;
  for (int64_t p = 0; p < partitions; ++p) groups[rest[p]][member[p]] = p;
  std::vector<std::vector<int64_t>> result;
  for (const auto& [key, group] : groups) {
    std::vector<int64_t>& devices = result.emplace_back();
    for (const auto& [at, device] : group) devices.push_back(device);
  }
  return result;
}

namespace {

// Returns the devices of a tile assignment in row-major order.
absl::StatusOr<std::vector<int64_t>> TileDevices(const OpSharding& sharding,
                                                 int64_t partitions) {
  std::vector<int64_t> devices(sharding.tile_assignment_devices().begin(),
                               sharding.tile_assignment_devices().end());
  if (sharding.iota_reshape_dims().empty()) return devices;
  // The devices are iota(n), reshaped and transposed.
  const std::vector<int64_t> dims(sharding.iota_reshape_dims().begin(),
                                  sharding.iota_reshape_dims().end());
  const std::vector<int64_t> order(sharding.iota_transpose_perm().begin(),
                                   sharding.iota_transpose_perm().end());
  std::vector<int64_t> strides(dims.size());
  int64_t total = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] < 1 || dims[i] > partitions) total = partitions + 1;
    strides[i] = total;
    if (total <= partitions) total *= dims[i];
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == dims.size();
  for (size_t i = 0; permutation && i < sorted.size(); ++i) {
    permutation = sorted[i] == static_cast<int64_t>(i);
  }
  if (total != partitions || !permutation) {
    return absl::InvalidArgumentError("a sharding has broken iota dimensions");
  }
  for (int64_t i = 0; i < total; ++i) {
    int64_t rest = i;
    int64_t device = 0;
    for (size_t d = order.size(); d-- > 0;) {
      device += rest % dims[order[d]] * strides[order[d]];
      rest /= dims[order[d]];
    }
    devices.push_back(device);
  }
  return devices;
}

}  // namespace

absl::StatusOr<Tiling> TilingOfProto(const OpSharding& sharding,
                                     int64_t partitions) {
  if (sharding.type() != OpSharding::OTHER) return Tiling();
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> devices,
                      TileDevices(sharding, partitions));
  const std::vector<int64_t> dims(sharding.tile_assignment_dimensions().begin(),
                                  sharding.tile_assignment_dimensions().end());
  int64_t total = 1;
  for (int64_t size : dims) {
    if (size < 1 || size > partitions || total > partitions) total = 0;
    total *= size;
  }
  if (total != partitions || std::ssize(devices) != partitions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a sharding is not for the program's ", partitions, " partitions"));
  }
  const int64_t not_tiled =
      sharding.replicate_on_last_tile_dim() + sharding.last_tile_dims_size();
  const int64_t rank = std::ssize(dims) - not_tiled;
  if (rank < 0) return absl::InvalidArgumentError("a sharding has no tiles");
  TF_RETURN_IF_ERROR(CheckDevices(devices, partitions));
  Tiling tiling = WholeTiling(rank, partitions);
  std::copy_n(dims.begin(), rank, tiling.counts.begin());
  for (int64_t i = 0; i < total; ++i) {
    int64_t rest = i;
    for (int64_t d = std::ssize(dims) - 1; d >= 0; --d) {
      if (d < rank) tiling.parts[devices[i]][d] = rest % dims[d];
      rest /= dims[d];
    }
  }
  return tiling;
}

OpSharding ProtoOfTiling(const Tiling& tiling) {
  OpSharding sharding;
  if (tiling.IsReplicated()) {
    sharding.set_type(OpSharding::REPLICATED);
    return sharding;
  }
  sharding.set_type(OpSharding::OTHER);
  int64_t tiles = 1;
  for (int64_t count : tiling.counts) {
    sharding.add_tile_assignment_dimensions(count);
    tiles *= count;
  }
  std::map<std::vector<int64_t>, std::vector<int64_t>> holders;
  for (size_t p = 0; p < tiling.parts.size(); ++p) {
    holders[tiling.parts[p]].push_back(p);
  }
  for (const auto& [part, partitions] : holders) {
    for (int64_t p : partitions) sharding.add_tile_assignment_devices(p);
  }
  const int64_t copies = std::ssize(tiling.parts) / tiles;
  if (copies > 1) {
    sharding.add_tile_assignment_dimensions(copies);
    sharding.set_replicate_on_last_tile_dim(true);
  }
  return sharding;
}

}  // namespace xla::stablehlo
