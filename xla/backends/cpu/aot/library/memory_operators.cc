// The allocation functions of the runtime library, which replaces C++'s within
// it alone (cmake/TesseraAot.cmake): they serve loading from the memory that a
// caller gave.
#include <cstdlib>
#include <new>

#include "xla/backends/cpu/aot/runtime/given_memory.h"

namespace {

void* Allocate(size_t bytes, size_t alignment) {
  if (bytes == 0) bytes = 1;
  void* block;
  if (auto* given = xla::cpu::aot::CurrentGivenMemory()) {
    block = given->Allocate(bytes, alignment);
  } else if (alignment <= alignof(std::max_align_t)) {
    block = std::malloc(bytes);
  } else {
    block = nullptr;
    if (posix_memalign(&block, alignment, bytes) != 0) block = nullptr;
  }
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void Free(void* block) noexcept {
  auto* given = xla::cpu::aot::CurrentGivenMemory();
  if (given != nullptr && given->Has(block)) {
    given->Free(block);
  } else {
    std::free(block);
  }
}

}  // namespace

void* operator new(size_t bytes) {
  return Allocate(bytes, alignof(std::max_align_t));
}
void* operator new[](size_t bytes) {
  return Allocate(bytes, alignof(std::max_align_t));
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept { Free(block); }
void operator delete[](void* block) noexcept { Free(block); }
void operator delete(void* block, size_t) noexcept { Free(block); }
void operator delete[](void* block, size_t) noexcept { Free(block); }
void operator delete(void* block, std::align_val_t) noexcept { Free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept {
  Free(block);
}
void operator delete[](void* block, size_t, std::align_val_t) noexcept {
  Free(block);
}
