// The handshake between a process and the store that process 0 serves: the
// server proves first that it knows the job's secret, then the client.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_STORE_HANDSHAKE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_STORE_HANDSHAKE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/distributed/rendezvous/sockets.h"
#include "xla/distributed/secret/shared_secret.h"

namespace xla::distributed {

// What a connection with a handshake begins with.
inline constexpr uint32_t kStoreHandshakeMagic = 0x31415454;  // "TTA1"
// What an answer to a request begins with, and one that refuses the handshake.
inline constexpr uint32_t kStoreMagic = 0x31535454;  // "TTS1"

struct ReplyHead {
  uint32_t magic = kStoreMagic;
  uint32_t code = 0;  // of the status; the text follows
  uint64_t bytes = 0;
};
// Writes a reply with the status, or with the text if it is OK.
absl::Status WriteReply(Socket& socket, const absl::Status& status,
                        absl::string_view text);

// Of process `process`, on a new connection; `address` is the store's, as all
// processes write it. Errors: PermissionDenied if the server does not know the
// secret; what the server answers instead; those of the socket.
absl::Status ProveToStore(Socket& socket, const SharedSecret& secret,
                          const std::string& address, int process);

// Of the server; the magic number has been read. If `secret` is null, it says
// so to the client. Returns OK if the client knows the secret. Errors:
// PermissionDenied or FailedPrecondition, with the process that the client says
// it is; those of the socket.
absl::Status ProveToClient(Socket& socket, const SharedSecret* secret,
                           const std::string& address);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_STORE_HANDSHAKE_H_
