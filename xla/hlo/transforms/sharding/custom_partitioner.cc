// Holds what frameworks register.
#include "xla/hlo/transforms/sharding/custom_partitioner.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/sharding/tile_sharding.h"

namespace xla {
namespace {

struct Partitioners {
  std::mutex mutex;  // guards by_target
  absl::flat_hash_map<std::string, std::shared_ptr<const CustomPartitioner>>
      by_target;
};

Partitioners& GlobalPartitioners() {
  static auto* const partitioners = new Partitioners;
  return *partitioners;
}

std::atomic<ShardingInspector> global_inspector = nullptr;

}  // namespace

void RegisterCustomPartitioner(
    absl::string_view target,
    std::shared_ptr<const CustomPartitioner> partitioner) {
  Partitioners& all = GlobalPartitioners();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    std::swap(all.by_target[target], partitioner);
  }
  // The old one is destroyed here, as its destructor may call the framework.
}

std::shared_ptr<const CustomPartitioner> FindCustomPartitioner(
    absl::string_view target) {
  Partitioners& all = GlobalPartitioners();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.by_target.find(target);
  return found == all.by_target.end() ? nullptr : found->second;
}

bool NeedsPartitioner(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kCustomCall) return false;
  const std::string& target = hlo.attrs<CustomCallAttrs>().custom_call_target;
  return target == kCustomPartitioningTarget || IsShardingInspection(hlo) ||
         FindCustomPartitioner(target) != nullptr;
}

OpSharding TilesForFramework(MeshSharding sharding) {
  sharding.manual.clear();
  sharding.unreduced.clear();
  return TilesOfMeshSharding(sharding);
}

absl::StatusOr<MeshSharding> ShardingOfFramework(const HloInstruction& call,
                                                 const OpSharding& tiles,
                                                 const Shape& shape,
                                                 const MeshSharding& before) {
  const int64_t num_partitions = call.GetModule()->config().num_partitions();
  const int64_t rank = shape.IsArray() ? shape.dimensions().size() : 0;
  absl::StatusOr<MeshSharding> sharding =
      MeshShardingOfTiles(tiles, rank, before.mesh);
  if (!sharding.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.name(),
        ": the partitioner's sharding: ", sharding.status().message()));
  }
  if (sharding->mesh->device_count() != num_partitions ||
      !sharding->manual.empty() || !sharding->unreduced.empty() ||
      Overlap(before.manual, sharding->DimensionAxes())) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.name(), ": the partitioner's sharding ",
        sharding->ToOpSharding().ShortDebugString(),
        " does not divide an array among ", num_partitions, " devices"));
  }
  for (MeshSharding::Dimension& dimension : sharding->dimensions) {
    dimension.is_open = false;
  }
  sharding->replicated.clear();
  sharding->manual = before.manual;
  return sharding;
}

void SetShardingInspector(ShardingInspector inspector) {
  global_inspector = inspector;
}

absl::Status InspectSharding(const HloInstruction& call,
                             const OpSharding& sharding) {
  const ShardingInspector inspector = global_inspector;
  if (inspector == nullptr) return absl::OkStatus();
  absl::Status told = inspector(call.raw_backend_config_string(), sharding);
  if (told.ok()) return told;
  return absl::Status(told.code(),
                      absl::StrCat(call.name(), ": ", told.message()));
}

bool IsShardingInspection(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCustomCall &&
         hlo.attrs<CustomCallAttrs>().custom_call_target == "InspectSharding" &&
         hlo.operand_count() == 1 && hlo.shape().IsArray() &&
         ShapeUtil::Compatible(hlo.operand(0)->shape(), hlo.shape());
}

}  // namespace xla
