// The memory of scopes.
#include "xla/backends/cpu/aot/runtime/given_memory.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace xla::cpu::aot {
namespace {

thread_local GivenMemory* current = nullptr;

}  // namespace

void* GivenMemory::Allocate(size_t bytes, size_t alignment) {
  const auto end = reinterpret_cast<uintptr_t>(data_ + used_);
  const size_t padding = (alignment - end % alignment) % alignment;
  if (padding > bytes_ - used_ || bytes > bytes_ - used_ - padding) {
    return nullptr;
  }
  last_ = data_ + used_ + padding;
  used_ += padding + bytes;
  peak_ = std::max(peak_, used_);
  return last_;
}

void GivenMemory::Free(void* block) {
  if (block == nullptr || block != last_) return;
  used_ = last_ - data_;
  last_ = nullptr;
}

GivenMemoryScope::GivenMemoryScope(GivenMemory* memory)
    : before_(std::exchange(current, memory->is_empty() ? nullptr : memory)) {}

GivenMemoryScope::~GivenMemoryScope() { current = before_; }

GivenMemory* CurrentGivenMemory() { return current; }

}  // namespace xla::cpu::aot
