// The handshake by which processes that share a secret recognize each other,
// over any transport, before they exchange anything else.
#ifndef XLA_DISTRIBUTED_HANDSHAKE_H_
#define XLA_DISTRIBUTED_HANDSHAKE_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "xla/distributed/secret/shared_secret.h"
#include "xla/distributed/topology.h"
#include "xla/distributed/transport/transport.h"

namespace xla::distributed {

// Proves to every other process of `job` that this one knows `secret`, and has
// each prove it to this one. The proofs hold for these two processes, this
// connection and this job, as both sides see it. All processes learn when one
// refuses another. After an error `transport` is aborted. Errors:
// PermissionDenied that names a process which does not know the secret or
// refuses this one; FailedPrecondition if a process sees other processes in the
// job; DataLoss for what is no handshake; DeadlineExceeded; those of the
// transport.
absl::Status ProveToAll(Transport& transport, const SharedSecret& secret,
                        const Topology& job, absl::Time deadline);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_HANDSHAKE_H_
