// OperandPlan: how an array is converted before or after a kernel: its
// dimensions are put into the kernel's order, and its elements rounded.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_OPERAND_PLAN_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_OPERAND_PLAN_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/permutation_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

struct OperandPlan {
  using Dims = std::vector<int64_t>;

  Slice slice;
  // The array as the program has it, row-major.
  Dims dimensions;
  PrimitiveType array_type = PRIMITIVE_TYPE_INVALID;
  Dims order;  // of its dimensions for the kernel; empty: as it is
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // for the kernel
  bool transposed = false;  // the kernel is told that it is, and nothing done
  // Where the operand begins in the slice: each of these adds `bytes` times an
  // index, which is limited to [0, limit].
  struct Start {
    Slice index;
    PrimitiveType type = PRIMITIVE_TYPE_INVALID;
    int64_t limit = 0, bytes = 0;
  };
  std::vector<Start> starts;
  // The indices of whole dimensions, which the program reads, too.
  std::vector<Slice> whole_indices;

  // Sets the order of dimensions that the kernel takes.
  void SetOrder(Dims wanted) {
    order = IsIdentityPermutation(wanted) ? Dims() : std::move(wanted);
  }

  int64_t elements() const {
    int64_t count = 1;
    for (const int64_t size : dimensions) count *= size;
    return count;
  }
  bool moves() const { return !order.empty(); }
  // Whether the kernel takes the program's array itself.
  bool is_in_place() const { return !moves() && type == array_type; }
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

template <typename Archive>
void Fields(Archive& archive, OperandPlan::Start& start) {
  archive(start.index, start.type, start.limit, start.bytes);
}

template <typename Archive>
void Fields(Archive& archive, OperandPlan& plan) {
  archive(plan.slice, plan.dimensions, plan.array_type, plan.order, plan.type,
          plan.transposed, plan.starts, plan.whole_indices);
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_OPERAND_PLAN_H_
