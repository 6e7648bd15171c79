// Reads tiles over the module's mesh, and open dimensions of custom calls.
#include "xla/hlo/transforms/sharding/module_shardings.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/sharding/tile_sharding.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"

namespace xla {
namespace {

int64_t RankOfLeaf(const Shape& shape) {
  return shape.IsArray() ? shape.dimensions().size() : 0;
}

// Returns the shardings of all leaves.
absl::StatusOr<std::vector<const OpSharding*>> LeafShardings(
    const HloInstruction& hlo, size_t leaves) {
  const OpSharding& sharding = hlo.sharding_proto();
  if (sharding.type() != OpSharding::TUPLE) {
    return std::vector<const OpSharding*>(std::max<size_t>(leaves, 1),
                                          &sharding);
  }
  if (sharding.tuple_shardings_size() != static_cast<int>(leaves)) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo.name(), ": a tuple of ", leaves, " arrays has ",
                     sharding.tuple_shardings_size(), " shardings"));
  }
  std::vector<const OpSharding*> result;
  for (const OpSharding& leaf : sharding.tuple_shardings()) {
    result.push_back(&leaf);
  }
  return result;
}

bool IsUnknown(const OpSharding& sharding) {
  return sharding.type() == OpSharding::UNKNOWN &&
         !sharding.has_named_sharding();
}

// GSPMD's calls have "unspecified_dims=[0,1]" as configuration, since tiles do
// not say which dimensions are open.
void OpenUnspecified(const HloInstruction& hlo, MeshSharding& sharding) {
  absl::string_view text = hlo.raw_backend_config_string();
  if (ShardingCallOf(hlo) == ShardingCall::kNone ||
      !absl::ConsumePrefix(&text, "unspecified_dims=[") ||
      !absl::ConsumeSuffix(&text, "]")) {
    return;
  }
  for (absl::string_view number : absl::StrSplit(text, ',')) {
    int64_t d;
    if (absl::SimpleAtoi(number, &d) && d >= 0 && d < sharding.rank()) {
      sharding.dimensions[d].is_open = true;
    }
  }
}

}  // namespace

absl::StatusOr<ModuleShardings> ModuleShardings::Create(
    const HloModule& module) {
  ModuleShardings result;
  std::vector<const OpSharding*> tiles;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (!hlo->has_sharding()) continue;
      TF_ASSIGN_OR_RETURN(const std::vector<const OpSharding*> leaves,
                          LeafShardings(*hlo, LeafCount(hlo->shape())));
      for (const OpSharding* leaf : leaves) {
        if (!leaf->has_named_sharding()) {
          tiles.push_back(leaf);
        } else if (result.meshes_.empty()) {
          TF_ASSIGN_OR_RETURN(
              DeviceMesh mesh,
              DeviceMesh::FromProto(leaf->named_sharding().mesh()));
          // A mesh of one device says nothing about the others.
          if (mesh.is_maximal() || mesh.device_count() == 1) continue;
          result.meshes_.push_back(
              std::make_shared<const DeviceMesh>(std::move(mesh)));
        }
      }
    }
  }
  if (result.meshes_.empty()) {
    TF_ASSIGN_OR_RETURN(
        DeviceMesh mesh,
        FindCommonMesh(tiles, module.config().num_partitions()));
    result.meshes_.push_back(
        std::make_shared<const DeviceMesh>(std::move(mesh)));
  }
  return result;
}

void ModuleShardings::MakeCanonical(MeshSharding& sharding) {
  for (const std::shared_ptr<const DeviceMesh>& mesh : meshes_) {
    if (*mesh == *sharding.mesh) {
      sharding.mesh = mesh;
      return;
    }
  }
  meshes_.push_back(sharding.mesh);
}

absl::StatusOr<std::vector<ModuleShardings::Stated>> ModuleShardings::Of(
    const HloInstruction& hlo) {
  const std::vector<const Shape*> shapes = Leaves(hlo.shape());
  std::vector<Stated> result(shapes.size());
  if (!hlo.has_sharding()) return result;
  TF_ASSIGN_OR_RETURN(const std::vector<const OpSharding*> leaves,
                      LeafShardings(hlo, shapes.size()));
  result.resize(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    const OpSharding& leaf = *leaves[i];
    if (leaf.is_shard_group()) result[i].group = leaf.shard_group_id();
    if (IsUnknown(leaf)) continue;
    absl::StatusOr<MeshSharding> sharding = MeshShardingOfTiles(
        leaf, i < shapes.size() ? RankOfLeaf(*shapes[i]) : 0, mesh());
    if (!sharding.ok()) {
      return absl::Status(
          sharding.status().code(),
          absl::StrCat(hlo.name(), ": ", sharding.status().message()));
    }
    if (!leaf.has_named_sharding()) OpenUnspecified(hlo, *sharding);
    MakeCanonical(*sharding);
    result[i].sharding = *std::move(sharding);
  }
  return result;
}

}  // namespace xla
