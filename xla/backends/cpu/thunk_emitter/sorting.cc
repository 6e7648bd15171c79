// Emits sort and topk.
#include "xla/hlo/ops/movement/sorting.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/sort_order.h"
#include "xla/backends/cpu/thunks/library/sort_thunks.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

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
  SortThunk::Spec spec;
  std::optional<SortDesc> keyed = KeyedDescOf(hlo);
  if (keyed.has_value()) {
    spec.desc = *std::move(keyed);
  } else {
    spec.desc = SortDescOf(hlo);
    if (const absl::Status status = CheckSort(spec.desc); !status.ok()) {
      return AddStatus(status, hlo.name());
    }
    TF_ASSIGN_OR_RETURN(spec.less, context.KernelOf(hlo));
  }
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(spec.operands.emplace_back(),
                        context.SliceOf(*operand, 0));
  }
  TF_ASSIGN_OR_RETURN(spec.results, SlicesOf(hlo, context));
  spec.target = context.kernel_target();
  return SortThunk::Make(hlo.name(), std::move(spec));
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
  TopKThunk::Spec spec;
  spec.desc = DescOfTopK(hlo);
  spec.target = context.kernel_target();
  TF_ASSIGN_OR_RETURN(spec.operand, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(spec.values, context.SliceOf(hlo, 0));
  TF_ASSIGN_OR_RETURN(spec.indices, context.SliceOf(hlo, 1));
  ThunkOr thunk = TopKThunk::Make(hlo.name(), std::move(spec));
  if (!thunk.ok()) return AddStatus(thunk.status(), hlo.name());
  return thunk;
}

}  // namespace xla::cpu
