// The rules by opcode.
#include "xla/hlo/analysis/values/forwarding.h"

#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"

namespace xla {
namespace {

bool IsTupleAt(const HloInstruction& hlo, const ShapeIndex& index) {
  return ShapeUtil::GetSubshape(hlo.shape(), index).IsTuple();
}

bool IsInPlace(const HloInstruction& start) {
  return start.opcode() == HloOpcode::kCollectivePermuteStart &&
         !start.attrs<CollectivePermuteAttrs>().slice_sizes.empty();
}

// The result of a collective's start is (operands, results, ...), where several
// operands are a tuple; the operands of a permute in place are an input, an
// output and where the slices begin.
std::optional<HloOperandIndex> StartedOperand(const HloInstruction& start,
                                              const ShapeIndex& index) {
  if (index.empty() || index[0] != 0 || IsTupleAt(start, index)) {
    return std::nullopt;
  }
  if (start.operand_count() > 1 && index.size() > 1 && !IsInPlace(start)) {
    return HloOperandIndex{index[1], Without(index, 2)};
  }
  return HloOperandIndex{0, Without(index, 1)};
}

std::optional<HloOperandIndex> DoneResult(const HloInstruction& done,
                                          const ShapeIndex& index) {
  if (IsTupleAt(done, index)) return std::nullopt;
  return HloOperandIndex{0, Inside(1, index)};
}

std::optional<HloOperandIndex> DeclaredByFusion(const HloInstruction& fusion,
                                                const ShapeIndex& index) {
  for (const OutputOperandAlias& alias :
       fusion.attrs<FusionAttrs>().output_to_operand_aliasing) {
    if (alias.output_index == index) {
      return HloOperandIndex{alias.operand_number, alias.operand_index};
    }
  }
  return std::nullopt;
}

std::optional<HloOperandIndex> ForwardedByAsync(const HloInstruction& hlo,
                                                const ShapeIndex& index,
                                                Forwarding rules) {
  if (rules == Forwarding::kDataflow && IsTupleAt(hlo, index)) {
    return std::nullopt;
  }
  switch (hlo.opcode()) {
    case HloOpcode::kAsyncStart:
      if (index.size() < 2 || index[0] != 0) return std::nullopt;
      return HloOperandIndex{index[1], Without(index, 2)};
    case HloOpcode::kAsyncUpdate:
      if (index.empty()) return std::nullopt;
      if (rules == Forwarding::kPointsTo && index[0] > 1) return std::nullopt;
      return HloOperandIndex{0, index};
    default:
      return HloOperandIndex{0, Inside(1, index)};
  }
}

}  // namespace

ShapeIndex Without(const ShapeIndex& index, int count) {
  return ShapeIndex(index.begin() + count, index.end());
}

ShapeIndex Inside(int64_t number, const ShapeIndex& index) {
  ShapeIndex inside = {number};
  inside.insert(inside.end(), index.begin(), index.end());
  return inside;
}

std::optional<HloOperandIndex> ForwardedPart(const HloInstruction& hlo,
                                             const ShapeIndex& index,
                                             Forwarding rules) {
  const bool dataflow = rules == Forwarding::kDataflow;
  switch (hlo.opcode()) {
    case HloOpcode::kAddDependency:
    case HloOpcode::kBitcast:
    case HloOpcode::kDomain:
    case HloOpcode::kOptimizationBarrier:
      return HloOperandIndex{0, index};
    case HloOpcode::kCopy:
      if (index.empty()) return std::nullopt;
      return HloOperandIndex{0, index};
    case HloOpcode::kGetTupleElement:
      return HloOperandIndex{0, Inside(hlo.tuple_index(), index)};
    case HloOpcode::kTuple:
      if (index.empty()) return std::nullopt;
      return HloOperandIndex{index[0], Without(index, 1)};
    case HloOpcode::kCopyStart:
      if (index.empty() || index[0] != 1) return std::nullopt;
      return HloOperandIndex{0, Without(index, 1)};
    case HloOpcode::kCopyDone:
      return HloOperandIndex{0, Inside(0, index)};
    case HloOpcode::kRecvDone:
      if (index.empty() || index[0] != 0) return std::nullopt;
      return HloOperandIndex{0, index};
    case HloOpcode::kSend:
      if (index.empty() || index[0] != 0) return std::nullopt;
      return HloOperandIndex{0, Without(index, 1)};
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return ForwardedByAsync(hlo, index, rules);
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kCollectivePermuteStart:
      return dataflow ? StartedOperand(hlo, index) : std::nullopt;
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
      return dataflow ? DoneResult(hlo, index) : std::nullopt;
    case HloOpcode::kAllReduceDone:
      if (!dataflow) return std::nullopt;
      return HloOperandIndex{0, index};
    case HloOpcode::kFusion:
      return dataflow ? std::nullopt : DeclaredByFusion(hlo, index);
    default:
      return std::nullopt;
  }
}

}  // namespace xla
