// Filling, text and protos of recovery tables.
#include "xla/hlo/ir/debug/original_value_recovery_table.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

using Entry = OriginalValueRecoveryTable::Table::value_type;

// Returns "name__ovp0" for "name", and "name__ovp3" for "name__ovp2".
std::string NextPlaceholder(absl::string_view name) {
  constexpr absl::string_view kPlaceholder = kOriginalValuePlaceholderDelimiter;
  const size_t at = name.rfind(kPlaceholder);
  uint32_t number;
  if (at != absl::string_view::npos &&
      absl::SimpleAtoi(name.substr(at + kPlaceholder.size()), &number)) {
    return absl::StrCat(name.substr(0, at), kPlaceholder, uint64_t{number} + 1);
  }
  return absl::StrCat(name, kPlaceholder, 0);
}

// The order of the table depends on hashes; this one does not.
std::vector<const Entry*> Sorted(const OriginalValueRecoveryTable& table) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : table) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) {
    return std::tie(a->first.instruction_name, a->first.shape_index) <
           std::tie(b->first.instruction_name, b->first.shape_index);
  });
  return entries;
}

}  // namespace

OriginalValueRecoveryTable::OriginalValueRecoveryTable() = default;
OriginalValueRecoveryTable::~OriginalValueRecoveryTable() = default;
OriginalValueRecoveryTable::OriginalValueRecoveryTable(
    OriginalValueRecoveryTable&& other) = default;
OriginalValueRecoveryTable& OriginalValueRecoveryTable::operator=(
    OriginalValueRecoveryTable&& other) = default;

OriginalValueRecoveryTable OriginalValueRecoveryTable::Clone() const {
  OriginalValueRecoveryTable clone;
  for (const auto& [array, recovery] : table_) {
    const auto& [new_array, module] = recovery;
    clone.emplace(array,
                  {new_array, module == nullptr ? nullptr : module->Clone("")});
  }
  return clone;
}

void OriginalValueRecoveryTable::emplace(
    const OriginalArray& old_original_array, Recovery&& recovery) {
  table_.try_emplace(old_original_array, std::move(recovery));
}

void OriginalValueRecoveryTable::AddRecoveryComputation(
    const HloInstruction* old_inst, HloInstruction* new_inst,
    BuildModule build_recovery_computation) {
  CHECK(ShapeUtil::EqualStructure(old_inst->shape(), new_inst->shape()));
  const std::shared_ptr<OriginalValue> old_value = old_inst->original_value();
  if (old_value == nullptr || old_value->is_synthetic_call() ||
      !old_value->IsCompatibleWith(old_inst->shape())) {
    return;
  }
  std::shared_ptr<OriginalValue> new_value = new_inst->original_value();
  if (new_value == nullptr || new_value->is_synthetic_call() ||
      !new_value->IsCompatibleWith(new_inst->shape())) {
    new_value = std::make_shared<OriginalValue>(new_inst->shape());
    new_inst->set_original_value(new_value);
  }
  for (const auto& [index, old_array] : old_value->original_arrays()) {
    if (!old_array.has_value() || table_.contains(*old_array)) continue;
    std::optional<std::unique_ptr<HloModule>> module(nullptr);
    if (build_recovery_computation) {
      module = build_recovery_computation(
          index, *old_array, ShapeUtil::GetSubshape(old_inst->shape(), index),
          ShapeUtil::GetSubshape(new_inst->shape(), index));
    }
    if (!module.has_value()) continue;
    std::optional<OriginalArray>& new_array =
        *new_value->mutable_original_array(index);
    if (*module == nullptr && !new_array.has_value()) {
      new_array = old_array;
      continue;
    }
    if (!new_array.has_value()) {
      new_array =
          OriginalArray{NextPlaceholder(old_array->instruction_name), index};
    }
    emplace(*old_array, {*new_array, *std::move(module)});
  }
}

void OriginalValueRecoveryTable::BuildAndAddRecoveryComputation(
    const HloInstruction* old_inst, HloInstruction* new_inst,
    BuildComputation build_recovery_computation) {
  AddRecoveryComputation(
      old_inst, new_inst,
      [&](const ShapeIndex& index, const OriginalArray& old_array,
          const Shape& old_shape,
          const Shape& new_shape) -> std::optional<std::unique_ptr<HloModule>> {
        HloComputation::Builder builder("recovery_computation");
        const std::optional<HloInstruction*> root = build_recovery_computation(
            builder, index, old_array, old_shape, new_shape);
        if (!root.has_value()) return std::nullopt;
        if (*root == nullptr) return nullptr;
        auto module = std::make_unique<HloModule>("recovery_module");
        module->AddEntryComputation(builder.Build(*root));
        return module;
      });
}

std::string OriginalValueRecoveryTable::ToString(
    HloPrintOptions options) const {
  const std::string tab(2 * options.indent_amount(), ' ');
  HloPrintOptions module_options;
  module_options.set_indent_amount(options.indent_amount() + 1);
  std::string out;
  for (const Entry* entry : Sorted(*this)) {
    const auto& [new_array, module] = entry->second;
    absl::StrAppend(&out, tab, "{", entry->first.ToString(), "} : {",
                    new_array.ToString(), "}");
    if (module != nullptr) {
      const std::string text = absl::StrReplaceAll(
          module->ToString(module_options), {{"\\", "\\\\"}, {"\"", "\\\""}});
      absl::StrAppend(&out, ",\n", tab, "\"\n", text, "\n", tab, "\"");
    }
    out.push_back('\n');
  }
  return out;
}

OriginalValueRecoveryTableProto OriginalValueRecoveryTable::ToProto() const {
  OriginalValueRecoveryTableProto proto;
  for (const Entry* entry : Sorted(*this)) {
    const auto& [new_array, module] = entry->second;
    auto& added = *proto.add_entries();
    *added.mutable_old_original_array() = entry->first.ToProto();
    *added.mutable_new_original_array() = new_array.ToProto();
    if (module != nullptr) {
      *added.mutable_recovery_module() = module->ToProto();
    }
  }
  return proto;
}

absl::StatusOr<OriginalValueRecoveryTable>
OriginalValueRecoveryTable::FromProto(
    const OriginalValueRecoveryTableProto& original_value_recovery_table) {
  OriginalValueRecoveryTable table;
  for (const auto& entry : original_value_recovery_table.entries()) {
    std::unique_ptr<HloModule> module;
    if (entry.has_recovery_module()) {
      TF_ASSIGN_OR_RETURN(module,
                          HloModule::CreateFromProto(entry.recovery_module()));
    }
    table.table_[OriginalArray::FromProto(entry.old_original_array())] = {
        OriginalArray::FromProto(entry.new_original_array()),
        std::move(module)};
  }
  return table;
}

}  // namespace xla
