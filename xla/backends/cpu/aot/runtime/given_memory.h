// GivenMemory: memory of the caller from which loading a program allocates.
#ifndef XLA_BACKENDS_CPU_AOT_RUNTIME_GIVEN_MEMORY_H_
#define XLA_BACKENDS_CPU_AOT_RUNTIME_GIVEN_MEMORY_H_

#include <cstddef>

namespace xla::cpu::aot {

// Blocks one after the other; only the last one can be freed.
class GivenMemory {
 public:
  GivenMemory() = default;
  GivenMemory(void* data, size_t bytes)
      : data_(static_cast<char*>(data)), bytes_(data == nullptr ? 0 : bytes) {}

  bool is_empty() const { return data_ == nullptr; }
  // The most bytes that were in use.
  size_t peak_bytes() const { return peak_; }
  bool Has(const void* block) const {
    return block >= data_ && block < data_ + bytes_;
  }
  // Returns null if there is not enough left.
  void* Allocate(size_t bytes, size_t alignment);
  void Free(void* block);

 private:
  char* data_ = nullptr;
  size_t bytes_ = 0;
  size_t used_ = 0;
  size_t peak_ = 0;
  char* last_ = nullptr;  // the last block
};

// While one lives, what this thread allocates in the runtime comes from
// `memory`, unless that is empty.
class GivenMemoryScope {
 public:
  explicit GivenMemoryScope(GivenMemory* memory);
  ~GivenMemoryScope();
  GivenMemoryScope(const GivenMemoryScope&) = delete;
  GivenMemoryScope& operator=(const GivenMemoryScope&) = delete;

 private:
  GivenMemory* const before_;
};

// Returns the memory of the innermost scope; null if there is none.
GivenMemory* CurrentGivenMemory();

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_RUNTIME_GIVEN_MEMORY_H_
