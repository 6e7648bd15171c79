// PrintStablehlo: the module's functions, with the entry's aliases, layouts
// and shardings as attributes of its arguments and results.
#include "xla/stablehlo/from_hlo/print_module.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

std::string Braced(absl::Span<const std::string> attributes) {
  if (attributes.empty()) return "";
  return absl::StrCat(" {", absl::StrJoin(attributes, ", "), "}");
}

void AddLayout(const Shape& shape, std::vector<std::string>* attributes) {
  if (!shape.IsArray() || !shape.has_layout() ||
      LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) {
    return;
  }
  std::string layout;
  PrintLayout(shape.layout(), &layout);
  attributes->push_back(
      absl::StrCat("mhlo.layout_mode = ", QuotedText(layout)));
}

void AddSharding(const OpSharding& sharding,
                 std::vector<std::string>* attributes) {
  std::string text;
  PrintSharding(sharding, &text);
  attributes->push_back(absl::StrCat("mhlo.sharding = ", QuotedText(text)));
}

// Returns whether the root becomes several results: a tuple, but not of a
// single value, since a single result would lose the tuple.
bool HasSeveralResults(const Shape& root) {
  return root.IsTuple() && root.tuple_shapes_size() != 1;
}

}  // namespace

absl::StatusOr<std::string> PrintStablehlo(const HloModule& module,
                                           const PrintOptions& options) {
  return ModulePrinter(module, options).Print();
}

absl::StatusOr<std::string> ModulePrinter::Print() {
  if (!module_.has_entry_computation()) {
    return absl::InvalidArgumentError("the module has no entry computation");
  }
  absl::StrAppend(&out_, "module ", SymbolText(module_.name()),
                  ModuleAttributes(), " {\n");
  indent_ = 2;
  functions_[module_.entry_computation()] = "main";
  TF_RETURN_IF_ERROR(PrintEntry());
  // Printing a function may add further ones.
  for (size_t i = 0; i < pending_.size(); ++i) {
    const HloComputation* computation = pending_[i];
    TF_RETURN_IF_ERROR(PrintFunction(*computation, functions_.at(computation)));
  }
  absl::StrAppend(&out_, "}\n", locations_.definitions());
  return std::move(out_);
}

std::string ModulePrinter::ModuleAttributes() const {
  std::vector<std::string> attributes;
  const HloModuleConfig& config = module_.config();
  attributes.push_back(absl::StrCat(
      "mhlo.num_partitions = ", config.num_partitions(), " : i32"));
  attributes.push_back(
      absl::StrCat("mhlo.num_replicas = ", config.replica_count(), " : i32"));
  return absl::StrCat(" attributes", Braced(attributes));
}

std::string ModulePrinter::FunctionName(const HloComputation* computation) {
  const auto [it, added] = functions_.try_emplace(computation);
  if (added) {
    std::string name = computation->name();
    for (int i = 1; name == "main" || (name != computation->name() &&
                                       module_.GetComputationWithName(name));
         ++i) {
      name = absl::StrCat("main_", i);
    }
    it->second = std::move(name);
    pending_.push_back(computation);
  }
  return it->second;
}

std::string ModulePrinter::EntryArgumentAttributes(int64_t parameter) const {
  std::vector<std::string> attributes;
  const HloInstruction& instruction =
      *module_.entry_computation()->parameter_instruction(parameter);
  for (const auto& entry : module_.input_output_alias().entries()) {
    if (entry.parameter_number() != parameter ||
        entry.parameter_shape_index_size() > 0 ||
        entry.output_shape_index_size() > 1) {
      continue;
    }
    const int64_t output =
        entry.output_shape_index_size() == 0 ? 0 : entry.output_shape_index(0);
    attributes.push_back(
        absl::StrCat("tf.aliasing_output = ", output, " : i32"));
    break;
  }
  for (const auto& entry : module_.buffer_donor().entries()) {
    if (entry.parameter_number() != parameter) continue;
    attributes.push_back("jax.buffer_donor = true");
    break;
  }
  const ComputationLayout& layout = module_.entry_computation_layout();
  if (parameter < layout.parameter_count()) {
    AddLayout(layout.parameter_shape(parameter), &attributes);
  }
  if (instruction.has_sharding()) {
    AddSharding(instruction.sharding_proto(), &attributes);
  }
  return Braced(attributes);
}

absl::StatusOr<std::string> ModulePrinter::EntryArguments(
    const HloComputation& entry, std::vector<Names>* parameters) {
  std::vector<std::string> arguments;
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    TF_ASSIGN_OR_RETURN(const std::string type,
                        TypeText(entry.parameter_instruction(i)->shape()));
    const std::string name = absl::StrCat("%arg", i);
    arguments.push_back(
        absl::StrCat(name, ": ", type, EntryArgumentAttributes(i),
                     ArgumentLocation(*entry.parameter_instruction(i))));
    parameters->push_back({name});
  }
  return absl::StrJoin(arguments, ", ");
}

absl::StatusOr<std::string> ModulePrinter::EntryResultTypes(
    const Shape& root) const {
  const ComputationLayout& layout = module_.entry_computation_layout();
  const OpSharding* sharding = module_.extra().has_spmd_output_sharding()
                                   ? &module_.extra().spmd_output_sharding()
                                   : nullptr;
  const auto result =
      [&](const Shape& shape, const Shape* placed,
          const OpSharding* place) -> absl::StatusOr<std::string> {
    TF_ASSIGN_OR_RETURN(const std::string type, TypeText(shape));
    std::vector<std::string> attributes;
    if (placed != nullptr) AddLayout(*placed, &attributes);
    if (place != nullptr) AddSharding(*place, &attributes);
    return absl::StrCat(type, Braced(attributes));
  };
  const Shape* placed = layout.result_shape().IsTuple() == root.IsTuple()
                            ? &layout.result_shape()
                            : nullptr;
  std::vector<std::string> results;
  if (!HasSeveralResults(root)) {
    TF_ASSIGN_OR_RETURN(
        results.emplace_back(),
        result(root, placed, root.IsTuple() ? nullptr : sharding));
  } else {
    const int count = root.tuple_shapes_size();
    if (placed != nullptr && placed->tuple_shapes_size() != count) {
      placed = nullptr;
    }
    if (sharding != nullptr && sharding->tuple_shardings_size() != count) {
      sharding = nullptr;
    }
    for (int i = 0; i < count; ++i) {
      TF_ASSIGN_OR_RETURN(
          results.emplace_back(),
          result(
              root.tuple_shapes(i),
              placed == nullptr ? nullptr : &placed->tuple_shapes(i),
              sharding == nullptr ? nullptr : &sharding->tuple_shardings(i)));
    }
  }
  return absl::StrCat("(", absl::StrJoin(results, ", "), ")");
}

absl::Status ModulePrinter::PrintEntry() {
  const HloComputation& entry = *module_.entry_computation();
  const Shape& root = entry.root_instruction()->shape();
  std::vector<Names> parameters;
  TF_ASSIGN_OR_RETURN(const std::string arguments,
                      EntryArguments(entry, &parameters));
  TF_ASSIGN_OR_RETURN(const std::string results, EntryResultTypes(root));
  absl::StrAppend(&out_, "  func.func public @main(", arguments, ") -> ",
                  results, " {\n");
  indent_ = 4;
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    TF_ASSIGN_OR_RETURN(
        parameters[i],
        TakeApart(parameters[i][0], entry.parameter_instruction(i)->shape()));
  }
  TF_ASSIGN_OR_RETURN(const Names leaves,
                      PrintComputation(entry, std::move(parameters)));
  size_t next = 0;
  Names returned;
  std::vector<std::string> types;
  const std::vector<Shape> shapes =
      HasSeveralResults(root) ? root.tuple_shapes() : std::vector<Shape>{root};
  for (const Shape& shape : shapes) {
    TF_ASSIGN_OR_RETURN(returned.emplace_back(),
                        MakeTuple(shape, leaves, &next));
    TF_ASSIGN_OR_RETURN(types.emplace_back(), TypeText(shape));
  }
  PrintReturn("return", returned, types);
  indent_ = 2;
  out_ += "  }\n";
  return absl::OkStatus();
}

// Tuples among arguments and results are taken apart.
absl::Status ModulePrinter::PrintFunction(const HloComputation& computation,
                                          absl::string_view name) {
  std::vector<Names> parameters;
  std::vector<std::string> arguments, types;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    Names& names = parameters.emplace_back();
    for (const Shape* leaf : LeavesOf(parameter->shape())) {
      TF_ASSIGN_OR_RETURN(const std::string type, TypeText(*leaf));
      names.push_back(absl::StrCat("%arg", arguments.size()));
      arguments.push_back(
          absl::StrCat(names.back(), ": ", type, ArgumentLocation(*parameter)));
    }
  }
  for (const Shape* leaf : LeavesOf(computation.root_instruction()->shape())) {
    TF_ASSIGN_OR_RETURN(types.emplace_back(), TypeText(*leaf));
  }
  absl::StrAppend(&out_, "  func.func private ", SymbolText(name), "(",
                  absl::StrJoin(arguments, ", "), ") -> (",
                  absl::StrJoin(types, ", "), ") {\n");
  indent_ = 4;
  TF_ASSIGN_OR_RETURN(const Names results,
                      PrintComputation(computation, std::move(parameters)));
  PrintReturn("return", results, types);
  indent_ = 2;
  out_ += "  }\n";
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
