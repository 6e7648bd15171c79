// OperandPlan: how an array is converted before or after a kernel: its
// dimensions are put into the kernel's order, and its elements rounded.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLAN_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Returns the constant that `hlo` is, through bitcasts; null if it is none.
const HloInstruction* ConstantAt(const HloInstruction& hlo);

struct OperandPlan {
  using Dims = std::vector<int64_t>;

  Slice slice;
  Shape shape;  // as the program has it, row-major
  Dims order;   // of its dimensions for the kernel; empty: as it is
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // for the kernel
  bool transposed = false;  // the kernel is told that it is, and nothing done

  // Makes a plan that takes the array of `hlo` as it is.
  static absl::StatusOr<OperandPlan> Of(const HloInstruction& hlo,
                                        const ThunkEmitterContext& context);
  // Sets the order of dimensions that the kernel takes.
  void SetOrder(Dims wanted) {
    order = IsIdentityPermutation(wanted) ? Dims() : std::move(wanted);
  }

  bool moves() const { return !order.empty(); }
  // Whether the kernel takes the program's array itself.
  bool is_in_place() const { return !moves() && type == shape.element_type(); }
  // Returns a multiple of 64.
  int64_t ScratchBytes() const;
  // Returns the operand as the kernel takes it, in `scratch` if it must be
  // converted.
  const char* Prepare(const DeviceRun& run, char* scratch) const;
  // Place returns where the kernel writes a result; Finish moves the result
  // from there to the program's memory.
  char* Place(const DeviceRun& run, char* scratch) const;
  void Finish(const DeviceRun& run, const char* scratch) const;

 private:
  int64_t MovedBytes() const;
  void Move(bool forth, const char* from, char* to) const;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLAN_H_
