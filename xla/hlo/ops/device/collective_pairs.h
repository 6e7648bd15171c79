// The asynchronous forms of collectives: a start, and the done that waits for
// its results. Their shape rules stand with those of the ops, in
// collectives.cc.
#ifndef XLA_HLO_OPS_DEVICE_COLLECTIVE_PAIRS_H_
#define XLA_HLO_OPS_DEVICE_COLLECTIVE_PAIRS_H_

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

// Whether all devices of its groups take part in it at once: a collective, or
// the start of one.
constexpr bool IsCollective(HloOpcode op) {
  switch (op) {
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
      return true;
    default:
      return false;
  }
}

// all-gather-start: (operands, results), each a tuple if there are
// several; all-reduce-start: as all-reduce; collective-permute-start:
// (operands, results, u32[] contexts...), in place (input, result,
// contexts...). Errors: those of the op itself, all_gather_start_c1,
// collective_permute_start_c1, _c2.
absl::StatusOr<Shape> InferAllGatherStart(const InferArgs& args,
                                          const AllGatherAttrs& attrs);
absl::StatusOr<Shape> InferAllGatherDone(const InferArgs& args);
absl::StatusOr<Shape> InferAllReduceDone(const InferArgs& args);
absl::StatusOr<Shape> InferCollectivePermuteStart(
    const InferArgs& args, const CollectivePermuteAttrs& attrs);
absl::StatusOr<Shape> InferCollectivePermuteDone(const InferArgs& args);
inline constexpr OpDef kAllGatherStart = {
    .opcode = HloOpcode::kAllGatherStart,
    .name = "all-gather-start",
    .operands = {"operands..."},
    .attrs = AttrsOf<AllGatherAttrs>(),
    .infer = Infer<AllGatherAttrs, InferAllGatherStart>(),
    .declares_shape = true,
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Starts an all-gather.",
    .section = "AllGather",
};

inline constexpr OpDef kAllGatherDone = {
    .opcode = HloOpcode::kAllGatherDone,
    .name = "all-gather-done",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferAllGatherDone>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "The results of an all-gather-start.",
    .section = "AllGather",
};

inline constexpr OpDef kAllReduceStart = {
    .opcode = HloOpcode::kAllReduceStart,
    .name = "all-reduce-start",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<AllReduceAttrs>(),
    .infer = Infer<AllReduceAttrs, InferAllReduce>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Starts an all-reduce.",
    .section = "AllReduce",
};

inline constexpr OpDef kAllReduceDone = {
    .opcode = HloOpcode::kAllReduceDone,
    .name = "all-reduce-done",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferAllReduceDone>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "The results of an all-reduce-start.",
    .section = "AllReduce",
};

inline constexpr OpDef kCollectivePermuteStart = {
    .opcode = HloOpcode::kCollectivePermuteStart,
    .name = "collective-permute-start",
    .operands = {"operands..."},
    .attrs = AttrsOf<CollectivePermuteAttrs>(),
    .infer = Infer<CollectivePermuteAttrs, InferCollectivePermuteStart>(),
    .declares_shape = true,
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Starts a collective-permute.",
    .section = "CollectivePermute",
};

inline constexpr OpDef kCollectivePermuteDone = {
    .opcode = HloOpcode::kCollectivePermuteDone,
    .name = "collective-permute-done",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferCollectivePermuteDone>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "The results of a collective-permute-start.",
    .section = "CollectivePermute",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_COLLECTIVE_PAIRS_H_
