// The serialized form of an executable: its program, options and code, with
// what is needed to reject bytes that are damaged or of another version.
#ifndef XLA_CLIENT_EXECUTABLE_SERIALIZATION_H_
#define XLA_CLIENT_EXECUTABLE_SERIALIZATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {

// The contents of a serialized executable.
struct PackedExecutable {
  ExecutableAndOptionsProto payload;  // program (HloModuleProto) and options
  absl::string_view code;             // Executable::SerializeCode(); borrowed
};

// The format, with little-endian numbers:
//   8 bytes   "TSRAEXEC"
//   4 bytes   format version, 3
//   4 bytes   length n of the version of Tessera, and n bytes of text
//   two sections, the payload (an ExecutableAndOptionsProto), then the code:
//     8 bytes   length m
//     8 bytes   StableBlockHash
//     m bytes
std::string PackExecutable(const ExecutableAndOptionsProto& payload,
                           absl::string_view code);

// Errors: InvalidArgument that says whether the bytes are not an executable, of
// another format or version, truncated, or damaged.
absl::StatusOr<PackedExecutable> UnpackExecutable(absl::string_view bytes);

}  // namespace xla

#endif  // XLA_CLIENT_EXECUTABLE_SERIALIZATION_H_
