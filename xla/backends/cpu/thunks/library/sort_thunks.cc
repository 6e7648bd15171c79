// Runs plans of sorts.
#include "xla/backends/cpu/thunks/library/sort_thunks.h"

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, SortThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.less, spec.operands, spec.results);
}

template <typename Archive>
void Fields(Archive& archive, TopKThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.operand, spec.values, spec.indices);
}

namespace {

// A compiled comparator.
struct Comparator {
  KernelFunction function;
  size_t parameters;
};

bool Less(const void* context, const void* const* pairs) {
  const auto& comparator = *static_cast<const Comparator*>(context);
  bool result = false;
  absl::InlinedVector<char*, 9> arrays;
  for (size_t i = 0; i < comparator.parameters; ++i) {
    arrays.push_back(static_cast<char*>(const_cast<void*>(pairs[i])));
  }
  arrays.push_back(reinterpret_cast<char*>(&result));
  comparator.function(arrays.data(), 0, 1);
  return result;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> SortThunk::Make(std::string name,
                                                       Spec spec) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const SortPlan> plan,
                      SortPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(
      new SortThunk(std::move(name), std::move(spec), std::move(plan)));
}

absl::Status SortThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kSort, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> SortThunk::Read(std::string name,
                                                       ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  return Make(std::move(name), std::move(spec));
}

absl::StatusOr<ThunkResult> SortThunk::Run(DeviceRun& run, int64_t here) const {
  absl::InlinedVector<const void*, 4> inputs;
  absl::InlinedVector<void*, 4> outputs;
  for (const Slice& slice : spec_.operands) inputs.push_back(run.At(slice));
  for (const Slice& slice : spec_.results) outputs.push_back(run.At(slice));
  const Comparator less = {spec_.less, 2 * spec_.operands.size()};
  plan_->Run(inputs.data(), outputs.data(),
             less.function == nullptr ? nullptr : Less, &less, run.scratch(),
             run.runner());
  return ThunkResult{here + 1};
}

absl::StatusOr<std::unique_ptr<Thunk>> TopKThunk::Make(std::string name,
                                                       Spec spec) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const TopKPlan> plan,
                      TopKPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(
      new TopKThunk(std::move(name), std::move(spec), std::move(plan)));
}

absl::Status TopKThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kTopK, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> TopKThunk::Read(std::string name,
                                                       ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  return Make(std::move(name), std::move(spec));
}

absl::StatusOr<ThunkResult> TopKThunk::Run(DeviceRun& run, int64_t here) const {
  plan_->Run(run.At(spec_.operand), run.At(spec_.values),
             reinterpret_cast<int32_t*>(run.At(spec_.indices)), run.scratch(),
             run.runner());
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
