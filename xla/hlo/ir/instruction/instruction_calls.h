// InstructionCalls: the part of HloInstruction that deals with the computations
// that it calls: of loops, branches, reducers, fusions and asynchronous ops.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_CALLS_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_CALLS_H_

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/pointer_range.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

class HloComputation;
class HloInstruction;

// A computation that the op does not have is a programmer error (CHECK).
class InstructionCalls {
 public:
  using InstructionRange =
      PointerRange<std::list<std::unique_ptr<HloInstruction>>>;

  const std::vector<HloComputation*>& called_computations() const {
    return computations_;
  }
  bool has_called_computations() const { return !computations_.empty(); }
  void set_called_computation(int64_t i, HloComputation* computation) {
    computations_[i] = computation;
  }
  void ReplaceCalledComputations(
      absl::Span<HloComputation* const> computations) {
    computations_.assign(computations.begin(), computations.end());
  }
  void ReplaceCalledComputations(
      absl::FunctionRef<HloComputation*(HloComputation*)> map_function);
  void ClearCalledComputations() { computations_.clear(); }
  // Sets the thread of the computations, and of those that they call. It may
  // leave asynchronous ops in these, with what they run, on their own threads.
  void set_called_computations_execution_thread(
      absl::string_view thread,
      bool skip_async_execution_thread_overwrite = false);

  // Whether the op has the attribute to_apply.
  bool has_to_apply() const;
  HloComputation* to_apply() const { return Called(0); }
  void set_to_apply(HloComputation* computation) { Called(0) = computation; }

  HloComputation* while_condition() const { return Called(0); }
  HloComputation* while_body() const { return Called(1); }
  void set_while_condition(HloComputation* c) { Called(0) = c; }
  void set_while_body(HloComputation* c) { Called(1) = c; }
  HloInstruction* while_init() const;

  int branch_count() const { return computations_.size(); }
  const std::vector<HloComputation*>& branch_computations() const {
    return computations_;
  }
  HloComputation* branch_computation(int64_t i) const { return Called(i); }
  // The first branch that is `computation`, which is one (CHECK).
  int32_t branch_index(HloComputation* computation) const;
  void set_branch_computation(int64_t i, HloComputation* c) { Called(i) = c; }
  HloComputation* true_computation() const { return Called(0); }
  HloComputation* false_computation() const { return Called(1); }

  // Of select-and-scatter.
  HloComputation* select() const { return Called(0); }
  HloComputation* scatter() const { return Called(1); }
  void set_select(HloComputation* computation) { Called(0) = computation; }
  void set_scatter(HloComputation* computation) { Called(1) = computation; }

  // Fusions.
  HloComputation* fused_instructions_computation() const { return Called(0); }
  HloInstruction* fused_expression_root() const;
  InstructionRange fused_instructions() const;
  int64_t fused_instruction_count() const;
  const std::vector<HloInstruction*>& fused_parameters() const;
  HloInstruction* fused_parameter(int64_t parameter_number) const;
  bool IsLoopFusion() const;
  bool IsInputFusion() const;
  bool IsOutputFusion() const;
  bool IsCustomFusion() const;
  // Whether it is a fusion whose result is a tuple that it makes.
  bool IsMultiOutputFusion() const;
  // Whether this is an instruction of a fusion's computation.
  bool IsFused() const;

  // Asynchronous ops: the computation is that of the chain's start.
  bool IsAsynchronous() const;
  // The same, and the halves of collectives and copies that are split: starts
  // begin, dones end, producers are waited for, consumers wait.
  bool IsAsyncStart() const;
  bool IsAsyncDone() const;
  bool IsAsyncProducer() const;
  bool IsAsyncConsumer() const;
  HloInstruction* async_chain_start() const;
  HloInstruction* async_chain_done() const;
  // The link that takes the result of this one; null if there is none yet.
  HloInstruction* async_chain_next() const;
  HloComputation* async_wrapped_computation() const;
  HloInstruction* async_wrapped_instruction() const;
  HloOpcode async_wrapped_opcode() const;
  // Sets the thread of the chain's start and of what it runs.
  void set_async_execution_thread(absl::string_view thread);

  // Custom calls by target; any of several targets.
  bool IsCustomCall(absl::string_view target) const;
  bool IsCustomCall(absl::Span<const absl::string_view> targets) const;

 protected:
  ~InstructionCalls() = default;

  std::vector<HloComputation*> computations_;

 private:
  HloComputation* Called(int64_t i) const;
  HloComputation*& Called(int64_t i);
  const HloInstruction& self() const;
  HloInstruction& self();
};

// Returns the opcode of an instruction, whose class need not be known.
HloOpcode OpcodeOf(const HloInstruction& instruction);

// Whether an instruction has one of the opcodes, or none of them.
template <HloOpcode op, HloOpcode... rest>
bool HloPredicateIsOp(const HloInstruction* instruction) {
  const HloOpcode opcode = OpcodeOf(*instruction);
  return opcode == op || ((opcode == rest) || ...);
}
template <HloOpcode op, HloOpcode... rest>
bool HloPredicateIsNotOp(const HloInstruction* instruction) {
  return !HloPredicateIsOp<op, rest...>(instruction);
}

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_CALLS_H_
