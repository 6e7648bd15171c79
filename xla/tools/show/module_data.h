// The graph of a module as data for a page: its computations, and each
// instruction with its shape, attributes, source lines, edges and costs.
#ifndef XLA_TOOLS_SHOW_MODULE_DATA_H_
#define XLA_TOOLS_SHOW_MODULE_DATA_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/json_writer.h"

namespace xla::tools {

// Numbers computations and instructions in the order of the module's text,
// operands before users; the other parts of a page name them by these numbers.
// Borrows the module, which must not change.
class ModuleNumbers {
 public:
  explicit ModuleNumbers(const HloModule& module);

  const std::vector<const HloComputation*>& computations() const {
    return computations_;
  }
  const std::vector<const HloInstruction*>& instructions() const {
    return instructions_;
  }
  int64_t Of(const HloComputation* computation) const {
    return computation_numbers_.at(computation);
  }
  int64_t Of(const HloInstruction* instruction) const {
    return instruction_numbers_.at(instruction);
  }

 private:
  std::vector<const HloComputation*> computations_;
  std::vector<const HloInstruction*> instructions_;
  absl::flat_hash_map<const HloComputation*, int64_t> computation_numbers_;
  absl::flat_hash_map<const HloInstruction*, int64_t> instruction_numbers_;
};

// Returns the predicted nanoseconds of one execution on one thread; infinite if
// they are not known.
using PredictedTime = std::function<double(const HloInstruction&)>;

// Writes an object; page/program.js reads it. Errors: those of CostAnalysis.
absl::Status WriteModuleData(const HloModule& module,
                             const ModuleNumbers& numbers,
                             const PredictedTime& predicted, JsonWriter& json);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_MODULE_DATA_H_
