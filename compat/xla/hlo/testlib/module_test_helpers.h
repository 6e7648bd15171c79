// ModuleTestHelpers: what test fixtures find and set in modules.
#ifndef COMPAT_XLA_HLO_TESTLIB_MODULE_TEST_HELPERS_H_
#define COMPAT_XLA_HLO_TESTLIB_MODULE_TEST_HELPERS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/layout.h"
#include "xla/service/computation_layout.h"
#include "xla/shape_util.h"

namespace xla {

// A base of HloHardwareIndependentTestBase.
class ModuleTestHelpers {
 public:
  // Return the first one, null if there is none, or all.
  static HloComputation* FindComputation(HloModule* module,
                                         absl::string_view name) {
    return module->GetComputationWithName(name);
  }
  static HloInstruction* FindInstruction(HloModule* module,
                                         absl::string_view name) {
    for (HloComputation* computation : module->computations()) {
      if (HloInstruction* hlo = computation->GetInstructionWithName(name)) {
        return hlo;
      }
    }
    return nullptr;
  }
  static HloInstruction* FindInstruction(HloModule* module, HloOpcode opcode) {
    const std::vector<HloInstruction*> all = FindInstructions(module, opcode);
    return all.empty() ? nullptr : all.front();
  }
  static std::vector<HloInstruction*> FindInstructions(HloModule* module,
                                                       HloOpcode opcode) {
    std::vector<HloInstruction*> found;
    for (HloComputation* computation : module->computations()) {
      for (HloInstruction* hlo : computation->instructions()) {
        if (hlo->opcode() == opcode) found.push_back(hlo);
      }
    }
    return found;
  }

  // Set or clear layouts of the entry computation layout.
  static void ForceParameterLayout(HloModule* module, int64_t param_no,
                                   const Layout& layout) {
    ASSERT_LT(param_no, module->entry_computation_layout().parameter_count());
    module->mutable_entry_computation_layout()
        ->mutable_parameter_layout(param_no)
        ->ResetLayout(layout);
  }
  static void ForceResultLayout(HloModule* module, const Layout& layout,
                                ShapeIndexView shape_index = {}) {
    module->mutable_entry_computation_layout()
        ->mutable_result_layout()
        ->ResetLayout(layout, shape_index);
  }
  static void ForceClearParameterLayout(HloModule* module, int64_t param_no) {
    ASSERT_LT(param_no, module->entry_computation_layout().parameter_count());
    module->mutable_entry_computation_layout()
        ->mutable_parameter_layout(param_no)
        ->Clear();
  }
  static void ForceClearResultLayout(HloModule* module) {
    module->mutable_entry_computation_layout()
        ->mutable_result_layout()
        ->Clear();
  }
  // Gives it the layouts of the entry's parameters and root. Errors:
  // InvalidArgument for other shapes.
  static absl::Status UpdateEntryComputationLayoutToMatchProgramLayout(
      HloModule* module) {
    const HloComputation& entry = *module->entry_computation();
    ComputationLayout& layout = *module->mutable_entry_computation_layout();
    for (int64_t i = 0; i < entry.num_parameters(); ++i) {
      TF_RETURN_IF_ERROR(
          layout.mutable_parameter_layout(i)->CopyLayoutFromShape(
              entry.parameter_instruction(i)->shape()));
    }
    return layout.mutable_result_layout()->CopyLayoutFromShape(
        entry.root_instruction()->shape());
  }

  // The numbers of the parameters that are not the same, up to tiles, in the
  // two modules.
  [[nodiscard]] std::vector<int> CompareInputs(const HloModule& module_0,
                                               const HloModule& module_1) {
    const int count_0 = module_0.entry_computation()->num_parameters();
    const int count_1 = module_1.entry_computation()->num_parameters();
    std::vector<int> mismatches;
    for (int i = 0; i < std::max(count_0, count_1); ++i) {
      if (i >= std::min(count_0, count_1) ||
          !Shape::Equal().IgnoreTilesInLayout()(InputShape(module_0, i),
                                                InputShape(module_1, i))) {
        mismatches.push_back(i);
      }
    }
    return mismatches;
  }

 private:
  static const Shape& InputShape(const HloModule& module, int number) {
    if (module.config().has_entry_computation_layout()) {
      const Shape& shape =
          module.entry_computation_layout().parameter_shape(number);
      if (shape.is_static()) return shape;
    }
    return module.entry_computation()->parameter_instruction(number)->shape();
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TESTLIB_MODULE_TEST_HELPERS_H_
