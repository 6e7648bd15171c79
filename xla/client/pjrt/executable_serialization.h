// The bytes of an executable: its program and options, with what is needed to
// refuse bytes that are broken or of another version.
#ifndef XLA_CLIENT_PJRT_EXECUTABLE_SERIALIZATION_H_
#define XLA_CLIENT_PJRT_EXECUTABLE_SERIALIZATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {

// Numbers are little-endian:
//   8 bytes   "TSRAEXEC"
//   4 bytes   format version, 1
//   4 bytes   length n of the version of Tessera, and n bytes of text
//   8 bytes   length m of the payload
//   8 bytes   StableHash of the payload
//   m bytes   ExecutableAndOptionsProto: program (HloModuleProto) and options
std::string PackExecutable(const ExecutableAndOptionsProto& payload);

// Errors: InvalidArgument that says whether the bytes are no executable, of
// another format or version, cut off, or damaged.
absl::StatusOr<ExecutableAndOptionsProto> UnpackExecutable(
    absl::string_view bytes);

// Serialized with map entries in order: equal for equal messages.
std::string DeterministicBytes(const google::protobuf::MessageLite& message);

}  // namespace xla

#endif  // XLA_CLIENT_PJRT_EXECUTABLE_SERIALIZATION_H_
