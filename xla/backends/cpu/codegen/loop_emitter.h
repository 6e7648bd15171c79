// LoopEmitter: loops that compute arrays element by element and store them:
// what a loop fusion becomes.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LOOP_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_LOOP_EMITTER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/ir_array.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// One array to compute.
struct LoopOutput {
  const HloInstruction* value = nullptr;
  int64_t leaf = 0;
  IrArray array;
  // Where in `array` the element at an index of the loop goes, if not there.
  std::function<LaneIndex(const LaneIndex&)> place = nullptr;
};

// Bytes that an element takes in a register while it is computed with.
int RegisterBytes(PrimitiveType type);

// How loops over an array of some shape are laid out. Made from shapes alone,
// so that whoever schedules the kernel knows its items without LLVM.
struct LoopPlan {
  // Either one loop over the row-major order of all elements (outer empty), or
  // loops over `outer` dimensions around one over `inner` elements of the
  // dimension behind them, the dimensions behind which have size 1.
  std::vector<int64_t> outer;
  int64_t inner = 0;
  int lanes = 1;
  int register_lanes = 1;  // of one vector register, at most `lanes`
  // Each element depends on those at its row-major position alone.
  bool linear = false;
  // How often the code of an element may be repeated for ranges of indices.
  int copies = 1;
  // Loops of up to so many vectors are straight code, so that small arrays on
  // the stack become registers.
  int straight = 1;
  // Work items: `blocks` of `block` inner elements in each row.
  int64_t rows = 1;
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t items() const { return inner == 0 ? 0 : rows * blocks; }
};

// `values` are those of the instruction. `shape` is that of every output.
LoopPlan PlanLoop(const Shape& shape, absl::Span<const LoopValue> values,
                  const TargetInfo& target);

// Emits items [begin, end) of the plan. `in_place`: an output may overlap an
// input at the same index, so that no element may be computed twice.
absl::Status EmitLoop(ElementalEmitter& emitter, const LoopPlan& plan,
                      const Shape& shape, absl::Span<const LoopOutput> outputs,
                      llvm::Value* begin, llvm::Value* end, bool in_place);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LOOP_EMITTER_H_
