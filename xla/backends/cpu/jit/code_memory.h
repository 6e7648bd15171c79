// CodeMemory: pages that hold a program's code and constants.
#ifndef XLA_BACKENDS_CPU_JIT_CODE_MEMORY_H_
#define XLA_BACKENDS_CPU_JIT_CODE_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace xla::cpu {

// One mapping with three segments, each on pages of its own. It is writable
// until Seal(); afterwards code is executable and not writable. The destructor
// unmaps it.
class CodeMemory {
 public:
  enum Segment { kCode, kConstants, kData };
  static constexpr int kSegments = 3;

  // Maps zeroed pages for segments of these sizes in bytes. Errors:
  // ResourceExhausted.
  static absl::StatusOr<CodeMemory> Allocate(
      const std::array<size_t, kSegments>& sizes);

  CodeMemory() = default;
  CodeMemory(CodeMemory&& other) noexcept { *this = std::move(other); }
  CodeMemory& operator=(CodeMemory&& other) noexcept;
  ~CodeMemory();

  uint8_t* segment(Segment which) const { return base_ + offsets_[which]; }

  // Makes code executable and constants read-only. Errors: Internal if the
  // system forbids it.
  absl::Status Seal();

 private:
  uint8_t* base_ = nullptr;
  size_t size_ = 0;
  std::array<size_t, kSegments + 1> offsets_{};
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_CODE_MEMORY_H_
