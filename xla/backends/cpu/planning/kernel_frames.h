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

// Whether an operand, a scalar constant, is part of the code and has no array.
bool IsImmediate(const HloInstruction& instruction);

class KernelFrames {
 public:
  // `assignment` is that of `module` and outlives this.
  KernelFrames(const HloModule& module, const BufferAssignment& assignment);

  // Returns the frame of an instruction: the leaves of the operands, in order,
  // and then those leaves of the result that do not share an operand's place;
  // without immediates and arrays without elements.
  KernelFrame OfInstruction(const HloInstruction& instruction) const;

  // Returns the frame of a sequence: each allocation that it reads or writes,
  // once, in the order of their numbers. The sequence's values have offsets in
  // these: most of them lie in the one arena, and one pointer plus offsets
  // costs less than a pointer for each.
  KernelFrame OfSequence(absl::Span<const HloInstruction* const> instructions,
                         const LocalBuffers& locals) const;

 private:
  bool MayBeDonated(int64_t x, int64_t y) const;

  const BufferAssignment& assignment_;
  // The allocation of the parameter that may be donated to an output, by the
  // allocation of the output.
  absl::flat_hash_map<int64_t, int64_t> donated_;
};

// Returns the frame of a kernel to which a library thunk supplies addresses: an
// array for each operand of `instruction`. Its result is written over operand
// number `block` or, if its elements are not as wide or there is no such
// operand, to one more array. All arrays are aligned to their elements only.
// With `column_range`, there is such a range at the end.
KernelFrame FrameOfBlock(const HloInstruction& instruction, int64_t block,
                         bool column_range = false);

// Returns the frame of KernelSpec::mapped: an array for each parameter, and one
// for the result, which may be in the memory of any of them. All are aligned to
// their elements only.
KernelFrame FrameOfMapped(const HloComputation& computation);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_KERNEL_FRAMES_H_
