// Lets several copies of this library in one process share libprotobuf.
#ifndef XLA_PROTO_SHARED_DESCRIPTORS_H_
#define XLA_PROTO_SHARED_DESCRIPTORS_H_

#include "absl/status/status.h"

namespace xla {

// Returns FailedPrecondition if another copy in this process, of another
// version, registered other protos under the same names, so that ours do not
// work.
absl::Status SharedDescriptorsStatus();

}  // namespace xla

#endif  // XLA_PROTO_SHARED_DESCRIPTORS_H_
