// KernelFrame: the arrays that a kernel is called with, in order, and what its
// code may assume of their memory. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_FRAME_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_FRAME_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/buffer_allocation.h"

namespace xla::cpu {

// Entry `i` of a frame: what `arrays[i]` of a KernelFunction
// (thunks/kernel_abi.h) points to.
struct KernelArray {
  // The memory in which KernelThunk finds the array. It has no allocation if a
  // library thunk calls the kernel and supplies the address.
  BufferAllocation::Slice slice;
  // The address is a multiple of this number of bytes.
  int64_t alignment = 1;
  // Whether the kernel writes to the array.
  bool written = false;
};

class KernelFrame {
 public:
  // The location of a leaf of an instruction's value: bytes [offset, offset +
  // size) of array number `array`, or nowhere in the frame if that is negative.
  // `buffer` is the leaf's BufferAssignment::buffer_id if the kernel may keep
  // it on its stack instead, else negative.
  struct Place {
    int64_t array = -1;
    int64_t offset = 0;
    int64_t size = 0;
    int64_t buffer = -1;
  };

  // Appends an array and returns its number.
  int64_t Add(const KernelArray& array);
  // Marks the first of the first `count` arrays that lies at `slice` as written
  // and returns its number; -1 if there is none.
  int64_t Overwrite(const BufferAllocation::Slice& slice, int64_t count);
  // Declares that arrays `x` and `y`, at least one of which is written, may
  // overlap although their numbers differ.
  void AddAlias(int64_t x, int64_t y);
  // Sets the place of a leaf, unless it has one already. `place` is a copy
  // since it may be one of this frame's.
  void Bind(const HloInstruction* instruction, int64_t leaf, Place place) {
    places_.try_emplace({instruction, leaf}, place);
    bound_.push_back(place.array);
  }
  // Does so for the memory from or to which a local buffer (LocalBuffers) is
  // copied.
  void BindLocal(int64_t buffer, Place place) {
    local_places_.try_emplace(buffer, place);
  }

  // Appends an array of two s64: the kernel, a reduction by rows, leaves out
  // columns of its rows before the first number and from the second on, except
  // for those that share a vector with others.
  void AddColumnRange();
  // The number of that array; -1 if there is none.
  int64_t column_range() const { return column_range_; }

  absl::Span<const KernelArray> arrays() const { return arrays_; }
  bool Has(const HloInstruction* instruction, int64_t leaf) const {
    return places_.contains({instruction, leaf});
  }
  // The leaf must be bound.
  const Place& place(const HloInstruction* instruction, int64_t leaf) const {
    return places_.at({instruction, leaf});
  }
  bool HasLocal(int64_t buffer) const { return local_places_.contains(buffer); }
  // The local buffer must be bound.
  const Place& local_place(int64_t buffer) const {
    return local_places_.at(buffer);
  }
  // Whether a write to one of the two may change the other.
  bool MayShareMemory(const Place& x, const Place& y) const;
  // Whether no write of the kernel may change array `number`.
  bool IsInvariant(int64_t number) const;
  // Whether code may assume the same of the other frame: it has as many arrays,
  // with the same alignments, writes and aliases, and leaves were bound to them
  // in the same order. Their slices may differ.
  bool HasSameFacts(const KernelFrame& other) const;

 private:
  std::vector<KernelArray> arrays_;
  int64_t column_range_ = -1;
  std::vector<int64_t> bound_;  // the array of each leaf, in order of Bind
  absl::flat_hash_set<std::pair<int64_t, int64_t>> aliases_;  // x < y
  absl::flat_hash_set<int64_t> aliased_;
  absl::flat_hash_map<std::pair<const HloInstruction*, int64_t>, Place> places_;
  absl::flat_hash_map<int64_t, Place> local_places_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_FRAME_H_
