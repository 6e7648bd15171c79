// HloDataflowAnalysis: the values in each part of each instruction of a module,
// where each of them is, and what uses it.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_DATAFLOW_ANALYSIS_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_DATAFLOW_ANALYSIS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/values/hlo_operand_index.h"
#include "xla/hlo/analysis/values/hlo_value.h"
#include "xla/hlo/analysis/values/phi_graph.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/call_graph.h"

namespace xla {

// XLA's interface. hlo_dataflow.h is what our own analyses of memory work on:
// only leaves, only computations that are steps of the program.
//
// The module must not change while the analysis lives. Instructions that it
// does not know are a programmer error (CHECK). Not thread safe.
class HloDataflowAnalysis {
 public:
  // Where values meet, a part has all of them; with `ssa_form` a new value, a
  // phi, if they are different ones. With `bitcast_defines_value`, bitcasts
  // make values instead of passing them on. Computations of threads other than
  // `execution_threads` are ignored, unless there are none: calls of them, and
  // parameters of computations that only they call, make values. Errors:
  // Unimplemented for a computation that is called both as a step and for
  // elements.
  static absl::StatusOr<std::unique_ptr<HloDataflowAnalysis>> Run(
      const HloModule& module, bool ssa_form = false,
      bool bitcast_defines_value = false,
      absl::flat_hash_set<absl::string_view> execution_threads = {});

  // Whether the only value of the part is made by the instruction; that value
  // (CHECK).
  bool ValueIsDefinedAt(const HloInstruction* instruction,
                        const ShapeIndex& index = {}) const;
  const HloValue& GetValueDefinedAt(const HloInstruction* instruction,
                                    const ShapeIndex& index = {}) const;
  HloValue& GetValueDefinedAt(const HloInstruction* instruction,
                              const ShapeIndex& index = {});

  const InstructionValueSet& GetInstructionValueSet(
      const HloInstruction* instruction) const;
  InstructionValueSet& GetInstructionValueSet(
      const HloInstruction* instruction);
  // The values of all parts.
  HloValueSet GetFlattenedValueSet(const HloInstruction* instruction) const;
  const HloValueSet& GetValueSet(const HloInstruction* instruction,
                                 const ShapeIndex& index = {}) const {
    return GetInstructionValueSet(instruction).element(index);
  }
  const HloValueSet& GetValueSet(const HloPosition& position) const {
    return GetValueSet(position.instruction, position.index);
  }
  // Require a part with one value (CHECK).
  const HloValue& GetUniqueValueAt(const HloInstruction* instruction,
                                   const ShapeIndex& index = {}) const {
    return GetValueSet(instruction, index).GetUniqueValue();
  }
  HloValue& GetUniqueValueAt(const HloInstruction* instruction,
                             const ShapeIndex& index = {}) {
    return GetValue(GetValueSet(instruction, index).GetUniqueValue().id());
  }

  const HloValue& GetValue(HloValue::Id value_id) const;
  HloValue& GetValue(HloValue::Id value_id);
  int64_t value_count() const { return values_.size(); }
  // By id; ids of phis that turned out to be other values are missing.
  const std::vector<HloValue*>& values() const { return values_vector_; }
  HloValue::Id NewValueId() { return next_value_id_++; }

  const CallGraph& call_graph() const { return *call_graph_; }
  const HloModule& module() const { return module_; }
  std::string ToString() const;

  // Whether `user`, which may use the value through other instructions, does
  // not read the part of `operand`.
  bool DoesNotUseOperandBuffer(const HloInstruction* operand,
                               const ShapeIndex& index,
                               const HloInstruction* user) const;
  // Whether the part of the result may lie in the memory of the part of
  // `operand`, if nothing else reads that: the op works in place, is
  // element-wise on it, or is control flow; or `alias_info` says so.
  bool CanShareOperandBufferWithUser(HloInstruction* operand,
                                     const ShapeIndex& operand_index,
                                     HloInstruction* user,
                                     const ShapeIndex& user_index,
                                     const AliasInfo* alias_info) const;

  // Whether an op starts or ends something that runs meanwhile.
  static bool IsAsynchronousOperationStart(HloOpcode opcode);
  static bool IsAsynchronousOperationDone(HloOpcode opcode);
  // As AliasInfo says without a backend.
  static std::vector<std::pair<HloOperandIndex, ShapeIndex>>
  GetInPlaceInputOutputPairs(const HloInstruction* instruction);

  // Checks that the positions of values agree with the sets.
  absl::Status Verify() const;

 private:
  // A part whose values flow into another one.
  using Source = std::pair<const HloInstruction*, ShapeIndex>;

  HloDataflowAnalysis(const HloModule& module, bool ssa_form,
                      bool bitcast_defines_value,
                      absl::flat_hash_set<absl::string_view> execution_threads);

  bool IsIncluded(absl::string_view thread) const;
  std::vector<HloComputation*> IncludedComputations() const;
  absl::Status CheckContexts() const;
  void DefineValues();
  void Propagate();
  void SimplifyPhis();
  void SetPositions();
  // Instructions in the order in which they run, callees before their callers.
  absl::flat_hash_map<const HloInstruction*, int64_t> MakeOrder() const;

  // Returns what flows into a part; nothing if the instruction makes the value.
  std::vector<Source> SourcesOf(const HloInstruction& hlo,
                                const ShapeIndex& index) const;
  void AddCallerSources(const HloInstruction& parameter,
                        const ShapeIndex& index,
                        std::vector<Source>& sources) const;
  void AddRootSource(const HloComputation& callee, const ShapeIndex& index,
                     std::vector<Source>& sources) const;
  bool MayMakePhis(const HloInstruction& hlo) const;
  // Return whether the sets of the instruction, or of a part, have changed.
  bool Update(HloInstruction* hlo);
  bool UpdatePhi(HloInstruction* hlo, const ShapeIndex& index,
                 const std::vector<Source>& sources, HloValueSet& set);
  // Calls `add` for what depends on the values of the instruction.
  template <typename Add>
  void ForEachDependent(const HloInstruction& hlo, const Add& add) const;

  bool UsesAreElementwise(const HloInstruction& parameter) const;
  bool CanShareWithFusion(HloInstruction* operand,
                          const ShapeIndex& operand_index,
                          const HloInstruction& fusion, bool& result) const;
  bool CanShareWithCall(const HloInstruction* operand,
                        const ShapeIndex& operand_index,
                        const HloInstruction& call) const;
  bool MustShare(const HloInstruction* operand, const ShapeIndex& operand_index,
                 const HloInstruction* user, const ShapeIndex& user_index,
                 const AliasInfo& alias_info) const;

  const HloModule& module_;
  const absl::flat_hash_set<absl::string_view> execution_threads_;
  const bool ssa_form_;
  const bool bitcast_defines_value_;
  std::unique_ptr<CallGraph> call_graph_;
  absl::flat_hash_map<HloValue::Id, std::unique_ptr<HloValue>> values_;
  absl::flat_hash_map<const HloInstruction*,
                      std::unique_ptr<InstructionValueSet>>
      value_sets_;
  std::vector<HloValue*> values_vector_;
  HloValue::Id next_value_id_ = 0;
  PhiGraph phis_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_DATAFLOW_ANALYSIS_H_
