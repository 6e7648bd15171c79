// Transport: messages between the processes of a job. It knows neither arrays
// nor collectives; what is sent when is decided above it.
#ifndef XLA_DISTRIBUTED_TRANSPORT_TRANSPORT_H_
#define XLA_DISTRIBUTED_TRANSPORT_TRANSPORT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace xla::distributed {

// A send or a receive under way. Its memory is borrowed until Wait returns OK;
// an unfinished transfer may be destroyed, and its memory freed, only after
// Transport::Abort. Used by one thread at a time.
class Transfer {
 public:
  virtual ~Transfer() = default;
  // Waits until the memory may be reused (a send) or is filled (a receive).
  // Errors: DeadlineExceeded; Unavailable if the peer has gone; Aborted, with
  // the reason, after Transport::Abort. Some transports have to abort when a
  // wait ends without success, so callers take every error as the end of all
  // transfers.
  virtual absl::Status Wait(absl::Time deadline) = 0;
};

// Messages have exactly the size that the receiver asks for. A receive matches
// the send of its peer that has the same key; at most one message with a key is
// under way from one process to another. Thread safe.
class Transport {
 public:
  virtual ~Transport() = default;

  // The number of this process, and of all: process() < num_processes().
  virtual int process() const = 0;
  virtual int num_processes() const = 0;

  // `peer` is another process. Both return at once. Errors: Unavailable,
  // Aborted.
  virtual absl::StatusOr<std::unique_ptr<Transfer>> Send(
      int peer, uint64_t key, absl::Span<const char> data) = 0;
  virtual absl::StatusOr<std::unique_ptr<Transfer>> Receive(
      int peer, uint64_t key, absl::Span<char> data) = 0;

  // Ends all transfers of this process, now and later, with an error, and
  // closes its connections, so that its peers' transfers with it fail, too.
  // Afterwards no memory of transfers is accessed.
  virtual void Abort(absl::string_view reason) = 0;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_TRANSPORT_TRANSPORT_H_
