// Lists the library ops, and emits the few that only copy.
#include "xla/backends/cpu/thunk_emitter/library_ops.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/analysis/cpu_opcode_groups.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/product_in_fusion.h"
#include "xla/backends/cpu/thunks/device_thunks.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/transforms/random/rng_expander.h"

namespace xla::cpu {
namespace {

ThunkOr EmitDeviceNumberThunk(const HloInstruction& hlo,
                              DeviceNumberThunk::Which which,
                              const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
  return std::make_unique<DeviceNumberThunk>(hlo.name(), which, slice);
}

ThunkOr EmitRngStateThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
  return std::make_unique<RngStateThunk>(
      hlo.name(), hlo.attrs<RngGetAndUpdateStateAttrs>().delta, slice);
}

ThunkOr EmitCustomCallThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  const CustomCallAttrs& attrs = hlo.attrs<CustomCallAttrs>();
  if (attrs.custom_call_target == kRandomKeyTarget &&
      ShapeUtil::Compatible(hlo.shape(), ShapeUtil::MakeShape(U64, {}))) {
    TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
    return std::make_unique<RandomKeyThunk>(hlo.name(), slice);
  }
  return attrs.api_version == API_VERSION_TYPED_FFI
             ? EmitTypedCallThunk(hlo, context)
             : EmitUntypedCallThunk(hlo, context);
}

ThunkOr EmitProductThunk(const HloInstruction& hlo,
                         const ThunkEmitterContext& context) {
  const ProductInFusion product(hlo);
  return product.hlo().opcode() == HloOpcode::kDot
             ? EmitDotThunk(product, context)
             : EmitConvolutionThunk(product, context);
}

ThunkOr EmitPlainDotThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context) {
  return EmitDotThunk(ProductInFusion(hlo), context);
}

ThunkOr EmitPlainConvolutionThunk(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context) {
  return EmitConvolutionThunk(ProductInFusion(hlo), context);
}

ThunkOr EmitPartitionIdThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context) {
  return EmitDeviceNumberThunk(hlo, DeviceNumberThunk::Which::kPartition,
                               context);
}

ThunkOr EmitReplicaIdThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  return EmitDeviceNumberThunk(hlo, DeviceNumberThunk::Which::kReplica,
                               context);
}

ThunkOr EmitNothing(const HloInstruction&, const ThunkEmitterContext&) {
  return nullptr;
}

using Emitter = ThunkOr (*)(const HloInstruction& hlo,
                            const ThunkEmitterContext& context);

// Returns the function that makes a thunk of an instruction; null if it is no
// library op.
Emitter EmitterOf(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kDot:
      return &EmitPlainDotThunk;
    case HloOpcode::kConvolution:
      return &EmitPlainConvolutionThunk;
    case HloOpcode::kFft:
      return &EmitFftThunk;
    case HloOpcode::kSort:
      return &EmitSortThunk;
    case HloOpcode::kTopK:
      return &EmitTopKThunk;
    case HloOpcode::kCholesky:
      return &EmitCholeskyThunk;
    case HloOpcode::kTriangularSolve:
      return &EmitTriangularSolveThunk;
    case HloOpcode::kCustomCall:
      return &EmitCustomCallThunk;
    // Native code computes the others.
    case XLA_MOVEMENT_OPCODES:
      return HasManyParts(hlo) ? &EmitConcatenateThunk : nullptr;
    case HloOpcode::kFusion:
      if (FusedAttention(hlo).has_value()) return &EmitAttentionThunk;
      if (FusedDotInPlace(hlo).has_value()) return &EmitDotInPlaceThunk;
      return IsProductFusion(hlo) ? &EmitProductThunk : nullptr;
    case HloOpcode::kAllGather:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kReduceScatter:
      return &EmitCollectiveThunk;
    // The pass latency-hiding-scheduler makes these, of collectives.
    case HloOpcode::kAsyncStart:
      return &EmitCollectiveStartThunk;
    case HloOpcode::kAsyncDone:
      return &EmitCollectiveDoneThunk;
    case HloOpcode::kPartitionId:
      return &EmitPartitionIdThunk;
    case HloOpcode::kReplicaId:
      return &EmitReplicaIdThunk;
    case HloOpcode::kRngGetAndUpdateState:
      return &EmitRngStateThunk;
    case HloOpcode::kGetDimensionSize:
      return &EmitGetDimensionSizeThunk;
    case HloOpcode::kSetDimensionSize:
      return &EmitSetDimensionSizeThunk;
    case HloOpcode::kInfeed:
      return &EmitInfeedThunk;
    case HloOpcode::kOutfeed:
      return &EmitOutfeedThunk;
    case HloOpcode::kSend:
      return &EmitSendThunk;
    case HloOpcode::kRecv:
      return &EmitRecvThunk;
    case HloOpcode::kRecvDone:
      return &EmitRecvDoneThunk;
    case HloOpcode::kSendDone:
      return &EmitNothing;
    // These only name, bundle or order values in memory.
    case XLA_NO_CODE_OPCODES:
      return nullptr;
    // The thunk planner makes jumps of loops and conditionals.
    case HloOpcode::kConditional:
    case HloOpcode::kWhile:
      return nullptr;
    // Native code computes these (codegen/plans/work.cc).
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kIota:
    case HloOpcode::kMap:
    case XLA_REDUCTION_OPCODES:
    case HloOpcode::kReshape:
    case HloOpcode::kScatter:
      return nullptr;
    // Passes make other ops of them, inline calls, and make what is
    // asynchronous synchronous.
    case XLA_CPU_EXPANDED_OPCODES:
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kCall:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kCollectivePermuteStart:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

bool IsLibraryOp(const HloInstruction& hlo) {
  return EmitterOf(hlo) != nullptr;
}

std::vector<NativeKernel> NativeKernelsOf(const HloInstruction& hlo) {
  if (FusedAttention(hlo).has_value()) return {NativeRowsOf(hlo)};
  if (IsProductFusion(hlo)) return NativeKernelsOfProduct(hlo);
  switch (hlo.opcode()) {
    case HloOpcode::kAllReduce:
    case HloOpcode::kReduceScatter:
      return {{.mapped = hlo.to_apply()}};
    case HloOpcode::kAsyncStart:
      return NativeKernelsOf(*hlo.called_computations()[0]->root_instruction());
    case HloOpcode::kSort:
      if (SortsByKeys(hlo)) return {};
      return {{.mapped = hlo.to_apply()}};
    default:
      return {};
  }
}

ThunkOr EmitLibraryThunk(const HloInstruction& hlo,
                         const ThunkEmitterContext& context) {
  if (const Emitter emit = EmitterOf(hlo)) return emit(hlo, context);
  return absl::InternalError(absl::StrCat(
      hlo.name(), ": ", hlo.def().name.data(), " is not an op of the library"));
}

absl::StatusOr<std::vector<Slice>> SlicesOf(
    const HloInstruction& hlo, int64_t first, int64_t count,
    const ThunkEmitterContext& context) {
  std::vector<Slice> slices;
  for (int64_t leaf = first; leaf < first + count; ++leaf) {
    TF_ASSIGN_OR_RETURN(slices.emplace_back(), context.SliceOf(hlo, leaf));
  }
  return slices;
}

absl::StatusOr<std::vector<Slice>> SlicesOf(
    const HloInstruction& hlo, const ThunkEmitterContext& context) {
  return SlicesOf(hlo, 0, LeafCount(hlo.shape()), context);
}

absl::Status CheckCanonical(const HloInstruction& hlo) {
  const auto check = [&](const Shape& shape) -> absl::Status {
    for (const Shape* leaf : Leaves(shape)) {
      if (!leaf->IsArray()) continue;
      if (leaf->is_static() &&
          (!leaf->has_layout() ||
           LayoutUtil::IsMonotonicWithDim0Major(leaf->layout()))) {
        continue;
      }
      return absl::UnimplementedError(absl::StrCat(
          hlo.name(), ": ", hlo.def().name.data(),
          " takes static row-major arrays, not ", leaf->ToString()));
    }
    return absl::OkStatus();
  };
  TF_RETURN_IF_ERROR(check(hlo.shape()));
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(check(operand->shape()));
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
