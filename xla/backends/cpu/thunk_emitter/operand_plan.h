// OperandPlan: how an array is converted before or after a kernel: its
// dimensions are put into the kernel's order, and its elements rounded.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLAN_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_OPERAND_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
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
  // Where the operand begins in the slice: each of these adds `bytes` times an
  // index, which is limited to [0, limit].
  struct Start {
    Slice index;
    PrimitiveType type;
    int64_t limit, bytes;
  };
  std::vector<Start> starts;
  // The indices of whole dimensions, which the program reads, too.
  std::vector<Slice> whole_indices;

  // Makes a plan that takes the array of `hlo` as it is.
  static absl::StatusOr<OperandPlan> Of(const HloInstruction& hlo,
                                        const ThunkEmitterContext& context);
  // Makes a plan of a dynamic-slice whose elements lie one after the other in
  // its operand. `array` is that operand in the program, and `indices` those of
  // its dimensions, null for whole ones that the program does not have.
  static absl::StatusOr<OperandPlan> OfSlice(
      const HloInstruction& dynamic_slice, const HloInstruction& array,
      absl::Span<const HloInstruction* const> indices,
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
  // Adds what Prepare reads.
  void AddReads(BufferUses& uses) const;
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
