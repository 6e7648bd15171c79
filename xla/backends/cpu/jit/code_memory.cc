// Maps, protects and unmaps the pages of code.
#include "xla/backends/cpu/jit/code_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/base/errors.h"

namespace xla::cpu {

absl::StatusOr<CodeMemory> CodeMemory::Allocate(
    const std::array<size_t, kSegments>& sizes) {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // The most bytes in a segment, so that their sum does not overflow.
  constexpr size_t kLargest = size_t{1} << 30;
  CodeMemory memory;
  size_t total = 0;
  for (int i = 0; i < kSegments; ++i) {
    if (sizes[i] > kLargest) {
      return ResourceExhausted("%d bytes of code or constants in one program",
                               sizes[i]);
    }
    memory.offsets_[i] = total;
    total += RoundUpTo(sizes[i], page);
  }
  memory.offsets_[kSegments] = total;
  if (total == 0) return memory;
  void* base = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    return ResourceExhausted("%d bytes of memory for code: %s", total,
                             std::strerror(errno));
  }
  memory.base_ = static_cast<uint8_t*>(base);
  memory.size_ = total;
  return memory;
}

CodeMemory& CodeMemory::operator=(CodeMemory&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(size_, other.size_);
  std::swap(offsets_, other.offsets_);
  return *this;
}

CodeMemory::~CodeMemory() {
  if (base_ != nullptr) munmap(base_, size_);
}

absl::Status CodeMemory::Seal() {
  constexpr int kAccess[] = {PROT_READ | PROT_EXEC, PROT_READ};
  for (const Segment which : {kCode, kConstants}) {
    const size_t size = offsets_[which + 1] - offsets_[which];
    if (size == 0) continue;
    if (mprotect(segment(which), size, kAccess[which]) != 0) {
      return Internal("%d bytes of memory cannot be made %s: %s", size,
                      which == kCode ? "executable" : "read-only",
                      std::strerror(errno));
    }
  }
  char* const code = reinterpret_cast<char*>(segment(kCode));
  if (size_ != 0) __builtin___clear_cache(code, code + offsets_[kConstants]);
  return absl::OkStatus();
}

}  // namespace xla::cpu
