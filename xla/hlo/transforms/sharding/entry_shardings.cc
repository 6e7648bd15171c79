// Converts the shardings of the entry's instructions to tiles.
#include "xla/hlo/transforms/sharding/entry_shardings.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/sharding/tile_sharding.h"
#include "xla/hlo/transforms/sharding/module_shardings.h"

namespace xla {
namespace {

absl::StatusOr<OpSharding> TilesOf(const HloInstruction& hlo,
                                   ModuleShardings& shardings) {
  TF_ASSIGN_OR_RETURN(const std::vector<ModuleShardings::Stated> stated,
                      shardings.Of(hlo));
  const std::vector<const Shape*> leaves = Leaves(hlo.shape());
  OpSharding all;
  all.set_type(OpSharding::TUPLE);
  for (size_t i = 0; i < leaves.size(); ++i) {
    OpSharding& leaf = *all.add_tuple_shardings();
    leaf.set_type(OpSharding::REPLICATED);
    if (leaves[i]->IsArray() && stated[i].sharding.has_value()) {
      leaf = TilesOfMeshSharding(*stated[i].sharding);
    }
  }
  if (hlo.shape().IsTuple()) return all;
  OpSharding one = all.tuple_shardings(0);
  return one;
}

}  // namespace

absl::Status RecordEntryShardings(HloModule* module) {
  TF_ASSIGN_OR_RETURN(ModuleShardings shardings,
                      ModuleShardings::Create(*module));
  const HloComputation& entry = *module->entry_computation();
  std::vector<OpSharding> parameters;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    TF_ASSIGN_OR_RETURN(parameters.emplace_back(),
                        TilesOf(*parameter, shardings));
  }
  TF_ASSIGN_OR_RETURN(OpSharding output,
                      TilesOf(*entry.root_instruction(), shardings));
  auto& extra = module->mutable_extra();
  extra.clear_spmd_parameters_shardings();
  for (OpSharding& parameter : parameters) {
    *extra.add_spmd_parameters_shardings() = std::move(parameter);
  }
  *extra.mutable_spmd_output_sharding() = std::move(output);
  return absl::OkStatus();
}

}  // namespace xla
