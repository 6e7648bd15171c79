// HloAliasAnalysis: which values of a module must lie in the same memory.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_ALIAS_ANALYSIS_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_ALIAS_ANALYSIS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/values/hlo_buffer.h"
#include "xla/hlo/analysis/values/hlo_dataflow_analysis.h"
#include "xla/hlo/analysis/values/hlo_value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// XLA's interface. BufferSharing decides for our own backends, which also know
// when values are needed.
//
// What a loop carries in one element is one buffer, from the initial value to
// the result; so are the results of branches and that of their conditional,
// operands and results of ops in place, and parameters and results that the
// module's input_output_alias pairs. The module must not change while the
// analysis lives. Not thread safe.
class HloAliasAnalysis {
 public:
  // The analysis of values is in SSA form. Errors: FailedPrecondition if a
  // computation is called twice by loops or conditionals (the pass
  // flatten-call-graph), and those of HloDataflowAnalysis.
  static absl::StatusOr<std::unique_ptr<HloAliasAnalysis>> Run(
      const HloModule* module, const AliasInfo* alias_info);

  // By id, which is the position.
  const std::vector<HloBuffer>& buffers() const { return buffers_; }
  const HloBuffer& GetBuffer(HloBuffer::Id buffer_id) const {
    return buffers_.at(buffer_id);
  }
  const HloBuffer& GetBufferContainingValue(const HloValue& value) const {
    return buffers_[buffer_of_.at(&value)];
  }
  // Requires that the values of the part have one buffer (CHECK).
  const HloBuffer& GetUniqueBufferAt(const HloInstruction* instruction,
                                     const ShapeIndex& index = {}) const;
  const HloBuffer& GetUniqueBufferAt(const HloPosition& position) const {
    return GetUniqueBufferAt(position.instruction, position.index);
  }
  // The buffers of the values of the part, by id.
  std::vector<const HloBuffer*> ComputeBuffersAt(
      const HloInstruction* instruction, const ShapeIndex& index = {}) const;

  HloDataflowAnalysis& dataflow_analysis() const { return *dataflow_; }

  // Whether a buffer has a part of the program's result, or a value lies in
  // such a buffer; these buffers by id.
  bool BufferLivesOut(const HloBuffer& buffer) const {
    return live_out_.contains(buffer.id());
  }
  bool ValueLivesOut(const HloValue& value) const {
    return BufferLivesOut(GetBufferContainingValue(value));
  }
  std::vector<const HloBuffer*> LiveOutBuffers() const;

  std::string ToString() const;

 private:
  explicit HloAliasAnalysis(const HloModule* module) : module_(module) {}

  absl::Status CheckFlattened() const;
  void MakeBuffers(const AliasInfo& alias_info);

  const HloModule* module_;
  std::unique_ptr<HloDataflowAnalysis> dataflow_;
  absl::flat_hash_map<const HloValue*, HloBuffer::Id> buffer_of_;
  std::vector<HloBuffer> buffers_;
  absl::flat_hash_set<HloBuffer::Id> live_out_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_ALIAS_ANALYSIS_H_
