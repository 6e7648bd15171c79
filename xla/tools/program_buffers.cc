// Copies literals into memory, and pairs outputs with inputs.
#include "xla/tools/program_buffers.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::tools {
namespace {

absl::Status AddInput(const Literal& argument, const Shape& parameter,
                      std::vector<MemoryChunk>& chunks,
                      std::vector<Executable::Input>& inputs) {
  const Literal literal = argument.Relayout(parameter);
  return ShapeUtil::ForEachSubshapeWithStatus(
      parameter,
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (shape.IsTuple()) return absl::OkStatus();
        Executable::Input input{&shape};
        if (shape.IsArray()) {
          TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
          TF_ASSIGN_OR_RETURN(MemoryChunk chunk, MemoryChunk::Allocate(bytes));
          TF_RETURN_IF_ERROR(StoreArray(literal, index, shape, chunk.data()));
          input.data = chunk.data();
          chunks.push_back(std::move(chunk));
        }
        inputs.push_back(input);
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProgramBuffers>> ProgramBuffers::Create(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments) {
  // The constructor is private.
  std::unique_ptr<ProgramBuffers> buffers(new ProgramBuffers);
  for (const std::vector<Literal>& literals : arguments) {
    buffers->memory_.push_back(std::make_unique<Device>());
    Device& device = *buffers->memory_.back();
    TF_RETURN_IF_ERROR(buffers->AddInputs(executable, literals, device));
    TF_RETURN_IF_ERROR(buffers->AddOutputs(executable, device));
    TF_RETURN_IF_ERROR(AliasOutputs(executable, device));
    buffers->devices_.push_back({device.inputs, device.outputs});
  }
  return buffers;
}

absl::Status ProgramBuffers::AddInputs(const Executable& executable,
                                       const std::vector<Literal>& arguments,
                                       Device& device) {
  const ComputationLayout& layout =
      executable.module().entry_computation_layout();
  if (static_cast<int>(arguments.size()) != layout.parameter_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the program takes ", layout.parameter_count(),
                     " arguments, got ", arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(
            arguments[i].shape(), layout.parameter_shape(i))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "argument ", i, " must be ", layout.parameter_shape(i).ToString(),
          ", got ", arguments[i].shape().ToString()));
    }
    TF_RETURN_IF_ERROR(AddInput(arguments[i], layout.parameter_shape(i),
                                device.chunks, device.inputs));
  }
  return absl::OkStatus();
}

absl::Status ProgramBuffers::AddOutputs(const Executable& executable,
                                        Device& device) {
  const ComputationLayout& layout =
      executable.module().entry_computation_layout();
  for (const Shape* leaf : Leaves(layout.result_shape())) {
    Executable::Output output{leaf};
    if (leaf->IsArray()) {
      TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(*leaf));
      TF_ASSIGN_OR_RETURN(MemoryChunk chunk, MemoryChunk::Allocate(bytes));
      output.data = chunk.data();
      device.chunks.push_back(std::move(chunk));
    }
    device.outputs.push_back(output);
  }
  return absl::OkStatus();
}

absl::Status ProgramBuffers::AliasOutputs(const Executable& executable,
                                          Device& device) {
  const ComputationLayout& layout =
      executable.module().entry_computation_layout();
  for (const auto& entry : executable.module().input_output_alias().entries()) {
    const int64_t parameter = entry.parameter_number();
    if (parameter < 0 || parameter >= layout.parameter_count()) continue;
    int number = 0;
    for (int64_t before = 0; before < parameter; ++before) {
      number += LeafCount(layout.parameter_shape(before));
    }
    TF_ASSIGN_OR_RETURN(const int inside,
                        LeafNumber(layout.parameter_shape(parameter),
                                   entry.parameter_shape_index()));
    TF_ASSIGN_OR_RETURN(
        const int output,
        LeafNumber(layout.result_shape(), entry.output_shape_index()));
    Executable::Input& input = device.inputs[number + inside];
    input.donated = true;
    device.outputs[output].data = const_cast<char*>(input.data);
  }
  return absl::OkStatus();
}

}  // namespace xla::tools
