// KernelFrames: which arrays the kernels of a program are called with.
#ifndef XLA_BACKENDS_CPU_PLANNING_KERNEL_FRAMES_H_
#define XLA_BACKENDS_CPU_PLANNING_KERNEL_FRAMES_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/kernel_frame.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Whether an operand is part of the code, and no array: a scalar constant.
bool IsImmediate(const HloInstruction& instruction);

class KernelFrames {
 public:
  // `assignment` is that of `module` and outlives this.
  KernelFrames(const HloModule& module, const BufferAssignment& assignment);

  // The leaves of the operands, in order, and then those of the result that are
  // not in the place of an operand; without immediates and arrays without
  // elements.
  KernelFrame OfInstruction(const HloInstruction& instruction) const;

  // Each allocation that the sequence reads or writes, once, in the order of
  // their numbers. Its arrays have offsets in these: many of them lie in the
  // one arena, and one pointer that is added to costs less than a pointer each.
  KernelFrame OfSequence(absl::Span<const HloInstruction* const> instructions,
                         const LocalBuffers& locals) const;

 private:
  bool MayBeDonated(int64_t x, int64_t y) const;

  const BufferAssignment& assignment_;
  // By the allocation of an output, that of the parameter that may be donated
  // to it.
  absl::flat_hash_map<int64_t, int64_t> donated_;
};

// The frame of a kernel that a library thunk gives addresses to: the operands
// of `instruction`, an array each. Its result is written over operand number
// `block`. All are aligned to their elements and no more.
KernelFrame FrameOfBlock(const HloInstruction& instruction, int64_t block);

// The frame of KernelSpec::mapped: an array for each parameter, and the result,
// which may be in the memory of any of them. All are aligned to their elements
// and no more.
KernelFrame FrameOfMapped(const HloComputation& computation);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_KERNEL_FRAMES_H_
