// Wraps the memory of inputs in values, and copies results to outputs.
#include "xla/backends/evaluator/evaluator_executable.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

using Input = Executable::Input;
using Output = Executable::Output;

// `parameter` is the parameter's shape in the program.
absl::StatusOr<Value> ReadLeaf(const Shape& parameter, const Input& input) {
  if (!input.shape->IsArray()) return Value();
  const bool is_vector = IsBufferVector(parameter, *input.shape);
  if (!is_vector &&
      (input.shape->has_dynamic_dimensions() || HasOwnBuffer(*input.shape))) {
    TF_ASSIGN_OR_RETURN(Literal literal,
                        Literal::Make(DenseLiteralShape(*input.shape)));
    TF_RETURN_IF_ERROR(LoadArray(input.data, *input.shape, {}, literal));
    return Value(std::move(literal));
  }
  // A literal that borrows its memory: it allocates nothing and so frees
  // nothing.
  auto literal = std::make_shared<Literal>(is_vector ? parameter : *input.shape,
                                           /*allocate_arrays=*/false);
  const_cast<LiteralPiece&>(literal->root_piece()).buffer =
      const_cast<char*>(input.data);
  return Value(std::shared_ptr<const Literal>(std::move(literal)));
}

// Makes the value of a parameter from the inputs that start at `next`.
absl::StatusOr<Value> ReadParameter(const Shape& shape,
                                    absl::Span<const Input> inputs,
                                    size_t& next) {
  if (!shape.IsTuple()) return ReadLeaf(shape, inputs[next++]);
  std::vector<Value> elements;
  for (const Shape& part : shape.tuple_shapes()) {
    TF_ASSIGN_OR_RETURN(elements.emplace_back(),
                        ReadParameter(part, inputs, next));
  }
  return Value(std::move(elements));
}

absl::StatusOr<std::vector<Value>> ReadParameters(
    const HloModule& module, absl::Span<const Input> inputs) {
  const ComputationLayout& layout = module.entry_computation_layout();
  size_t leaves = 0;
  for (const ShapeLayout& parameter : layout.parameter_layouts()) {
    const Shape& shape = parameter.shape();
    leaves += shape.IsTuple() ? Leaves(shape).size() : 1;
  }
  if (leaves != inputs.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("program ", module.name(), " takes ", leaves,
                     " arrays, but got ", inputs.size()));
  }
  std::vector<Value> values;
  values.reserve(layout.parameter_count());
  size_t next = 0;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    TF_ASSIGN_OR_RETURN(values.emplace_back(),
                        ReadParameter(parameter->shape(), inputs, next));
  }
  return values;
}

absl::Status WriteLeaf(const Literal& from, const Output& output) {
  if (!output.shape->IsArray()) return absl::OkStatus();
  const char* data = static_cast<const char*>(from.untyped_data());
  if (IsBufferVector(from.shape(), *output.shape)) {
    std::memcpy(output.data, data, from.size_bytes());
  } else if (data != output.data) {
    // The evaluator's arrays have the default layout.
    TF_RETURN_IF_ERROR(
        CopyElements(data, LayoutUtil::GetWithDefaultLayout(from.shape()),
                     output.data, *output.shape));
  }
  if (!output.shape->has_dynamic_dimensions()) return absl::OkStatus();
  DimensionVector sizes;
  for (int i = 0; i < output.shape->rank(); ++i) {
    sizes.push_back(from.GetDynamicSize(i));
  }
  WriteDynamicSizes(sizes, *output.shape, output.data);
  return absl::OkStatus();
}

// Copies results that are still in the memory of inputs which another output is
// about to overwrite.
void SaveOverwritten(const Executable::DeviceBuffers& buffers,
                     std::vector<const Literal*>& leaves,
                     std::vector<Literal>& copies) {
  absl::flat_hash_set<const void*> donated;
  for (const Input& input : buffers.inputs) {
    if (input.donated && input.data != nullptr) donated.insert(input.data);
  }
  if (donated.empty()) return;
  copies.reserve(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i]->shape().IsArray()) continue;
    const void* data = leaves[i]->untyped_data();
    // Already in place only if no relayout is needed.
    const bool stays = data == buffers.outputs[i].data &&
                       IsDenseRowMajor(*buffers.outputs[i].shape);
    if (stays || !donated.contains(data)) continue;
    leaves[i] = &copies.emplace_back(leaves[i]->Clone());
  }
}

absl::Status WriteResult(const Value& value,
                         const Executable::DeviceBuffers& buffers) {
  std::vector<const Literal*> leaves;
  AppendLeaves(value, leaves);
  TF_RET_CHECK(leaves.size() == buffers.outputs.size())
      << leaves.size() << " results, " << buffers.outputs.size() << " outputs";
  std::vector<Literal> copies;
  SaveOverwritten(buffers, leaves, copies);
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Shape& shape = *buffers.outputs[i].shape;
    TF_RET_CHECK(leaves[i]->shape().element_type() == shape.element_type() &&
                 (IsBufferVector(leaves[i]->shape(), shape) ||
                  leaves[i]->shape().dimensions() == shape.dimensions()))
        << leaves[i]->shape().ToString() << " for " << shape.ToString();
    TF_RETURN_IF_ERROR(WriteLeaf(*leaves[i], buffers.outputs[i]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EvaluatorExecutable::ExecuteBuffers(
    absl::Span<const DeviceBuffers> devices, const RunOptions& options) const {
  if (options.processes != nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "program ", module().name(),
        ": the evaluator does not run devices of several processes"));
  }
  ReplicatedOptions replicated;
  replicated.num_replicas = num_replicas();
  replicated.num_partitions = num_partitions();
  replicated.seed = options.seed;
  replicated.queues = options.queues;
  replicated.plans = plans_;
  replicated.ffi_call_handler = ffi_calls_->HandlerFor(options);
  std::vector<std::vector<Value>> arguments(devices.size());
  for (size_t d = 0; d < devices.size(); ++d) {
    TF_ASSIGN_OR_RETURN(arguments[d],
                        ReadParameters(module(), devices[d].inputs));
  }
  // Several devices have a thread each, for which this one waits.
  std::optional<BlockingSection> blocking;
  if (devices.size() > 1) blocking.emplace();
  TF_ASSIGN_OR_RETURN(
      const std::vector<Value> results,
      EvaluateReplicatedValues(module(), std::move(arguments), replicated));
  for (size_t d = 0; d < devices.size(); ++d) {
    TF_RETURN_IF_ERROR(WriteResult(results[d], devices[d]));
  }
  return absl::OkStatus();
}

}  // namespace xla
