// The classes of instructions between devices and of asynchronous ones.
#ifndef XLA_HLO_IR_CLASSES_DEVICE_INSTRUCTIONS_H_
#define XLA_HLO_IR_CLASSES_DEVICE_INSTRUCTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/classes/instruction_families.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

class HloCloneContext;

// Families.
using HloChannelInstruction =
    OpClass<HloInstruction, HloOpcode::kAllGather, HloOpcode::kAllGatherStart,
            HloOpcode::kAllReduce, HloOpcode::kAllReduceStart,
            HloOpcode::kAllToAll, HloOpcode::kCollectiveBroadcast,
            HloOpcode::kReduceScatter, HloOpcode::kRaggedAllToAll,
            HloOpcode::kCollectivePermute, HloOpcode::kCollectivePermuteStart,
            HloOpcode::kSend, HloOpcode::kSendDone, HloOpcode::kRecv,
            HloOpcode::kRecvDone>;
using HloCollectiveInstruction =
    OpClass<HloChannelInstruction, HloOpcode::kAllGather,
            HloOpcode::kAllGatherStart, HloOpcode::kAllReduce,
            HloOpcode::kAllReduceStart, HloOpcode::kAllToAll,
            HloOpcode::kCollectiveBroadcast, HloOpcode::kReduceScatter,
            HloOpcode::kRaggedAllToAll>;
using HloAllReduceInstructionBase =
    OpClass<HloCollectiveInstruction, HloOpcode::kAllReduce,
            HloOpcode::kAllReduceStart, HloOpcode::kReduceScatter>;
using HloSendRecvInstruction =
    OpClass<HloChannelInstruction, HloOpcode::kSend, HloOpcode::kSendDone,
            HloOpcode::kRecv, HloOpcode::kRecvDone>;
class HloAsyncInstruction
    : public OpClass<HloInstruction, HloOpcode::kAsyncStart,
                     HloOpcode::kAsyncUpdate, HloOpcode::kAsyncDone> {
 public:
  using OpClass::OpClass;
  // As HloInstruction's, whose results are links of the chain too.
  HloAsyncInstruction* async_chain_start() const;
  HloAsyncInstruction* async_chain_done() const;
  HloAsyncInstruction* async_chain_next() const;
  // The links of the chain, from its start on, as far as there are any.
  std::vector<HloAsyncInstruction*> GetAsyncChain() const;
  // Gives the links after this one, which is not the last, the shapes that
  // follow from its own: ((operands), result, ...), at last the result.
  void UpdateChainShapes();
  // Nothing is left to do: users tell which links follow.
  void UpdateAsyncChain() {}
};

// Ops.
class HloAllGatherInstruction
    : public OpClass<HloCollectiveInstruction, HloOpcode::kAllGather,
                     HloOpcode::kAllGatherStart> {
 public:
  using OpClass::OpClass;
  int64_t all_gather_dimension() const { return dimensions()[0]; }
};
class HloAllReduceInstruction
    : public OpClass<HloAllReduceInstructionBase, HloOpcode::kAllReduce,
                     HloOpcode::kAllReduceStart> {
 public:
  using OpClass::OpClass;
  // Whether each device is alone in its group, and the op has no channel.
  bool IsNoop() const;
};
class HloReduceScatterInstruction
    : public OpClass<HloAllReduceInstructionBase, HloOpcode::kReduceScatter> {
 public:
  using OpClass::OpClass;
  int64_t scatter_dimension() const { return dimensions()[0]; }
};
class HloAllToAllInstruction
    : public OpClass<HloCollectiveInstruction, HloOpcode::kAllToAll> {
 public:
  using OpClass::OpClass;
  std::optional<int64_t> split_dimension() const {
    if (dimensions().empty()) return std::nullopt;
    return dimensions()[0];
  }
};
using HloRaggedAllToAllInstruction =
    OpClass<HloCollectiveInstruction, HloOpcode::kRaggedAllToAll>;
using HloCollectiveBroadcastInstruction =
    OpClass<HloCollectiveInstruction, HloOpcode::kCollectiveBroadcast>;
class HloCollectivePermuteInstruction
    : public OpClass<HloChannelInstruction, HloOpcode::kCollectivePermute,
                     HloOpcode::kCollectivePermuteStart> {
 public:
  using OpClass::OpClass;
  // Whether it writes slices of its operands into others.
  bool inplace() const;
};
using HloSendInstruction = OpClass<HloSendRecvInstruction, HloOpcode::kSend>;
using HloSendDoneInstruction =
    OpClass<HloSendRecvInstruction, HloOpcode::kSendDone>;
using HloRecvInstruction = OpClass<HloSendRecvInstruction, HloOpcode::kRecv>;
using HloRecvDoneInstruction =
    OpClass<HloSendRecvInstruction, HloOpcode::kRecvDone>;
class HloAsyncStartInstruction
    : public OpClass<HloAsyncInstruction, HloOpcode::kAsyncStart> {
 public:
  using OpClass::OpClass;
  // A copy of other operands that runs another computation.
  std::unique_ptr<HloInstruction> CloneWithNewOperandsAndComputation(
      const Shape& shape, absl::Span<HloInstruction* const> new_operands,
      HloComputation* new_computation,
      HloCloneContext* context = nullptr) const;
};
using HloAsyncUpdateInstruction =
    OpClass<HloAsyncInstruction, HloOpcode::kAsyncUpdate>;
using HloAsyncDoneInstruction =
    OpClass<HloAsyncInstruction, HloOpcode::kAsyncDone>;

}  // namespace xla

#endif  // XLA_HLO_IR_CLASSES_DEVICE_INSTRUCTIONS_H_
