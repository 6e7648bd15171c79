// Partitions the entry and what it calls, then what the module says about it.
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/transforms/sharding/entry_shardings.h"
#include "xla/hlo/transforms/spmd/computation_partitioner.h"

namespace xla {
namespace {

// Gives `shape` the sizes of `part`, an array or tuple with as many leaves, and
// keeps its layouts.
void SetSizes(const Shape& part, Shape& shape) {
  if (shape.IsTuple()) {
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      SetSizes(part.tuple_shapes(i), *shape.mutable_tuple_shapes(i));
    }
  } else if (shape.IsArray()) {
    for (size_t d = 0; d < shape.dimensions().size(); ++d) {
      shape.set_dimensions(d, part.dimensions(d));
    }
  }
}

// An alias of a parameter and a result whose parts differ in size cannot be
// kept; the parameter may still be used for others.
absl::Status MendAliases(HloModule& module) {
  const HloComputation& entry = *module.entry_computation();
  HloInputOutputAliasProto kept;
  for (const auto& entry_proto : module.input_output_alias().entries()) {
    const Shape& parameter = ShapeUtil::GetSubshape(
        entry.parameter_instruction(entry_proto.parameter_number())->shape(),
        ShapeIndex(entry_proto.parameter_shape_index().begin(),
                   entry_proto.parameter_shape_index().end()));
    const Shape& result = ShapeUtil::GetSubshape(
        entry.root_instruction()->shape(),
        ShapeIndex(entry_proto.output_shape_index().begin(),
                   entry_proto.output_shape_index().end()));
    if (ShapeUtil::Compatible(parameter, result)) {
      *kept.add_entries() = entry_proto;
      continue;
    }
    if (entry_proto.kind() == MUST_ALIAS) {
      return absl::InvalidArgumentError(absl::StrCat(
          "parameter ", entry_proto.parameter_number(),
          " must share its buffer with a result, but their shardings give ",
          ShapeUtil::HumanString(parameter), " and ",
          ShapeUtil::HumanString(result)));
    }
    auto* donor = module.mutable_buffer_donor().add_entries();
    donor->set_parameter_number(entry_proto.parameter_number());
    *donor->mutable_parameter_shape_index() =
        entry_proto.parameter_shape_index();
  }
  module.mutable_input_output_alias() = std::move(kept);
  return absl::OkStatus();
}

void SetEntryLayout(HloModule& module) {
  HloModuleConfig& config = module.mutable_config();
  if (!config.has_entry_computation_layout()) return;
  const ProgramShape parts = module.entry_computation()->ComputeProgramShape();
  ProgramShape layout = config.entry_computation_layout().ComputeProgramShape();
  for (int i = 0; i < parts.parameters_size(); ++i) {
    SetSizes(parts.parameters(i), *layout.mutable_parameters(i));
  }
  SetSizes(parts.result(), *layout.mutable_result());
  config.SetComputationLayoutIfExists(layout);
}

}  // namespace

absl::StatusOr<bool> SpmdPartitioner::RunImpl(HloModule* module) {
  if (module->config().num_partitions() == 1) return false;
  TF_ASSIGN_OR_RETURN(PlainShardings shardings,
                      PlainShardings::Create(*module));
  PartitionedModule partitioned{module, std::move(shardings)};
  partitioned.state.num_partitions = module->config().num_partitions();
  partitioned.state.num_replicas = module->config().replica_count();
  partitioned.state.channels = LargestChannelId(*module);
  const HloComputation& entry = *module->entry_computation();
  const std::string entry_name = entry.name();
  std::vector<Shardings> parameters;
  TF_RETURN_IF_ERROR(RecordEntryShardings(module));
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    TF_ASSIGN_OR_RETURN(parameters.emplace_back(),
                        partitioned.shardings.Of(*parameter));
  }
  const HloInstruction* root = entry.root_instruction();
  TF_ASSIGN_OR_RETURN(const Shardings results, partitioned.shardings.Of(*root));
  TF_ASSIGN_OR_RETURN(HloComputation * part,
                      ComputationPartitioner::Partition(partitioned, entry,
                                                        parameters, results));
  module->set_entry_computation(part);
  module->RemoveUnreachableComputations();
  // Nothing has the old names any more.
  part->SetName(entry_name);
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      auto name = partitioned.names.find(hlo->unique_id());
      if (name != partitioned.names.end()) hlo->SetName(name->second);
    }
  }
  SetEntryLayout(*module);
  TF_RETURN_IF_ERROR(MendAliases(*module));
  module->set_is_scheduled(false);
  return true;
}

}  // namespace xla
