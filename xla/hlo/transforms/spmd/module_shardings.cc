// A tuple may have one sharding for all its leaves.
#include "xla/hlo/transforms/spmd/module_shardings.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/sharding/tile_sharding.h"

namespace xla {
namespace {

// Appends the shardings that are no tuples.
void AddLeaves(const OpSharding& sharding,
               std::vector<const OpSharding*>& leaves) {
  if (sharding.type() != OpSharding::TUPLE) {
    leaves.push_back(&sharding);
    return;
  }
  for (const OpSharding& part : sharding.tuple_shardings()) {
    AddLeaves(part, leaves);
  }
}

}  // namespace

absl::StatusOr<ModuleShardings> ModuleShardings::Create(
    const HloModule& module) {
  ModuleShardings result;
  result.num_partitions_ = module.config().num_partitions;
  std::vector<const OpSharding*> shardings;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->has_sharding()) AddLeaves(hlo->sharding(), shardings);
    }
  }
  for (const OpSharding* sharding : shardings) {
    if (!sharding->has_named_sharding()) continue;
    TF_ASSIGN_OR_RETURN(Mesh mesh,
                        Mesh::FromProto(sharding->named_sharding().mesh()));
    if (mesh.axes().empty()) continue;
    result.mesh_ = std::make_shared<const Mesh>(std::move(mesh));
    break;
  }
  if (result.mesh_ == nullptr) {
    TF_ASSIGN_OR_RETURN(Mesh mesh,
                        FindCommonMesh(shardings, result.num_partitions_));
    result.mesh_ = std::make_shared<const Mesh>(std::move(mesh));
  }
  result.meshes_ = {result.mesh_};
  return result;
}

absl::StatusOr<NamedSharding> ModuleShardings::Read(const OpSharding& proto,
                                                    int64_t rank) {
  TF_ASSIGN_OR_RETURN(NamedSharding sharding,
                      NamedShardingOfTiles(proto, rank, mesh_));
  if (sharding.rank() != rank) {
    return absl::InvalidArgumentError(
        absl::StrCat("a sharding of ", sharding.rank(),
                     " dimensions does not fit an array of ", rank));
  }
  if (sharding.mesh->axes().empty()) {
    return NamedSharding::Replicated(mesh_, rank);
  }
  if (sharding.mesh->device_count() != num_partitions_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a sharding over ", sharding.mesh->device_count(),
        " devices in a module of ", num_partitions_, " partitions"));
  }
  for (DimensionSharding& dimension : sharding.dimensions) {
    dimension.is_open = false;
    dimension.priority = 0;
  }
  sharding.replicated.clear();
  for (const std::shared_ptr<const Mesh>& mesh : meshes_) {
    if (!(*mesh == *sharding.mesh)) continue;
    sharding.mesh = mesh;
    return sharding;
  }
  meshes_.push_back(sharding.mesh);
  return sharding;
}

absl::StatusOr<std::vector<NamedSharding>> ModuleShardings::Of(
    const HloInstruction& hlo) {
  const std::vector<const Shape*> shapes = Leaves(hlo.shape());
  std::vector<const OpSharding*> protos;
  if (hlo.has_sharding()) AddLeaves(hlo.sharding(), protos);
  if (hlo.has_sharding() && hlo.sharding().type() == OpSharding::TUPLE &&
      protos.size() != shapes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": a value of ", shapes.size(), " arrays has ",
                     protos.size(), " shardings"));
  }
  std::vector<NamedSharding> result;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const int64_t rank =
        shapes[i]->IsArray() ? shapes[i]->dimensions().size() : 0;
    if (protos.empty()) {
      result.push_back(NamedSharding::Replicated(mesh_, rank));
      continue;
    }
    absl::StatusOr<NamedSharding> sharding =
        Read(*protos[protos.size() == 1 ? 0 : i], rank);
    if (!sharding.ok()) {
      return absl::Status(
          sharding.status().code(),
          absl::StrCat(hlo.name(), ": ", sharding.status().message()));
    }
    result.push_back(*std::move(sharding));
  }
  return result;
}

std::optional<int64_t> ModuleShardings::OnlyDeviceOf(
    const HloInstruction& hlo) {
  if (!hlo.has_sharding()) return std::nullopt;
  std::vector<const OpSharding*> protos;
  AddLeaves(hlo.sharding(), protos);
  for (const OpSharding* proto : protos) {
    if (proto->type() == OpSharding::MAXIMAL &&
        proto->tile_assignment_devices_size() == 1) {
      return proto->tile_assignment_devices(0);
    }
    if (!proto->has_named_sharding()) continue;
    const absl::StatusOr<Mesh> mesh =
        Mesh::FromProto(proto->named_sharding().mesh());
    if (mesh.ok() && mesh->is_maximal()) return mesh->maximal_device();
  }
  return std::nullopt;
}

}  // namespace xla
