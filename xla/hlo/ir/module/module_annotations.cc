// Conversions of annotations that are kept as protos.
#include "xla/hlo/ir/module/module_annotations.h"

#include "xla/base/logging.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

HloSharding ShardingOf(const OpSharding& proto) {
  absl::StatusOr<HloSharding> sharding = HloSharding::FromProto(proto);
  CHECK(sharding.ok()) << sharding.status().ToString();
  return *std::move(sharding);
}

}  // namespace

std::vector<HloSharding> ModuleAnnotations::spmd_parameters_shardings() const {
  std::vector<HloSharding> shardings;
  for (const OpSharding& sharding : extra_.spmd_parameters_shardings()) {
    shardings.push_back(ShardingOf(sharding));
  }
  return shardings;
}

void ModuleAnnotations::set_spmd_parameters_shardings(
    const std::vector<HloSharding>& shardings) {
  extra_.clear_spmd_parameters_shardings();
  for (const HloSharding& sharding : shardings) {
    *extra_.add_spmd_parameters_shardings() = sharding.ToProto();
  }
}

HloSharding ModuleAnnotations::spmd_output_sharding() const {
  CHECK(has_spmd_output_sharding());
  return ShardingOf(extra_.spmd_output_sharding());
}

void ModuleAnnotations::AddCrossProgramPrefetch(
    int64_t parameter, const ShapeIndex& index,
    std::optional<int64_t> alt_memory_offset) {
  CrossProgramPrefetch& prefetch = *extra_.add_cross_program_prefetches();
  prefetch.set_parameter(parameter);
  prefetch.mutable_index()->Assign(index.begin(), index.end());
  if (alt_memory_offset.has_value()) prefetch.set_offset(*alt_memory_offset);
}

absl::Status ModuleAnnotations::SetCrossProgramPrefetchOffset(
    int64_t prefetch_index, int64_t offset) {
  TF_RET_CHECK(0 <= prefetch_index &&
               prefetch_index < extra_.cross_program_prefetches_size())
      << "there is no prefetch " << prefetch_index;
  CrossProgramPrefetch& prefetch =
      *extra_.mutable_cross_program_prefetches(prefetch_index);
  TF_RET_CHECK(!prefetch.has_offset())
      << "prefetch " << prefetch_index << " has an offset";
  prefetch.set_offset(offset);
  return absl::OkStatus();
}

std::vector<ModuleAnnotations::CrossProgramPrefetchInfo>
ModuleAnnotations::CrossProgramPrefetches() const {
  std::vector<CrossProgramPrefetchInfo> prefetches;
  for (const CrossProgramPrefetch& proto : extra_.cross_program_prefetches()) {
    CrossProgramPrefetchInfo& prefetch = prefetches.emplace_back();
    prefetch.parameter = proto.parameter();
    prefetch.index = ShapeIndex(proto.index().begin(), proto.index().end());
    if (proto.has_offset()) prefetch.alt_memory_offset = proto.offset();
  }
  return prefetches;
}

}  // namespace xla
