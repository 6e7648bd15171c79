// Runs an executable on literals: packs them into buffers and back.
#include "xla/backends/compiler.h"

#include <deque>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/peak_memory.h"
#include "xla/hlo/ir/module/known_sizes.h"
#include "xla/runtime/memory_chunk.h"

namespace xla {
namespace {

// The literals of one device as buffers.
struct DeviceLiterals {
  // The memory of argument arrays that differs from that of their literals.
  std::vector<MemoryChunk> packed;
  std::deque<Shape> packed_shapes;
  std::vector<Executable::Input> inputs;
  Literal result;
  std::vector<std::pair<ShapeIndex, MemoryChunk>> packed_results;
  std::vector<Executable::Output> outputs;
};

absl::StatusOr<MemoryChunk> MemoryFor(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
  return MemoryChunk::Allocate(bytes);
}

// True if the memory of an array differs from that of a literal, whatever the
// order of its elements.
bool IsPacked(const Shape& shape) {
  return shape.IsArray() &&
         (shape.has_dynamic_dimensions() || HasOwnBuffer(shape));
}

absl::Status AddArgument(const Literal& argument, const Shape& parameter,
                         DeviceLiterals& device) {
  return ShapeUtil::ForEachSubshapeWithStatus(
      argument.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (shape.IsTuple()) return absl::OkStatus();
        Executable::Input input{&shape};
        if (!shape.IsArray()) {
          device.inputs.push_back(input);
          return absl::OkStatus();
        }
        Shape stated = ShapeUtil::GetSubshape(parameter, index);
        if (!stated.has_layout()) LayoutUtil::SetToDefaultLayout(&stated);
        if (!IsPacked(stated) &&
            LayoutUtil::LayoutsInShapesEqual(shape, stated)) {
          input.data = static_cast<const char*>(argument.untyped_data(index));
        } else {
          TF_ASSIGN_OR_RETURN(MemoryChunk packed, MemoryFor(stated));
          TF_RETURN_IF_ERROR(
              StoreArray(argument, index, stated, packed.data()));
          input.data = packed.data();
          device.packed.push_back(std::move(packed));
          input.shape = &device.packed_shapes.emplace_back(std::move(stated));
        }
        device.inputs.push_back(input);
        return absl::OkStatus();
      });
}

absl::Status AddArguments(const HloModule& module,
                          const std::vector<const Literal*>& arguments,
                          DeviceLiterals& device) {
  const ComputationLayout& layout = module.entry_computation_layout();
  const std::string& name = module.entry_computation()->name();
  if (layout.parameter_count() != static_cast<int>(arguments.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("computation ", name, " has ", layout.parameter_count(),
                     " parameters, got ", arguments.size(), " arguments"));
  }
  for (int i = 0; i < layout.parameter_count(); ++i) {
    if (!Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(
            arguments[i]->shape(), layout.parameter_shape(i))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "argument ", i, " of computation ", name, " must be ",
          ShapeUtil::HumanString(layout.parameter_shape(i)), ", got ",
          ShapeUtil::HumanString(arguments[i]->shape())));
    }
    TF_RETURN_IF_ERROR(
        AddArgument(*arguments[i], layout.parameter_shape(i), device));
  }
  return absl::OkStatus();
}

absl::Status AddResult(const Shape& layout, DeviceLiterals& device) {
  TF_ASSIGN_OR_RETURN(device.result, Literal::Make(DenseLiteralShape(layout)));
  return ShapeUtil::ForEachSubshapeWithStatus(
      device.result.shape(),
      [&](const Shape& shape, const ShapeIndex& index) -> absl::Status {
        if (shape.IsTuple()) return absl::OkStatus();
        const Shape& stated = ShapeUtil::GetSubshape(layout, index);
        Executable::Output output{&shape};
        if (IsPacked(stated)) {
          output.shape = &stated;
          TF_ASSIGN_OR_RETURN(MemoryChunk packed, MemoryFor(stated));
          output.data = packed.data();
          device.packed_results.emplace_back(index, std::move(packed));
        } else if (shape.IsArray()) {
          output.data = static_cast<char*>(device.result.untyped_data(index));
        }
        device.outputs.push_back(output);
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<int> LeafNumber(const Shape& shape,
                               absl::Span<const int64_t> index) {
  const int number = LeafNumberAt(shape, index);
  if (number >= 0) return number;
  return absl::InvalidArgumentError(absl::StrCat("there is no array at {",
                                                 absl::StrJoin(index, ","),
                                                 "} of ", shape.ToString()));
}

absl::Status CheckDeviceCounts(const HloModuleConfig& config) {
  const int64_t most = Executable::kMaxDevices;
  if (config.replica_count() >= 1 && config.num_partitions() >= 1 &&
      config.replica_count() <= most / config.num_partitions()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "cannot compile for ", config.replica_count(), " replicas of ",
      config.num_partitions(), " partitions: between 1 and ", most,
      " devices are possible"));
}

absl::StatusOr<std::vector<Literal>> Executable::Execute(
    absl::Span<const std::vector<const Literal*>> arguments,
    const RunOptions& options) const {
  if (static_cast<int64_t>(arguments.size()) != num_devices()) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", num_devices(),
                                                   " devices, but arguments ",
                                                   "for ", arguments.size()));
  }
  std::vector<DeviceLiterals> literals(arguments.size());
  std::vector<DeviceBuffers> buffers;
  for (size_t d = 0; d < arguments.size(); ++d) {
    TF_RETURN_IF_ERROR(AddArguments(module(), arguments[d], literals[d]));
    TF_RETURN_IF_ERROR(AddResult(
        module().entry_computation_layout().result_shape(), literals[d]));
    buffers.push_back({literals[d].inputs, literals[d].outputs});
  }
  TF_RETURN_IF_ERROR(ExecuteBuffers(buffers, options));
  std::vector<Literal> results;
  for (DeviceLiterals& device : literals) {
    for (const auto& [index, packed] : device.packed_results) {
      const Shape& stated = ShapeUtil::GetSubshape(
          module().entry_computation_layout().result_shape(), index);
      TF_RETURN_IF_ERROR(
          LoadArray(packed.data(), stated, index, device.result));
    }
    results.push_back(std::move(device.result));
  }
  return results;
}

Executable::MemoryStats Executable::memory_stats() const {
  MemoryStats stats;
  const ComputationLayout& layout = module().entry_computation_layout();
  const auto add = [](const Shape& shape, int64_t& total) {
    for (const Shape* leaf : Leaves(shape)) {
      total += ElementsBytes(*leaf);
    }
  };
  for (const ShapeLayout& parameter : layout.parameter_layouts()) {
    add(parameter.shape(), stats.argument_bytes);
  }
  add(layout.result_shape(), stats.output_bytes);
  for (const auto& entry : module().input_output_alias().entries()) {
    const ShapeIndex index(entry.output_shape_index().begin(),
                           entry.output_shape_index().end());
    if (!ShapeUtil::IndexIsValid(layout.result_shape(), index)) continue;
    add(ShapeUtil::GetSubshape(layout.result_shape(), index),
        stats.alias_bytes);
  }
  stats.temp_bytes = PeakTempBytes(module());
  stats.peak_bytes = stats.argument_bytes + stats.output_bytes -
                     stats.alias_bytes + stats.temp_bytes;
  return stats;
}

namespace {

// Errors: Unimplemented if a parameter or the result has an element storage
// that CheckElementStorage rejects.
absl::Status CheckStorage(const std::string& what, const Shape& shape) {
  const absl::Status storage = CheckElementStorage(shape);
  if (storage.ok()) return storage;
  return absl::Status(storage.code(),
                      absl::StrCat("entry computation layout: ", what, ": ",
                                   storage.message()));
}

absl::Status CheckEntryStorage(const ComputationLayout& layout) {
  for (int i = 0; i < layout.parameter_count(); ++i) {
    TF_RETURN_IF_ERROR(
        CheckStorage(absl::StrCat("parameter ", i), layout.parameter_shape(i)));
  }
  return CheckStorage("the result", layout.result_shape());
}

}  // namespace

absl::Status CheckProgram(const HloModule& module,
                          const HloVerifierOptions& options) {
  TF_RETURN_IF_ERROR(CheckDeviceCounts(module.config()));
  if (!module.config().has_entry_computation_layout()) {
    return absl::InvalidArgumentError("there is no entry computation layout");
  }
  TF_RETURN_IF_ERROR(HloVerifier(options).Verify(module));
  TF_RETURN_IF_ERROR(CheckKnownSizes(module));
  return CheckEntryStorage(module.entry_computation_layout());
}

}  // namespace xla
