// XlaBuilder: makes programs from the ops.
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Makes dynamic dimensions static at their bounds; others stay as they are.
void MakeStatic(Shape& array) {
  if (!array.is_unbounded_dynamic()) return array.clear_dynamic_dimensions();
  for (int d = 0; d < array.dimensions_size(); ++d) {
    if (array.is_bounded_dynamic_dimension(d)) {
      array.set_dynamic_dimension(d, false);
    }
  }
}

void MakeStatic(HloModule& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& instruction : computation->instructions()) {
      ShapeUtil::ForEachMutableSubshape(instruction->mutable_shape(),
                                        [](Shape* shape, const ShapeIndex&) {
                                          if (shape->IsArray())
                                            MakeStatic(*shape);
                                        });
    }
  }
}

// Adds `index` to a repeated field of a proto.
template <typename Field>
void AppendIndex(const ShapeIndex& index, Field* field) {
  for (int64_t i : index) field->Add(i);
}

// Numbers the computations from 1 in their order, and the instructions of each
// from 1 in the lower half of an id whose upper half is the computation's.
void Renumber(HloModuleProto& module) {
  absl::flat_hash_map<int64_t, int64_t> computations;
  for (HloComputationProto& computation : *module.mutable_computations()) {
    const int64_t id = computations.size() + 1;
    computations[computation.id()] = id;
    computation.set_id(id);
    absl::flat_hash_map<int64_t, int64_t> instructions;
    for (HloInstructionProto& hlo : *computation.mutable_instructions()) {
      const int64_t number = instructions.size() + 1;
      instructions[hlo.id()] = (id << 32) | number;
      hlo.set_id((id << 32) | number);
    }
    // Operands may come after their users in the proto.
    for (HloInstructionProto& hlo : *computation.mutable_instructions()) {
      for (int64_t& operand : *hlo.mutable_operand_ids()) {
        operand = instructions.at(operand);
      }
      for (int64_t& before : *hlo.mutable_control_predecessor_ids()) {
        before = instructions.at(before);
      }
      // Callees come before their callers.
      for (int64_t& called : *hlo.mutable_called_computation_ids()) {
        called = computations.at(called);
      }
    }
    computation.set_root_id(instructions.at(computation.root_id()));
  }
  module.set_entry_computation_id(
      computations.at(module.entry_computation_id()));
  module.set_id(module.entry_computation_id());
}

}  // namespace

XlaComputation XlaBuilder::AsComputation(HloModuleProto proto) {
  Renumber(proto);
  return XlaComputation(std::move(proto));
}

absl::Status XlaBuilder::CheckParameters() const {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    // builder_c5: the parameters are numbered 0, 1, 2, ...; there is a root.
    if (!parameters_[i].has_value()) {
      return RuleError(
          "builder_c5",
          absl::StrCat("builder '", name_, "' has ", parameters_.size(),
                       " parameters but none with number ", i));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<HloInstruction*> XlaBuilder::RootOr(
    std::optional<XlaOp> root) const {
  if (root.has_value()) {
    // An op of another builder is an error of this function, not of an op.
    if (root->builder_ != this) {
      return RuleError("builder_c1",
                       "the given root operation is not in this computation");
    }
    return LookUp(*root);
  }
  if (ops_.empty()) {
    return RuleError("builder_c5",
                     absl::StrCat("builder '", name_, "' has no ops"));
  }
  return ops_.back();
}

ProgramShape XlaBuilder::Signature(const HloInstruction& root) const {
  ProgramShape signature;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    signature.AddParameter(computation_->parameter_instruction(i)->shape(),
                           *parameters_[i]);
  }
  *signature.mutable_result() = root.shape();
  return signature;
}

absl::StatusOr<ProgramShape> XlaBuilder::GetProgramShape() const {
  TF_RETURN_IF_ERROR(first_error_);
  TF_RETURN_IF_ERROR(CheckParameters());
  TF_ASSIGN_OR_RETURN(const HloInstruction* root, RootOr(std::nullopt));
  return Signature(*root);
}

absl::StatusOr<ProgramShape> XlaBuilder::GetProgramShape(XlaOp root) const {
  TF_RETURN_IF_ERROR(first_error_);
  TF_RETURN_IF_ERROR(CheckParameters());
  TF_ASSIGN_OR_RETURN(const HloInstruction* instruction, RootOr(root));
  return Signature(*instruction);
}

absl::Status XlaBuilder::AddAliases(const ProgramShape& signature) {
  absl::flat_hash_set<std::pair<int64_t, ShapeIndex>> used;
  auto check_parameter = [&](int64_t number, const ShapeIndex& index) {
    // builder_c6: an aliased or donated buffer is one of a parameter, named
    // once; of one that is both, the words are those of XLA.
    if (number < 0 || number >= signature.parameters_size() ||
        !ShapeUtil::IndexIsValid(signature.parameters(number), index)) {
      return RuleError(
          "builder_c6",
          absl::StrCat("alias or donor: parameter ", number, " at ",
                       index.ToString(), " does not exist"));
    }
    if (!used.insert({number, index}).second) {
      return RuleError(
          "builder_c6",
          absl::StrCat("parameter ", number, " at ", index.ToString(),
                       " is already aliased with one output, thus it cannot be "
                       "added as a buffer donor for any output. Each buffer is "
                       "named once"));
    }
    return absl::OkStatus();
  };
  absl::flat_hash_set<ShapeIndex> outputs;
  HloInputOutputAliasProto alias_config;
  for (const InputOutputAlias& alias : aliases_) {
    TF_RETURN_IF_ERROR(check_parameter(alias.param_number, alias.param_index));
    // builder_c7: an aliased output exists and is named once.
    if (!ShapeUtil::IndexIsValid(signature.result(), alias.output_index) ||
        !outputs.insert(alias.output_index).second) {
      return RuleError(
          "builder_c7",
          absl::StrCat("alias: output ", alias.output_index.ToString(),
                       " does not exist or is named twice"));
    }
    auto* entry = alias_config.add_entries();
    AppendIndex(alias.output_index, entry->mutable_output_shape_index());
    entry->set_parameter_number(alias.param_number);
    AppendIndex(alias.param_index, entry->mutable_parameter_shape_index());
    entry->set_kind(alias.kind == HloInputOutputAliasConfig::kMustAlias
                        ? Kind::MUST_ALIAS
                        : Kind::MAY_ALIAS);
  }
  HloBufferDonorProto donor_config;
  for (const auto& [number, index] : donors_) {
    TF_RETURN_IF_ERROR(check_parameter(number, index));
    auto* entry = donor_config.add_entries();
    entry->set_parameter_number(number);
    AppendIndex(index, entry->mutable_parameter_shape_index());
  }
  module_->mutable_input_output_alias() = std::move(alias_config);
  module_->mutable_buffer_donor() = std::move(donor_config);
  return absl::OkStatus();
}

absl::Status XlaBuilder::Finish(std::optional<XlaOp> root,
                                bool remove_dynamic) {
  TF_RETURN_IF_ERROR(GetCurrentStatus());
  TF_RETURN_IF_ERROR(CheckParameters());
  TF_ASSIGN_OR_RETURN(HloInstruction * instruction, RootOr(root));
  TF_RETURN_IF_ERROR(AddAliases(Signature(*instruction)));
  computation_->set_root_instruction(instruction);
  if (remove_dynamic) MakeStatic(*module_);
  module_->RemoveUnreachableComputations();
  return absl::OkStatus();
}

absl::StatusOr<XlaComputation> XlaBuilder::Build(
    bool remove_dynamic_dimensions) {
  TF_RETURN_IF_ERROR(GetCurrentStatus());
  if (ops_.empty()) return RootOr(std::nullopt).status();
  return Build(
      XlaOp(first_handle_ + static_cast<int64_t>(ops_.size()) - 1, this),
      remove_dynamic_dimensions);
}

absl::StatusOr<XlaComputation> XlaBuilder::Build(
    XlaOp root, bool remove_dynamic_dimensions) {
  TF_RETURN_IF_ERROR(Finish(root, remove_dynamic_dimensions));
  HloModuleProto proto = module_->ToProto();
  // Names in the signature are the client's, without added numbers.
  const ProgramShapeProto signature =
      Signature(*computation_->root_instruction()).ToProto();
  *proto.mutable_host_program_shape() = signature;
  for (HloComputationProto& computation : *proto.mutable_computations()) {
    if (computation.id() == proto.entry_computation_id()) {
      *computation.mutable_program_shape() = signature;
    }
  }
  Reset();
  return AsComputation(std::move(proto));
}

absl::StatusOr<XlaComputation> XlaBuilder::Build(XlaComputationId entry_id) {
  TF_RETURN_IF_ERROR(GetCurrentStatus());
  TF_ASSIGN_OR_RETURN(const HloComputation* entry, FindComputation(entry_id));
  HloModule module(entry->name());
  module.set_entry_computation(module.DeepCloneComputation(*entry));
  return AsComputation(module.ToProto());
}

absl::StatusOr<XlaComputationId> XlaBuilder::BuildSubComputation(
    std::optional<XlaOp> root, bool remove_dynamic_dimensions) {
  if (parent_ == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        "builder '", name_, "' has no parent to build a computation for"));
  }
  TF_RETURN_IF_ERROR(Finish(root, remove_dynamic_dimensions));
  XlaComputationId id =
      parent_->Register(parent_->module_->DeepCloneComputation(*computation_));
  Reset();
  return id;
}

XlaComputation XlaBuilder::BuildAndNoteError() {
  absl::StatusOr<XlaComputation> built = Build();
  if (built.ok()) return *std::move(built);
  if (parent_ != nullptr) {
    parent_->ReportError(
        AddStatus(built.status(), absl::StrCat("error from ", name_)));
  }
  return XlaComputation();
}

}  // namespace xla
