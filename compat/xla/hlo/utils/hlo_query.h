// Questions about computations and modules; instruction_query.h has those about
// single instructions.
#ifndef COMPAT_XLA_HLO_UTILS_HLO_QUERY_H_
#define COMPAT_XLA_HLO_UTILS_HLO_QUERY_H_

#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ops/device/collective_pairs.h"
#include "xla/hlo/utils/query/instruction_query.h"  // IWYU pragma: export
#include "xla/shape.h"
#include "xla/util.h"

namespace xla {
namespace hlo_query {

// Collectives and their starts; not async-start.
inline bool IsCollectiveCommunicationOp(HloOpcode op) {
  return IsCollective(op);
}
// Starts and dones of collectives, also as async-start and async-done of one.
inline bool IsAsyncCollectiveStartOp(const HloInstruction* instruction,
                                     bool include_send_recv = false) {
  switch (instruction->opcode()) {
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kCollectivePermuteStart:
      return true;
    case HloOpcode::kAsyncStart:
      return IsCollectiveCommunicationOp(instruction->async_wrapped_opcode());
    case HloOpcode::kSend:
    case HloOpcode::kRecv:
      return include_send_recv;
    default:
      return false;
  }
}
inline bool IsAsyncCollectiveDoneOp(const HloInstruction* instruction,
                                    bool include_send_recv = false) {
  switch (instruction->opcode()) {
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kCollectivePermuteDone:
      return true;
    case HloOpcode::kAsyncDone:
      return IsCollectiveCommunicationOp(instruction->async_wrapped_opcode());
    case HloOpcode::kSendDone:
    case HloOpcode::kRecvDone:
      return include_send_recv;
    default:
      return false;
  }
}

// The first one, or null.
inline HloInstruction* GetFirstInstructionWithOpcode(
    const HloComputation& computation, absl::Span<const HloOpcode> opcodes) {
  for (HloInstruction* hlo : computation.instructions()) {
    if (absl::c_linear_search(opcodes, hlo->opcode())) return hlo;
  }
  return nullptr;
}
inline HloInstruction* GetFirstInstructionWithOpcode(
    const HloComputation& computation, HloOpcode opcode) {
  return GetFirstInstructionWithOpcode(computation,
                                       absl::MakeConstSpan(&opcode, 1));
}

// Call `fn` with each instruction that fits, which it may remove.
template <typename Fn>
void ForEachInstructionWithPred(const HloComputation& computation,
                                HloPredicate pred, Fn&& fn) {
  for (HloInstruction* hlo : computation.instructions()) {
    if (pred(hlo)) fn(hlo);
  }
}
template <typename Fn>
void ForEachInstructionWithPred(const HloModule& module, HloPredicate pred,
                                Fn&& fn) {
  for (HloComputation* computation : module.computations()) {
    ForEachInstructionWithPred(*computation, pred, fn);
  }
}
template <typename Fn>
void ForEachInstructionWithOpcode(const HloComputation& computation,
                                  HloOpcode opcode, Fn&& fn) {
  ForEachInstructionWithPred(
      computation,
      [opcode](const HloInstruction* hlo) { return hlo->opcode() == opcode; },
      fn);
}
template <typename Fn>
void ForEachInstructionWithOpcode(const HloModule& module, HloOpcode opcode,
                                  Fn&& fn) {
  for (HloComputation* computation : module.computations()) {
    ForEachInstructionWithOpcode(*computation, opcode, fn);
  }
}

// Whether the computation, or one that it calls, has such an instruction. Each
// computation is looked at once.
inline bool ContainsInstrWithOpcode(
    const HloComputation* comp, const absl::flat_hash_set<HloOpcode>& opcodes) {
  std::vector<const HloComputation*> stack = {comp};
  absl::flat_hash_set<const HloComputation*> seen = {comp};
  while (!stack.empty()) {
    const HloComputation* computation = stack.back();
    stack.pop_back();
    for (const HloInstruction* hlo : computation->instructions()) {
      if (opcodes.contains(hlo->opcode())) return true;
      for (const HloComputation* called : hlo->called_computations()) {
        if (seen.insert(called).second) stack.push_back(called);
      }
    }
  }
  return false;
}

// Whether a collective of that opcode (CHECK) fixes its layout.
inline bool ContainsLayoutConstrainedCollective(const HloModule& module,
                                                HloOpcode op) {
  CHECK(IsCollectiveCommunicationOp(op));
  bool found = false;
  ForEachInstructionWithOpcode(module, op, [&](HloInstruction* hlo) {
    const auto* collective = DynCast<HloCollectiveInstruction>(hlo);
    found |= collective != nullptr && collective->constrain_layout();
  });
  return found;
}
inline bool ContainsLayoutConstrainedAllReduce(const HloModule& module) {
  return ContainsLayoutConstrainedCollective(module, HloOpcode::kAllReduce);
}

// One more than the greatest id of a channel, at least 1.
inline int64_t NextChannelId(const HloModule& module) {
  return LargestChannelId(module) + 1;
}
// Whether a transfer with the host has a tuple of the halves of 64-bit values.
inline bool HasX64TransformedHostTransfer(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (!HloPredicateIsOp<HloOpcode::kSend, HloOpcode::kRecv>(hlo) ||
          !hlo->is_host_transfer()) {
        continue;
      }
      const Shape& data = hlo->opcode() == HloOpcode::kSend
                              ? hlo->operand(0)->shape()
                              : hlo->shape().tuple_shapes(0);
      if (data.IsTuple()) return true;
    }
  }
  return false;
}

// Of any tuple.
inline int64_t CountGteInstructionsWithIndex(const HloComputation* computation,
                                             int64_t index) {
  return absl::c_count_if(
      computation->instructions(), [index](const HloInstruction* hlo) {
        return hlo->opcode() == HloOpcode::kGetTupleElement &&
               hlo->tuple_index() == index;
      });
}

// Return null if there is none.
inline HloComputation* FindComputation(HloModule* module,
                                       absl::string_view name) {
  return module->GetComputationWithName(name);
}
inline HloInstruction* FindInstruction(const HloComputation* computation,
                                       absl::string_view name) {
  return computation->GetInstructionWithName(name);
}
inline HloInstruction* FindInstruction(const HloComputation* computation,
                                       HloOpcode opcode) {
  return GetFirstInstructionWithOpcode(*computation, opcode);
}

}  // namespace hlo_query
}  // namespace xla

#endif  // COMPAT_XLA_HLO_UTILS_HLO_QUERY_H_
