// Derives facts about the arrays of a frame.
#include "xla/backends/cpu/codegen/kernel_frame.h"

#include <algorithm>

namespace xla::cpu {

int64_t KernelFrame::Add(const KernelArray& array) {
  arrays_.push_back(array);
  return static_cast<int64_t>(arrays_.size()) - 1;
}

void KernelFrame::AddColumnRange() {
  column_range_ = Add({.alignment = sizeof(int64_t)});
}

int64_t KernelFrame::Overwrite(const BufferAllocation::Slice& slice,
                               int64_t count) {
  for (int64_t number = 0; number < count; ++number) {
    if (arrays_[number].slice == slice) {
      arrays_[number].written = true;
      return number;
    }
  }
  return -1;
}

void KernelFrame::AddAlias(int64_t x, int64_t y) {
  aliases_.insert({std::min(x, y), std::max(x, y)});
  aliased_.insert(x);
  aliased_.insert(y);
}

bool KernelFrame::MayShareMemory(const Place& x, const Place& y) const {
  if (x.array < 0 || y.array < 0) return false;
  if (x.array == y.array) {
    return x.offset < y.offset + y.size && y.offset < x.offset + x.size;
  }
  return aliases_.contains(
      {std::min(x.array, y.array), std::max(x.array, y.array)});
}

bool KernelFrame::IsInvariant(int64_t number) const {
  return !arrays_[number].written && !aliased_.contains(number);
}

bool KernelFrame::HasSameFacts(const KernelFrame& other) const {
  return std::equal(arrays_.begin(), arrays_.end(), other.arrays_.begin(),
                    other.arrays_.end(),
                    [](const KernelArray& x, const KernelArray& y) {
                      return x.alignment == y.alignment &&
                             x.written == y.written;
                    }) &&
         column_range_ == other.column_range_ && bound_ == other.bound_ &&
         aliases_ == other.aliases_;
}

}  // namespace xla::cpu
