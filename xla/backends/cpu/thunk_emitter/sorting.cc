// Emits sort and topk.
#include "xla/hlo/ops/movement/sorting.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/sort_order.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
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

class SortThunk : public Thunk {
 public:
  // `less` is null if the plan sorts by keys.
  SortThunk(std::string name, std::unique_ptr<const SortPlan> plan,
            KernelFunction less, std::vector<Slice> operands,
            std::vector<Slice> results)
      : Thunk(std::move(name)),
        plan_(std::move(plan)),
        less_{less, 2 * operands.size()},
        operands_(std::move(operands)),
        results_(std::move(results)) {}
  absl::string_view kind() const override { return "sort"; }

  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(operands_).Write(results_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    absl::InlinedVector<const void*, 4> inputs;
    absl::InlinedVector<void*, 4> outputs;
    for (const Slice& slice : operands_) inputs.push_back(run.At(slice));
    for (const Slice& slice : results_) outputs.push_back(run.At(slice));
    plan_->Run(inputs.data(), outputs.data(),
               less_.function == nullptr ? nullptr : Less, &less_,
               run.scratch(), run.runner());
    return ThunkResult{here + 1};
  }

 private:
  const std::unique_ptr<const SortPlan> plan_;
  const Comparator less_;
  const std::vector<Slice> operands_, results_;
};

class TopKThunk : public Thunk {
 public:
  TopKThunk(std::string name, std::unique_ptr<const TopKPlan> plan,
            Slice operand, Slice values, Slice indices)
      : Thunk(std::move(name)),
        plan_(std::move(plan)),
        operand_(operand),
        values_(values),
        indices_(indices) {}
  absl::string_view kind() const override { return "topk"; }

  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_).Write(values_).Write(indices_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    plan_->Run(run.At(operand_), run.At(values_),
               reinterpret_cast<int32_t*>(run.At(indices_)), run.scratch(),
               run.runner());
    return ThunkResult{here + 1};
  }

 private:
  const std::unique_ptr<const TopKPlan> plan_;
  const Slice operand_, values_, indices_;
};

SortDesc SortDescOf(const HloInstruction& hlo) {
  const int64_t d = hlo.attrs<SortAttrs>().dimensions[0];
  const Shape& shape = hlo.operand(0)->shape();
  SortDesc desc;
  desc.length = shape.dimensions(d);
  for (int64_t i = 0; i < d; ++i) desc.outer *= shape.dimensions(i);
  for (int64_t i = d + 1; i < shape.rank(); ++i) {
    desc.inner *= shape.dimensions(i);
  }
  for (const HloInstruction* operand : hlo.operands()) {
    desc.operands.push_back(operand->shape().element_type());
  }
  return desc;
}

// Returns the description of a sort by the keys of its comparator; nullopt if
// it has none that the kernel supports.
std::optional<SortDesc> KeyedDescOf(const HloInstruction& hlo) {
  const auto keys = SortKeysOf(*hlo.to_apply());
  if (!keys.has_value()) return std::nullopt;
  SortDesc desc = SortDescOf(hlo);
  desc.keys.assign(keys->begin(), keys->end());
  if (!CheckSort(desc).ok()) return std::nullopt;
  return desc;
}

}  // namespace

bool SortsByKeys(const HloInstruction& hlo) {
  return KeyedDescOf(hlo).has_value();
}

ThunkOr EmitSortThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  std::optional<SortDesc> desc = KeyedDescOf(hlo);
  KernelFunction less = nullptr;
  if (!desc.has_value()) {
    desc = SortDescOf(hlo);
    if (const absl::Status status = CheckSort(*desc); !status.ok()) {
      return AddStatus(status, hlo.name());
    }
    TF_ASSIGN_OR_RETURN(less, context.KernelOf(hlo));
  }
  std::vector<Slice> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(operands.emplace_back(), context.SliceOf(*operand, 0));
  }
  TF_ASSIGN_OR_RETURN(std::vector<Slice> results, SlicesOf(hlo, context));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const SortPlan> plan,
                      SortPlan::Make(*desc, context.kernel_target()));
  return std::make_unique<SortThunk>(hlo.name(), std::move(plan), less,
                                     std::move(operands), std::move(results));
}

namespace {

TopKDesc DescOfTopK(const HloInstruction& hlo) {
  const auto& attrs = hlo.attrs<TopKAttrs>();
  const Shape& shape = hlo.operand(0)->shape();
  TopKDesc desc;
  desc.type = shape.element_type();
  desc.order = primitive_util::IsFloatingPointType(desc.type)
                   ? SortOrder::kFloatTotal
                   : SortOrder::kInteger;
  desc.largest = attrs.largest;
  desc.k = attrs.k;
  desc.length = shape.dimensions(shape.rank() - 1);
  for (int64_t i = 0; i + 1 < shape.rank(); ++i) {
    desc.rows *= shape.dimensions(i);
  }
  return desc;
}

}  // namespace

bool HasTopKKernel(const HloInstruction& topk) {
  return CheckTopK(DescOfTopK(topk)).ok();
}

ThunkOr EmitTopKThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  absl::StatusOr<std::unique_ptr<const TopKPlan>> plan =
      TopKPlan::Make(DescOfTopK(hlo), context.kernel_target());
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  TF_ASSIGN_OR_RETURN(const Slice operand, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(const Slice values, context.SliceOf(hlo, 0));
  TF_ASSIGN_OR_RETURN(const Slice indices, context.SliceOf(hlo, 1));
  return std::make_unique<TopKThunk>(hlo.name(), *std::move(plan), operand,
                                     values, indices);
}

}  // namespace xla::cpu
