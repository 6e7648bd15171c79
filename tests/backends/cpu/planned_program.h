// The fixture of tests that look at the plan of a program.
#ifndef TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_
#define TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_planner.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {

class PlannedProgramTest : public ::testing::Test {
 protected:
  // Parses `text`, runs the passes of the CPU compiler and plans the result
  // for this machine.
  void Plan(absl::string_view text,
            const BufferAssignment::Options& options = {}) {
    module_ = *ParseAndReturnUnverifiedModule(text);
    ASSERT_TRUE(RunPasses(module_.get()).ok());
    assignment_ = *BufferAssignment::Run(*module_, options);
    plan_ = *PlanThunks(*module_, *assignment_,
                        *FindRunCosts(*module_, HostTarget()), HostTarget());
  }

  std::unique_ptr<HloModule> module_;
  std::unique_ptr<BufferAssignment> assignment_;
  ThunkPlan plan_;
};

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_PLANNED_PROGRAM_H_
