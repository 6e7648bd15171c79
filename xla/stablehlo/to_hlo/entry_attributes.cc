// Converts attributes of a StableHLO module, and of its entry's arguments and
// results, to parts of an HloModule.
#include "xla/stablehlo/to_hlo/entry_attributes.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"

namespace xla::stablehlo {
namespace {

// The most replicas or partitions of a program.
constexpr int64_t kMaxDevices = 1 << 16;

absl::Status ReadCount(const Op& root, absl::string_view name, int64_t* count) {
  const Attribute* attribute = root.Find(name);
  if (attribute == nullptr) return absl::OkStatus();
  if (attribute->kind != Attribute::Kind::kInteger || attribute->integer < 1 ||
      attribute->integer > kMaxDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must be a number of devices"));
  }
  *count = attribute->integer;
  return absl::OkStatus();
}

// Reads mhlo.layout_mode: "default", "auto" or a layout "{1,0}".
absl::Status ReadLayout(const Attribute& mode, Shape& shape) {
  if (mode.text == "default" || mode.text == "auto" || mode.text.empty()) {
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(Layout layout, ParseLayout(mode.text));
  if (!shape.IsArray()) {
    return absl::InvalidArgumentError("only arrays have an mhlo.layout_mode");
  }
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(layout, shape));
  *shape.mutable_layout() = std::move(layout);
  return absl::OkStatus();
}

absl::Status ReadPlacement(const Attribute& dictionary, Shape& shape) {
  if (const Attribute* mode = dictionary.Field("mhlo.layout_mode")) {
    TF_RETURN_IF_ERROR(ReadLayout(*mode, shape));
  }
  const Attribute* kind = dictionary.Field("mhlo.memory_kind");
  if (kind == nullptr || !shape.IsArray()) return absl::OkStatus();
  if (kind->text == "pinned_host" || kind->text == "unpinned_host") {
    shape.mutable_layout()->set_memory_space(Layout::kHostMemorySpace);
  }
  return absl::OkStatus();
}

absl::Status ReadSharding(const Attribute& dictionary,
                          HloInstruction& instruction) {
  const Attribute* text = dictionary.Field("mhlo.sharding");
  if (text == nullptr) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(OpSharding sharding, ParseShardingAttribute(text->text));
  instruction.set_sharding(std::move(sharding));
  return absl::OkStatus();
}

absl::Status ReadAlias(const Attribute& output, int64_t parameter,
                       int64_t results, HloModule& module) {
  if (output.integer < 0 || output.integer >= results) {
    return absl::InvalidArgumentError(
        absl::StrCat("argument ", parameter, " aliases result ", output.integer,
                     ", but there are ", results));
  }
  auto& entry = *module.mutable_input_output_alias().add_entries();
  entry.set_parameter_number(parameter);
  entry.set_kind(MAY_ALIAS);
  if (results > 1) entry.add_output_shape_index(output.integer);
  return absl::OkStatus();
}

absl::Status ReadArgument(const Attribute& dictionary, int64_t parameter,
                          int64_t results, HloModule& module) {
  HloInstruction& instruction =
      *module.entry_computation()->parameter_instruction(parameter);
  if (module.config().num_partitions() == 1) {
    TF_RETURN_IF_ERROR(ReadSharding(dictionary, instruction));
  }
  if (const Attribute* output = dictionary.Field("tf.aliasing_output")) {
    TF_RETURN_IF_ERROR(ReadAlias(*output, parameter, results, module));
  }
  for (absl::string_view name : {"jax.buffer_donor", "mhlo.buffer_donor"}) {
    const Attribute* donor = dictionary.Field(name);
    if (donor == nullptr || donor->integer == 0) continue;
    module.mutable_buffer_donor().add_entries()->set_parameter_number(
        parameter);
  }
  if (const Attribute* front = dictionary.Field("mhlo.frontend_attributes")) {
    instruction.set_frontend_attributes(ReadFrontendAttributes(*front));
  }
  ShapeLayout* layout =
      module.mutable_entry_computation_layout()->mutable_parameter_layout(
          parameter);
  Shape placed = layout->shape();
  TF_RETURN_IF_ERROR(ReadPlacement(dictionary, placed));
  *layout = ShapeLayout(std::move(placed));
  return absl::OkStatus();
}

// The shardings of several results become those of the root's elements.
absl::Status ReadResultShardings(const Attribute& results, HloModule& module) {
  HloInstruction& root = *module.entry_computation()->root_instruction();
  OpSharding tuple;
  tuple.set_type(OpSharding::TUPLE);
  bool any = false;
  for (const Attribute* dictionary : results.elements) {
    OpSharding* sharding = tuple.add_tuple_shardings();
    sharding->set_type(OpSharding::REPLICATED);
    const Attribute* text = dictionary->Field("mhlo.sharding");
    if (text == nullptr) continue;
    TF_ASSIGN_OR_RETURN(*sharding, ParseShardingAttribute(text->text));
    any = true;
  }
  if (!any) return absl::OkStatus();
  *module.mutable_extra().mutable_spmd_output_sharding() =
      root.shape().IsTuple() ? tuple : tuple.tuple_shardings(0);
  return absl::OkStatus();
}

Shape& ResultShape(Shape& root, int64_t result, int64_t results) {
  return results == 1 ? root : *root.mutable_tuple_shapes(result);
}

const Attribute* FindList(const Op& function, absl::string_view name,
                          size_t size) {
  const Attribute* list = function.Find(name);
  return list != nullptr && list->elements.size() == size ? list : nullptr;
}

}  // namespace

absl::Status ReadModuleAttributes(const Op& root, HloModule& module) {
  HloModuleConfig& config = module.mutable_config();
  int64_t replicas = config.replica_count();
  TF_RETURN_IF_ERROR(ReadCount(root, "mhlo.num_replicas", &replicas));
  config.set_replica_count(replicas);
  int64_t partitions = config.num_partitions();
  TF_RETURN_IF_ERROR(ReadCount(root, "mhlo.num_partitions", &partitions));
  config.set_num_partitions(partitions);
  if (const Attribute* front = root.Find("mhlo.frontend_attributes")) {
    module.mutable_frontend_attributes() = ReadFrontendAttributes(*front);
  }
  return absl::OkStatus();
}

absl::Status ReadEntryAttributes(const Op& function, HloModule& module) {
  const Block& body = *function.Body();
  const int64_t results = body.Terminator()->operands.size();
  if (const Attribute* arguments =
          FindList(function, "arg_attrs", body.arguments.size())) {
    for (size_t i = 0; i < arguments->elements.size(); ++i) {
      TF_RETURN_IF_ERROR(
          ReadArgument(*arguments->elements[i], i, results, module));
    }
  }
  const Attribute* list = FindList(function, "res_attrs", results);
  if (list == nullptr) return absl::OkStatus();
  ShapeLayout* layout =
      module.mutable_entry_computation_layout()->mutable_result_layout();
  Shape root = layout->shape();
  for (int64_t i = 0; i < results; ++i) {
    TF_RETURN_IF_ERROR(
        ReadPlacement(*list->elements[i], ResultShape(root, i, results)));
  }
  *layout = ShapeLayout(std::move(root));
  if (module.config().num_partitions() > 1) return absl::OkStatus();
  return ReadResultShardings(*list, module);
}

}  // namespace xla::stablehlo
