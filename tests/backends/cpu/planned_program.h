// The fixture of tests that inspect the plan of a program.
#ifndef TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_
#define TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/backends/cpu/planning/thunk_planner.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {

// This machine's instructions and the costs of any processor, so that plans are
// the same everywhere but for the width of vectors.
inline TargetInfo TargetOfPlans() {
  TargetInfo target = HostTarget();
  target.cost_table = "default";
  target.l1_bytes = target.l2_bytes = target.l3_bytes = 0;
  return target;
}

class PlannedProgramTest : public ::testing::Test {
 protected:
  // Parses `text`, runs the passes of the CPU compiler and plans the result
  // for TargetOfPlans().
  void Plan(absl::string_view text,
            const BufferAssignment::Options& options = {}) {
    module_ = *ParseAndReturnUnverifiedModule(text);
    const TargetInfo target = TargetOfPlans();
    ASSERT_TRUE(RunPasses(module_.get(), nullptr, target).ok());
    assignment_ = *BufferAssignment::Run(*module_, CpuAliasInfo(), options);
    plan_ = *PlanThunks(*module_, *assignment_, target);
  }

  std::unique_ptr<HloModule> module_;
  std::unique_ptr<BufferAssignment> assignment_;
  ThunkPlan plan_;
};

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_
