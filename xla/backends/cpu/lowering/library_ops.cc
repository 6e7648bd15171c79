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
#include "xla/hlo/ops/opcode_groups.h"
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

StepOr LowerFirstPart(const HloInstruction& hlo,
                      const LoweringContext& context) {
  return LowerPartOfOperand(hlo, 0, context);
}

// (operands, results, ...) -> results.
StepOr LowerSecondPart(const HloInstruction& hlo,
                       const LoweringContext& context) {
  return LowerPartOfOperand(
      hlo, LeafCount(hlo.operand(0)->shape().tuple_shapes(0)), context);
}

StepOr LowerPartitionId(const HloInstruction& hlo,
                        const LoweringContext& context) {
  return LowerDeviceNumber(hlo, DeviceNumberStep::Which::kPartition, context);
}

StepOr LowerReplicaId(const HloInstruction& hlo,
                      const LoweringContext& context) {
  return LowerDeviceNumber(hlo, DeviceNumberStep::Which::kReplica, context);
}

StepOr LowerNothing(const HloInstruction&, const LoweringContext&) {
  return nullptr;
}

using Lowering = StepOr (*)(const HloInstruction& hlo,
                            const LoweringContext& context);

// How an instruction becomes a step; null if it is no library op.
Lowering LoweringOf(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kDot:
      return &LowerDot;
    case HloOpcode::kConvolution:
      return &LowerConvolution;
    case HloOpcode::kFft:
      return &LowerFft;
    case HloOpcode::kSort:
      return &LowerSort;
    case HloOpcode::kTopK:
      return &LowerTopK;
    case HloOpcode::kCholesky:
      return &LowerCholesky;
    case HloOpcode::kTriangularSolve:
      return &LowerTriangularSolve;
    case HloOpcode::kCustomCall:
      return &LowerCustomCall;
    // Native code computes the others.
    case XLA_MOVEMENT_OPCODES:
      return HasManyParts(hlo) ? &LowerConcatenate : nullptr;
    case HloOpcode::kFusion:
      return IsRowBlockFusion(hlo) ? &LowerRowBlocks : nullptr;
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
      return &LowerCollective;
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
      return &LowerSecondPart;
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kCopyDone:
      return &LowerFirstPart;
    case HloOpcode::kCopyStart:
      return &LowerCopyStart;
    case HloOpcode::kPartitionId:
      return &LowerPartitionId;
    case HloOpcode::kReplicaId:
      return &LowerReplicaId;
    case HloOpcode::kRngGetAndUpdateState:
      return &LowerRngState;
    case HloOpcode::kGetDimensionSize:
      return &LowerGetDimensionSize;
    case HloOpcode::kSetDimensionSize:
      return &LowerSetDimensionSize;
    case HloOpcode::kInfeed:
      return &LowerInfeed;
    case HloOpcode::kOutfeed:
      return &LowerOutfeed;
    case HloOpcode::kSend:
      return &LowerSend;
    case HloOpcode::kRecv:
      return &LowerRecv;
    case HloOpcode::kRecvDone:
      return &LowerRecvDone;
    case HloOpcode::kSendDone:
      return &LowerNothing;
    // They name, bundle or order what is in memory.
    case XLA_NO_CODE_OPCODES:
      return nullptr;
    // The step planner makes jumps of loops and conditionals. Passes inline
    // calls and make async ops synchronous.
    case XLA_CONTROL_OPCODES:
      return nullptr;
    // Native code computes them (codegen/plans/work.cc).
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kIota:
    case HloOpcode::kMap:
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kReshape:
    case HloOpcode::kScatter:
      return nullptr;
    // Passes make other ops of them.
    case HloOpcode::kBatchNormGrad:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kRng:
    case HloOpcode::kRngBitGenerator:
    case HloOpcode::kScaledDot:
    case HloOpcode::kScan:
    case HloOpcode::kSelectAndScatter:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

bool IsLibraryOp(const HloInstruction& hlo) {
  return LoweringOf(hlo) != nullptr;
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
  if (const Lowering lower = LoweringOf(hlo)) return lower(hlo, context);
  return absl::InternalError(absl::StrCat(
      hlo.name(), ": ", hlo.def().name.data(), " is not an op of the library"));
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
