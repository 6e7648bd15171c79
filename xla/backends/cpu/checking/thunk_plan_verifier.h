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
// own, filled and copied back as the plan says; library thunks write over the
// scratch they are given. Errors: Internal naming the instruction where memory
// does not hold what the program has there, and the value that it should hold.
//
// `thunks`, unless empty, are those that were made of the plan's, null where
// there is nothing to do. Each must declare in its buffer_uses() exactly what
// the simulation of its instructions reads and writes, so that what holds of
// the order of instructions holds of the order of thunks; a kernel with loops
// or conditionals may declare more, as a simulation takes one way through it.
// Errors: Internal naming the thunk and the use.
absl::Status VerifyThunkPlan(const HloModule& module,
                             const BufferAssignment& assignment,
                             const ThunkPlan& plan,
                             absl::Span<const Thunk* const> thunks = {},
                             const BufferVerifierOptions& options = {});

// Thunks of `sequence` that run side by side do not conflict: neither of two in
// different chains writes what the other reads or writes, and their scratch is
// behind what any of them uses. Errors: Internal naming both.
absl::Status VerifyConcurrency(const BufferAssignment& assignment,
                               const ThunkSequence& sequence);

// Whether each compilation of this process runs it: the environment variable
// TESSERA_VERIFY_PLANS, which tests set to 1.
bool VerifiesThunkPlans();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_THUNK_PLAN_VERIFIER_H_
