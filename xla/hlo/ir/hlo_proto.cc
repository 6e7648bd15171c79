// Modules, computations and instructions as protos. Attributes convert
// themselves (hlo/attrs). Input may be hostile: each id, reference and shape is
// checked before it is used.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/module_bytes.h"
#include "xla/hlo/ir/module/print_order.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/values.h"

namespace xla {

HloInstructionProto HloInstruction::ToProto() const {
  HloInstructionProto proto;
  proto.set_id(unique_id_);
  proto.set_name(name_);
  proto.set_opcode(std::string(HloOpcodeString(opcode_)));
  *proto.mutable_shape() = shape_.ToProto();
  for (const HloInstruction* operand : operands_) {
    proto.add_operand_ids(operand->unique_id());
  }
  for (const HloInstruction* before : control_predecessors()) {
    proto.add_control_predecessor_ids(before->unique_id());
  }
  for (const HloComputation* called : computations_) {
    proto.add_called_computation_ids(called->unique_id());
  }
  if (opcode_ == HloOpcode::kWhile) {
    // The proto form lists the body before the condition.
    std::reverse(proto.mutable_called_computation_ids()->begin(),
                 proto.mutable_called_computation_ids()->end());
  }
  AttrsToProto(attrs_, &proto);
  *proto.mutable_metadata() = metadata();
  if (has_sharding()) *proto.mutable_sharding() = sharding_proto();
  *proto.mutable_frontend_attributes() = frontend_attributes();
  proto.set_backend_config(raw_backend_config_string());
  *proto.mutable_statistics_viz() = statistics_viz();
  if (original_value() != nullptr) {
    *proto.mutable_original_value() = original_value()->ToProto();
  }
  proto.set_is_composite(is_composite());
  return proto;
}

HloComputationProto HloComputation::ToProto() const {
  HloComputationProto proto;
  proto.set_id(unique_id_);
  proto.set_name(name_);
  const HloModule* module = parent_;
  if (module != nullptr && module->is_scheduled()) {
    for (const HloInstruction* hlo : instructions()) {
      *proto.add_instructions() = hlo->ToProto();
    }
  } else {
    for (const HloInstruction* hlo : MakeInstructionPostOrder()) {
      *proto.add_instructions() = hlo->ToProto();
    }
  }
  if (root_ != nullptr) proto.set_root_id(root_->unique_id());
  *proto.mutable_program_shape() = ComputeProgramShape().ToProto();
  proto.set_is_fusion_computation(is_fusion_);
  proto.set_execution_thread(
      execution_thread_ == kMainExecutionThread ? "" : execution_thread_);
  return proto;
}

HloModuleProto ModuleFieldsToProto(const HloModule& module) {
  HloModuleProto proto = module.extra();
  const HloModuleConfig& config = module.config();
  proto.set_id(0);
  proto.set_name(module.name());
  if (const HloComputation* entry = module.entry_computation()) {
    proto.set_entry_computation_name(entry->name());
    proto.set_entry_computation_id(entry->unique_id());
    *proto.mutable_host_program_shape() =
        config.has_entry_computation_layout()
            ? config.entry_computation_layout().ComputeProgramShape().ToProto()
            : entry->ComputeProgramShape().ToProto();
  }
  if (!config.device_type().empty()) {
    proto.set_device_type(std::string(config.device_type()));
  }
  if (config.has_static_device_assignment()) {
    config.static_device_assignment().Serialize(
        proto.mutable_device_assignment());
  }
  *proto.mutable_input_output_alias() = module.input_output_alias();
  *proto.mutable_buffer_donor() = module.buffer_donor();
  *proto.mutable_frontend_attributes() = module.frontend_attributes();
  if (module.stack_frame_index().has_value()) {
    *proto.mutable_stack_frame_index() = *module.stack_frame_index();
  }
  if (!module.original_value_recovery_table().empty()) {
    *proto.mutable_original_value_recovery_table() =
        module.original_value_recovery_table().ToProto();
  }
  return proto;
}

HloModuleProto HloModule::ToProto() const {
  HloModuleProto proto = ModuleFieldsToProto(*this);
  for (const HloComputation* computation : PrintOrder(*this)) {
    *proto.add_computations() = computation->ToProto();
    if (!is_scheduled()) continue;
    auto& sequences = *proto.mutable_schedule()->mutable_sequences();
    if (computation->IsFusionComputation()) continue;
    auto& sequence = sequences[computation->unique_id()];
    for (const auto& hlo : computation->instructions()) {
      sequence.add_instruction_ids(hlo->unique_id());
    }
  }
  return proto;
}

namespace {

using ComputationsById = absl::flat_hash_map<int64_t, HloComputation*>;
using InstructionsById = absl::flat_hash_map<int64_t, HloInstruction*>;

absl::Status Broken(absl::string_view where, absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("HloModuleProto: ", where, ": ", message));
}

// Long texts that the instructions of a module share by number.
using Payloads = google::protobuf::RepeatedPtrField<std::string>;

absl::StatusOr<std::string> ReadPayload(const Payload& payload,
                                        const Payloads& payloads,
                                        absl::string_view of) {
  if (!payload.has_id()) return payload.value();
  if (payload.id() < 0 || payload.id() >= payloads.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Invalid ", of, " payload id ", payload.id(),
                     "; the module has ", payloads.size()));
  }
  return payloads.Get(static_cast<int>(payload.id()));
}

absl::Status ReadAnnotations(const HloInstructionProto& proto,
                             const Payloads& payloads,
                             HloInstruction& instruction) {
  if (proto.metadata().ByteSizeLong() > 0) {
    OpMetadata metadata = proto.metadata();
    if (metadata.metadata_payload().has_id()) {
      TF_ASSIGN_OR_RETURN(*metadata.mutable_metadata_payload()->mutable_value(),
                          ReadPayload(proto.metadata().metadata_payload(),
                                      payloads, "metadata"));
    }
    instruction.set_metadata(std::move(metadata));
  }
  if (proto.has_sharding()) {
    TF_RETURN_IF_ERROR(HloSharding::FromProto(proto.sharding()).status());
    instruction.set_sharding(proto.sharding());
  }
  if (proto.frontend_attributes().map_size() > 0) {
    instruction.set_frontend_attributes(proto.frontend_attributes());
  }
  std::string config = proto.backend_config();
  if (proto.has_backend_config_payload()) {
    if (!config.empty()) return Broken(proto.name(), "two backend configs");
    TF_ASSIGN_OR_RETURN(config, ReadPayload(proto.backend_config_payload(),
                                            payloads, "backend config"));
  }
  if (!config.empty()) {
    instruction.set_raw_backend_config_string(std::move(config));
  }
  if (proto.statistics_viz().statistics_size() > 0) {
    instruction.set_statistics_viz(proto.statistics_viz());
  }
  if (proto.has_original_value()) {
    std::shared_ptr<OriginalValue> value =
        OriginalValue::FromProto(proto.original_value());
    if (value == nullptr) {
      return Broken(proto.name(), "the original value has a wrong index");
    }
    instruction.set_original_value(std::move(value));
  }
  if (proto.is_composite()) instruction.set_is_composite(true);
  return absl::OkStatus();
}

// Returns the number of dimensions of each slice of an in-place
// collective-permute; start indices that break its rules count as those of one
// slice per array.
std::vector<size_t> SliceRanks(
    const HloInstruction::InstructionVector& operands) {
  std::vector<size_t> ranks;
  if (operands.empty()) return ranks;
  const Shape& sent = operands[0]->shape();
  const Shape starts = operands.size() > 2 ? operands[2]->shape() : Shape();
  const auto add = [&](const Shape& array, const Shape* start) {
    const bool several = start != nullptr && start->IsTuple() &&
                         start->tuple_shapes_size() > 0 &&
                         start->tuple_shapes(0).IsTuple();
    const size_t rank = array.IsArray() ? array.dimensions_size() : 0;
    ranks.insert(ranks.end(), several ? start->tuple_shapes_size() : 1, rank);
  };
  if (!sent.IsTuple()) {
    add(sent, &starts);
    return ranks;
  }
  for (int i = 0; i < sent.tuple_shapes_size(); ++i) {
    const bool has_start = starts.IsTuple() && i < starts.tuple_shapes_size();
    add(sent.tuple_shapes(i), has_start ? &starts.tuple_shapes(i) : nullptr);
  }
  return ranks;
}

// Splits the list that holds the sizes of all slices of a collective-permute.
// Sizes beyond those that the operands account for belong to further slices of
// the last array. Sizes that do not fit stay together, for the verifier.
void CutSliceSizes(const HloInstruction::InstructionVector& operands,
                   Attrs& attrs) {
  auto& lists = attrs.As<CollectivePermuteAttrs>()->slice_sizes;
  if (lists.empty()) return;
  const std::vector<int64_t> all = std::move(lists[0]);
  lists.clear();
  const std::vector<size_t> ranks = SliceRanks(operands);
  for (size_t at = 0; at < all.size();) {
    const size_t left = all.size() - at;
    size_t rank =
        ranks.empty() ? 0 : ranks[std::min(lists.size(), ranks.size() - 1)];
    if (rank == 0 || rank > left) rank = left;
    lists.emplace_back(all.begin() + at, all.begin() + at + rank);
    at += rank;
  }
}

// Makes the instruction of `proto` once its operands exist.
absl::StatusOr<std::unique_ptr<HloInstruction>> ReadInstruction(
    const HloInstructionProto& proto, const InstructionsById& instructions,
    const ComputationsById& computations, const Payloads& payloads,
    bool prohibit_empty_literal = true) {
  TF_ASSIGN_OR_RETURN(HloOpcode opcode, StringToHloOpcode(proto.opcode()));
  TF_ASSIGN_OR_RETURN(Shape shape, Shape::FromProto(proto.shape()));
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(shape));
  HloInstruction::InstructionVector operands;
  for (int64_t id : proto.operand_ids()) {
    auto it = instructions.find(id);
    if (it == instructions.end()) {
      return Broken(proto.name(), absl::StrCat("no operand with id ", id));
    }
    operands.push_back(it->second);
  }
  std::vector<HloComputation*> called;
  for (int64_t id : proto.called_computation_ids()) {
    auto it = computations.find(id);
    if (it == computations.end()) {
      return Broken(proto.name(), absl::StrCat("no computation with id ", id));
    }
    called.push_back(it->second);
  }
  if (opcode == HloOpcode::kWhile) std::reverse(called.begin(), called.end());
  Attrs attrs(GetOpDef(opcode).attrs);
  TF_RETURN_IF_ERROR(AttrsFromProto(proto, attrs));
  if (prohibit_empty_literal && opcode == HloOpcode::kConstant &&
      attrs.As<ConstantAttrs>()->literal.value == nullptr) {
    return Broken(proto.name(), "constant without a literal");
  }
  if (opcode == HloOpcode::kCollectivePermute ||
      opcode == HloOpcode::kCollectivePermuteStart) {
    CutSliceSizes(operands, attrs);
  }
  auto instruction = HloInstruction::Create(opcode, std::move(shape), operands,
                                            std::move(attrs), called);
  instruction->SetName(proto.name());
  TF_RETURN_IF_ERROR(ReadAnnotations(proto, payloads, *instruction));
  return instruction;
}

// Orders operands before users, and parameters by number. Returns an error if
// an operand is missing or there is a cycle.
absl::StatusOr<std::vector<const HloInstructionProto*>> OrderInstructions(
    const HloComputationProto& proto) {
  absl::flat_hash_map<int64_t, int> by_id;
  std::vector<const HloInstructionProto*> parameters;
  for (int i = 0; i < proto.instructions_size(); ++i) {
    const HloInstructionProto& instruction = proto.instructions(i);
    if (!by_id.emplace(instruction.id(), i).second) {
      return Broken(instruction.name(),
                    absl::StrCat("id ", instruction.id(), " occurs twice"));
    }
    if (instruction.opcode() == "parameter") parameters.push_back(&instruction);
  }
  std::sort(parameters.begin(), parameters.end(),
            [](const auto* a, const auto* b) {
              return a->parameter_number() < b->parameter_number();
            });
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->parameter_number() != static_cast<int64_t>(i)) {
      return Broken(
          proto.name(),
          absl::StrCat("parameter numbers are not 0 to ", parameters.size() - 1,
                       ": ", parameters[i]->parameter_number()));
    }
  }
  // The usual order, each operand before its user, needs no sorting.
  std::vector<const HloInstructionProto*> order = parameters;
  order.reserve(proto.instructions_size());
  std::vector<int> state(proto.instructions_size(), 0);  // 1 open, 2 done
  for (const HloInstructionProto* parameter : parameters) {
    state[by_id[parameter->id()]] = 2;
    if (parameter->operand_ids_size() > 0) {
      return Broken(parameter->name(), "a parameter with operands");
    }
  }
  std::vector<int> stack;
  for (int start = 0; start < proto.instructions_size(); ++start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const int i = stack.back();
      const HloInstructionProto& instruction = proto.instructions(i);
      if (state[i] == 2) {
        stack.pop_back();
        continue;
      }
      if (state[i] == 1) {
        state[i] = 2;
        order.push_back(&instruction);
        stack.pop_back();
        continue;
      }
      state[i] = 1;
      for (int64_t id : instruction.operand_ids()) {
        auto it = by_id.find(id);
        if (it == by_id.end()) {
          return Broken(instruction.name(),
                        absl::StrCat("no operand with id ", id));
        }
        if (state[it->second] == 1) {
          return Broken(instruction.name(),
                        absl::StrCat("a cycle through operand ",
                                     proto.instructions(it->second).name()));
        }
        if (state[it->second] == 0) stack.push_back(it->second);
      }
    }
  }
  return order;
}

// Orders the instructions of `computation` as in `proto` or, if the module is
// scheduled, as in its schedule.
absl::Status RestoreOrder(const HloComputationProto& proto,
                          const HloScheduleProto* schedule,
                          const InstructionsById& by_id,
                          HloComputation& computation) {
  std::vector<HloInstruction*> order;
  order.reserve(proto.instructions_size());
  const HloScheduleProto::InstructionSequence* sequence = nullptr;
  if (schedule != nullptr) {
    auto it = schedule->sequences().find(proto.id());
    if (it != schedule->sequences().end()) sequence = &it->second;
  }
  if (sequence == nullptr) {
    for (const auto& instruction : proto.instructions()) {
      order.push_back(by_id.at(instruction.id()));
    }
    return computation.SetInstructionOrder(order);
  }
  for (int64_t id : sequence->instruction_ids()) {
    auto it = by_id.find(id);
    if (it == by_id.end()) {
      return Broken(computation.name(),
                    absl::StrCat("schedule names the unknown id ", id));
    }
    order.push_back(it->second);
  }
  return computation.SetInstructionOrder(order);
}

absl::StatusOr<HloComputation*> ReadComputation(
    const HloComputationProto& proto, const ComputationsById& computations,
    const HloModuleProto& module_proto, HloModule& module) {
  if (proto.instructions_size() == 0) {
    return Broken(proto.name(), "computation without instructions");
  }
  auto owned = std::make_unique<HloComputation>(proto.name());
  owned->set_is_fusion_computation(proto.is_fusion_computation());
  if (!proto.execution_thread().empty()) {
    owned->SetExecutionThread(proto.execution_thread());
  }
  HloComputation* computation =
      proto.id() == module_proto.entry_computation_id()
          ? module.AddEntryComputation(std::move(owned))
          : module.AddEmbeddedComputation(std::move(owned));
  TF_ASSIGN_OR_RETURN(std::vector<const HloInstructionProto*> order,
                      OrderInstructions(proto));
  InstructionsById by_id;
  by_id.reserve(order.size());
  for (const HloInstructionProto* instruction : order) {
    auto read = ReadInstruction(*instruction, by_id, computations,
                                module_proto.payloads());
    if (!read.ok()) {
      return AddStatus(read.status(),
                       absl::StrCat("computation ", proto.name(),
                                    ", instruction ", instruction->name()));
    }
    by_id[instruction->id()] =
        computation->AddInstruction(*std::move(read), instruction->name());
  }
  for (const HloInstructionProto& instruction : proto.instructions()) {
    for (int64_t id : instruction.control_predecessor_ids()) {
      auto it = by_id.find(id);
      if (it == by_id.end()) {
        return Broken(instruction.name(),
                      absl::StrCat("no control predecessor with id ", id));
      }
      TF_RETURN_IF_ERROR(
          it->second->AddControlDependencyTo(by_id.at(instruction.id())));
    }
  }
  auto root = by_id.find(proto.root_id());
  if (root == by_id.end()) {
    return Broken(proto.name(),
                  absl::StrCat("no root with id ", proto.root_id()));
  }
  computation->set_root_instruction(root->second);
  TF_RETURN_IF_ERROR(RestoreOrder(
      proto, module_proto.has_schedule() ? &module_proto.schedule() : nullptr,
      by_id, *computation));
  return computation;
}

// Orders callees before callers. Returns an error if the call graph has a
// cycle.
absl::StatusOr<std::vector<const HloComputationProto*>> InOrderOfCalls(
    const HloModuleProto& proto) {
  absl::flat_hash_map<int64_t, int> by_id;
  for (int i = 0; i < proto.computations_size(); ++i) {
    if (!by_id.emplace(proto.computations(i).id(), i).second) {
      return Broken(proto.computations(i).name(),
                    "two computations have the same id");
    }
  }
  std::vector<const HloComputationProto*> order;
  std::vector<int> state(proto.computations_size(), 0);  // 1 open, 2 done
  std::vector<int> stack;
  for (int start = 0; start < proto.computations_size(); ++start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const int i = stack.back();
      const HloComputationProto& computation = proto.computations(i);
      if (state[i] != 0) {
        if (state[i] == 1) order.push_back(&computation);
        state[i] = 2;
        stack.pop_back();
        continue;
      }
      state[i] = 1;
      for (const auto& instruction : computation.instructions()) {
        for (int64_t id : instruction.called_computation_ids()) {
          auto it = by_id.find(id);
          if (it == by_id.end()) {
            return Broken(instruction.name(),
                          absl::StrCat("no computation with id ", id));
          }
          if (state[it->second] == 1) {
            return Broken(computation.name(), "the computation calls itself");
          }
          if (state[it->second] == 0) stack.push_back(it->second);
        }
      }
    }
  }
  return order;
}

// Reads the fields that the module itself holds.
absl::Status ReadModuleFields(const HloModuleProto& proto, HloModule& module) {
  module.mutable_input_output_alias() = proto.input_output_alias();
  module.mutable_buffer_donor() = proto.buffer_donor();
  module.mutable_frontend_attributes() = proto.frontend_attributes();
  if (proto.has_stack_frame_index()) {
    module.set_stack_frame_index(proto.stack_frame_index());
  }
  HloModuleProto& extra = module.mutable_extra();
  *extra.mutable_cross_program_prefetches() = proto.cross_program_prefetches();
  extra.set_is_dynamic(proto.is_dynamic());
  if (proto.has_spmd_output_sharding()) {
    *extra.mutable_spmd_output_sharding() = proto.spmd_output_sharding();
  }
  *extra.mutable_spmd_parameters_shardings() =
      proto.spmd_parameters_shardings();
  extra.set_use_auto_spmd_partitioning(proto.use_auto_spmd_partitioning());
  *extra.mutable_profile_info() = proto.profile_info();
  if (proto.has_device_assignment()) {
    *extra.mutable_device_assignment() = proto.device_assignment();
  }
  if (proto.has_original_value_recovery_table()) {
    TF_ASSIGN_OR_RETURN(module.mutable_original_value_recovery_table(),
                        OriginalValueRecoveryTable::FromProto(
                            proto.original_value_recovery_table()));
  }
  if (!proto.device_type().empty()) {
    module.mutable_config().set_device_type(proto.device_type());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloInstruction>> HloInstruction::CreateFromProto(
    const HloInstructionProto& proto,
    const absl::flat_hash_map<int64_t, HloInstruction*>& instruction_map,
    const absl::flat_hash_map<int64_t, HloComputation*>& computation_map,
    bool prohibit_empty_literal) {
  // Upper halves of ids name the computation.
  HloInstructionProto local = proto;
  for (int64_t& id : *local.mutable_operand_ids()) {
    id = static_cast<uint32_t>(id);
  }
  return ReadInstruction(local, instruction_map, computation_map,
                         /*payloads=*/{}, prohibit_empty_literal);
}

absl::StatusOr<HloModuleConfig> HloModule::CreateModuleConfigFromProto(
    const HloModuleProto& proto, const DebugOptions& debug_options) {
  HloModuleConfig config;
  config.set_debug_options(debug_options);
  if (proto.has_host_program_shape()) {
    TF_ASSIGN_OR_RETURN(const ProgramShape layout,
                        ProgramShape::FromProto(proto.host_program_shape()));
    config.SetComputationLayoutIfExists(layout);
  }
  if (proto.has_device_assignment()) {
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<DeviceAssignment> assignment,
        DeviceAssignment::Deserialize(proto.device_assignment()));
    config.set_replica_count(std::max(1, assignment->replica_count()));
    config.set_num_partitions(std::max(1, assignment->computation_count()));
    config.set_static_device_assignment(*assignment);
  }
  return config;
}

absl::StatusOr<HloModuleConfig> HloModule::CreateModuleConfigFromShape(
    const ProgramShape& program_shape, const DebugOptions& debug_options) {
  HloModuleConfig config(program_shape);
  config.set_debug_options(debug_options);
  return config;
}

absl::StatusOr<std::unique_ptr<HloModule>> HloModule::CreateFromProto(
    const HloModuleProto& proto, const HloModuleConfig& config) {
  TF_ASSIGN_OR_RETURN(std::vector<const HloComputationProto*> order,
                      InOrderOfCalls(proto));
  auto module = std::make_unique<HloModule>(proto.name(), config);
  ComputationsById computations;
  for (const HloComputationProto* computation : order) {
    TF_ASSIGN_OR_RETURN(
        computations[computation->id()],
        ReadComputation(*computation, computations, proto, *module));
  }
  if (module->entry_ == nullptr) {
    return Broken(proto.name(), absl::StrCat("no entry computation with id ",
                                             proto.entry_computation_id()));
  }
  TF_RETURN_IF_ERROR(ReadModuleFields(proto, *module));
  module->CompleteEntry();
  module->set_is_scheduled(proto.has_schedule());
  return module;
}

absl::StatusOr<std::unique_ptr<HloModule>> HloModule::CreateFromProto(
    const HloModuleProto& proto) {
  TF_ASSIGN_OR_RETURN(HloModuleConfig config,
                      CreateModuleConfigFromProto(proto, DebugOptions()));
  return CreateFromProto(proto, config);
}

}  // namespace xla
