// The list of library ops, and the few that only copy.
#include "xla/backends/cpu/lowering/library_ops.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/lowering/families.h"
#include "xla/backends/cpu/steps/device_steps.h"
#include "xla/backends/cpu/steps/kernel_step.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/transforms/fuse/fusion_costs.h"
#include "xla/hlo/transforms/fuse/row_blocks.h"
#include "xla/hlo/transforms/random/rng_expander.h"

namespace xla::cpu {
namespace {

// The leaves of the operand from number `first` on become the result.
StepOr LowerPartOfOperand(const HloInstruction& hlo, int64_t first,
                          const LoweringContext& context) {
  const int64_t count = LeafCount(hlo.shape());
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> from,
                      SlicesOf(*hlo.operand(0), first, count, context));
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> to, SlicesOf(hlo, context));
  std::vector<CopyStep::Move> moves;
  for (int64_t i = 0; i < count; ++i) {
    if (from[i] != to[i] && to[i].size > 0) {
      moves.push_back({from[i], to[i]});
    }
  }
  if (moves.empty()) return nullptr;
  return std::make_unique<CopyStep>(hlo.name(), std::move(moves));
}

// T -> (T, T, u32[]).
StepOr LowerCopyStart(const HloInstruction& hlo,
                      const LoweringContext& context) {
  const int64_t count = LeafCount(hlo.operand(0)->shape());
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> from,
                      SlicesOf(*hlo.operand(0), context));
  TF_ASSIGN_OR_RETURN(const std::vector<Slice> to, SlicesOf(hlo, context));
  std::vector<CopyStep::Move> moves;
  for (int64_t i = 0; i < 2 * count; ++i) {
    if (from[i % count] != to[i] && to[i].size > 0) {
      moves.push_back({from[i % count], to[i]});
    }
  }
  // Nobody reads the context.
  if (moves.empty()) return nullptr;
  return std::make_unique<CopyStep>(hlo.name(), std::move(moves));
}

StepOr LowerDeviceNumber(const HloInstruction& hlo,
                         DeviceNumberStep::Which which,
                         const LoweringContext& context) {
  TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
  return std::make_unique<DeviceNumberStep>(hlo.name(), which, slice);
}

StepOr LowerRngState(const HloInstruction& hlo,
                     const LoweringContext& context) {
  TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
  return std::make_unique<RngStateStep>(
      hlo.name(), hlo.attrs<RngGetAndUpdateStateAttrs>().delta, slice);
}

StepOr LowerCustomCall(const HloInstruction& hlo,
                       const LoweringContext& context) {
  const CustomCallAttrs& attrs = hlo.attrs<CustomCallAttrs>();
  if (attrs.custom_call_target == kRandomKeyTarget &&
      ShapeUtil::Compatible(hlo.shape(), ShapeUtil::MakeShape(U64, {}))) {
    TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(hlo, 0));
    return std::make_unique<RandomKeyStep>(hlo.name(), slice);
  }
  return attrs.api_version == API_VERSION_TYPED_FFI
             ? LowerTypedCall(hlo, context)
             : LowerUntypedCall(hlo, context);
}

}  // namespace

bool IsLibraryOp(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kDot:
    case HloOpcode::kConvolution:
    case HloOpcode::kFft:
    case HloOpcode::kSort:
    case HloOpcode::kTopK:
    case HloOpcode::kCholesky:
    case HloOpcode::kTriangularSolve:
    case HloOpcode::kCustomCall:
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAllToAll:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kPartitionId:
    case HloOpcode::kReplicaId:
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
    case HloOpcode::kSend:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecv:
    case HloOpcode::kRecvDone:
    case HloOpcode::kCopyStart:
    case HloOpcode::kCopyDone:
    case HloOpcode::kRngGetAndUpdateState:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kSetDimensionSize:
      return true;
    case HloOpcode::kConcatenate:
      return HasManyParts(hlo);
    case HloOpcode::kFusion:
      return IsRowBlockFusion(hlo);
    default:
      return false;
  }
}

const HloComputation* NativeComputationOf(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return hlo.to_apply();
    case HloOpcode::kSort:
      return SortsByKeys(hlo) ? nullptr : hlo.to_apply();
    default:
      return nullptr;
  }
}

StepOr LowerLibraryOp(const HloInstruction& hlo,
                      const LoweringContext& context) {
  switch (hlo.opcode()) {
    case HloOpcode::kDot:
      return LowerDot(hlo, context);
    case HloOpcode::kFusion:
      return LowerRowBlocks(hlo, context);
    case HloOpcode::kConcatenate:
      return LowerConcatenate(hlo, context);
    case HloOpcode::kConvolution:
      return LowerConvolution(hlo, context);
    case HloOpcode::kFft:
      return LowerFft(hlo, context);
    case HloOpcode::kSort:
      return LowerSort(hlo, context);
    case HloOpcode::kTopK:
      return LowerTopK(hlo, context);
    case HloOpcode::kCholesky:
      return LowerCholesky(hlo, context);
    case HloOpcode::kTriangularSolve:
      return LowerTriangularSolve(hlo, context);
    case HloOpcode::kCustomCall:
      return LowerCustomCall(hlo, context);
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllToAll:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kRaggedAllToAll:
      return LowerCollective(hlo, context);
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
      return LowerPartOfOperand(
          hlo, LeafCount(hlo.operand(0)->shape().tuple_shapes(0)), context);
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kCopyDone:
      return LowerPartOfOperand(hlo, 0, context);
    case HloOpcode::kPartitionId:
      return LowerDeviceNumber(hlo, DeviceNumberStep::Which::kPartition,
                               context);
    case HloOpcode::kReplicaId:
      return LowerDeviceNumber(hlo, DeviceNumberStep::Which::kReplica, context);
    case HloOpcode::kInfeed:
      return LowerInfeed(hlo, context);
    case HloOpcode::kOutfeed:
      return LowerOutfeed(hlo, context);
    case HloOpcode::kSend:
      return LowerSend(hlo, context);
    case HloOpcode::kSendDone:
      return nullptr;
    case HloOpcode::kRecv:
      return LowerRecv(hlo, context);
    case HloOpcode::kRecvDone:
      return LowerRecvDone(hlo, context);
    case HloOpcode::kCopyStart:
      return LowerCopyStart(hlo, context);
    case HloOpcode::kRngGetAndUpdateState:
      return LowerRngState(hlo, context);
    case HloOpcode::kGetDimensionSize:
      return LowerGetDimensionSize(hlo, context);
    case HloOpcode::kSetDimensionSize:
      return LowerSetDimensionSize(hlo, context);
    default:
      return absl::InternalError(absl::StrCat(hlo.name(), ": ",
                                              hlo.def().name.data(),
                                              " is not an op of the library"));
  }
}

absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            int64_t first, int64_t count,
                                            const LoweringContext& context) {
  std::vector<Slice> slices;
  for (int64_t leaf = first; leaf < first + count; ++leaf) {
    TF_ASSIGN_OR_RETURN(slices.emplace_back(), context.SliceOf(hlo, leaf));
  }
  return slices;
}

absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            const LoweringContext& context) {
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
