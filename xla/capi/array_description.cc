// Describes buffers, parameters and results.
#include "xla/capi/array_description.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/capi/structs.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::capi {

ArrayDescription::ArrayDescription(std::shared_ptr<const Shape> s)
    : shape(std::move(s)), text(shape->ToString(/*print_layout=*/true)) {
  if (!shape->IsArray()) return;
  device_bytes = DeviceBufferBytes(*shape).value_or(0);
  host_bytes = ElementsBytes(HostShape(DenseLiteralShape(*shape)));
}

absl::Status ArrayDescription::WriteTo(tessera_array_info* out) const {
  tessera_array_info info = {};
  info.type = shape->element_type();
  if (shape->IsArray()) {
    info.rank = static_cast<int32_t>(shape->dimensions().size());
    info.dimensions = shape->dimensions().data();
    info.is_dynamic = shape->dynamic_dimensions().data();
    info.minor_to_major = shape->layout().minor_to_major().data();
  }
  info.text = text.data();
  info.text_size = text.size();
  info.device_bytes = device_bytes;
  info.host_bytes = host_bytes;
  info.name = name.c_str();
  info.name_size = name.size();
  info.donated = donated;
  info.alias = alias;
  return WriteStruct(info, out);
}

std::vector<ArrayDescription> DescribeParameters(
    const PjRtExecutable& executable) {
  std::vector<std::string> names;
  const HloComputation& entry =
      *executable.executable().module().entry_computation();
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    for (const auto& leaf : ShapeUtil::GetLeafShapes(parameter->shape())) {
      names.emplace_back(parameter->name());
      if (!leaf.index.empty()) {
        absl::StrAppend(&names.back(), leaf.index.ToString());
      }
    }
  }
  std::vector<ArrayDescription> parameters;
  for (const PjRtExecutable::ParameterLeaf& leaf : executable.parameters()) {
    const size_t index = parameters.size();
    ArrayDescription& parameter = parameters.emplace_back(leaf.shape);
    if (index < names.size()) parameter.name = std::move(names[index]);
    parameter.donated = leaf.donated;
  }
  for (size_t i = 0; i < executable.outputs().size(); ++i) {
    const int alias = executable.outputs()[i].alias;
    if (alias >= 0) parameters[alias].alias = static_cast<int32_t>(i);
  }
  return parameters;
}

std::vector<ArrayDescription> DescribeResults(
    const PjRtExecutable& executable) {
  std::vector<ArrayDescription> results;
  for (const PjRtExecutable::OutputLeaf& leaf : executable.outputs()) {
    results.emplace_back(leaf.shape).alias = leaf.alias;
  }
  return results;
}

}  // namespace xla::capi
