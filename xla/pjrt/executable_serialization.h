// The bytes of an executable: its program, options and code, with what is
// needed to refuse bytes that are broken or of another version.
#ifndef XLA_PJRT_EXECUTABLE_SERIALIZATION_H_
#define XLA_PJRT_EXECUTABLE_SERIALIZATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {

// What is in them.
struct PackedExecutable {
  ExecutableAndOptionsProto payload;  // program (HloModuleProto) and options
  absl::string_view code;             // Executable::SerializeCode(); borrowed
};

// Numbers are little-endian:
//   8 bytes   "TSRAEXEC"
//   4 bytes   format version, 2
//   4 bytes   length n of the version of Tessera, and n bytes of text
//   twice, first for the payload, an ExecutableAndOptionsProto, then the code:
//     8 bytes   length m
//     8 bytes   StableBlockHash
//     m bytes
std::string PackExecutable(const ExecutableAndOptionsProto& payload,
                           absl::string_view code);

// Errors: InvalidArgument that says whether the bytes are no executable, of
// another format or version, cut off, or damaged.
absl::StatusOr<PackedExecutable> UnpackExecutable(absl::string_view bytes);

}  // namespace xla

#endif  // XLA_PJRT_EXECUTABLE_SERIALIZATION_H_
