// KernelFrame: the arrays that a kernel is called with, in order, and what its
// code may assume of their memory. No header of LLVM.
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
  // Where KernelThunk finds it. Without an allocation where a library thunk
  // calls the kernel: that thunk supplies the address.
  BufferAllocation::Slice slice;
  // Bytes of which the address is a multiple.
  int64_t alignment = 1;
  // Whether the kernel writes there.
  bool written = false;
};

class KernelFrame {
 public:
  // Where a leaf of an instruction's value lies: bytes [offset, offset + size)
  // of array number `array`, or nowhere in the frame if that is negative.
  // `buffer` is its BufferAssignment::buffer_id where the kernel may keep that
  // on its stack instead, else negative.
  struct Place {
    int64_t array = -1;
    int64_t offset = 0;
    int64_t size = 0;
    int64_t buffer = -1;
  };

  // Appends an array and returns its number.
  int64_t Add(const KernelArray& array);
  // The number of the first of the first `count` arrays that is at `slice`,
  // which is written from now on; -1 if none is.
  int64_t Overwrite(const BufferAllocation::Slice& slice, int64_t count);
  // Says that arrays `x` and `y`, at least one of which is written, may be the
  // same memory, in whole or in part, although their numbers differ.
  void AddAlias(int64_t x, int64_t y);
  // Says where a leaf is. The first place that is given for a leaf holds.
  void Bind(const HloInstruction* instruction, int64_t leaf,
            const Place& place) {
    places_.try_emplace({instruction, leaf}, place);
    bound_.push_back(place.array);
  }
  // The same of the memory behind a local buffer (LocalBuffers), which is
  // copied from or to there.
  void BindLocal(int64_t buffer, const Place& place) {
    local_places_.try_emplace(buffer, place);
  }

  absl::Span<const KernelArray> arrays() const { return arrays_; }
  bool Has(const HloInstruction* instruction, int64_t leaf) const {
    return places_.contains({instruction, leaf});
  }
  // Of a leaf that is bound.
  const Place& place(const HloInstruction* instruction, int64_t leaf) const {
    return places_.at({instruction, leaf});
  }
  bool HasLocal(int64_t buffer) const { return local_places_.contains(buffer); }
  // Of a local buffer that is bound.
  const Place& local_place(int64_t buffer) const {
    return local_places_.at(buffer);
  }
  // Whether a write to one may change the other.
  bool MayShareMemory(const Place& x, const Place& y) const;
  // Whether nothing that the kernel writes may lie in array `number`.
  bool IsInvariant(int64_t number) const;
  // Whether the other frame gives code the same facts: as many arrays, each
  // aligned, written and aliased alike, for leaves that were bound in the same
  // order. Where they lie does not matter.
  bool HasSameFacts(const KernelFrame& other) const;

 private:
  std::vector<KernelArray> arrays_;
  std::vector<int64_t> bound_;  // the array of each leaf, in order of Bind
  absl::flat_hash_set<std::pair<int64_t, int64_t>> aliases_;  // x < y
  absl::flat_hash_set<int64_t> aliased_;
  absl::flat_hash_map<std::pair<const HloInstruction*, int64_t>, Place> places_;
  absl::flat_hash_map<int64_t, Place> local_places_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_FRAME_H_
