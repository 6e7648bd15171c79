// Converts the module's functions, and the attributes of the entry's parameters
// and results: aliases, donations, layouts, memories, shardings.
#include "xla/stablehlo/to_hlo/convert_module.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"
#include "xla/stablehlo/to_hlo/entry_attributes.h"

namespace xla::stablehlo {
namespace {

// Returns entry `i` of arg_attrs or res_attrs; null if there is none.
const Attribute* EntryAttributes(const Op& function, absl::string_view list,
                                 size_t i) {
  const Attribute* attributes = function.Find(list);
  return attributes == nullptr || i >= attributes->elements.size()
             ? nullptr
             : attributes->elements[i];
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloModule>> ConvertToHlo(const Module& module) {
  absl::StatusOr<std::unique_ptr<HloModule>> converted =
      ModuleConversion(module).Run();
  if (converted.ok()) return converted;
  // Remove the mark that the message has the place.
  return absl::Status(converted.status().code(), converted.status().message());
}

absl::Status ModuleConversion::CollectSymbols() {
  const Block* body = source_.root->Body();
  if (body == nullptr) {
    return ErrorAt(*source_.root, "the module has no body");
  }
  for (const Op* op : body->ops) {
    const Attribute* name = op->Find("sym_name");
    const bool is_function = op->name == "func.func";
    if (!is_function && op->name != "sdy.mesh") {
      return ErrorAt(*op, "only functions and meshes stand in a module");
    }
    if (name == nullptr || name->text.empty()) {
      return ErrorAt(*op, "has no sym_name");
    }
    const bool fresh = is_function
                           ? functions_.emplace(name->text, Function{op}).second
                           : meshes_.emplace(name->text, op).second;
    if (!fresh) {
      return ErrorAt(*op, absl::StrCat("there is another @", name->text));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const Op*> ModuleConversion::EntryFunction() const {
  if (const Op* main = FindFunction("main"); main != nullptr) return main;
  const Op* entry = nullptr;
  for (const auto& [name, function] : functions_) {
    const Attribute* visibility = function.op->Find("sym_visibility");
    if (visibility != nullptr && visibility->text == "private") continue;
    if (entry != nullptr) {
      return absl::InvalidArgumentError(
          "the module has several public functions and none is called main");
    }
    entry = function.op;
  }
  if (entry == nullptr) {
    return absl::InvalidArgumentError("the module has no public function");
  }
  return entry;
}

absl::StatusOr<std::unique_ptr<HloModule>> ModuleConversion::Run() {
  if (source_.root == nullptr || source_.root->name != "builtin.module") {
    return absl::InvalidArgumentError("the program is not a module");
  }
  TF_RETURN_IF_ERROR(CollectSymbols());
  FindStaticFunctions();
  const Attribute* name = source_.root->Find("sym_name");
  target_ = std::make_unique<HloModule>(
      name == nullptr || name->text.empty() ? "main" : name->text);
  TF_RETURN_IF_ERROR(ReadModuleAttributes(*source_.root, *target_));
  if (is_partitioned()) {
    target_->mutable_config().set_use_spmd_partitioning(true);
    TF_RETURN_IF_ERROR(AtOp(*source_.root, sharding_reader_.ReadMeshes(
                                               *source_.root, partitions())));
  }
  TF_ASSIGN_OR_RETURN(const Op* entry, EntryFunction());
  TF_RETURN_IF_ERROR(ConvertEntry(*entry));
  locations_.AddStackFramesTo(*target_);
  return std::move(target_);
}

absl::Status ModuleConversion::AddEntryParameters(const Op& function,
                                                  HloComputation& entry) {
  const absl::Span<const Value> arguments = function.Body()->arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TF_ASSIGN_OR_RETURN(Shape shape, ShapeOfType(*arguments[i].type));
    HloInstruction* parameter =
        entry.AddInstruction(HloInstruction::CreateParameter(
            i, std::move(shape), absl::StrCat("Arg_", i)));
    set_value(arguments[i], parameter);
    TF_RETURN_IF_ERROR(AnnotateParameter(*function.Body(), i, *parameter));
    const Attribute* attributes = EntryAttributes(function, "arg_attrs", i);
    if (attributes == nullptr || !is_partitioned()) continue;
    TF_RETURN_IF_ERROR(ChargeSharding());
    TF_ASSIGN_OR_RETURN(
        std::optional<OpSharding> sharding,
        sharding_reader_.OfEntryValue(*attributes, parameter->shape()));
    if (sharding.has_value()) parameter->set_sharding(*std::move(sharding));
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::ConstrainResults(const Op& function,
                                                HloComputation& entry,
                                                Instructions& results) {
  if (!is_partitioned()) return absl::OkStatus();
  for (size_t i = 0; i < results.size(); ++i) {
    const Attribute* attributes = EntryAttributes(function, "res_attrs", i);
    if (attributes == nullptr || !results[i]->shape().IsArray()) continue;
    TF_RETURN_IF_ERROR(ChargeSharding());
    TF_ASSIGN_OR_RETURN(
        std::optional<OpSharding> sharding,
        sharding_reader_.OfEntryValue(*attributes, results[i]->shape()));
    if (!sharding.has_value()) continue;
    results[i] =
        AddShardingCall("xla.sdy.FuncResultSharding", results[i]->shape(),
                        results[i], *std::move(sharding), entry);
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::ConvertEntry(const Op& function) {
  const Block* body = function.Body();
  if (body == nullptr || body->Terminator() == nullptr) {
    return ErrorAt(function, "the entry function must have a body and return");
  }
  HloComputation* entry = NewComputation(function.Find("sym_name")->text);
  target_->set_entry_computation(entry);
  TF_RETURN_IF_ERROR(AtOp(function, AddEntryParameters(function, *entry)));
  Function& state = functions_.at(function.Find("sym_name")->text);
  state.active = true;
  TF_ASSIGN_OR_RETURN(Instructions results, ConvertBlock(*body, *entry));
  state.active = false;
  TF_RETURN_IF_ERROR(
      AtOp(function, ConstrainResults(function, *entry, results)));
  entry->set_root_instruction(AsOne(results, *entry));

  HloModuleConfig& config = target_->mutable_config();
  // Custom calls may return other layouts, but programs only on request.
  config.SetDefaultComputationLayout(entry->ComputeProgramShape());
  target_->CompleteEntry();
  return AtOp(function, ReadEntryAttributes(function, *target_));
}

}  // namespace xla::stablehlo
