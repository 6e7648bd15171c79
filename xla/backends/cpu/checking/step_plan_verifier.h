// VerifyStepPlan: an independent check of the final plan, for tests.
#ifndef XLA_BACKENDS_CPU_CHECKING_STEP_PLAN_VERIFIER_H_
#define XLA_BACKENDS_CPU_CHECKING_STEP_PLAN_VERIFIER_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/planning/step_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/analysis/buffer_simulation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Simulates `plan`, steps in their order with their jumps, on names of values
// (buffer_simulation.h). The local buffers of a sequence are memory of their
// own, filled and copied back as the plan says; library steps write over the
// scratch they are given. Errors: Internal naming the instruction where memory
// does not hold what the program has there.
absl::Status VerifyStepPlan(const HloModule& module,
                            const BufferAssignment& assignment,
                            const StepPlan& plan,
                            const BufferVerifierOptions& options = {});

// Whether each compilation of this process runs it: the environment variable
// TESSERA_VERIFY_PLANS, which tests set to 1.
bool VerifiesStepPlans();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_STEP_PLAN_VERIFIER_H_
