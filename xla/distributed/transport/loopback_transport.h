// LoopbackHub: transports between "processes" that are threads of this one, for
// tests of what lies above transports.
#ifndef XLA_DISTRIBUTED_TRANSPORT_LOOPBACK_TRANSPORT_H_
#define XLA_DISTRIBUTED_TRANSPORT_LOOPBACK_TRANSPORT_H_

#include <cstdint>
#include <memory>

#include "xla/distributed/transport/transport.h"

namespace xla::distributed {

// Thread safe. The transports that it makes keep it alive.
class LoopbackHub {
 public:
  explicit LoopbackHub(int num_processes);
  // Makes the transport of a process, once for each.
  std::unique_ptr<Transport> MakeTransport(int process);
  // Ends a process as a crash would: without a reason for the others.
  void Kill(int process);
  // The bytes that a process has sent.
  int64_t sent_bytes(int process) const;

  struct State;

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_TRANSPORT_LOOPBACK_TRANSPORT_H_
