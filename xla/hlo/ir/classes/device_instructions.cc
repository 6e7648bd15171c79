// Chains of asynchronous instructions, and collectives that send nothing.
#include "xla/hlo/ir/classes/device_instructions.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/device/permuted_slices.h"

namespace xla {

bool HloAllReduceInstruction::IsNoop() const {
  return !channel_id().has_value() &&
         absl::c_all_of(replica_groups(), [](const ReplicaGroup& group) {
           return group.replica_ids_size() == 1;
         });
}

HloAsyncInstruction* HloAsyncInstruction::async_chain_start() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_start());
}
HloAsyncInstruction* HloAsyncInstruction::async_chain_done() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_done());
}
HloAsyncInstruction* HloAsyncInstruction::async_chain_next() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_next());
}

std::vector<HloAsyncInstruction*> HloAsyncInstruction::GetAsyncChain() const {
  std::vector<HloAsyncInstruction*> chain;
  for (HloAsyncInstruction* link = async_chain_start(); link != nullptr;
       link = link->async_chain_next()) {
    chain.push_back(link);
  }
  return chain;
}

void HloAsyncInstruction::UpdateChainShapes() {
  if (opcode() == HloOpcode::kAsyncDone) return;
  CHECK(shape().IsTuple() && shape().tuple_shapes_size() >= 2) << name();
  for (HloAsyncInstruction* link = async_chain_next(); link != nullptr;
       link = link->async_chain_next()) {
    *link->mutable_shape() = link->opcode() == HloOpcode::kAsyncDone
                                 ? shape().tuple_shapes(1)
                                 : shape();
  }
}

bool HloCollectivePermuteInstruction::inplace() const {
  return IsInPlace(attrs<CollectivePermuteAttrs>());
}

std::unique_ptr<HloInstruction>
HloAsyncStartInstruction::CloneWithNewOperandsAndComputation(
    const Shape& shape, absl::Span<HloInstruction* const> new_operands,
    HloComputation* new_computation, HloCloneContext* context) const {
  HloCloneContext own(GetModule());
  if (context == nullptr) context = &own;
  context->MapComputation(async_wrapped_computation(), new_computation);
  return CloneWithNewOperands(shape, new_operands, context);
}

}  // namespace xla
