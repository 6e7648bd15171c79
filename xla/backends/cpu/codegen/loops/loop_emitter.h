// LoopEmitter: loops that compute arrays element by element and store them,
// such as those of a loop fusion.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_EMITTER_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/ir_array.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// One array to compute.
struct LoopOutput {
  const HloInstruction* value = nullptr;
  int64_t leaf = 0;
  IrArray array;
  // If set, maps an index of the loop to the index in `array`; by default they
  // are the same.
  std::function<VectorIndex(const VectorIndex&)> place = nullptr;
};

// Emits workgroups [begin, end) of the plan. `in_place`: an output may overlap
// an input at the same index, so no element may be computed twice.
absl::Status EmitLoop(ElementalEmitter& emitter, const LoopPlan& plan,
                      const Shape& shape, absl::Span<const LoopOutput> outputs,
                      llvm::Value* begin, llvm::Value* end, bool in_place);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LOOPS_LOOP_EMITTER_H_
