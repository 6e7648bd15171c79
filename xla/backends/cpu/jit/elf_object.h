// Parses the relocatable ELF files that LLVM writes. Checks every offset, since
// they may come from a serialized program. Does not depend on LLVM.
#ifndef XLA_BACKENDS_CPU_JIT_ELF_OBJECT_H_
#define XLA_BACKENDS_CPU_JIT_ELF_OBJECT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla::cpu {

// All views refer to the bytes that were parsed.
struct ElfSection {
  absl::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t size = 0;
  uint64_t alignment = 1;   // a power of two
  absl::string_view bytes;  // `size` of them; none if all are zero (.bss)
};

struct ElfSymbol {
  absl::string_view name;
  uint8_t binding = 0;  // STB_LOCAL, STB_GLOBAL, STB_WEAK
  uint8_t type = 0;
  // A checked index into sections, or kUndefined, or kAbsolute.
  uint32_t section = 0;
  uint64_t value = 0;  // within the section, checked
  uint64_t size = 0;

  static constexpr uint32_t kUndefined = 0xffff'ffff;
  static constexpr uint32_t kAbsolute = 0xffff'fffe;
};

struct ElfRelocation {
  uint32_t section = 0;  // of the place, checked
  uint32_t type = 0;
  uint32_t symbol = 0;  // index into symbols, checked
  uint64_t offset = 0;  // of the place, below the section's size
  int64_t addend = 0;
};

struct ElfObject {
  uint16_t machine = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;
};

// Errors: InvalidArgument unless `bytes` is a well-formed 64-bit little-endian
// relocatable file.
absl::StatusOr<ElfObject> ParseElfObject(absl::string_view bytes);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_ELF_OBJECT_H_
