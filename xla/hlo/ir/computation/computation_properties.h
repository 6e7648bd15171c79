// ComputationProperties: the part of HloComputation that answers questions
// about its instructions, its callers and its place in the module.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_PROPERTIES_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_PROPERTIES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

class HloComputation;
class HloInstruction;
class HloModule;
class NameUniquer;

// Orders computations by their ids.
struct ComputationOrder {
  bool operator()(const HloComputation* a, const HloComputation* b) const;
};

class ComputationProperties {
 public:
  using UniqueIdComparator = ComputationOrder;

  // Null if there is none.
  HloInstruction* GetInstructionWithName(absl::string_view name) const;
  HloInstruction* GetInstructionWithLocalId(int32_t local_id) const;

  // `start` and what it depends on by operands and control edges, `start` last.
  std::vector<HloInstruction*> MakeInstructionPostOrderFrom(
      HloInstruction& start) const;
  // Calls `visit` for all instructions, in post order.
  void ForEachInstructionPostOrder(
      absl::FunctionRef<void(HloInstruction*)> visit) const;

  // Whether an instruction, or what it calls, has a side effect.
  bool HasSideEffect() const;
  // Whether there are only sends, recvs, bitcasts, parameters and tuples.
  bool OnlyContainsSendRecv() const;
  // Whether there are only the root and parameters.
  bool CanExpandIntoSingleInstruction() const;
  bool IsMainThread() const;

  // All computations that are called from here, each after its callees; the
  // directly called ones and the callers, with the number of calls.
  std::vector<HloComputation*> MakeEmbeddedComputationsList() const;
  absl::btree_map<HloComputation*, int, ComputationOrder> callee_computations()
      const;
  absl::btree_map<HloComputation*, int, ComputationOrder> caller_computations()
      const;
  // The callers inside the module, those of an opcode or all, in no order;
  // scans the module.
  std::vector<HloInstruction*> caller_instructions(
      std::optional<HloOpcode> caller_opcode = std::nullopt) const;
  // The only caller of the opcode, if there is one.
  std::optional<HloInstruction*> GetUniqueCaller(HloOpcode opcode) const;
  // A fusion that calls it, one of the other ops, a loop whose body it is; null
  // if there is none.
  HloInstruction* FusionInstruction() const;
  HloInstruction* CustomCallInstruction() const;
  HloInstruction* CollectiveCallInstruction() const;
  HloInstruction* ConditionalCallInstruction() const;
  HloInstruction* WhileCallInstruction() const;
  // Whether there is one.
  bool IsCustomCallComputation() const {
    return CustomCallInstruction() != nullptr;
  }
  bool IsCollectiveCalledComputation() const {
    return CollectiveCallInstruction() != nullptr;
  }
  bool IsConditionalBranchComputation() const {
    return ConditionalCallInstruction() != nullptr;
  }
  bool IsWhileBodyComputation() const {
    return WhileCallInstruction() != nullptr;
  }
  bool IsAsyncComputation() const;
  // Whether it is not the entry, and nothing calls it.
  bool IsDeadComputation() const;

  // Makes `name` valid and takes it; makes the name one that the uniquer, or
  // that of the module, did not give before.
  void SetAndSanitizeName(absl::string_view name);
  void UniquifyName(NameUniquer* name_uniquer);
  void UniquifyName(HloModule* module);

 protected:
  ~ComputationProperties() = default;

 private:
  const HloComputation& self() const;
  HloComputation& self();
  // The first caller that the function accepts; null if there is none.
  HloInstruction* FirstCaller(
      absl::FunctionRef<bool(const HloInstruction&)> accepts) const;
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_PROPERTIES_H_
