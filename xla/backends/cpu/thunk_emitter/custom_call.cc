// Emits custom calls of the API versions before typed FFI: f(out, in) on plain
// pointers, with tuples as arrays of pointers.
#include "xla/hlo/evaluator/custom_call.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "xla/backends/array_memory.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/thunk_emitter/call_buffers.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla::cpu {
namespace {

// Makes a pointer to elements, or to an array of such pointers, and owns the
// arrays.
class PointerTables {
 public:
  void* Add(const Shape& shape, absl::Span<void* const> leaves, size_t& next) {
    if (!shape.IsTuple()) return leaves[next++];
    auto table = std::make_unique<std::vector<void*>>();
    for (const Shape& part : shape.tuple_shapes()) {
      table->push_back(Add(part, leaves, next));
    }
    tables_.push_back(std::move(table));
    return tables_.back()->data();
  }

 private:
  std::vector<std::unique_ptr<std::vector<void*>>> tables_;
};

class UntypedCallThunk : public Thunk {
 public:
  UntypedCallThunk(const HloInstruction& hlo, void* target,
                   std::vector<CallLeaf> operands,
                   std::vector<CallLeaf> results)
      : Thunk(hlo.name()),
        hlo_(hlo),
        target_(target),
        operands_(std::move(operands)),
        results_(std::move(results)) {}
  absl::string_view kind() const override { return "custom-call"; }

  BufferUses buffer_uses() const override {
    return UsesOf(operands_, results_);
  }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    void* target = target_;
    if (target == nullptr) {
      TF_ASSIGN_OR_RETURN(
          target, FindCustomCallTarget(
                      hlo_.attrs<CustomCallAttrs>().custom_call_target));
    }
    CallBuffers buffers(run, operands_, results_, /*pack=*/false);
    PointerTables tables;
    std::vector<const void*> in;
    size_t next = 0;
    for (const HloInstruction* operand : hlo_.operands()) {
      in.push_back(tables.Add(operand->shape(), buffers.operands(), next));
    }
    next = 0;
    void* out = tables.Add(hlo_.shape(), buffers.results(), next);
    {
      HostWait wait(run.group().scheduler());
      TF_RETURN_IF_ERROR(CallCustomCallTarget(hlo_, target, out, in.data()));
    }
    buffers.Finish();
    // The target does not know dynamic sizes.
    for (const CallLeaf& result : results_) {
      if (!result.actual.IsArray() || result.actual.is_static()) continue;
      WriteDynamicSizes(result.actual.dimensions(), result.actual,
                        run.At(result.slice));
    }
    return ThunkResult{here + 1};
  }

 private:
  const HloInstruction& hlo_;
  void* const target_;  // null if there was none at compile time
  const std::vector<CallLeaf> operands_;
  const std::vector<CallLeaf> results_;
};

// Returns the leaves of `hlo` for a target that takes them as `wanted` says.
absl::Status AddLeaves(const HloInstruction& hlo, const Shape& wanted,
                       const ThunkEmitterContext& context,
                       std::vector<CallLeaf>& leaves) {
  const Shape shape = LayoutUtil::HasLayout(hlo.shape())
                          ? hlo.shape()
                          : LayoutUtil::GetWithDefaultLayout(hlo.shape());
  const std::vector<const Shape*> actual = Leaves(shape);
  const std::vector<const Shape*> target = Leaves(wanted);
  TF_RET_CHECK(actual.size() == target.size()) << hlo.name();
  for (size_t i = 0; i < actual.size(); ++i) {
    CallLeaf& leaf = leaves.emplace_back();
    leaf.actual = *actual[i];
    leaf.wanted = *target[i];
    TF_ASSIGN_OR_RETURN(leaf.slice, context.SliceOf(hlo, i));
  }
  return absl::OkStatus();
}

}  // namespace

ThunkOr EmitUntypedCallThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context) {
  const auto& attrs = hlo.attrs<CustomCallAttrs>();
  const auto& constraints = attrs.operand_layout_constraints;
  std::vector<CallLeaf> operands, results;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    const HloInstruction& operand = *hlo.operand(i);
    TF_RETURN_IF_ERROR(
        AddLeaves(operand, LayoutUtil::GetWithDefaultLayout(operand.shape()),
                  context, operands));
    if (!constraints.has_value()) continue;
    const std::vector<const Shape*> wanted = Leaves((*constraints)[i]);
    TF_RET_CHECK(wanted.size() <= operands.size()) << hlo.name();
    for (size_t j = 0; j < wanted.size(); ++j) {
      operands[operands.size() - wanted.size() + j].wanted = *wanted[j];
    }
  }
  // The layout of the result is meaningful only if those of the operands are.
  const bool laid_out =
      constraints.has_value() && LayoutUtil::HasLayout(hlo.shape());
  TF_RETURN_IF_ERROR(AddLeaves(
      hlo,
      laid_out ? hlo.shape() : LayoutUtil::GetWithDefaultLayout(hlo.shape()),
      context, results));
  void* target =
      FindCustomCallTarget(attrs.custom_call_target).value_or(nullptr);
  return std::make_unique<UntypedCallThunk>(hlo, target, std::move(operands),
                                            std::move(results));
}

}  // namespace xla::cpu
