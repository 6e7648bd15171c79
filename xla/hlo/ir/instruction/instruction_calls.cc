// Called computations of loops, fusions and asynchronous ops.
#include "xla/hlo/ir/instruction/instruction_calls.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {

const HloInstruction& InstructionCalls::self() const {
  return static_cast<const HloInstruction&>(*this);
}
HloInstruction& InstructionCalls::self() {
  return static_cast<HloInstruction&>(*this);
}

HloComputation* InstructionCalls::Called(int64_t i) const {
  CHECK(i >= 0 && i < static_cast<int64_t>(computations_.size()))
      << self().name() << " does not call computation " << i;
  return computations_[i];
}
HloComputation*& InstructionCalls::Called(int64_t i) {
  CHECK(i >= 0 && i < static_cast<int64_t>(computations_.size()))
      << self().name() << " does not call computation " << i;
  return computations_[i];
}

HloOpcode OpcodeOf(const HloInstruction& instruction) {
  return instruction.opcode();
}

void InstructionCalls::ReplaceCalledComputations(
    absl::FunctionRef<HloComputation*(HloComputation*)> map_function) {
  for (HloComputation*& called : computations_) called = map_function(called);
}

namespace {

// Makes the links of a chain say that it runs on `thread`: the start names it,
// the others take it from the start.
void NameThreadOfChain(HloInstruction& start, absl::string_view thread) {
  start.mutable_attrs<AsyncStartAttrs>().async_execution_thread =
      thread == HloComputation::kMainExecutionThread ? "" : std::string(thread);
  std::vector<HloInstruction*> links(start.users().begin(),
                                     start.users().end());
  while (!links.empty()) {
    HloInstruction* link = links.back();
    links.pop_back();
    if (!link->IsAsynchronous() || link->opcode() == HloOpcode::kAsyncStart) {
      continue;
    }
    link->mutable_attrs<AsyncAttrs>().async_execution_thread.clear();
    links.insert(links.end(), link->users().begin(), link->users().end());
  }
}

}  // namespace

void InstructionCalls::set_called_computations_execution_thread(
    absl::string_view thread, bool skip_async_execution_thread_overwrite) {
  // The name may be that of an instruction which changes.
  const std::string name(thread);
  std::vector<HloComputation*> pending = computations_;
  absl::flat_hash_set<const HloComputation*> seen;
  while (!pending.empty()) {
    HloComputation* called = pending.back();
    pending.pop_back();
    if (!seen.insert(called).second) continue;
    called->SetExecutionThread(name);
    for (HloInstruction* hlo : called->instructions()) {
      if (hlo->IsAsynchronous() && skip_async_execution_thread_overwrite) {
        continue;
      }
      if (hlo->opcode() == HloOpcode::kAsyncStart) {
        NameThreadOfChain(*hlo, name);
      }
      pending.insert(pending.end(), hlo->called_computations().begin(),
                     hlo->called_computations().end());
    }
  }
}

bool InstructionCalls::has_to_apply() const {
  return !computations_.empty() &&
         self().def().computations.names[0] == "to_apply";
}

HloInstruction* InstructionCalls::while_init() const {
  CHECK(self().opcode() == HloOpcode::kWhile) << self().name();
  return self().operands()[0];
}

int32_t InstructionCalls::branch_index(HloComputation* computation) const {
  const auto it = absl::c_find(computations_, computation);
  CHECK(it != computations_.end())
      << self().name() << " has no branch " << computation->name();
  return it - computations_.begin();
}

HloInstruction* InstructionCalls::fused_expression_root() const {
  return fused_instructions_computation()->root_instruction();
}
InstructionCalls::InstructionRange InstructionCalls::fused_instructions()
    const {
  return fused_instructions_computation()->instructions();
}
int64_t InstructionCalls::fused_instruction_count() const {
  return fused_instructions_computation()->instruction_count();
}
const std::vector<HloInstruction*>& InstructionCalls::fused_parameters() const {
  return fused_instructions_computation()->parameter_instructions();
}
HloInstruction* InstructionCalls::fused_parameter(
    int64_t parameter_number) const {
  return fused_parameters()[parameter_number];
}

bool InstructionCalls::IsLoopFusion() const {
  return self().opcode() == HloOpcode::kFusion &&
         self().fusion_kind() == FusionKind::kLoop;
}
bool InstructionCalls::IsInputFusion() const {
  return self().opcode() == HloOpcode::kFusion &&
         self().fusion_kind() == FusionKind::kInput;
}
bool InstructionCalls::IsOutputFusion() const {
  return self().opcode() == HloOpcode::kFusion &&
         self().fusion_kind() == FusionKind::kOutput;
}
bool InstructionCalls::IsCustomFusion() const {
  return self().opcode() == HloOpcode::kFusion &&
         self().fusion_kind() == FusionKind::kCustom;
}
bool InstructionCalls::IsMultiOutputFusion() const {
  return self().opcode() == HloOpcode::kFusion &&
         fused_expression_root()->opcode() == HloOpcode::kTuple;
}
bool InstructionCalls::IsFused() const {
  return self().parent() != nullptr && self().parent()->IsFusionComputation();
}

bool InstructionCalls::IsAsynchronous() const {
  switch (self().opcode()) {
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return true;
    default:
      return false;
  }
}
bool InstructionCalls::IsAsyncStart() const {
  switch (self().opcode()) {
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kCopyStart:
      return true;
    default:
      return false;
  }
}
bool InstructionCalls::IsAsyncDone() const {
  switch (self().opcode()) {
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kCopyDone:
      return true;
    default:
      return false;
  }
}
bool InstructionCalls::IsAsyncProducer() const {
  return IsAsyncStart() || self().opcode() == HloOpcode::kAsyncUpdate;
}
bool InstructionCalls::IsAsyncConsumer() const {
  return IsAsyncDone() || self().opcode() == HloOpcode::kAsyncUpdate;
}
HloInstruction* InstructionCalls::async_chain_start() const {
  CHECK(IsAsynchronous()) << self().name() << " is not asynchronous";
  const HloInstruction* link = &self();
  while (link->opcode() != HloOpcode::kAsyncStart) {
    link = link->operand(0);
    CHECK(link->IsAsynchronous()) << self().name() << " has no async-start";
  }
  return const_cast<HloInstruction*>(link);
}
HloInstruction* InstructionCalls::async_chain_done() const {
  CHECK(IsAsynchronous()) << self().name() << " is not asynchronous";
  const HloInstruction* link = &self();
  while (link->opcode() != HloOpcode::kAsyncDone) {
    link = link->async_chain_next();
    CHECK(link != nullptr) << self().name() << " has no async-done";
  }
  return const_cast<HloInstruction*>(link);
}
HloInstruction* InstructionCalls::async_chain_next() const {
  if (!IsAsynchronous()) return nullptr;
  const auto next = absl::c_find_if(self().users(), [](const auto* user) {
    return user->opcode() == HloOpcode::kAsyncUpdate ||
           user->opcode() == HloOpcode::kAsyncDone;
  });
  return next == self().users().end() ? nullptr : *next;
}
HloComputation* InstructionCalls::async_wrapped_computation() const {
  const HloInstruction* start = async_chain_start();
  CHECK(!start->called_computations().empty()) << start->name();
  return start->called_computations()[0];
}
HloInstruction* InstructionCalls::async_wrapped_instruction() const {
  return async_wrapped_computation()->root_instruction();
}
HloOpcode InstructionCalls::async_wrapped_opcode() const {
  return async_wrapped_instruction()->opcode();
}

void InstructionCalls::set_async_execution_thread(absl::string_view thread) {
  const std::string name(thread);
  HloInstruction* start = async_chain_start();
  NameThreadOfChain(*start, name);
  start->set_called_computations_execution_thread(name);
}

bool InstructionCalls::IsCustomCall(absl::string_view target) const {
  return self().opcode() == HloOpcode::kCustomCall &&
         self().custom_call_target() == target;
}
bool InstructionCalls::IsCustomCall(
    absl::Span<const absl::string_view> targets) const {
  return absl::c_any_of(
      targets, [this](absl::string_view t) { return IsCustomCall(t); });
}

}  // namespace xla
