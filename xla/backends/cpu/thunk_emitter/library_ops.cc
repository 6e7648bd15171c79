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
#include "xla/backends/cpu/thunk_emitter/families.h"
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

// Copies the leaves of the operand from number `first` on to the result.
ThunkOr LowerPartOfOperand(const HloInstruction& hlo, int64_t first,
                           const ThunkEmitterContext& context) {
  const int64_t count = LeafCount(hlo.shape());
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> from,
                      SlicesOf(*hlo.operand(0), first, count, context));
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> to, SlicesOf(hlo, context));
  std::vector<CopyThunk::Move> moves;
  for (int64_t i = 0; i < count; ++i) {
    if (from[i] != to[i] && to[i].size > 0) {
      moves.push_back({from[i], to[i]});
    }
  }
  if (moves.empty()) return nullptr;
  return std::make_unique<CopyThunk>(hlo.name(), std::move(moves));
}

// T -> (T, T, u32[]).
ThunkOr EmitCopyStartThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  const int64_t count = LeafCount(hlo.operand(0)->shape());
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> from,
                      SlicesOf(*hlo.operand(0), context));
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> to, SlicesOf(hlo, context));
  std::vector<CopyThunk::Move> moves;
  for (int64_t i = 0; i < 2 * count; ++i) {
    if (from[i % count] != to[i] && to[i].size > 0) {
      moves.push_back({from[i % count], to[i]});
    }
  }
  // If nothing needs a copy, no thunk is made.
  if (moves.empty()) return nullptr;
  return std::make_unique<CopyThunk>(hlo.name(), std::move(moves));
}

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

ThunkOr EmitFirstPartThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  return LowerPartOfOperand(hlo, 0, context);
}

// (operands, results, ...) -> results.
ThunkOr EmitSecondPartThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context) {
  return LowerPartOfOperand(
      hlo, LeafCount(hlo.operand(0)->shape().tuple_shapes(0)), context);
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
      return &EmitDotThunk;
    case HloOpcode::kConvolution:
      return &EmitConvolutionThunk;
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
      return IsAttentionFusion(hlo) ? &EmitAttentionThunk : nullptr;
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kReduceScatter:
      return &EmitCollectiveThunk;
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
      return &EmitSecondPartThunk;
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kCopyDone:
      return &EmitFirstPartThunk;
    case HloOpcode::kCopyStart:
      return &EmitCopyStartThunk;
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
    // The thunk planner makes jumps of loops and conditionals. Passes inline
    // calls and make async ops synchronous.
    case XLA_CONTROL_OPCODES:
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
    // Passes make other ops of them.
    case XLA_CPU_EXPANDED_OPCODES:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

bool IsLibraryOp(const HloInstruction& hlo) {
  return EmitterOf(hlo) != nullptr;
}

NativeKernel NativeKernelOf(const HloInstruction& hlo) {
  if (IsAttentionFusion(hlo)) return NativeRowsOf(hlo);
  switch (hlo.opcode()) {
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return {.mapped = hlo.to_apply()};
    case HloOpcode::kSort:
      return {.mapped = SortsByKeys(hlo) ? nullptr : hlo.to_apply()};
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
