// VerifyThunkPlan: an independent check of the final plan and of the thunks
// made of it, for tests.
#ifndef XLA_BACKENDS_CPU_CHECKING_THUNK_PLAN_VERIFIER_H_
#define XLA_BACKENDS_CPU_CHECKING_THUNK_PLAN_VERIFIER_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/analysis/buffer_simulation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Simulates `plan`, thunks in their order with their jumps, on names of values
// (buffer_simulation.h). The local buffers of a sequence are memory of their
// own, filled and copied back as the plan says; library thunks write over their
// scratch. Then compares the arrays that each kernel is called with to the
// memory of its instructions. Errors: Internal naming the instruction for which
// memory holds a wrong value or a kernel has wrong arrays.
absl::Status VerifyThunkPlan(const HloModule& module,
                             const BufferAssignment& assignment,
                             const ThunkPlan& plan,
                             absl::Span<const Thunk* const> thunks = {},
                             const BufferVerifierOptions& options = {});

// Checks that thunks of `sequence` that run side by side do not conflict:
// neither of two in different chains writes what the other reads or writes, and
// their scratch is behind what any of them uses. Errors: Internal naming both.
absl::Status VerifyConcurrency(const BufferAssignment& assignment,
                               const ThunkSequence& sequence);

// Whether each compilation of this process runs the checks above, as the
// environment variable TESSERA_VERIFY_PLANS says, which tests set to 1.
bool VerifiesThunkPlans();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_THUNK_PLAN_VERIFIER_H_
