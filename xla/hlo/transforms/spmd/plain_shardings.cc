// Leaves out what only propagation needs.
#include "xla/hlo/transforms/spmd/plain_shardings.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {

absl::StatusOr<PlainShardings> PlainShardings::Create(const HloModule& module) {
  TF_ASSIGN_OR_RETURN(ModuleShardings stated, ModuleShardings::Create(module));
  return PlainShardings(std::move(stated), module.config().num_partitions());
}

absl::StatusOr<std::vector<MeshSharding>> PlainShardings::Of(
    const HloInstruction& hlo) {
  TF_ASSIGN_OR_RETURN(const std::vector<ModuleShardings::Stated> stated,
                      stated_.Of(hlo));
  const std::vector<const Shape*> shapes = Leaves(hlo.shape());
  std::vector<MeshSharding> result;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const int64_t rank =
        shapes[i]->IsArray() ? shapes[i]->dimensions().size() : 0;
    MeshSharding& sharding =
        result.emplace_back(MeshSharding::Replicated(mesh(), rank));
    if (i >= stated.size() || !stated[i].sharding.has_value() ||
        stated[i].sharding->mesh->axes().empty()) {
      continue;
    }
    sharding = *stated[i].sharding;
    if (sharding.mesh->device_count() != num_partitions_) {
      return absl::InvalidArgumentError(absl::StrCat(
          hlo.name(), ": a sharding over ", sharding.mesh->device_count(),
          " devices in a module of ", num_partitions_, " partitions"));
    }
    for (MeshSharding::Dimension& dimension : sharding.dimensions) {
      dimension.is_open = false;
      dimension.priority = 0;
    }
    sharding.replicated.clear();
  }
  return result;
}

absl::StatusOr<std::optional<int64_t>> PlainShardings::OnlyDeviceOf(
    const HloInstruction& hlo) {
  TF_ASSIGN_OR_RETURN(const std::vector<ModuleShardings::Stated> stated,
                      stated_.Of(hlo));
  for (const ModuleShardings::Stated& array : stated) {
    if (array.sharding.has_value() && array.sharding->mesh->is_maximal()) {
      return array.sharding->mesh->maximal_device();
    }
  }
  return std::nullopt;
}

}  // namespace xla
