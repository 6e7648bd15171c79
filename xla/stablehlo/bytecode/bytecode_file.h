// BytecodeFile: the sections of MLIR bytecode, without interpreting their
// contents. It knows bytecode versions 0 to 6 but no dialect.
#ifndef XLA_STABLEHLO_BYTECODE_BYTECODE_FILE_H_
#define XLA_STABLEHLO_BYTECODE_BYTECODE_FILE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/bytecode/byte_cursor.h"

namespace xla::stablehlo {

// The first bytes of MLIR bytecode.
inline constexpr absl::string_view kBytecodeMagic = "ML\xEFR";

// All views point into the bytes that were read.
struct BytecodeFile {
  // Versions that changed the encoding of what other files of this folder read.
  static constexpr uint64_t kLazyLoading = 2;  // isolated regions in sections
  static constexpr uint64_t kUseListOrder = 3;
  static constexpr uint64_t kBlockArgumentLocation = 4;  // may be omitted
  static constexpr uint64_t kProperties = 5;
  static constexpr uint64_t kNewest = 6;

  static constexpr uint8_t kIrSection = 4;

  struct OpName {
    uint32_t dialect;
    bool registered;  // by the writer; if not, it has no properties
    absl::string_view name;
  };
  // An attribute or type.
  struct Entry {
    uint32_t dialect;
    bool is_text;  // null-terminated MLIR text instead of the dialect's code
    absl::string_view data;
  };

  const char* begin = nullptr;  // start of the file
  uint64_t version = 0;
  absl::string_view producer;
  std::vector<absl::string_view> strings;
  std::vector<absl::string_view> dialects;
  std::vector<OpName> op_names;
  std::vector<Entry> attributes;
  std::vector<Entry> types;
  std::vector<absl::string_view> properties;
  absl::string_view ir;
};

// Errors: InvalidArgument, naming the section.
absl::StatusOr<BytecodeFile> ReadBytecodeFile(absl::string_view bytes);

// Reads the section at the cursor: identifier, size, alignment, content. Fails
// the cursor if there is none.
struct BytecodeSection {
  uint8_t id = 0xff;
  absl::string_view content;
};
BytecodeSection ReadBytecodeSection(ByteCursor& cursor, const char* file_begin);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_BYTECODE_FILE_H_
