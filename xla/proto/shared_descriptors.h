// Several copies of this library in one process that share libprotobuf.
#ifndef XLA_PROTO_SHARED_DESCRIPTORS_H_
#define XLA_PROTO_SHARED_DESCRIPTORS_H_

#include "absl/status/status.h"

namespace xla {

// FailedPrecondition when another copy in this process, of another version,
// had registered other protos by the names of ours, so that ours do not work.
absl::Status SharedDescriptorsStatus();

}  // namespace xla

#endif  // XLA_PROTO_SHARED_DESCRIPTORS_H_
