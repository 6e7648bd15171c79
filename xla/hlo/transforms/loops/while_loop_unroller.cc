// Limits count the instructions that are made: each is compiled, whereas the
// instructions of a loop are compiled once.
#include "xla/hlo/transforms/loops/while_loop_unroller.h"

#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// The most iterations, each of which is compiled.
constexpr int64_t kMaxIterations = 8;
// The most instructions in all iterations together.
constexpr int64_t kMaxUnrolledInstructions = 48;
// The same limit if iterations pass on arrays of at least kLargeBytes.
constexpr int64_t kMaxInstructionsIfLarge = 512;
constexpr int64_t kLargeBytes = 128 << 10;

// Returns true for work that is a call of its own, whatever surrounds it, and
// would be compiled, or called, once per iteration.
bool StandsAlone(const HloInstruction& hlo) {
  switch (hlo.def().cost_class) {
    case CostClass::kControl:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kForeign:
      return true;
    case CostClass::kNone:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case XLA_ELEMENTWISE_COST_CLASSES:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kDevice:
      return false;
  }
  return false;
}

// Returns the number of instructions that compute something.
int64_t SizeOf(const HloComputation& body) {
  return std::count_if(body.instructions().begin(), body.instructions().end(),
                       [](const auto& hlo) {
                         return hlo->opcode() != HloOpcode::kGetTupleElement &&
                                hlo->opcode() != HloOpcode::kConstant;
                       });
}

bool IsWorthIt(const HloInstruction& loop) {
  if (!IsRepeatable(loop)) return false;
  const auto counted = FindCountedLoop(loop);
  if (!counted.has_value() || counted->trip_count < 1 ||
      counted->trip_count > kMaxIterations) {
    return false;
  }
  const HloComputation& body = *loop.while_body();
  if (std::any_of(body.instructions().begin(), body.instructions().end(),
                  [](const auto& hlo) { return StandsAlone(*hlo); })) {
    return false;
  }
  const int64_t limit = BytesHandedOn(loop) >= kLargeBytes
                            ? kMaxInstructionsIfLarge
                            : kMaxUnrolledInstructions;
  return SizeOf(body) * counted->trip_count <= limit;
}

absl::Status Unroll(Hlo loop) {
  const int64_t iterations = FindCountedLoop(*loop)->trip_count;
  HloComputation* computation = loop->parent();
  std::vector<Hlo> carry = InitialElements(loop);
  for (int64_t i = 0; i < iterations; ++i) {
    TF_ASSIGN_OR_RETURN(
        carry, AppendIteration(*loop->while_body(), carry, computation));
  }
  TF_RETURN_IF_ERROR(loop->ReplaceAllUsesWith(
      computation->AddInstruction(HloInstruction::CreateTuple(carry))));
  return computation->RemoveInstruction(loop);
}

}  // namespace

absl::StatusOr<bool> WhileLoopUnroller::RunImpl(HloModule* module) {
  bool changed = false;
  // Unroll inner loops first: what remains of them is part of the outer ones.
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kWhile || !IsWorthIt(*hlo) ||
          HasSideEffect(*hlo->while_condition())) {
        continue;
      }
      TF_RETURN_IF_ERROR(Unroll(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
