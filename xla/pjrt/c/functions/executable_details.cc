// Arrays about an executable to which the C API returns pointers.
#include "xla/pjrt/c/functions/executable_details.h"

#include <mutex>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/convert/program.h"

namespace xla::pjrt {
namespace {

void FillOutputs(const PjRtExecutable& executable, ExecutableDetails* details) {
  for (const PjRtExecutable::OutputLeaf& output : executable.outputs()) {
    const Shape& shape = *output.shape;
    details->output_types.push_back(BufferTypeOf(shape.element_type()));
    size_t rank = 0;
    if (shape.IsArray()) {
      rank = shape.dimensions().size();
      details->output_dims.insert(details->output_dims.end(),
                                  shape.dimensions().begin(),
                                  shape.dimensions().end());
    }
    details->output_ranks.push_back(rank);
    details->output_memory_kinds.strings.emplace_back(output.memory_kind);
  }
  details->output_memory_kinds.Point();
  for (const PjRtExecutable::ParameterLeaf& leaf : executable.parameters()) {
    details->parameter_memory_kinds.strings.emplace_back(leaf.memory_kind);
  }
  details->parameter_memory_kinds.Point();
}

void FillLayouts(const std::vector<std::shared_ptr<const PjRtLayout>>& layouts,
                 ExecutableDetails* details,
                 std::vector<PJRT_Layouts_MemoryLayout*>* pointers) {
  for (const std::shared_ptr<const PjRtLayout>& layout : layouts) {
    details->layouts.push_back(std::make_unique<PJRT_Layouts_MemoryLayout>(
        layout, /*of_executable=*/true));
    pointers->push_back(details->layouts.back().get());
  }
}

std::optional<StringList> Serialized(
    const std::optional<std::vector<OpSharding>>& shardings) {
  if (!shardings.has_value()) return std::nullopt;
  StringList list;
  for (const OpSharding& sharding : *shardings) {
    list.strings.push_back(sharding.SerializeAsString());
  }
  list.Point();
  return list;  // moving it leaves the strings where they are
}

absl::StatusOr<std::unique_ptr<ExecutableDetails>> Make(
    const PjRtExecutable& executable) {
  auto details = std::make_unique<ExecutableDetails>();
  FillOutputs(executable, details.get());
  TF_ASSIGN_OR_RETURN(auto outputs, executable.GetOutputLayouts());
  FillLayouts(outputs, details.get(), &details->output_layouts);
  TF_ASSIGN_OR_RETURN(auto parameters, executable.GetParameterLayouts());
  FillLayouts(parameters, details.get(), &details->parameter_layouts);
  details->output_shardings = Serialized(executable.GetOutputShardings());
  details->parameter_shardings = Serialized(executable.GetParameterShardings());
  TF_ASSIGN_OR_RETURN(details->fingerprint, executable.FingerprintExecutable());
  return details;
}

// Requires the mutex.
absl::StatusOr<ExecutableDetails*> Find(PJRT_Executable* executable) {
  if (executable->details == nullptr) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<ExecutableDetails> details,
                        Make(*executable->executable));
    executable->details.reset(details.release());
  }
  return executable->details.get();
}

}  // namespace

void StringList::Point() {
  pointers.clear();
  sizes.clear();
  for (const std::string& text : strings) {
    pointers.push_back(text.data());
    sizes.push_back(text.size());
  }
}

void ExecutableDetailsDeleter::operator()(ExecutableDetails* details) const {
  delete details;
}

absl::StatusOr<const ExecutableDetails*> DetailsOf(
    PJRT_Executable* executable) {
  std::lock_guard<std::mutex> lock(executable->mutex);
  return Find(executable);
}

absl::StatusOr<const ExecutableDetails*> DetailsWithCosts(
    PJRT_Executable* executable) {
  std::lock_guard<std::mutex> lock(executable->mutex);
  TF_ASSIGN_OR_RETURN(ExecutableDetails * details, Find(executable));
  if (details->costs == nullptr) {
    TF_ASSIGN_OR_RETURN(const NamedValueMap costs,
                        executable->executable->GetCostAnalysis());
    details->costs = std::make_unique<NamedValues>(costs);
  }
  return details;
}

absl::StatusOr<const ExecutableDetails*> DetailsWithProgram(
    PJRT_Executable* executable) {
  std::lock_guard<std::mutex> lock(executable->mutex);
  TF_ASSIGN_OR_RETURN(ExecutableDetails * details, Find(executable));
  if (details->optimized_program.empty()) {
    details->optimized_program = OptimizedProgramOf(*executable->executable);
  }
  return details;
}

}  // namespace xla::pjrt
