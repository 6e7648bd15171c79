// BufferUse: that something which runs reads or writes a slice of memory.
#ifndef XLA_RUNTIME_BUFFER_USE_H_
#define XLA_RUNTIME_BUFFER_USE_H_

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/runtime/buffer_allocation.h"

namespace xla {

struct BufferUse {
  enum class Kind { kRead, kWrite };

  BufferAllocation::Slice slice;
  Kind kind = Kind::kRead;

  friend bool operator==(const BufferUse&, const BufferUse&) = default;
};

// All memory that something reads and writes, in no particular order. A slice
// that it does both to, as an update in place does, is in there twice. Slices
// without memory, and those of no bytes, are left out.
//
//   return BufferUses().Read(lhs_).Read(rhs_).Write(result_);
class BufferUses {
 public:
  using Slice = BufferAllocation::Slice;

  BufferUses& Read(const Slice& slice) {
    return Add({slice, BufferUse::Kind::kRead});
  }
  BufferUses& Read(absl::Span<const Slice> slices) {
    for (const Slice& slice : slices) Read(slice);
    return *this;
  }
  BufferUses& Write(const Slice& slice) {
    return Add({slice, BufferUse::Kind::kWrite});
  }
  BufferUses& Write(absl::Span<const Slice> slices) {
    for (const Slice& slice : slices) Write(slice);
    return *this;
  }
  BufferUses& Add(const BufferUse& use) {
    if (use.slice.allocation >= 0 && use.slice.size > 0) uses_.push_back(use);
    return *this;
  }

  bool empty() const { return uses_.empty(); }
  size_t size() const { return uses_.size(); }
  auto begin() const { return uses_.begin(); }
  auto end() const { return uses_.end(); }

 private:
  std::vector<BufferUse> uses_;
};

}  // namespace xla

#endif  // XLA_RUNTIME_BUFFER_USE_H_
